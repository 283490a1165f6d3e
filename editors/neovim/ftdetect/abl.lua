-- Neovim knows *.abl as another language (abel), so the word here must win.
if vim.fn.has('nvim-0.8') == 1 then
  vim.filetype.add({ extension = { abl = 'abl' } })
else
  vim.cmd('autocmd BufRead,BufNewFile *.abl set filetype=abl')
end
