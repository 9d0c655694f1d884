-- expect: holds
-- states: 2
-- rules: 2
var
	x:	boolean;
startstate	begin x := true; end;
rule	"tab and CRLF"
begin
	x := !x; -- comment
end;
