-- Runs a tool: sends abl.run, asks the person for what the answer needs, sends it again, and
-- shows the result in a split.
local M = {}

local choose = require('abl.choose')
local server = require('abl.server')
local needs = require('abl.needs')
local cursor = require('abl.cursor')
local past_run = require('abl.past')
local result = require('abl.result')
local has_value = server.has_value

--- A command that is running.
---@class abl.Running
---@field number integer its number among all commands
---@field token string by which the server names it
---@field name string
---@field client vim.lsp.Client
---@field params table
---@field began string the time of day, which distinguishes two runs of one tool
---@field turns integer the value of turns when it was sent
---@field cancel fun()?
---@field cancelled boolean?
---@field environment string? in which it ran, whatever is chosen since; empty for none
---@field stopped fun(over: boolean, fault: string?)? called if it has no result; not over: the person said no, or the server gave the fault
---@field reminded boolean? a message has said that it runs
---@field waits boolean? it has a question, which waits
---@field told boolean? a message has said so

---@type abl.Running[]
local running = {} -- the running commands, the newest last
local remind_after = 1000 -- milliseconds until a message says that something still runs
local count = 0 -- of all commands
local owner ---@type abl.Running? the run that the split shows
local turns = 0 -- how often the split has got another owner
local question_rows = 8 -- lines of the screen that a question may take from the split
local last -- the last run: its client, params, envelope, environment, and the private hosts that it needs
local revertible -- the client and the run that :AblRevert undoes

--- remove_running returns the run with a token, and removes it; nil if it is not running.
local function remove_running(token)
  for i, one in ipairs(running) do
    if one.token == token then
      return table.remove(running, i)
    end
  end
end

--- give_split gives the split to one run, or to its result.
local function give_split(one, envelope)
  owner, turns = one, turns + 1
  result.set_file(one.client, one.params.uri)
  if envelope then
    one.environment = has_value(envelope.environment) and envelope.environment or has_value(envelope.request) and '' or nil
  end
end

--- append_live appends words to the split, which belongs to the newest run with output.
local function append_live(token, words)
  for _, one in ipairs(running) do
    if one.token == token and (not owner or owner.number <= one.number) then
      if owner ~= one then
        give_split(one)
        result.open({ ('%s  running since %s; :AblCancel stops it'):format(one.name, one.began), '', '' })
      end
      result.append(words)
    end
  end
end

--- output handles abl/runOutput from the server.
---@param said {token: string, chunk: string}
function M.output(said)
  append_live(said.token, said.chunk)
end

--- progress handles $/progress from the server.
---@param said {token: string|integer, value: any}
function M.progress(said)
  if type(said.value) == 'table' and said.value.kind == 'report' and has_value(said.value.message) then
    append_live(said.token, said.value.message .. '\n')
  end
end

--- without_answers returns a call without the answers for one run.
local function without_answers(params)
  params = vim.deepcopy(params)
  params.secrets, params.kept, params.confirm, params.grant, params.allowHosts, params.input = nil, nil, nil, nil, nil, nil
  return params
end

--- retype sends a call once more, if the person wants to type its refused secrets again.
local function retype(envelope, call)
  needs.ask_to_retype(needs.retype_question(envelope, call.params), function()
    call.params.secrets, call.params.kept, call.params.confirm = nil, nil, nil -- it sends something else now
    call.again()
  end)
end

--- show shows the result of one run in the split. A cancelled run does not take the split
--- from a later run, or from one that still runs.
local function show(one, envelope)
  if one.cancelled and owner ~= one and (turns ~= one.turns or #running > 0) then
    return false
  end
  give_split(one, envelope)
  result.show(envelope, nil, one.began)
  return true
end

--- show_request shows in the split what would be sent. The address comes first, because a body may
--- be longer than the split.
local function show_request(one, envelope, room)
  local request = type(envelope.value) == 'table' and envelope.value or {}
  give_split(one, envelope)
  if envelope.ok then
    envelope.request = nil -- the value is the request
  end
  result.show(envelope, has_value(request.url) and ('would send  %s %s'):format(request.method, request.url) or 'would send', nil, room)
end

--- preview_run calls done with a function that shows in the split what a run would send. A revert
--- has no preview: its request came with the answer.
local function preview_run(one, client, params, lacks, done)
  local function showing(envelope)
    done(function()
      show_request(one, envelope, question_rows)
      vim.cmd('redraw') -- the next question may block everything else
    end)
  end
  if params.run then
    return showing(vim.tbl_extend('force', lacks, { ok = true, error = vim.NIL, value = lacks.request }))
  end
  server.request(client, 'abl.preview', params, showing, function()
    done()
  end)
end

--- mark_waiting records that a run has a question that waits. :AblCancel ends such a run too.
local function mark_waiting(one, mode)
  if not one.waits then
    one.waits, one.cancel = true, function() end
    table.insert(running, one)
  end
  local typing, visual = mode:find('^[iRt]'), mode:find('^[vV\22]') -- opening a window would end it
  if (typing or visual) and not one.told then
    one.told = true
    local words = one.name .. ' has a question, which waits until you are back in Normal mode'
    server.notify(words, vim.log.levels.INFO) -- the mode may hide it
    if typing then
      give_split(one)
      result.open({ words })
    end
  end
end

--- remind_later says after a while how to stop a run. If the server has asked the person
--- something, it waits once more: a message after the question would need a key, and get that of the answer.
local function remind_later(one, again)
  vim.defer_fn(function()
    if not vim.tbl_contains(running, one) or owner == one or one.waits then
      return
    elseif needs.server_has_asked() and not again then
      return remind_later(one, true)
    end
    one.reminded = true
    server.notify(one.name .. ' runs; :AblCancel stops it', vim.log.levels.INFO)
  end, remind_after)
end

--- notify_end says that a run has ended, if a message said that it runs: that message would stay visible.
local function notify_end(one, envelope)
  if one.reminded and not one.cancelled and has_value(envelope) then
    server.notify(one.name .. (envelope.ok and ' has ended' or ' has failed'), vim.log.levels.INFO)
  end
end

local words = { ['abl.preview'] = 'Preview', ['abl.revert'] = 'Revert' }

--- send sends a command, gets from the person what it needs, and calls done with the
--- answer and the abl.Running. If there is no answer, stopped is called. With unasked the person
--- is asked nothing.
local function send(client, command, params, done, stopped, unasked)
  client, count = server.running_client(client), count + 1
  params.allowHosts = needs.add_allowed_hosts(client, params.allowHosts)
  needs.reset()
  local one = {
    number = count, token = 'abl/' .. count, name = params.tool or 'the revert', client = client, params = params,
    turns = turns, began = os.date('%H:%M:%S'), stopped = stopped,
  }
  table.insert(running, one)
  remind_later(one)
  stopped = stopped or function() end
  local call = { client = client, params = params, word = words[command] or 'Run', since = vim.loop.now() }
  function call.quit()
    stopped(false)
  end
  function call.again()
    send(client, command, params, done, stopped, unasked)
  end
  function call.preview(envelope, after)
    preview_run(one, client, params, envelope, after)
  end
  function call.waits(mode)
    mark_waiting(one, mode)
  end
  function call.resumes()
    return not one.waits or remove_running(one.token) ~= nil
  end
  one.cancel = server.request(client, command, params, function(answer)
    remove_running(one.token)
    if one.cancelled and command == 'abl.test' then -- the cases after it do not run either
      return
    end
    local envelope = command == 'abl.test' and answer.result or answer
    if unasked and has_value(envelope) and needs.needs_trust(envelope) then
      return stopped(true) -- the others do not run either
    end
    function call.finish()
      needs.remember_secrets(client, params, has_value(envelope) and envelope.ok)
      notify_end(one, envelope)
      done(answer, one)
      if command ~= 'abl.test' then
        retype(envelope, call)
      end
    end
    if not has_value(envelope) or not (unasked and needs.answer_silently or needs.ask)(envelope, call) then
      call.finish()
    end
  end, function(fault)
    if remove_running(one.token) then -- otherwise it was cancelled, and a message has said so
      stopped(fault == nil, fault)
    end
  end, one.token)
end

--- show_last shows the result of a run, and remembers it as the last one.
local function show_last(one, envelope)
  if not show(one, envelope) then
    return
  end
  last = { client = one.client, params = without_answers(one.params), hosts = needs.needed_hosts(one.params, envelope), envelope = envelope, environment = one.environment }
  revertible = envelope.can_revert and { client = one.client, run = envelope.run } or nil
end

--- run runs a tool.
---@param client vim.lsp.Client
---@param params table of abl.run
function M.run(client, params)
  send(client, 'abl.run', params, function(envelope, one)
    show_last(one, envelope)
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

--- test runs a saved case, and calls done with the answer of abl.test.
---@param client vim.lsp.Client
---@param params table
---@param alone boolean its result is shown
---@param done fun(answer: table, params: table) with the answers of the person in params
---@param stopped fun(over: boolean, fault: string?) where it comes to no end; not over: the person said no, or the server why not
---@param unasked boolean the person is asked nothing
function M.test(client, params, alone, done, stopped, unasked)
  send(client, 'abl.test', params, function(answer, one)
    if alone and has_value(answer.result) then
      show_last(one, answer.result)
    end
    done(answer, one.params)
  end, stopped, unasked)
end

--- run_or_test runs a tool, or tests a saved case.
---@param client vim.lsp.Client
---@param params table
function M.run_or_test(client, params)
  if not params.case then
    return M.run(client, params)
  end
  require('abl.cases').run(client, params)
end

--- lens_command returns the function for vim.lsp.commands that calls run_or_test or preview.
---@param what fun(client: vim.lsp.Client, params: table)
function M.lens_command(what)
  return function(command, ctx)
    what(vim.lsp.get_client_by_id(ctx.client_id), vim.deepcopy(command.arguments[1]))
  end
end

--- name_here returns the name at the cursor or after it, which may be that of a tool; some names have a dot.
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

--- at_cursor calls done with the client, the run of a tool of the current file, and the tool:
--- the named one, else that at the cursor, by its lines or its name. In a file of cases it is the case there,
--- with its arguments last; in the split it is the shown run, with its arguments.
---@param name string?
---@param done fun(client: vim.lsp.Client, params: table, tool: table, args: table?)
function M.at_cursor(name, done)
  local client, uri = server.client(), server.uri()
  local line, word = vim.api.nvim_win_get_cursor(0)[1] - 1, name_here()
  if not client then
    return
  end
  if vim.api.nvim_buf_get_name(0) == '' then
    return server.notify('this buffer has no name yet; :write it to a file')
  end
  local shown = result.is_here() and owner and owner.params.tool and owner
  local function find_and_call(wanted, params, args)
    server.request(client, 'abl.tools', { uri = uri }, function(tools)
      local tool = cursor.find_tool(tools, wanted, uri, line) or not wanted and cursor.find_tool(tools, word, uri, line)
      if not tool and #tools == 0 and vim.fn.filereadable(vim.uri_to_fname(uri)) == 0 then -- :file has renamed it
        return server.notify('there is no file of this name yet; :write it')
      elseif not tool then
        return server.notify(wanted and 'no tool ' .. wanted .. ' here' or 'no tool at the cursor')
      end
      done(client, vim.tbl_extend('force', params, { uri = uri, tool = wanted or cursor.call_name(tools, tool) }), tool, args)
    end)
  end
  if shown and not name then
    local params = vim.tbl_extend('force', without_answers(shown.params), { environment = shown.environment })
    local version = params.version and '@' .. params.version or ''
    params.version = nil -- the name contains it
    return find_and_call(shown.params.tool .. version, params, shown.params.args)
  end
  if name or not cursor.is_cases(uri) then
    return find_and_call(name, {})
  end
  server.request(client, 'abl.cases', { uri = uri }, function(cases)
    local tool, case = cursor.find_case(cases, line)
    if not tool then
      return server.notify('no case at the cursor')
    end
    find_and_call(tool, { case = case and case.name }, case and case.args)
  end)
end

--- command runs the named tool, or that at the cursor.
---@param name string?
---@param all boolean the person edits all arguments
function M.command(name, all)
  if not name and require('abl.arguments').write_here() then
    return
  end
  M.at_cursor(name, function(client, params, tool, args)
    require('abl.environment').confirm_repeat(client, params, function()
      if not all then
        return M.run_or_test(client, params)
      end
      params.args = nil
      local call = { client = client, params = params, word = 'Run', quit = function() end, since = vim.loop.now() }
      needs.ask_arguments(tool.parameters, call, function()
        M.run(client, params)
      end, args, has_value(tool.parameters.properties) and not vim.tbl_isempty(tool.parameters.properties))
    end)
  end)
end

--- cancel ends the newest run, with its connection or process.
function M.cancel()
  local one = table.remove(running)
  if not one then
    return server.notify('nothing runs')
  end
  one.cancelled = true
  one.cancel()
  if owner == one then -- before Neovim 0.11 no answer comes
    result.append('\ncancelled')
  end
  server.notify(('cancelled %s, begun at %s'):format(one.name, one.began), vim.log.levels.INFO)
  if one.stopped then
    one.stopped(true)
  end
end

--- server_ended forgets the runs of a server that has ended, and says so.
---@param id integer of its client
function M.server_ended(id)
  for i = #running, 1, -1 do
    local one = running[i]
    if one.client.id == id and not one.waits then -- a waiting run is sent to the next server
      table.remove(running, i)
      if owner == one then
        result.append('\nthe server has ended')
      end
      server.notify(('nobody knows what came of %s, begun at %s: the server has ended; :edit in the window of a file starts it again'):format(one.name, one.began))
      if one.stopped then
        one.stopped(true)
      end
    end
  end
end

--- last returns the last run, nil before the first.
---@return {client: vim.lsp.Client, params: table, envelope: table, hosts: string[], environment: string?}?
function M.last()
  return last
end

--- show_past shows a run of the journal in the split.
---@param client vim.lsp.Client
---@param past table as abl.history has it
function M.show_past(client, past)
  local params, envelope = past_run.call(past), past_run.envelope(past)
  give_split({ number = count, name = past.tool, client = client, params = params, turns = turns }, envelope)
  result.show(envelope, nil, past_run.local_time(past.time))
end

--- revert_run reverts a run. The person confirms it.
local function revert_run(client, run)
  send(client, 'abl.revert', { run = run }, function(envelope, one)
    if envelope.ok then -- otherwise it can be tried again
      revertible = nil
    end
    show(one, envelope)
  end)
end

--- revert_past reverts a run of the journal.
---@param client vim.lsp.Client
---@param past table
function M.revert_past(client, past)
  revert_run(client, past.run)
end

--- revert undoes the last run, if its tool says how; else one that the person chooses from the
--- journal.
function M.revert()
  if revertible then
    return revert_run(revertible.client, revertible.run)
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
    choose.select(runs, { prompt = 'Undo: ', format_item = past_run.label }, function(past)
      if past then
        M.revert_past(client, past)
      end
    end)
  end)
end

return M
