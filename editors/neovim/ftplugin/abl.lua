vim.bo.commentstring = '# %s'
local tabs, step = require('abl.indent').style(0)
vim.bo.tabstop = 4 -- a tab in ABL
vim.bo.expandtab = not tabs
vim.bo.shiftwidth = step
vim.bo.softtabstop = step
vim.bo.copyindent, vim.bo.preserveindent = true, true -- code may have other tabs
vim.bo.indentexpr = "v:lua.require'abl.indent'.indent_of_line()"
vim.bo.autoindent = true
vim.b.undo_ftplugin = 'setlocal commentstring< tabstop< expandtab< shiftwidth< softtabstop< copyindent< preserveindent< indentexpr< autoindent<'
require('abl.parser').highlight(0)

-- Neovim since 0.12 only logs that a server is missing.
local config = vim.lsp.is_enabled and vim.lsp.is_enabled('abl') and vim.lsp.config.abl or {}
if type(config.cmd) == 'table' and vim.fn.executable(config.cmd[1]) == 0 then
  vim.notify_once(('abl: %s is not to be found; :checkhealth abl says what to do'):format(config.cmd[1]), vim.log.levels.WARN)
end
