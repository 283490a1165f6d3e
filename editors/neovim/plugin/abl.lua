-- The commands, and what the lens `Run` does: also for those who only call
-- vim.lsp.enable('abl').
require('abl.commands').create()
