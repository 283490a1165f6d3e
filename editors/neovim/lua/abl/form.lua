-- Asks for the arguments of a tool, by their JSON Schema: one prompt for each.
local M = {}

local server = require('abl.server')
local exact = require('abl.exact')

--- kind is the type that the schema asks for, `any` where there are several; that it
--- may be null does not matter.
local function kind(schema)
  if type(schema.type) ~= 'table' then
    return schema.type or 'any'
  end
  local kinds = vim.tbl_filter(function(one)
    return one ~= 'null'
  end, schema.type)
  return #kinds == 1 and kinds[1] or 'any'
end

--- choices are the values among which one is picked, nil where it is typed.
local function choices(schema)
  if server.given(schema.enum) then
    return schema.enum
  end
  return kind(schema) == 'boolean' and { true, false } or nil
end

--- json reads typed JSON that begins as a pattern says; nil where it is none.
local function json(begin)
  return function(text)
    return text:match('^%s*' .. begin) and pcall(vim.fn.json_decode, text) and exact.json(vim.trim(text)) or nil
  end
end

-- How typed text becomes a value of each type; nil where it is none. A text
-- where anything goes may be JSON, and is a string otherwise.
local readers = {
  string = exact.plain,
  integer = json('-?%d+%s*$'),
  number = json('[-%d]'),
  array = json('%['),
  object = json('{'),
  any = function(text)
    return json('')(text) or exact.plain(text)
  end,
}

local hints = { array = ', JSON: [..]', object = ', JSON: {..}' }

local function prompt(name, schema)
  local format = server.given(schema.format) and ' ' .. schema.format or ''
  local words = server.given(schema.description) and ' ' .. schema.description or ''
  return ('%s (%s%s%s)%s: '):format(name, kind(schema), format, hints[kind(schema)] or '', words)
end

local function pick(name, schema, start, done)
  local items = {}
  for _, item in ipairs(choices(schema)) do -- what was chosen the last time stands first
    table.insert(items, item == start and 1 or #items + 1, item)
  end
  vim.ui.select(items, { prompt = prompt(name, schema), format_item = exact.text }, function(choice)
    if choice ~= nil then
      done(choice)
    end
  end)
end

--- ask gets one value. It asks again for a text that is no such value, and calls
--- done with nothing for one that is empty where that is none. Escape ends it all.
local function ask(name, schema, start, done)
  if choices(schema) then
    return pick(name, schema, start, done)
  end
  local options = { prompt = prompt(name, schema) }
  if start ~= nil then
    options.default = exact.text(start)
  end
  vim.ui.input(options, function(text)
    if text == nil then
      return
    end
    local value = (readers[kind(schema)] or readers.any)(text)
    if text == '' and kind(schema) ~= 'string' then
      return done(nil)
    end
    if value == nil then
      server.notify(('%s is no %s: %s'):format(text, kind(schema), name))
      return ask(name, schema, start, done)
    end
    done(value)
  end)
end

--- optional offers the parameters that may be left out, until the word is taken.
local function optional(schema, names, values, args, word, done)
  local items = { word }
  for _, name in ipairs(names) do
    local value = args[name]
    table.insert(items, value == nil and name or ('%s = %s'):format(name, exact.text(value)))
  end
  if #names == 0 then
    return done()
  end
  vim.ui.select(items, { prompt = word .. ', or set first: ' }, function(choice, i)
    if choice == nil then
      return
    end
    local name = names[i - 1]
    if not name then
      return done()
    end
    local start = args[name]
    if start == nil then
      start = values[name]
    end
    ask(name, schema.properties[name], start, function(value)
      args[name] = value
      optional(schema, names, values, args, word, done)
    end)
  end)
end

--- ask fills args: what is required and absent is asked for, the rest is offered.
---@param schema table JSON Schema of the tool's arguments
---@param args table
---@param values table those of the last time
---@param word string what is done with them
---@param done fun() not called where the person gives up
function M.ask(schema, args, values, word, done)
  local properties = server.given(schema.properties) and schema.properties or {}
  local required = server.given(schema.required) and schema.required or {}
  local others = vim.tbl_filter(function(name)
    return not vim.tbl_contains(required, name) and args[name] == nil
  end, vim.tbl_keys(properties))
  table.sort(others)
  local function step(i)
    local name = required[i]
    if not name then
      return optional(schema, others, values, args, word, done)
    end
    if args[name] ~= nil then
      return step(i + 1)
    end
    local property = properties[name] or {}
    local start = values[name]
    if start == nil then
      start = property.default
    end
    ask(name, property, start, function(value)
      args[name] = value
      step(i + 1)
    end)
  end
  step(1)
end

return M
