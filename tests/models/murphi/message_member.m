-- expect: error
-- trace: 1
-- output: memory is not in proc for who
type
  proc: scalarset(2);
  home: enum {memory};
var
  at: union {proc, home};
  who: proc;

startstate begin at := memory; end;

rule begin who := at; end;
