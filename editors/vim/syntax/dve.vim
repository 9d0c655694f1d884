" Vim syntax file: DVE, the language of DiVinE and BEEM, as Strata reads it.
if exists("b:current_syntax")
  finish
endif

syntax case match
syntax keyword dveStructure process state init accept commit assert trans system property expression ltl
syntax keyword dveStatement guard sync effect async and or not imply
syntax keyword dveType byte int channel const
syntax keyword dveConstant true false
syntax keyword dveTodo contained TODO FIXME
syntax match dveNumber "\<\d\+\>"
syntax match dveOperator "->"
syntax region dveString start=+"+ end=+"+ oneline
syntax match dveComment "//.*$" contains=dveTodo
syntax region dveComment start="/\*" end="\*/" contains=dveTodo

highlight default link dveStructure Structure
highlight default link dveStatement Statement
highlight default link dveType Type
highlight default link dveConstant Constant
highlight default link dveTodo Todo
highlight default link dveNumber Number
highlight default link dveOperator Operator
highlight default link dveString String
highlight default link dveComment Comment

let b:current_syntax = "dve"
