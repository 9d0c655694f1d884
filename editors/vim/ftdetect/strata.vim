" Files of models: Murphi and DVE. Vim takes .m for other languages; a file that begins like a model is Murphi's.
autocmd BufRead,BufNewFile *.murphi setfiletype murphi
autocmd BufRead,BufNewFile *.dve,*.mdve setfiletype dve
autocmd BufRead *.m call s:Murphi()

function! s:Murphi() abort
  for line in getline(1, 60)
    if line =~? '^\s*\(const\|type\|var\|startstate\|ruleset\)\>' && line !~? '^\s*\(const\|type\|var\)\>.*='
      setlocal filetype=murphi
      return
    endif
  endfor
endfunction
