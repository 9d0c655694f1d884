-- expect: holds
-- states: 2
-- rules: 2
/* A comment over
   several lines -- with a line comment inside */
var -- a line comment /* that opens nothing
  x: boolean; /**/ /* * / */

startstate
begin
  x /* in the middle */ := false; -- at the end
end;

rule "text with -- and /* stays */"
begin
  x := !x;
end;
-- last line
