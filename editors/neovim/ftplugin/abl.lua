vim.bo.commentstring = '# %s'
vim.bo.expandtab = true
vim.bo.shiftwidth = 2
vim.bo.softtabstop = 2
vim.bo.indentexpr = '-1' -- what is there stays: `=` would indent it as C
vim.b.undo_ftplugin = 'setlocal commentstring< expandtab< shiftwidth< softtabstop< indentexpr<'
require('abl.parser').highlight(0)
