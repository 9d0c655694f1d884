-- expect: holds
-- states: 2
-- rules: 4
-- A range of one value takes no bits beside "undefined"; it is still checked.
var
  only: 5 .. 5;
  flag: boolean;

startstate
begin
  only := 5;
  flag := true;
end;

rule "turn"
begin
  flag := !flag;
end;

rule "same"
begin
  only := only * 2 - 5;
end;
