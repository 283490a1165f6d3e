-- Neovim knows *.abl as another language (abel), so the word here must win. What
-- belongs to a project in YAML stays YAML, and gets a word of its own beside it.
if vim.fn.has('nvim-0.8') == 1 then
  vim.filetype.add({
    extension = { abl = 'abl' },
    filename = { ['abl.yaml'] = 'yaml.ablproject' },
    pattern = { ['.*%.cases%.yaml'] = 'yaml.ablproject' },
  })
else
  vim.cmd('autocmd BufRead,BufNewFile *.abl set filetype=abl')
  vim.cmd('autocmd BufRead,BufNewFile abl.yaml,*.cases.yaml set filetype=yaml.ablproject')
end
