-- expect: holds
-- states: 4
-- rules: 6
-- output: ^\tNo error found\.\n(.*\n)*\nCoverage:\n\n\t2 of 4 rules never fired:\n\t  Rule "too far", .*coverage_never\.m:17\n\t  Rule 4, .*coverage_never\.m:19\n\tInvariant "never asked" was trivially true: its premise never held, .*coverage_never\.m:22\n\tInvariant 4 was trivially true in part: one of its premises never held, .*coverage_never\.m:25\n\tInvariant "anyway" was trivially true: it does not depend on the state, .*coverage_never\.m:26\n\Z
-- Rules that never fire and invariants that say nothing are named after the verdict, and nothing else is.
type T : 0..3;
var x : T;

startstate x := 0; end;

rule "up" x < 3 ==> x := x + 1; end;
ruleset a : T do
  rule "home" x = 3 & a != 3 ==> x := 0; end;
end;

ruleset a : T do
  rule "too far"
    x + a > 6 ==> x := 0; end;
  rule x = 1 & x = 2 ==> end;
end;

invariant "never asked" forall a : T do x = 2 & a = 3 & x = a -> a = x end;
invariant "asked" x = 2 -> x > 1;
invariant "unequal" forall a : T do a != 2 -> (x = a -> x != 2) end;
invariant (x = 0 -> x < 2) & (!(x = 1 & x = 2) | x > 4);
invariant "anyway" forall a : T do a <= 3 end;
