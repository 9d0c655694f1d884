-- expect: invariant "below"
-- trace: 2
-- output: ^Step 0\nStartstate "begin" fired\.\nput> begun\nx:0\nout\{0\}:1\n----------\n\nStep 1\nRule "move", i:2 fired\.\nput> moves n:2\nput> x:0\nx:1\nin\{0\}:1\nout\{0\}:Undefined\nin gains 1\nout loses 1\n----------\n\nStep 2\nRule "jump" fired\.\nx:3\n----------\n\nEnd of the error trace\.$
-- Steps are numbered and show what they put, and only that: the other instances of the rule put text too. The bag `in` gets what
-- `out` loses, so there are as many scalars after the step as before.
var
  x : 0..3;
  in : multiset [1] of 0..2;
  out : multiset [1] of 0..2;

procedure tell(n : 0..3);
begin put "moves "; put n; end;

startstate "begin"
  put "begun\n";
  x := 0; undefine in; undefine out;
  multisetadd(1, out);
end;

ruleset i : 1..2 do
  rule "move" x = 0 & i > multisetcount(c : out, true) ==>
    tell(i); put x; multisetremovepred(c : out, true); multisetadd(1, in); x := 1; end;
  rule "stay" x = 0 ==> put "stays\n"; end;
end;
rule "jump" x = 1 ==> x := 3; end;

invariant "below" x < 3;
