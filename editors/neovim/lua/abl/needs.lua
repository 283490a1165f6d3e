-- Gets from the person what the answer to a run says that it still needs, each thing in its
-- own way.
local M = {}

local choose = require('abl.choose')
local exact = require('abl.exact')
local cursor = require('abl.cursor')
local server = require('abl.server')
local unseen = require('abl.secret')
local has_value = server.has_value

local typed = {} -- for each tool, the arguments that were typed the last time
local secrets = {} -- for each workspace, those that were typed for successful runs
local asked = false -- whether the server itself has asked for trust
local variables = {} -- for each workspace, the session variables that were typed
local allowed = {} -- for each workspace, the private hosts that are allowed until Neovim ends
local asked_hosts = {} -- for each tool, the private hosts that were asked about

--- A command that needs something.
---@class abl.Call
---@field client vim.lsp.Client
---@field params table what is answered goes into it
---@field word string what is done
---@field again fun() sends it once more
---@field finish fun() shows its answer, which needed nothing after all
---@field quit fun() is called where the person gives up
---@field preview fun(envelope: table, done: fun(show: fun()?)) calls done with what shows what it would send
---@field since integer when it was sent, by vim.loop.now()
---@field waits fun(mode: string) is called while what it asks waits
---@field resumes fun(): boolean whether it still asks, once it need not wait

local function tool_key(params)
  return params.uri .. '#' .. params.tool
end

--- remembered calls done with the arguments of the last time: those typed in this session,
--- else those in the server's journal, which has marks instead of secrets.
local function remembered(client, params, done)
  if typed[tool_key(params)] then
    return done(typed[tool_key(params)])
  end
  local wanted = { uri = params.uri, tool = params.tool, limit = 1 }
  server.request(client, 'abl.history', wanted, function(runs)
    local values = {}
    local args = runs[1] and has_value(runs[1].args) and runs[1].args
    for name, value in pairs(type(args) == 'table' and args or {}) do
      if not vim.inspect(value):find('••••', 1, true) then
        values[name] = value
      end
    end
    done(values)
  end, function()
    done({})
  end)
end

--- when_free calls ask when the person types nothing else.
local function when_free(call, ask)
  choose.when_free(call.since, function()
    if not call.resumes or call.resumes() then
      ask()
    end
  end, call.waits)
end

--- edit_arguments lets the person edit all arguments in one buffer: those that are given, and those of the last time.
local function edit_arguments(schema, call, values, done)
  local params = call.params
  local args = vim.tbl_extend('force', values, params.args)
  require('abl.arguments').edit(schema, args, call, function(written)
    params.args = written
    done()
  end, function(written)
    typed[tool_key(params)] = written and unseen.without_secrets(written, schema) or values
    call.quit()
  end)
end

--- ask_arguments asks for missing arguments, and offers the others.
---@param schema table JSON Schema of the tool's arguments
---@param call table an abl.Call, of which those fields that it asks by must be there; its params' args are filled in
---@param done fun()
---@param args table? what is offered in the place of what was typed the last time
---@param all boolean? the person edits all arguments at once
function M.ask_arguments(schema, call, done, args, all)
  local params = call.params
  local function offer(values)
    typed[tool_key(params)] = values -- offered again if the person gives up, with what was typed since
    params.args = has_value(params.args) and params.args or vim.empty_dict()
    local function given()
      typed[tool_key(params)] = unseen.without_secrets(params.args, schema)
      require('abl.arguments').forget_draft(params)
      done()
    end
    local function edit()
      edit_arguments(schema, call, values, given)
    end
    when_free(call, function()
      if all then
        return edit()
      end
      require('abl.form').ask(schema, params.args, values, call.word, given, call.quit, params.tool, edit)
    end)
  end
  local given = has_value(args) and args or require('abl.arguments').typed(params) -- another call of the tool takes over its text
  if given then
    return offer(unseen.without_secrets(given, schema))
  end
  remembered(call.client, params, offer)
end

--- confirm calls done if the person chooses one of the words; Cancel ends the call. show is called
--- right before the question, because another run may use the split until then.
local function confirm(call, question, words, done, show)
  words = type(words) == 'table' and words or { words }
  when_free(call, function()
    if show then
      show()
    end
    choose.select(vim.list_extend(words, { 'Cancel' }), { prompt = question }, function(choice)
      if not choice or choice == 'Cancel' then
        return call.quit()
      end
      done(choice)
    end)
  end)
end

local allow, always = 'Allow', 'Allow until Neovim ends'

--- add_allowed_hosts adds the hosts that were allowed before to those that a call may reach.
---@param client vim.lsp.Client
---@param hosts string[]?
---@return string[]? nil for none
function M.add_allowed_hosts(client, hosts)
  hosts = vim.list_extend({}, hosts or {})
  for _, host in ipairs(allowed[server.root(client)] or {}) do
    if not vim.tbl_contains(hosts, host) then
      table.insert(hosts, host)
    end
  end
  return #hosts > 0 and hosts or nil
end

--- needed_hosts returns the hosts of a call that were asked about for its tool, or that its
--- request names: a copy of the call should allow no others.
---@param params table
---@param envelope table
---@return string[]
function M.needed_hosts(params, envelope)
  local request = has_value(envelope.request) and exact.encode(envelope.request) or ''
  return vim.tbl_filter(function(host)
    local name = host:match('^(.+):%d+$') or host
    return (asked_hosts[tool_key(params)] or {})[host] or request:find(name, 1, true) ~= nil
  end, params.allowHosts or {})
end

--- ask_host asks whether a call may reach a host. If a redirect leads to it, another host
--- already has the request: it is sent again, and confirmed again.
local function ask_host(host, fault, call)
  local sent = has_value(fault.details.sent) and fault.details.sent
  local why = sent and ('%s. To allow it sends the call to %s once more.'):format(fault.message, sent) or fault.message
  confirm(call, ('Allow requests to %s? %s'):format(host, why), { allow, always }, function(choice)
    if choice == always then
      local root = server.root(call.client)
      allowed[root] = vim.list_extend(allowed[root] or {}, { host })
    end
    if call.params.tool then -- otherwise it undoes a run
      asked_hosts[tool_key(call.params)] = vim.tbl_extend('force', asked_hosts[tool_key(call.params)] or {}, { [host] = true })
    end
    call.params.allowHosts = vim.list_extend(call.params.allowHosts or {}, { host })
    call.params.confirm = not sent and call.params.confirm or nil
    call.again()
  end)
end

local run_without_effects = 'Run, and write side_effects: false'

--- offer_no_effects calls done with the choices at a confirmation: also, if the server can write it into the tool, that
--- the tool needs no question.
local function offer_no_effects(call, done)
  if not call.params.tool then -- it undoes a run
    return done({ call.word })
  end
  server.try(call.client, 'abl.noSideEffects', vim.tbl_extend('force', call.params, { check = true }), function(fault)
    done(fault and { call.word } or { call.word, run_without_effects })
  end)
end

--- write_no_effects writes `side_effects: false` into the tool, and calls done. If that fails, the run still goes on.
local function write_no_effects(call, done)
  server.try(call.client, 'abl.noSideEffects', call.params, function(fault)
    if fault then
      server.notify('side_effects: false is not written: ' .. fault)
    else
      server.notify(call.params.tool .. ' says side_effects: false now', vim.log.levels.INFO)
    end
    done()
  end)
end

--- describe_permission says what a permission allows to do.
local function describe_permission(p)
  local name, host = p.resource:match('^(%S+) (%S+)')
  if p.kind == 'secret' and p.op == 'send' and name then
    return ('send the secret %s to %s'):format(name, host)
  end
  return ('%s %s: %s'):format(p.op, p.kind, p.resource)
end

--- ask_page asks the person to open a page for a server. Only pages of the web are opened.
local function ask_page(name, request, _, reply)
  local question = ('%s asks: %s Open %s?'):format(name, request.message, request.url)
  choose.select({ 'Open the page', 'Decline' }, { prompt = question }, function(choice)
    if choice ~= 'Open the page' or not request.url:match('^https?://') then
      return reply('decline')
    end
    if vim.ui.open then
      vim.ui.open(request.url)
    end
    reply('accept')
  end)
end

--- ask_fields asks for the fields of a server's form. An empty text leaves out one that need not be there.
local function ask_fields(schema, names, call, reply)
  local required = has_value(schema.required) and schema.required or {}
  local asked = vim.tbl_extend('force', schema, { required = names })
  local content = vim.empty_dict()
  require('abl.form').ask(asked, content, {}, call.word, function()
    for name, value in pairs(content) do
      if value == '' and not vim.tbl_contains(required, name) then
        content[name] = nil
      end
    end
    reply('accept', content)
  end, function()
    reply('decline')
  end)
end

--- ask_form asks what a server wants to know: the fields that must be there, and the others if the person wants.
local function ask_form(name, request, call, reply)
  local schema = has_value(request.schema) and request.schema or {}
  local all = has_value(schema.properties) and exact.keys(schema.properties) or {}
  local required = vim.tbl_filter(function(field)
    return has_value(schema.required) and vim.tbl_contains(schema.required, field)
  end, all)
  local words = { 'Answer', 'Decline' }
  if #all > #required then
    table.insert(words, 2, 'Answer the optional fields too')
  end
  choose.select(words, { prompt = ('%s asks: %s'):format(name, request.message) }, function(choice)
    if not choice or choice == 'Decline' then
      return reply('decline')
    end
    ask_fields(schema, choice == 'Answer' and required or all, call, reply)
  end)
end

-- How to get each thing that `needs` can name: each function changes the params of the call,
-- and calls again when the person has answered.
---@type table<string, fun(value: any, call: abl.Call, envelope: table)>
local answers = {
  arguments = function(schema, call)
    cursor.find_named_case(call.client, call.params, function(case) -- asks only for what the case lacks
      call.params.args = cursor.merge_case(call.params, case, 'args')
      M.ask_arguments(schema, call, call.again)
    end)
  end,
  confirmation = function(confirmation, call, envelope)
    offer_no_effects(call, function(words)
      call.preview(envelope, function(show)
        confirm(call, confirmation.summary, words, function(choice)
          call.params.confirm = confirmation.digest
          if choice == run_without_effects then
            return write_no_effects(call, call.again)
          end
          call.again()
        end, show)
      end)
    end)
  end,
  permission = function(permissions, call, envelope)
    local wanted = table.concat(vim.tbl_map(describe_permission, permissions), ', ')
    confirm(call, ('Allow %s to %s?'):format(envelope.tool, wanted), 'Allow', function()
      call.params.grant = vim.list_extend(call.params.grant or {}, permissions)
      call.again()
    end)
  end,
  secrets = function(names, call)
    local known = secrets[server.root(call.client)] or {}
    local params, missing = call.params, {}
    params.secrets, params.kept = params.secrets or {}, params.kept or {}
    for _, name in ipairs(names) do
      if known[name] and not params.secrets[name] then
        params.secrets[name] = known[name]
        table.insert(params.kept, name)
      else
        table.insert(missing, name)
      end
    end
    if #missing == 0 then
      return call.again()
    end
    when_free(call, function()
      for _, name in ipairs(missing) do
        local secret
        choose.input_secret({ prompt = name .. ': ' }, function(text)
          secret = text
        end)
        if not secret or secret == '' then -- CTRL-C, or Escape
          return call.quit()
        end
        params.secrets[name] = secret
        vim.cmd('redraw')
      end
      call.again()
    end)
  end,
  trust = function(_, call)
    if asked then
      server.notify('not run: this workspace is not trusted')
      return call.quit()
    end
    confirm(call, 'Trust the tools of this workspace?', 'Trust', function()
      server.request(call.client, 'abl.trust', { trusted = true }, call.again, call.quit)
    end)
  end,
  browser = function(page, call)
    if vim.ui.open then
      vim.ui.open(page)
    end
    confirm(call, 'Sign in at ' .. page .. ', then go on.', 'I have signed in', call.again)
  end,
  input = function(needed, call)
    local answered = {}
    local function step(i)
      local request = needed.requests[i]
      if not request then
        call.params.input = { state = needed.state, answers = answered }
        return call.again()
      end
      when_free(call, function()
        local ask = request.mode == 'url' and ask_page or ask_form
        ask(needed.server, request, call, function(action, content)
          answered[request.id] = { action = action, content = content }
          step(i + 1)
        end)
      end)
    end
    step(1)
  end,
}

-- What is asked first, if an answer needs several things.
local order = { 'trust', 'arguments', 'confirmation', 'permission', 'secrets', 'browser', 'input' }

--- reset forgets what was asked for earlier calls.
function M.reset()
  asked = false
end

--- ask_for_server asks a question of the server, which is always about trust. It does not ask
--- while the person types something else: the run then says that it lacks trust.
---@param ask function
function M.ask_for_server(ask, ...)
  if choose.is_busy(vim.loop.now()) then
    return vim.NIL
  end
  asked = true
  local answered, answer = choose.catch_interrupt(ask, ...)
  return answered and answer or vim.NIL
end

--- server_has_asked returns whether the server itself has asked something since the last call.
---@return boolean
function M.server_has_asked()
  return asked
end

--- remember_secrets keeps the secrets of a successful call in memory, so that they are not asked
--- for again; it forgets those of a failed call.
---@param client vim.lsp.Client
---@param params table
---@param ok boolean
function M.remember_secrets(client, params, ok)
  local known = secrets[server.root(client)] or {}
  secrets[server.root(client)] = known
  for name, secret in pairs(params.secrets or {}) do
    known[name] = ok and secret or nil
  end
end

local refused = { [400] = false, [401] = true, [403] = true } -- true: also of the tool itself

--- status_of returns a status of HTTP, which is a number, or a text as server.request gives exact numbers.
local function status_of(one)
  return type(one) == 'table' and has_value(one.status) and tonumber(one.status) or 0
end

--- retype_question returns the question whether the secrets of a call were wrong; nil if no one refused them.
---@param envelope table
---@param params table
---@return string?
function M.retype_question(envelope, params)
  local names, fault = vim.tbl_keys(params.secrets or {}), has_value(envelope.error) and envelope.error or {}
  local attempts = has_value(envelope.attempts) and envelope.attempts or {}
  local status, reason = status_of(attempts[#attempts]), nil
  if fault.code == 'token-refused' then -- the tool itself was not called then
    reason = refused[status_of(fault.details)] ~= nil and 'was given no token'
  elseif refused[status] then
    reason = 'was answered ' .. status
  end
  table.sort(names)
  return #names > 0 and reason and ('Is the secret %s wrong? %s %s.'):format(table.concat(names, ' or '), envelope.tool, reason) or nil
end

--- ask_to_retype calls again if the person wants to type the secrets again.
---@param question string?
---@param again fun()
function M.ask_to_retype(question, again)
  local yes = 'Type it again'
  if question then
    choose.select({ yes, 'Cancel' }, { prompt = question }, function(choice)
      if choice == yes then
        again()
      end
    end)
  end
end

--- needs_trust returns whether an envelope needs the workspace's trust.
---@param envelope table
---@return boolean
function M.needs_trust(envelope)
  return has_value(envelope.needs) and has_value(envelope.needs.trust)
end

--- answer_silently answers what an envelope needs from known secrets, without a question; it
--- returns false if that is not enough.
---@param envelope table
---@param call abl.Call
---@return boolean
function M.answer_silently(envelope, call)
  local names = has_value(envelope.needs) and envelope.needs.secrets
  local known = secrets[server.root(call.client)] or {}
  for _, name in ipairs(has_value(names) and names or {}) do
    if not known[name] or (call.params.secrets or {})[name] then
      return false
    end
  end
  return has_value(names) and names and M.ask(envelope, call) or false
end

--- has_required returns whether a call has all required arguments.
local function has_required(schema, args)
  for _, name in ipairs(has_value(schema.required) and schema.required or {}) do
    if not has_value(args) or args[name] == nil then
      return false
    end
  end
  return true
end

--- ask_other_arguments asks for all arguments again, if the tool needs other values. It returns
--- false if the tool has no parameters, or a saved case gives them.
local function ask_other_arguments(schema, message, call)
  local args = call.params.args
  if call.params.case or not has_value(schema.properties) or vim.tbl_isempty(schema.properties) then
    return false
  end
  local required = has_value(schema.required) and schema.required or {}
  local others = vim.tbl_filter(function(name)
    return not vim.tbl_contains(required, name)
  end, vim.tbl_keys(has_value(args) and args or {}))
  server.notify(message)
  call.params.args, call.params.confirm = nil, nil
  M.ask_arguments(schema, call, call.again, args, #others > 0)
  return true
end

--- ask_instead_of_wrong asks for all arguments again after the server has refused one of them. It returns false if a
--- saved case gives them.
local function ask_instead_of_wrong(fault, call)
  local params = call.params
  if params.case or not params.tool then
    return false
  end
  server.try(call.client, 'abl.tools', { uri = params.uri }, function(_, tools)
    local tool = cursor.find_tool(tools or {}, params.tool .. (params.version and '@' .. params.version or ''), params.uri, 0)
    if not tool or not ask_other_arguments(tool.parameters, fault.message, call) then
      call.finish()
    end
  end)
  return true
end

--- ask_session_variable asks for a session variable that the tool reads; elsewhere a conversation has it.
local function ask_session_variable(name, call)
  local key = server.root(call.client) .. '#' .. name
  when_free(call, function()
    choose.input({ prompt = ('session variable %s: '):format(name), default = variables[key] }, function(value)
      if not value then
        return call.quit()
      end
      variables[key] = value
      call.params.session = vim.tbl_extend('force', has_value(call.params.session) and call.params.session or {}, { [name] = value })
      call.again()
    end)
  end)
end

--- ask gets from the person what an envelope needs; it returns false if it needs nothing.
---@param envelope table
---@param call abl.Call
---@return boolean
function M.ask(envelope, call)
  local schema = has_value(envelope.needs) and envelope.needs.arguments
  if schema and has_value(schema) and has_required(schema, call.params.args) then
    return ask_other_arguments(schema, envelope.error.message, call)
  end
  for _, need in ipairs(has_value(envelope.needs) and order or {}) do
    local value = envelope.needs[need]
    if has_value(value) then
      answers[need](value, call, envelope)
      return true
    end
  end
  local fault = has_value(envelope.error) and envelope.error or {}
  local details = has_value(fault.details) and fault.details or {}
  if has_value(details.session) and not call.params.case and not (call.params.session or {})[details.session] then
    ask_session_variable(details.session, call)
    return true
  end
  if fault.kind == 'arguments' and fault.code ~= 'template' then -- there no argument is wrong
    return ask_instead_of_wrong(fault, call)
  end
  local host = details.host
  if fault.code ~= 'private-address' or not has_value(host) or not host or vim.tbl_contains(call.params.allowHosts or {}, host) then
    return false
  end
  ask_host(host, fault, call)
  return true
end

return M
