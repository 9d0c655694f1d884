-- expect: rejected
-- output: recursi|is_odd
var
  x: boolean;

function is_even(n: 0 .. 4): boolean;
begin
  if n = 0 then return true; else return is_odd(n - 1); end;
end;

function is_odd(n: 0 .. 4): boolean;
begin
  if n = 0 then return false; else return is_even(n - 1); end;
end;

startstate begin x := is_even(4); end;
rule begin x := !x; end;
