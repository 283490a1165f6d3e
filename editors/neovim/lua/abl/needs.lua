-- What the answer to a run says that it still needs, each got from the person in its
-- own way.
local M = {}

local choose = require('abl.choose')
local exact = require('abl.exact')
local place = require('abl.place')
local server = require('abl.server')
local unseen = require('abl.secret')
local given = server.given

local typed = {} -- the arguments of each tool that were typed the last time
local secrets = {} -- of each workspace: those that were typed for runs that went well
local asked = false -- the server itself has asked for trust
local variables = {} -- of the session, of each workspace: those that were typed
local allowed = {} -- the private hosts of each workspace that were allowed until Neovim ends
local met = {} -- of each tool, the private hosts that were asked about for it

--- A command that lacks something.
---@class abl.Call
---@field client vim.lsp.Client
---@field params table what is answered goes into it
---@field word string what is done
---@field again fun() sends it once more
---@field quit fun() is called where the person gives up
---@field preview fun(envelope: table, done: fun(show: fun()?)) calls done with what shows what it would send
---@field since integer when it was sent, by vim.loop.now()
---@field waits fun(mode: string) is called while what it asks waits
---@field resumes fun(): boolean whether it still asks, once it need not wait

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
      if not vim.inspect(value):find('••••', 1, true) then
        values[name] = value
      end
    end
    done(values)
  end, function()
    done({})
  end)
end

--- free has a call ask once the person types nothing else.
local function free(call, ask)
  choose.free(call.since, function()
    if not call.resumes or call.resumes() then
      ask()
    end
  end, call.waits)
end

--- arguments asks for those that are missing, and offers the others.
---@param schema table JSON Schema of the tool's arguments
---@param call table an abl.Call, of which those fields that it asks by must be there; its params' args are filled in
---@param done fun()
---@param args table? what is offered in the place of what was typed the last time
function M.arguments(schema, call, done, args)
  local params = call.params
  local function offer(values)
    typed[key(params)] = values -- who gives up is offered the same, and what was typed since
    params.args = given(params.args) and params.args or vim.empty_dict()
    free(call, function()
      require('abl.form').ask(schema, params.args, values, call.word, function()
        typed[key(params)] = unseen.without(params.args, schema)
        done()
      end, call.quit, params.tool)
    end)
  end
  if given(args) then
    return offer(unseen.without(args, schema))
  end
  remembered(call.client, params, offer)
end

--- agree calls done where the person takes one of the words; Cancel ends the call. What
--- the question is about is shown right before it: another run may have the split till then.
local function agree(call, question, words, done, show)
  words = type(words) == 'table' and words or { words }
  free(call, function()
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

--- hosts adds to those that a call may reach the ones that were allowed before.
---@param client vim.lsp.Client
---@param hosts string[]?
---@return string[]? nil for none
function M.hosts(client, hosts)
  hosts = vim.list_extend({}, hosts or {})
  for _, host in ipairs(allowed[server.root(client)] or {}) do
    if not vim.tbl_contains(hosts, host) then
      table.insert(hosts, host)
    end
  end
  return #hosts > 0 and hosts or nil
end

--- needed are those hosts of a call that were asked about for its tool, or that its
--- request names: who copies the call is to allow no others.
---@param params table
---@param envelope table
---@return string[]
function M.needed(params, envelope)
  local request = given(envelope.request) and exact.encode(envelope.request) or ''
  return vim.tbl_filter(function(host)
    local name = host:match('^(.+):%d+$') or host
    return (met[key(params)] or {})[host] or request:find(name, 1, true) ~= nil
  end, params.allowHosts or {})
end

--- reach asks whether a call may reach a host. Where a redirect leads to it, another has
--- the request already: it is sent once more, and confirmed once more.
local function reach(host, fault, call)
  local sent = given(fault.details.sent) and fault.details.sent
  local why = sent and ('%s. To allow it sends the call to %s once more.'):format(fault.message, sent) or fault.message
  agree(call, ('Allow requests to %s? %s'):format(host, why), { allow, always }, function(choice)
    if choice == always then
      local key = server.root(call.client)
      allowed[key] = vim.list_extend(allowed[key] or {}, { host })
    end
    if call.params.tool then -- else it undoes a run
      met[key(call.params)] = vim.tbl_extend('force', met[key(call.params)] or {}, { [host] = true })
    end
    call.params.allowHosts = vim.list_extend(call.params.allowHosts or {}, { host })
    call.params.confirm = not sent and call.params.confirm or nil
    call.again()
  end)
end

-- How to get each thing that `needs` can name: each changes the params of the call,
-- and calls again where the person has answered.
---@type table<string, fun(value: any, call: abl.Call, envelope: table)>
local answers = {
  arguments = function(schema, call)
    place.named(call.client, call.params, function(case) -- only what it lacks is asked for
      call.params.args = place.over(call.params, case, 'args')
      M.arguments(schema, call, call.again)
    end)
  end,
  confirmation = function(confirmation, call, envelope)
    call.preview(envelope, function(show)
      agree(call, confirmation.summary, call.word, function()
        call.params.confirm = confirmation.digest
        call.again()
      end, show)
    end)
  end,
  permission = function(permissions, call)
    local names = vim.tbl_map(function(p)
      return ('%s %s %s'):format(p.kind, p.op, p.resource)
    end, permissions)
    agree(call, 'Allow ' .. table.concat(names, ', ') .. '?', 'Allow', function()
      call.params.grant = vim.list_extend(call.params.grant or {}, permissions)
      call.again()
    end)
  end,
  secrets = function(names, call)
    local known = secrets[server.root(call.client)] or {}
    local params, others = call.params, {}
    params.secrets, params.kept = params.secrets or {}, params.kept or {}
    for _, name in ipairs(names) do
      if known[name] and not params.secrets[name] then
        params.secrets[name] = known[name]
        table.insert(params.kept, name)
      else
        table.insert(others, name)
      end
    end
    if #others == 0 then
      return call.again()
    end
    free(call, function()
      for _, name in ipairs(others) do
        local secret
        choose.unseen({ prompt = name .. ': ' }, function(text)
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
    agree(call, 'Trust the tools of this workspace?', 'Trust', function()
      server.request(call.client, 'abl.trust', { trusted = true }, call.again, call.quit)
    end)
  end,
  browser = function(page, call)
    if vim.ui.open then
      vim.ui.open(page)
    end
    agree(call, 'Sign in at ' .. page .. ', then go on.', 'I have signed in', call.again)
  end,
}

--- begin forgets what was asked for the calls before.
function M.begin()
  asked = false
end

--- asked has Neovim ask what the server itself does, which can only be for trust. While
--- the person types something else it does not: the run then says that it lacks trust.
---@param ask function
function M.asked(ask, ...)
  if choose.elsewhere(vim.loop.now()) then
    return vim.NIL
  end
  asked = true
  local answered, answer = choose.escape(ask, ...)
  return answered and answer or vim.NIL
end

--- was_asked says whether the server itself has asked something since the last call.
---@return boolean
function M.was_asked()
  return asked
end

--- learn keeps the secrets of a call that went well, in memory alone, so that they are
--- not asked for again; it forgets those of one that did not.
---@param client vim.lsp.Client
---@param params table
---@param ok boolean
function M.learn(client, params, ok)
  local known = secrets[server.root(client)] or {}
  secrets[server.root(client)] = known
  for name, secret in pairs(params.secrets or {}) do
    known[name] = ok and secret or nil
  end
end

--- trust says whether an envelope lacks the workspace's trust.
---@param envelope table
---@return boolean
function M.trust(envelope)
  return given(envelope.needs) and given(envelope.needs.trust)
end

--- unasked gets what an envelope lacks from what is known, and asks nothing; false where
--- that is not all.
---@param envelope table
---@param call abl.Call
---@return boolean
function M.unasked(envelope, call)
  local names = given(envelope.needs) and envelope.needs.secrets
  local known = secrets[server.root(call.client)] or {}
  for _, name in ipairs(given(names) and names or {}) do
    if not known[name] or (call.params.secrets or {})[name] then
      return false
    end
  end
  return given(names) and names and M.ask(envelope, call) or false
end

--- complete says whether a call has all that its tool cannot do without.
local function complete(schema, args)
  for _, name in ipairs(given(schema.required) and schema.required or {}) do
    if not given(args) or args[name] == nil then
      return false
    end
  end
  return true
end

--- others asks for all arguments anew, where the tool wants other ones than it was given.
--- False where it has none to be asked for, or a saved case says what they are.
local function others(schema, message, call)
  local args = call.params.args
  if call.params.case or not given(schema.properties) or vim.tbl_isempty(schema.properties) then
    return false
  end
  server.notify(message)
  call.params.args = nil
  M.arguments(schema, call, call.again, args)
  return true
end

--- session asks for a session variable that the tool reads: elsewhere a conversation has it.
local function session(name, call)
  local key = server.root(call.client) .. '#' .. name
  free(call, function()
    choose.input({ prompt = ('session variable %s: '):format(name), default = variables[key] }, function(value)
      if not value then
        return call.quit()
      end
      variables[key] = value
      call.params.session = vim.tbl_extend('force', given(call.params.session) and call.params.session or {}, { [name] = value })
      call.again()
    end)
  end)
end

--- ask gets from the person what an envelope lacks; false where that is nothing.
---@param envelope table
---@param call abl.Call
---@return boolean
function M.ask(envelope, call)
  local schema = given(envelope.needs) and envelope.needs.arguments
  if schema and given(schema) and complete(schema, call.params.args) then
    return others(schema, envelope.error.message, call)
  end
  for need, value in pairs(given(envelope.needs) and envelope.needs or {}) do
    if answers[need] and given(value) then
      answers[need](value, call, envelope)
      return true
    end
  end
  local fault = given(envelope.error) and envelope.error or {}
  local details = given(fault.details) and fault.details or {}
  if given(details.session) and not call.params.case and not (call.params.session or {})[details.session] then
    session(details.session, call)
    return true
  end
  local host = details.host
  if fault.code ~= 'private-address' or not given(host) or not host or vim.tbl_contains(call.params.allowHosts or {}, host) then
    return false
  end
  reach(host, fault, call)
  return true
end

return M
