-- Runs a tool: sends abl.run, asks the person for what the answer says is
-- needed, sends it again, and shows the result in a split.
local M = {}

local server = require('abl.server')
local given = server.given

local send -- (client, command, params, done): sends it and deals with what is needed

local last -- the last run: its client, params and envelope
local revertible -- the client and the run that :AblRevert undoes
local going = {} -- what runs: its token, the name of what runs and what cancels it, the newest last
local count = 0 -- of all that has run
local shown -- the token of the run whose output is in the split
local typed = {} -- the arguments of each tool that were typed the last time

local function key(params)
  return params.uri .. '#' .. params.tool
end

--- remembered gives the arguments of the last time: those typed in this session,
--- else those that the server's journal has. It keeps no secret, but a mark for it.
local function remembered(client, params, done)
  if typed[key(params)] then
    return done(typed[key(params)])
  end
  local wanted = { uri = params.uri, tool = params.tool, limit = 1 }
  server.request(client, 'abl.history', wanted, function(runs)
    local values = {}
    local args = runs[1] and given(runs[1].args) and runs[1].args
    for name, value in pairs(type(args) == 'table' and args or {}) do
      if value ~= vim.NIL and not vim.inspect(value):find('••••', 1, true) then
        values[name] = value
      end
    end
    done(values)
  end, function()
    done({})
  end)
end

local function agree(question, word, done)
  vim.ui.select({ word, 'Cancel' }, { prompt = question }, function(choice)
    if choice == word then
      done()
    end
  end)
end

-- How to get each thing that `needs` can name: each changes params, and calls
-- again where the person has answered.
local answers = {
  arguments = function(schema, client, params, again)
    remembered(client, params, function(values)
      params.args = given(params.args) and params.args or vim.empty_dict()
      require('abl.form').ask(schema, params.args, values, function()
        typed[key(params)] = vim.deepcopy(params.args)
        again()
      end)
    end)
  end,
  confirmation = function(confirmation, _, params, again)
    agree(confirmation.summary, params.run and 'Revert' or 'Run', function()
      params.confirm = confirmation.digest
      again()
    end)
  end,
  permission = function(permissions, _, params, again)
    local names = vim.tbl_map(function(p)
      return ('%s %s %s'):format(p.kind, p.op, p.resource)
    end, permissions)
    agree('Allow ' .. table.concat(names, ', ') .. '?', 'Allow', function()
      params.grant = vim.list_extend(params.grant or {}, permissions)
      again()
    end)
  end,
  secrets = function(names, _, params, again)
    params.secrets = params.secrets or {}
    for _, name in ipairs(names) do
      local ok, secret = pcall(vim.fn.inputsecret, name .. ': ')
      if not ok or secret == '' then -- CTRL-C, or Escape
        return
      end
      params.secrets[name] = secret
    end
    again()
  end,
  trust = function(_, client, _, again)
    agree('Trust the tools of this workspace?', 'Trust', function()
      server.request(client, 'abl.trust', { trusted = true }, again)
    end)
  end,
  browser = function(page, _, _, again)
    if vim.ui.open then
      vim.ui.open(page)
    end
    agree('Sign in at ' .. page .. ', then go on.', 'I have signed in', again)
  end,
}

--- ask gets from the person what an envelope lacks; false where that is nothing.
local function ask(envelope, client, params, again)
  for need, value in pairs(given(envelope.needs) and envelope.needs or {}) do
    if answers[need] and given(value) then
      answers[need](value, client, params, again)
      return true
    end
  end
  local fault = given(envelope.error) and envelope.error or {}
  local host = given(fault.details) and fault.details.host
  if fault.kind ~= 'denied' or not given(host) or not host or vim.tbl_contains(params.allowHosts or {}, host) then
    return false
  end
  agree(('Allow requests to %s? %s'):format(host, fault.message), 'Allow', function()
    params.allowHosts = vim.list_extend(params.allowHosts or {}, { host })
    again()
  end)
  return true
end

--- take gives the run with a token, and forgets it; nil where it does not go on.
local function take(token)
  for i, one in ipairs(going) do
    if one.token == token then
      return table.remove(going, i)
    end
  end
end

function send(client, command, params, done)
  count = count + 1
  local one = { token = 'abl/' .. count, name = params.tool or 'the revert' }
  table.insert(going, one)
  one.cancel = server.request(client, command, params, function(answer)
    take(one.token)
    if one.cancelled and command == 'abl.test' then -- nor do the cases after it run
      return
    end
    local envelope = command == 'abl.test' and answer.result or answer
    local asked = given(envelope) and ask(envelope, client, params, function()
      send(client, command, params, done)
    end)
    if not asked then
      done(answer)
    end
  end, function()
    take(one.token)
  end, one.token)
end

--- live appends words to the split, which the newest run that says something has.
local function live(token, words)
  local one = going[#going]
  if not one or one.token ~= token then
    return
  end
  if shown ~= token then
    shown = token
    require('abl.result').open({ one.name .. '  running; :AblCancel stops it', '', '' })
  end
  require('abl.result').append(words)
end

--- output takes what the server sends as abl/runOutput.
function M.output(said)
  live(said.token, said.chunk)
end

--- progress takes what the server sends as $/progress.
function M.progress(said)
  if type(said.value) == 'table' and said.value.kind == 'report' and given(said.value.message) then
    live(said.token, said.value.message .. '\n')
  end
end

local function show(client, params, envelope)
  shown = nil -- the split is that of the result now
  params = vim.deepcopy(params)
  params.secrets, params.confirm, params.grant = nil, nil, nil -- these are of one run
  last = { client = client, params = params, envelope = envelope }
  revertible = envelope.can_revert and { client = client, run = envelope.run } or nil
  require('abl.result').show(envelope)
end

--- run calls a tool: params are those of abl.run.
function M.run(client, params)
  send(client, 'abl.run', params, function(envelope)
    show(client, params, envelope)
  end)
end

--- test runs a saved case, and gives the answer of abl.test to done.
function M.test(client, params, done)
  send(client, 'abl.test', params, done)
end

--- lens is what vim.lsp.codelens.run calls for `abl.run`.
function M.lens(command, ctx)
  M.run(vim.lsp.get_client_by_id(ctx.client_id), vim.deepcopy(command.arguments[1]))
end

--- here gives done the client, and the run of a tool of the current file: the
--- named one, else that of the cursor.
function M.here(name, done)
  local client, uri = server.client(), vim.uri_from_bufnr(0)
  local line = vim.api.nvim_win_get_cursor(0)[1] - 1
  if not client then
    return
  end
  if vim.api.nvim_buf_get_name(0) == '' then
    return server.notify('this buffer has no name yet; :write it to a file')
  end
  server.request(client, 'abl.tools', { uri = uri }, function(tools)
    local found
    for _, one in ipairs(tools) do
      local at = one.range.start.line
      if name and one.name == name then
        return done(client, { uri = uri, tool = one.name }, one)
      end
      local above = vim.uri_from_fname(one.file) == uri and at <= line
      if not name and above and (not found or found.range.start.line < at) then
        found = one
      end
    end
    if not found then
      return server.notify(name and 'no tool ' .. name .. ' here' or 'no tool at the cursor')
    end
    done(client, { uri = uri, tool = found.name }, found)
  end)
end

--- command runs the named tool, or that of the cursor. With all it asks for every
--- argument, not only for those that must be there.
function M.command(name, all)
  M.here(name, function(client, params, tool)
    if not all then
      return M.run(client, params)
    end
    answers.arguments(tool.parameters, client, params, function()
      M.run(client, params)
    end)
  end)
end

--- cancel ends the newest run that goes on, down to its socket or process.
function M.cancel()
  local one = table.remove(going)
  if not one then
    return server.notify('nothing runs')
  end
  one.cancelled = true
  one.cancel()
  server.notify('cancelled ' .. one.name, vim.log.levels.INFO)
end

--- last is the last run, nil before the first.
function M.last()
  return last
end

--- label is a run of the journal in one line.
function M.label(past)
  local ended = past.ok == true and 'ok' or 'failed'
  return ('%s  %s  %s  %s'):format(past.time:sub(1, 19), past.tool, ended, require('abl.exact').encode(past.args or vim.empty_dict()))
end

--- undo reverts a run. The person confirms it.
local function undo(client, run)
  send(client, 'abl.revert', { run = run }, function(envelope)
    if envelope.ok then -- else it can be tried again
      revertible = nil
    end
    require('abl.result').show(envelope)
  end)
end

--- revert undoes the last run, if its tool says how; else one that is chosen from the
--- journal.
function M.revert()
  if revertible then
    return undo(revertible.client, revertible.run)
  end
  local client = server.client()
  if not client then
    return
  end
  server.request(client, 'abl.history', { limit = 50 }, function(runs)
    runs = vim.tbl_filter(function(past)
      return past.revertible
    end, runs)
    if #runs == 0 then
      return server.notify('no run can be reverted')
    end
    vim.ui.select(runs, { prompt = 'Undo: ', format_item = M.label }, function(past)
      if past then
        undo(client, past.run)
      end
    end)
  end)
end

return M
