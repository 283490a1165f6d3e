-- The commands of the command line, in one table from which setup creates them.
local M = {}

local environment = require('abl.environment')
local history = require('abl.history')
local server = require('abl.server')
local run = require('abl.run')
local result = require('abl.result')
local cases = require('abl.cases')

--- copy_run copies the last run into the registers as a line for a shell; before the
--- first run it copies that of the tool at the cursor.
local function copy_run(as)
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
    return environment.confirm_repeat(last.client, params, function()
      take(last.client, params)
    end, 'Copy')
  end
  run.at_cursor(nil, take)
end

local function argument(arguments)
  return arguments.args ~= '' and arguments.args or nil
end

-- name -> the function of the command, and how it is declared.
M.all = {
  AblRun = {
    function(a)
      run.command(argument(a), a.bang)
    end,
    { nargs = '?', bang = true, complete = server.completer('abl.tools'), desc = 'Run a tool, that of the cursor; with ! edit all arguments' },
  },
  AblPreview = {
    function(a)
      run.at_cursor(argument(a), run.preview)
    end,
    { nargs = '?', complete = server.completer('abl.tools'), desc = 'Show what a tool would send, that of the cursor' },
  },
  AblOpen = {
    function()
      local last = run.last()
      if not last then
        return server.notify('nothing has run yet')
      end
      require('abl.content').open(result.blocks, last, result.show)
    end,
    { desc = 'Open a picture, a sound or a resource of the last result' },
  },
  AblCancel = { run.cancel, { desc = 'Cancel the run' } },
  AblRevert = { run.revert, { desc = 'Undo the last run of a tool, or one of the journal' } },
  AblCases = { cases.pick, { desc = 'Choose a saved case of this file, and run it' } },
  AblTest = {
    function(a)
      cases.test(argument(a))
    end,
    { nargs = '?', desc = 'Run the saved cases of this file' },
  },
  AblSaveCase = {
    function(a)
      cases.save(argument(a))
    end,
    { nargs = '?', desc = 'Save the last run as a case' },
  },
  AblHistory = {
    function(a)
      history.pick(a.fargs)
    end,
    { nargs = '*', complete = history.complete, desc = 'Choose a run of the journal: show it, run it again, or compare it; or plot them' },
  },
  AblCopy = {
    function(a)
      copy_run(argument(a))
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
      environment.choose(argument(a))
    end,
    { nargs = '?', complete = server.completer('abl.environments'), desc = 'Choose the environment in which tools run' },
  },
}

--- create creates the commands, handles the lenses that run and preview, and tells the
--- servers about written files.
function M.create()
  vim.lsp.commands['abl.run'] = run.lens_command(run.run_or_test)
  vim.lsp.commands['abl.preview'] = run.lens_command(run.preview)
  for name, command in pairs(M.all) do
    vim.api.nvim_create_user_command(name, command[1], command[2])
  end
  local group = vim.api.nvim_create_augroup('abl_written', { clear = true })
  for event, done in pairs({ FileType = server.remember_name, BufWritePost = server.notify_written }) do
    vim.api.nvim_create_autocmd(event, {
      group = group,
      callback = function(of)
        done(of.buf)
      end,
    })
  end
end

return M
