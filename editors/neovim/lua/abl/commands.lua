-- The commands of the command line: one table, from which setup makes them.
local M = {}

local choose = require('abl.choose')
local environment = require('abl.environment')
local server = require('abl.server')
local run = require('abl.run')
local cases = require('abl.cases')

--- history lists the runs of this workspace, and calls the chosen one again.
local function history()
  local client = server.client()
  if not client then
    return
  end
  server.request(client, 'abl.history', { limit = 50, here = true }, function(runs)
    if #runs == 0 then
      return server.notify('nothing has been run yet', vim.log.levels.INFO)
    end
    choose.select(runs, { prompt = 'Run again: ', format_item = run.label }, function(past)
      if past and server.given(past.unrepeatable) then
        server.notify(past.tool .. ' is not run again: ' .. past.unrepeatable, vim.log.levels.WARN)
      elseif past then
        local params = { uri = past.uri, tool = past.tool, version = past.version, args = past.args, environment = past.environment or '', fresh = true }
        environment.again(client, params, function()
          run.run(client, params)
        end)
      end
    end)
  end)
end

--- copy puts the last run into the registers as a line for a shell; before the
--- first that of the tool at the cursor.
local function copy(as)
  local function take(client, params)
    params = vim.tbl_extend('force', params, { as = as or 'command' })
    server.request(client, 'abl.copy', params, function(answer)
      vim.fn.setreg('"', answer.text)
      if vim.fn.has('clipboard') == 1 then
        vim.fn.setreg('+', answer.text)
      end
      server.notify('copied: ' .. answer.text, vim.log.levels.INFO)
    end)
  end
  local last = run.last()
  if last then
    local params = vim.tbl_extend('force', last.params, { allowHosts = last.hosts, environment = last.environment })
    return environment.again(last.client, params, function()
      take(last.client, params)
    end, 'Copy')
  end
  run.here(nil, take)
end

local function word(arguments)
  return arguments.args ~= '' and arguments.args or nil
end

-- name -> what it does, and how it is declared.
M.all = {
  AblRun = {
    function(a)
      run.command(word(a), a.bang)
    end,
    { nargs = '?', bang = true, complete = server.names('abl.tools'), desc = 'Run a tool, that of the cursor; with ! ask for every argument' },
  },
  AblPreview = {
    function(a)
      run.here(word(a), run.preview)
    end,
    { nargs = '?', complete = server.names('abl.tools'), desc = 'Show what a tool would send, that of the cursor' },
  },
  AblCancel = { run.cancel, { desc = 'Cancel the run' } },
  AblRevert = { run.revert, { desc = 'Undo the last run of a tool, or one of the journal' } },
  AblCases = { cases.pick, { desc = 'Choose a saved case of this file, and run it' } },
  AblTest = {
    function(a)
      cases.test(word(a))
    end,
    { nargs = '?', desc = 'Run the saved cases of this file' },
  },
  AblSaveCase = {
    function(a)
      cases.save(word(a))
    end,
    { nargs = '?', desc = 'Save the last run as a case' },
  },
  AblHistory = { history, { desc = 'Choose a run of the journal, and run it again' } },
  AblCopy = {
    function(a)
      copy(word(a))
    end,
    {
      nargs = '?',
      complete = function()
        return { 'command', 'curl' }
      end,
      desc = 'Copy the last run as a line for a shell',
    },
  },
  AblInstallParser = { require('abl.parser').install, { desc = 'Build the tree-sitter parser' } },
  AblEnvironment = {
    function(a)
      environment.choose(word(a))
    end,
    { nargs = '?', complete = server.names('abl.environments'), desc = 'Choose the environment in which tools run' },
  },
}

--- create makes the commands, takes over the lenses that run and preview, and has the
--- servers know what is written.
function M.create()
  vim.lsp.commands['abl.run'] = run.lens(run.call)
  vim.lsp.commands['abl.preview'] = run.lens(run.preview)
  for name, command in pairs(M.all) do
    vim.api.nvim_create_user_command(name, command[1], command[2])
  end
  local group = vim.api.nvim_create_augroup('abl_written', { clear = true })
  for event, done in pairs({ FileType = server.shown, BufWritePost = server.written }) do
    vim.api.nvim_create_autocmd(event, {
      group = group,
      callback = function(of)
        done(of.buf)
      end,
    })
  end
end

return M
