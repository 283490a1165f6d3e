-- Runs a tool from its lens: sends abl.run, asks the person for what the
-- answer says is needed, sends it again, and shows the result in a split.
local M = {}

local call -- (client, params, command): sends it and deals with the answer

local last -- the client and the run that :AblRevert undoes

local function notify(message, level)
  vim.notify('abl: ' .. message, level or vim.log.levels.ERROR)
end

local function given(value)
  return value ~= nil and value ~= vim.NIL
end

local function request(client, command, argument, done)
  local params = { command = command, arguments = { argument } }
  local handler = function(err, result)
    if err then
      notify(err.message)
    else
      done(result)
    end
  end
  if vim.fn.has('nvim-0.11') == 1 then
    client:request('workspace/executeCommand', params, handler)
  else
    client.request('workspace/executeCommand', params, handler)
  end
end

--- typed turns what was typed into the JSON type that the schema asks for.
local function typed(text, schema)
  if schema.type == 'string' then
    return text
  end
  local ok, value = pcall(vim.fn.json_decode, text)
  return ok and value or text
end

--- ask_arguments asks for one property of the schema after the other.
local function ask_arguments(schema, params, done)
  local names = given(schema.required) and schema.required or {}
  if #names == 0 then
    names = vim.tbl_keys(schema.properties or {})
    table.sort(names)
  end
  params.args = given(params.args) and params.args or vim.empty_dict()
  local function ask(i)
    local name = names[i]
    if not name then
      return done()
    end
    local property = schema.properties[name] or {}
    vim.ui.input({ prompt = ('%s (%s): '):format(name, property.type or 'any') }, function(text)
      if text then
        params.args[name] = typed(text, property)
        ask(i + 1)
      end
    end)
  end
  ask(1)
end

local function agree(question, word, done)
  vim.ui.select({ word, 'Cancel' }, { prompt = question }, function(choice)
    if choice == word then
      done()
    end
  end)
end

-- How to get each thing that `needs` can name.
local answers = {
  arguments = function(schema, client, params, command)
    ask_arguments(schema, params, function()
      call(client, params, command)
    end)
  end,
  confirmation = function(confirmation, client, params, command)
    agree(confirmation.summary, command == 'abl.revert' and 'Revert' or 'Run', function()
      params.confirm = confirmation.digest
      call(client, params, command)
    end)
  end,
  permission = function(permissions, client, params, command)
    local names = vim.tbl_map(function(p)
      return ('%s %s %s'):format(p.kind, p.op, p.resource)
    end, permissions)
    agree('Allow ' .. table.concat(names, ', ') .. '?', 'Allow', function()
      params.grant = vim.list_extend(params.grant or {}, permissions)
      call(client, params, command)
    end)
  end,
  secrets = function(names, client, params, command)
    params.secrets = params.secrets or {}
    for _, name in ipairs(names) do
      params.secrets[name] = vim.fn.inputsecret(name .. ': ')
      if params.secrets[name] == '' then
        return
      end
    end
    call(client, params, command)
  end,
  trust = function(_, client, params, command)
    agree('Trust the tools of this workspace?', 'Trust', function()
      request(client, 'abl.trust', { trusted = true }, function()
        call(client, params, command)
      end)
    end)
  end,
}

function call(client, params, command)
  request(client, command, params, function(envelope)
    for need, value in pairs(given(envelope.needs) and envelope.needs or {}) do
      if answers[need] then
        return answers[need](value, client, params, command)
      end
    end
    local fault = given(envelope.error) and envelope.error or {}
    local host = given(fault.details) and fault.details.host
    if given(host) and host and not vim.tbl_contains(params.allowHosts or {}, host) then
      return agree('Allow requests to ' .. host .. '?', 'Allow', function()
        params.allowHosts = vim.list_extend(params.allowHosts or {}, { host })
        call(client, params, command)
      end)
    end
    if command == 'abl.run' then
      last = envelope.can_revert and { client = client, run = envelope.run } or nil
    elseif envelope.ok then -- else it can be tried again
      last = nil
    end
    require('abl.result').show(envelope)
  end)
end

--- lens is what vim.lsp.codelens.run calls for `abl.run`.
function M.lens(command, ctx)
  call(vim.lsp.get_client_by_id(ctx.client_id), vim.deepcopy(command.arguments[1]), 'abl.run')
end

--- revert undoes the last run, if its tool says how. The person confirms it.
function M.revert()
  if not last then
    return notify('the last run cannot be reverted')
  end
  call(last.client, { run = last.run }, 'abl.revert')
end

return M
