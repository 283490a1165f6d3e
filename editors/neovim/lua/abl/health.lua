-- :checkhealth abl says whether what the plugin needs is there, and what to do
-- where it is not.
local M = {}

local health = vim.health or {}
local start = health.start or health.report_start or require('health').report_start
local ok = health.ok or health.report_ok or require('health').report_ok
local warn = health.warn or health.report_warn or require('health').report_warn
local err = health.error or health.report_error or require('health').report_error

--- program is the first word of the command that starts the server.
local function program()
  local config = vim.lsp.config and vim.lsp.config.abl or require('abl').options
  local cmd = config and config.cmd
  return type(cmd) == 'table' and cmd[1] or 'abl-lsp'
end

local function check_server()
  local name = program()
  if vim.fn.executable(name) == 0 then
    return err(name .. ' is not to be found', { 'Put abl-lsp on your PATH, or set cmd in require("abl").setup' })
  end
  local version = vim.trim(vim.fn.system({ name, 'version' }))
  if vim.v.shell_error ~= 0 then
    return err(name .. ' does not start: ' .. version)
  end
  ok(('%s: %s'):format(vim.fn.exepath(name), version:gsub('\n.*', '')))
end

local function check_client()
  for _, client in pairs((vim.lsp.get_clients or vim.lsp.get_active_clients)()) do
    if client.name == 'abl' then
      return ok('the server runs for ' .. (client.config.root_dir or 'single files'))
    end
  end
  warn('no server runs', { 'Open an .abl file; before Neovim 0.11 call require("abl").setup() first' })
end

local function check_commands()
  if vim.fn.exists(':AblRun') == 2 then
    return ok('the commands are there')
  end
  warn('there is no :AblRun', { 'Put the folder of this plugin on runtimepath in init.lua, or call require("abl").setup()' })
end

local function check_parser()
  if #vim.api.nvim_get_runtime_file('parser/abl.*', false) == 0 then
    return warn('no tree-sitter parser: files are not highlighted by it', { ':help abl-highlighting says how to build one' })
  end
  if #vim.api.nvim_get_runtime_file('queries/abl/highlights.scm', false) == 0 then
    return warn('no tree-sitter queries', { ':help abl-highlighting' })
  end
  ok('the tree-sitter parser and its queries are there')
end

function M.check()
  start('abl')
  if vim.fn.has('nvim-0.7') == 0 then
    return err('Neovim 0.7 or later is needed')
  end
  check_server()
  check_client()
  check_commands()
  check_parser()
end

return M
