divert(-1)
The macros that templates of DVE models use. This file is read before the template; its own text is discarded.

A comment of the model is one of m4: nothing in it is expanded.
changecom(`//')

default(NAME, VALUE): a parameter, unless -D gave it a value.
define(`default', `ifdef(`$1', `', `define(`$1', `$2')')')

forloop(X, FROM, TO, TEXT): the text for each value of X. myloop puts SEPARATOR between.
define(`forloop', `ifelse(eval(($2) > ($3)), 1, `',
  `pushdef(`$1', eval($2))strata_loop(`$1', eval($3), `$4', `')popdef(`$1')')')
define(`myloop', `ifelse(eval(($2) > ($3)), 1, `',
  `pushdef(`$1', eval($2))strata_loop(`$1', eval($3), `$4', `$5')popdef(`$1')')')
define(`strata_loop', `$3`'ifelse($1, `$2', `',
  `$4`'define(`$1', incr($1))strata_loop(`$1', `$2', `$3', `$4')')')

Truth values are numbers.
define(`bool', `byte')
define(`true', `1')
define(`false', `0')

queue(NAME, SIZE): a queue of bytes in a variable; conditions and effects on it.
define(`queue', `byte $1[$2];
byte $1_act = 0;
define(`strata_size_$1', `$2')')
define(`empty', `($1_act == 0)')
define(`full', `($1_act == indir(`strata_size_$1'))')
define(`front', `$1[0]')
define(`push', `$1[$1_act] = $2, $1_act = $1_act + 1')
define(`pop_front', `forloop(`strata_i', 1, eval(indir(`strata_size_$1') - 1),
  `$1[eval(strata_i - 1)] = $1[strata_i], ')$1[eval(indir(`strata_size_$1') - 1)] = 0, $1_act = $1_act - 1')

Channels with a process between NAME_in and NAME_out: one message, one that may be lost, a queue of SIZE messages.
define(`async_channel', `channel $1_in, $1_out;
divert(1)
process channel_$1 {
byte v;
state ready, tr;
init ready;
trans
 ready -> tr { sync $1_in?v; },
 tr -> ready { sync $1_out!v; };
}
divert(0)')
define(`loosy_channel', `channel $1_in, $1_out;
divert(1)
process channel_$1 {
byte v;
state ready, tr;
init ready;
trans
 ready -> tr { sync $1_in?v; },
 tr -> ready { sync $1_out!v; },
 tr -> ready { };
}
divert(0)')
define(`buffer_channel', `channel $1_in, $1_out;
divert(1)
process channel_$1 {
byte buf[$2];
byte buf_act = 0;
state q;
init q;
trans
 q -> q { guard not (buf_act == $2); sync $1_in?buf[buf_act]; effect buf_act = buf_act + 1; },
 q -> q { guard not (buf_act == 0); sync $1_out!buf[0];
  effect forloop(`strata_i', 1, eval($2 - 1), `buf[eval(strata_i - 1)] = buf[strata_i], ')buf[eval($2 - 1)] = 0,
  buf_act = buf_act - 1; };
}
divert(0)')

A template may come from an untrusted source, so it can neither run programs nor reach files: the macros of m4 that do
so are removed, and so is the macro that calls others by name. Diverted text follows at the end, automatically.
define(`strata_refuse', `errprint(`a template may not use $1: $2
')m4exit(1)')
define(`strata_forbid', `undefine(`$1')define(`$1', `ifelse($'`#, 0, ``$1'', `strata_refuse(`$1', `$2')')')')
strata_forbid(`syscmd', `it runs programs')
strata_forbid(`esyscmd', `it runs programs')
strata_forbid(`maketemp', `it makes files')
strata_forbid(`mkstemp', `it makes files')
strata_forbid(`debugfile', `it writes files')
undefine(`undivert')
define(`undivert', `strata_refuse(`undivert', `it reads files')')
strata_forbid(`include', `it takes a plain name at the beginning of a line, and a file in the folder of the model')
strata_forbid(`sinclude', `it takes a plain name at the beginning of a line, and a file in the folder of the model')
strata_forbid(`builtin', `it reaches what templates may not use')
undefine(`strata_forbid')
divert(0)dnl
