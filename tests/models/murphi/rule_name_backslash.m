-- expect: holds
-- states: 2
-- rules: 4
-- A rule's name is free text: here it ends in a backslash, and holds quotes and a comment of C.
var
  x: boolean;

startstate "begin\\" begin
  x := true;
end;

rule "hello\\" begin
  x := !x;
end;

rule "/* \"quoted\" */ // ??/" begin
  x := !x;
end;

invariant "odd name\\" isundefined(x) = false;
