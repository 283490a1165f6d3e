-- Runs a tool: sends abl.run, asks the person for what the answer says is
-- needed, sends it again, and shows the result in a split.
local M = {}

local choose = require('abl.choose')
local server = require('abl.server')
local needs = require('abl.needs')
local place = require('abl.place')
local result = require('abl.result')
local given = server.given

--- One command on its way.
---@class abl.Going
---@field number integer how many have been sent when it was, itself included
---@field token string which the server names it by
---@field name string
---@field client vim.lsp.Client
---@field params table
---@field began string the time of day, by which two runs of one tool are told apart
---@field turns integer how often the split had been taken over when it was sent
---@field cancel fun()?
---@field cancelled boolean?
---@field environment string? in which it ran, whatever is chosen since; empty for none
---@field stopped fun(over: boolean, fault: string?)? what is done where it comes to no end; not over: the person said no, or the server why not
---@field reminded boolean? it was said that it runs
---@field waits boolean? it has a question, which waits
---@field told boolean? that was said

---@type abl.Going[]
local going = {} -- what runs, the newest last
local patience = 1000 -- milliseconds until it is said that something still runs
local count = 0 -- of all that has run
local holder ---@type abl.Going? what the split shows
local turns = 0 -- how often the split was taken over
local question = 8 -- lines of the screen that what is asked may take from the split
local last -- the last run: its client, params, envelope, environment, and the private hosts that it needs
local revertible -- the client and the run that :AblRevert undoes

--- take gives the run with a token, and forgets it; nil where it does not go on.
local function take(token)
  for i, one in ipairs(going) do
    if one.token == token then
      return table.remove(going, i)
    end
  end
end

--- hold gives the split to one run, or to what came of it.
local function hold(one, envelope)
  holder, turns = one, turns + 1
  result.belongs(one.client, one.params.uri)
  if envelope then
    one.environment = given(envelope.environment) and envelope.environment or given(envelope.request) and '' or nil
  end
end

--- live appends words to the split, which the newest run that has said something has.
local function live(token, words)
  for _, one in ipairs(going) do
    if one.token == token and (not holder or holder.number <= one.number) then
      if holder ~= one then
        hold(one)
        result.open({ ('%s  running since %s; :AblCancel stops it'):format(one.name, one.began), '', '' })
      end
      result.append(words)
    end
  end
end

--- output takes what the server sends as abl/runOutput.
---@param said {token: string, chunk: string}
function M.output(said)
  live(said.token, said.chunk)
end

--- progress takes what the server sends as $/progress.
---@param said {token: string|integer, value: any}
function M.progress(said)
  if type(said.value) == 'table' and said.value.kind == 'report' and given(said.value.message) then
    live(said.token, said.value.message .. '\n')
  end
end

--- anew is a call without what was answered for one run.
local function anew(params)
  params = vim.deepcopy(params)
  params.secrets, params.kept, params.confirm, params.grant, params.allowHosts = nil, nil, nil, nil, nil
  return params
end

--- show has the split show what came of one run. What was cancelled leaves the split
--- to a run that has taken it since, or that still goes on.
local function show(one, envelope)
  if one.cancelled and holder ~= one and (turns ~= one.turns or #going > 0) then
    return false
  end
  hold(one, envelope)
  result.show(envelope, nil, one.began)
  return true
end

--- show_request has the split show what would be sent. Where to stands first: a body may
--- be longer than the split.
local function show_request(one, envelope, room)
  local request = type(envelope.value) == 'table' and envelope.value or {}
  hold(one, envelope)
  if envelope.ok then
    envelope.request = nil -- which the value is
  end
  result.show(envelope, given(request.url) and ('would send  %s %s'):format(request.method, request.url) or 'would send', nil, room)
end

--- preview gives done what has the split show what a run would send. The undoing of a
--- run has no preview: what it lacks has come with its request.
local function preview(one, client, params, lacks, done)
  local function showing(envelope)
    done(function()
      show_request(one, envelope, question)
      vim.cmd('redraw') -- what is asked next may stop all else
    end)
  end
  if params.run then
    return showing(vim.tbl_extend('force', lacks, { ok = true, error = vim.NIL, value = lacks.request }))
  end
  server.request(client, 'abl.preview', params, showing, function()
    done()
  end)
end

--- waits says of a run that it has a question, which waits. :AblCancel ends that too.
local function waits(one, mode)
  if not one.waits then
    one.waits, one.cancel = true, function() end
    table.insert(going, one)
  end
  local typing, visual = mode:find('^[iRt]'), mode:find('^[vV\22]') -- which ends where a window is opened
  if (typing or visual) and not one.told then
    one.told = true
    local words = one.name .. ' has a question, which waits until you are back in Normal mode'
    server.notify(words, vim.log.levels.INFO) -- which the mode may stand over
    if typing then
      hold(one)
      result.open({ words })
    end
  end
end

--- remind says of what still runs how it is stopped. Where the server has asked the person
--- something it waits once more: words behind that would want a key, and get the next answer's.
local function remind(one, again)
  vim.defer_fn(function()
    if not vim.tbl_contains(going, one) or holder == one or one.waits then
      return
    elseif needs.was_asked() and not again then
      return remind(one, true)
    end
    one.reminded = true
    server.notify(one.name .. ' runs; :AblCancel stops it', vim.log.levels.INFO)
  end, patience)
end

--- ended says so of what it was said of that it runs: those words stand there until others do.
local function ended(one, envelope)
  if one.reminded and not one.cancelled and given(envelope) then
    server.notify(one.name .. (envelope.ok and ' has ended' or ' has failed'), vim.log.levels.INFO)
  end
end

local words = { ['abl.preview'] = 'Preview', ['abl.revert'] = 'Revert' }

--- send sends a command, gets from the person what it needs, and gives done the
--- answer and what it was called as. Where it comes to none, stopped is called. With
--- unasked the person is asked nothing.
local function send(client, command, params, done, stopped, unasked)
  client, count = server.living(client), count + 1
  params.allowHosts = needs.hosts(client, params.allowHosts)
  needs.begin()
  local one = {
    number = count, token = 'abl/' .. count, name = params.tool or 'the revert', client = client, params = params,
    turns = turns, began = os.date('%H:%M:%S'), stopped = stopped,
  }
  table.insert(going, one)
  remind(one)
  stopped = stopped or function() end
  local call = { client = client, params = params, word = words[command] or 'Run', since = vim.loop.now() }
  function call.quit()
    stopped(false)
  end
  function call.again()
    send(client, command, params, done, stopped, unasked)
  end
  function call.preview(envelope, after)
    preview(one, client, params, envelope, after)
  end
  function call.waits(mode)
    waits(one, mode)
  end
  function call.resumes()
    return not one.waits or take(one.token) ~= nil
  end
  one.cancel = server.request(client, command, params, function(answer)
    take(one.token)
    if one.cancelled and command == 'abl.test' then -- nor do the cases after it run
      return
    end
    local envelope = command == 'abl.test' and answer.result or answer
    if unasked and given(envelope) and needs.trust(envelope) then
      return stopped(true) -- nor do the others run
    elseif given(envelope) and (unasked and needs.unasked or needs.ask)(envelope, call) then
      return
    end
    needs.learn(client, params, given(envelope) and envelope.ok)
    ended(one, envelope)
    done(answer, one)
  end, function(fault)
    if take(one.token) then -- else it was cancelled, which has been said
      stopped(fault == nil, fault)
    end
  end, one.token)
end

--- keep shows what came of a run, which is the last from then on.
local function keep(one, envelope)
  if not show(one, envelope) then
    return
  end
  last = { client = one.client, params = anew(one.params), hosts = needs.needed(one.params, envelope), envelope = envelope, environment = one.environment }
  revertible = envelope.can_revert and { client = one.client, run = envelope.run } or nil
end

--- run calls a tool.
---@param client vim.lsp.Client
---@param params table of abl.run
function M.run(client, params)
  send(client, 'abl.run', params, function(envelope, one)
    keep(one, envelope)
  end)
end

--- preview shows what a run would send.
---@param client vim.lsp.Client
---@param params table of abl.preview
function M.preview(client, params)
  send(client, 'abl.preview', params, function(envelope, one)
    show_request(one, envelope)
  end)
end

--- test runs a saved case, and gives the answer of abl.test to done.
---@param client vim.lsp.Client
---@param params table
---@param alone boolean its result is shown
---@param done fun(answer: table)
---@param stopped fun(over: boolean, fault: string?) where it comes to no end; not over: the person said no, or the server why not
---@param unasked boolean the person is asked nothing
function M.test(client, params, alone, done, stopped, unasked)
  send(client, 'abl.test', params, function(answer, one)
    if alone and given(answer.result) then
      keep(one, answer.result)
    end
    done(answer)
  end, stopped, unasked)
end

--- call runs a tool, or a saved case as a test of it.
---@param client vim.lsp.Client
---@param params table
function M.call(client, params)
  if not params.case then
    return M.run(client, params)
  end
  require('abl.cases').run(client, params)
end

--- lens makes of call or preview what vim.lsp.codelens.run calls.
---@param what fun(client: vim.lsp.Client, params: table)
function M.lens(what)
  return function(command, ctx)
    what(vim.lsp.get_client_by_id(ctx.client_id), vim.deepcopy(command.arguments[1]))
  end
end

--- name_here is what may be the name of a tool, at the cursor or after it; some have a dot.
local function name_here()
  local column, from = vim.api.nvim_win_get_cursor(0)[2], 1
  local line = vim.api.nvim_get_current_line()
  while true do
    local first, last = line:find('[%w_][%w_.]*', from)
    if not first or last > column then
      return first and line:sub(first, last):gsub('%.+$', '') or ''
    end
    from = last + 1
  end
end

--- here gives done the client, the run of a tool of the current file, and the tool:
--- the named one, else that of the cursor, by its lines or its name. In a file of cases it is the case there,
--- whose arguments come last; in the split it is what stands there, with its arguments.
---@param name string?
---@param done fun(client: vim.lsp.Client, params: table, tool: table, args: table?)
function M.here(name, done)
  local client, uri = server.client(), server.uri()
  local line, word = vim.api.nvim_win_get_cursor(0)[1] - 1, name_here()
  if not client then
    return
  end
  if vim.api.nvim_buf_get_name(0) == '' then
    return server.notify('this buffer has no name yet; :write it to a file')
  end
  local shown = result.is_here() and holder and holder.params.tool and holder
  local function take(wanted, params, args)
    server.request(client, 'abl.tools', { uri = uri }, function(tools)
      local tool = place.tool(tools, wanted, uri, line) or not wanted and place.tool(tools, word, uri, line)
      if not tool and #tools == 0 and vim.fn.filereadable(vim.uri_to_fname(uri)) == 0 then -- what :file has renamed
        return server.notify('there is no file of this name yet; :write it')
      elseif not tool then
        return server.notify(wanted and 'no tool ' .. wanted .. ' here' or 'no tool at the cursor')
      end
      done(client, vim.tbl_extend('force', params, { uri = uri, tool = wanted or place.call(tools, tool) }), tool, args)
    end)
  end
  if shown and not name then
    local params = vim.tbl_extend('force', anew(shown.params), { environment = shown.environment })
    local version = params.version and '@' .. params.version or ''
    params.version = nil -- the name has it
    return take(shown.params.tool .. version, params, shown.params.args)
  end
  if name or not place.is_cases(uri) then
    return take(name, {})
  end
  server.request(client, 'abl.cases', { uri = uri }, function(cases)
    local tool, case = place.case(cases, line)
    if not tool then
      return server.notify('no case at the cursor')
    end
    take(tool, { case = case and case.name }, case and case.args)
  end)
end

--- command runs the named tool, or that of the cursor.
---@param name string?
---@param all boolean ask for every argument, not only for those that must be there
function M.command(name, all)
  M.here(name, function(client, params, tool, args)
    require('abl.environment').again(client, params, function()
      if not all then
        return M.call(client, params)
      end
      params.args = nil
      local call = { client = client, params = params, word = 'Run', quit = function() end, since = vim.loop.now() }
      needs.arguments(tool.parameters, call, function()
        M.run(client, params)
      end, args)
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
  if holder == one then -- before Neovim 0.11 nothing more comes
    result.append('\ncancelled')
  end
  server.notify(('cancelled %s, begun at %s'):format(one.name, one.began), vim.log.levels.INFO)
  if one.stopped then
    one.stopped(true)
  end
end

--- ended forgets what ran on a server that has ended, and says so.
---@param id integer of its client
function M.ended(id)
  for i = #going, 1, -1 do
    local one = going[i]
    if one.client.id == id and not one.waits then -- what waits is sent to the next one
      table.remove(going, i)
      if holder == one then
        result.append('\nthe server has ended')
      end
      server.notify(('nobody knows what came of %s, begun at %s: the server has ended; :edit in the window of a file starts it again'):format(one.name, one.began))
      if one.stopped then
        one.stopped(true)
      end
    end
  end
end

--- last is the last run, nil before the first.
---@return {client: vim.lsp.Client, params: table, envelope: table, hosts: string[], environment: string?}?
function M.last()
  return last
end

--- clock is a time of the journal, which is in UTC, as the clock here had it.
local function clock(time)
  local names, at = { 'year', 'month', 'day', 'hour', 'min', 'sec' }, { isdst = false }
  for i, part in ipairs({ time:match('^(%d+)-(%d+)-(%d+)T(%d+):(%d+):(%d+)') }) do
    at[names[i]] = tonumber(part)
  end
  local there = os.time(at)
  local utc = os.date('!*t', there)
  utc.isdst = false
  return os.date('%Y-%m-%d %H:%M:%S', there + there - os.time(utc))
end

--- label is a run of the journal in one line.
---@param past table as abl.history has it
---@return string
function M.label(past)
  local tool = past.tool .. (given(past.reverts) and ' (undo)' or '')
  local where = given(past.environment) and past.environment ~= '' and ' in ' .. past.environment or ''
  local ended = (past.ok == true and 'ok' or 'failed') .. where
  return ('%s  %s  %s  %s'):format(clock(past.time), tool, ended, require('abl.exact').encode(past.args or vim.empty_dict()))
end

--- undo reverts a run. The person confirms it.
local function undo(client, run)
  send(client, 'abl.revert', { run = run }, function(envelope, one)
    if envelope.ok then -- else it can be tried again
      revertible = nil
    end
    show(one, envelope)
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
  server.request(client, 'abl.history', { limit = 50, here = true }, function(runs)
    runs = vim.tbl_filter(function(past)
      return past.revertible
    end, runs)
    if #runs == 0 then
      return server.notify('no run can be reverted')
    end
    choose.select(runs, { prompt = 'Undo: ', format_item = M.label }, function(past)
      if past then
        undo(client, past.run)
      end
    end)
  end)
end

return M
