-- expect: holds
-- states: 3
-- rules: 3
-- Reserved words may be written in any case.
CONST N : 2;
Type T : 0 .. N;
VAR x : T; b : ARRAY [T] Of BooLean;
Function Not_used(v : boolean) : boolean; Begin Return v = False; EndFunction;
StartState Begin CLEAR x; Clear b; EndStartState;
RuleSet i : T Do
  RULE "next" x = i ==>
  Var y : T;
  BEGIN
    y := i;
    If y = N Then x := 0; Else x := y + 1; EndIf;
    For k : T Do b[k] := FALSE; ENDFOR;
    Assert ForAll k : T Do Not_used(b[k]) EndForall;
  EndRule;
EndRuleSet;
INVARIANT TRUE;
