-- :checkhealth abl says whether everything that the plugin needs is there, and what to do
-- if not.
local M = {}

local health = vim.health or {}
local start = health.start or health.report_start or require('health').report_start
local ok = health.ok or health.report_ok or require('health').report_ok
local warn = health.warn or health.report_warn or require('health').report_warn
local err = health.error or health.report_error or require('health').report_error

-- The commands that the plugin needs from a server.
local commands = {
  'abl.cases', 'abl.copy', 'abl.environments', 'abl.history', 'abl.noSideEffects', 'abl.preview', 'abl.readResource', 'abl.revert', 'abl.run',
  'abl.saveCase', 'abl.test', 'abl.tools', 'abl.trust',
}

-- The options that init_options may have.
local options = {
  'allowHosts', 'clientCommands', 'codeLens', 'environment', 'environments', 'exactNumbers', 'inlayHints', 'keyOrder', 'proxy', 'trusted',
}

--- settings returns those of vim.lsp.config, or of setup in older versions.
local function settings()
  return vim.lsp.config and vim.lsp.config.abl or require('abl').options or {}
end

--- server_command returns what starts the server: words, or a function.
local function server_command()
  return settings().cmd or { 'abl-lsp', 'serve' }
end

--- version_command returns the command that prints the version of the server in a command.
local function version_command(serve)
  local words = {}
  for _, word in ipairs(serve) do
    if word == 'serve' then
      break
    end
    table.insert(words, word)
  end
  return vim.list_extend(words, { 'version' })
end

local function check_server()
  local serve = server_command()
  if type(serve) == 'function' then
    return ok('cmd is a function, which starts or reaches the server by itself')
  end
  if type(serve) ~= 'table' then
    return err(('cmd is no list: %s'):format(vim.inspect(serve)), { "Write it as { 'abl-lsp', 'serve' }" })
  end
  local name = serve[1]
  if vim.fn.executable(name) == 0 then
    return err(name .. ' is not to be found', { 'Put abl-lsp on your PATH, or set cmd in require("abl").setup' })
  end
  local said = vim.trim(vim.fn.system(version_command(serve)))
  if vim.v.shell_error ~= 0 then
    return err(('%s does not start: %s'):format(name, said ~= '' and said or 'it ends with ' .. vim.v.shell_error))
  end
  ok(('%s: %s'):format(vim.fn.exepath(name), said:gsub('\n.*', '')))
end

--- check_age names commands that an old server does not know.
local function check_age(client)
  local provider = client.server_capabilities.executeCommandProvider or {}
  local missing = vim.tbl_filter(function(name)
    return not vim.tbl_contains(provider.commands or {}, name)
  end, commands)
  if #missing > 0 then
    warn('the server is older than this plugin: it does not know ' .. table.concat(missing, ', '), { 'Build it from the same sources' })
  end
end

--- check_options names unknown options.
local function check_options()
  for name in pairs(settings().init_options or {}) do
    if not vim.tbl_contains(options, name) then
      warn(('init_options has %s, which nobody reads'):format(name), { 'There are ' .. table.concat(options, ', ') })
    end
  end
end

--- check_filetypes says which files get no server, because the settings leave their filetype out.
local function check_filetypes()
  local filetypes = settings().filetypes
  if filetypes and not vim.tbl_contains(filetypes, 'yaml') then
    warn('filetypes has no yaml: agents in YAML (*.agent.yaml) get no server', { "Add 'yaml' to it: of all YAML files, only agents get the server by that" })
  end
end

local function check_client()
  local client = require('abl.server').clients()[1]
  if client then
    ok('the server runs for ' .. (client.config.root_dir or 'single files'))
    return check_age(client)
  end
  local log = vim.lsp.log and vim.lsp.log.get_filename or vim.lsp.get_log_path
  warn('no server runs', { 'Call require("abl").setup() in init.lua, from Neovim 0.11 on that or vim.lsp.enable("abl"); then open an .abl or an .agent.yaml file', 'If one has ended, this file may say why: ' .. log() })
end

local function check_commands()
  if vim.fn.exists(':AblRun') == 2 then
    return ok('the commands are there')
  end
  warn('there is no :AblRun', { 'Put the folder of this plugin on runtimepath in init.lua, or call require("abl").setup()' })
end

local function check_parser()
  local build = { ':AblInstallParser builds it; start Neovim again after that' }
  if vim.fn.has('nvim-0.10') == 0 then
    return ok('no highlighting by tree-sitter, which needs Neovim 0.10')
  elseif #vim.api.nvim_get_runtime_file('parser/abl.*', false) == 0 then
    return warn('no tree-sitter parser: files are not highlighted by it', { ':AblInstallParser builds one, with a C compiler' })
  end
  if #vim.api.nvim_get_runtime_file('queries/abl/highlights.scm', false) == 0 then
    return warn('no tree-sitter queries', build)
  end
  local fault = require('abl.parser').fault()
  if fault then
    return warn('the tree-sitter parser is of no use here: ' .. fault, build)
  end
  ok('the tree-sitter parser and its queries are there')
end

--- check is called by :checkhealth abl.
function M.check()
  start('abl')
  if vim.fn.has('nvim-0.7') == 0 then
    return err('Neovim 0.7 or later is needed')
  end
  check_server()
  check_options()
  check_filetypes()
  check_client()
  check_commands()
  check_parser()
end

return M
