vim.bo.commentstring = '# %s'
vim.bo.expandtab = true
vim.bo.shiftwidth = 2
vim.bo.softtabstop = 2
vim.b.undo_ftplugin = 'setlocal commentstring< expandtab< shiftwidth< softtabstop<'
require('abl.parser').highlight(0)
