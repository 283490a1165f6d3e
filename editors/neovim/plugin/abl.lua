-- Creates the commands, and handles the lens `Run`, also for people who only call
-- vim.lsp.enable('abl').
require('abl.commands').create()
