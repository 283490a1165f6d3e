" What a person does in Vim with ALE, without a screen. ABL_SETTINGS are those of
" docs/editors.md, ABL_AGENT is the demo's agent; what was seen goes into ABL_SEEN.
set nocompatible hidden
let &runtimepath .= ',' . $ABL_ALE
filetype plugin on
source $ABL_SETTINGS
runtime plugin/ale.vim

function! s:Await(condition) abort
  for l:_ in range(300)
    if eval(a:condition)
      return
    endif
    sleep 100m
  endfor
  call writefile(['waited in vain for ' . a:condition], $ABL_SEEN, 'a')
  cquit
endfunction

execute 'edit' fnameescape($ABL_AGENT)
call s:Await('!empty(getloclist(0))')
call writefile([&filetype . ' ' . getloclist(0)[0].lnum . ' ' . getloclist(0)[0].text], $ABL_SEEN, 'a')

let s:lines = getline(1, '$')
normal! gg=G
call writefile([s:lines ==# getline(1, '$') ? 'indented' : 'mangled'], $ABL_SEEN, 'a')

call search('get_weather')
ALEGoToDefinition
call s:Await('expand("%:t") ==# "weather.tools.abl"')
call writefile([getline('.')[col('.') - 1 :]], $ABL_SEEN, 'a')

" Where the tool is declared and where it is imported.
call feedkeys(":ALERename\<CR>\<C-u>look_out\<CR>", 'tx')
call s:Await('getline(".") =~# "look_out("')
call writefile([getbufline(fnameescape($ABL_AGENT), 1, '$')->filter('v:val =~# "look_out"')->len() . ' in the agent'], $ABL_SEEN, 'a')

call append('$', '    timeout: 1000')
normal! Gox
call writefile([getline('$')], $ABL_SEEN, 'a') " as deep as the line above

execute 'edit' fnameescape(fnamemodify($ABL_AGENT, ':h') . '/desk.agent.yaml')
call s:Await('!empty(getloclist(0))')
call writefile([&filetype . ' ' . getloclist(0)[0].lnum . ' ' . getloclist(0)[0].text], $ABL_SEEN, 'a')
qall!
