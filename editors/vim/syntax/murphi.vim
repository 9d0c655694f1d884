" Vim syntax file: Murphi, as Strata reads it.
if exists("b:current_syntax")
  finish
endif

syntax case ignore
syntax keyword murphiStructure const type var function procedure ruleset rule startstate invariant assert assume cover
syntax keyword murphiStructure liveness alias choose
syntax keyword murphiStatement begin end endalias endchoose endexists endfor endforall endfunction endif endprocedure
syntax keyword murphiStatement endrecord endrule endruleset endstartstate endswitch endwhile return clear undefine put error
syntax keyword murphiConditional if then elsif else switch case
syntax keyword murphiRepeat for while do to by forall exists
syntax keyword murphiType array of record enum scalarset union multiset boolean
syntax keyword murphiFunction ismember isundefined multisetadd multisetcount multisetremove multisetremovepred
syntax keyword murphiConstant true false undefined
syntax keyword murphiTodo contained TODO FIXME
syntax match murphiNumber "\<\(0x\x\+\|\d\+\)\>"
syntax match murphiOperator "==>\|:=\|->"
syntax region murphiString start=+"+ skip=+\\.+ end=+"+ oneline
syntax match murphiComment "--.*$" contains=murphiTodo
syntax region murphiComment start="/\*" end="\*/" contains=murphiTodo

highlight default link murphiStructure Structure
highlight default link murphiStatement Statement
highlight default link murphiConditional Conditional
highlight default link murphiRepeat Repeat
highlight default link murphiType Type
highlight default link murphiFunction Function
highlight default link murphiConstant Constant
highlight default link murphiTodo Todo
highlight default link murphiNumber Number
highlight default link murphiOperator Operator
highlight default link murphiString String
highlight default link murphiComment Comment

let b:current_syntax = "murphi"
