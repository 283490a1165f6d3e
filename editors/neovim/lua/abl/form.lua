-- Asks for the arguments of a tool, by their JSON Schema: one prompt for each.
local M = {}

local choose = require('abl.choose')
local secret = require('abl.secret')
local reference = require('abl.reference')
local server = require('abl.server')
local exact = require('abl.exact')

--- one_of is the schema that is left without null, and whether null is allowed.
local function one_of(schema, root)
  schema = reference.followed(schema, root)
  local all = server.given(schema.anyOf) and schema.anyOf or type(schema.type) == 'table' and schema.type or {}
  local others = vim.tbl_filter(function(one)
    return one ~= 'null' and one.type ~= 'null'
  end, all)
  if #others ~= 1 or #others == #all then
    return schema, false
  end
  local only = type(others[1]) == 'table' and others[1] or { type = others[1] }
  return vim.tbl_extend('force', schema, reference.followed(only, root)), true
end

--- kind is the type that the schema asks for, `any` where there are several.
local function kind(schema)
  return type(schema.type) == 'string' and schema.type or 'any'
end

--- choices are the values among which one is picked, nil where it is typed.
local function choices(schema, nullable)
  local all = server.given(schema.enum) and schema.enum or kind(schema) == 'boolean' and { true, false } or nil
  if all and nullable and not vim.tbl_contains(all, exact.null) then
    return vim.list_extend(vim.list_extend({}, all), { exact.null })
  end
  return all
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

--- date reads a day; which months have 31 the server says.
local function date(text)
  local month, day = text:match('^%d%d%d%d%-(%d%d)%-(%d%d)$')
  return month and tonumber(month) <= 12 and tonumber(day) <= 31 and exact.plain(text) or nil
end

--- sort is the name and the reader of what is typed.
local function sort(schema)
  if kind(schema) == 'string' and schema.format == 'date' then
    return 'date (YYYY-MM-DD)', date
  end
  return kind(schema), readers[kind(schema)] or readers.any
end

local longest = 80 -- of a hint, in bytes
local deepest = 4 -- lists and objects in each other, in a hint

--- shape is what JSON of a type looks like: {name: string, age?: number}.
local function shape(asked, root, depth)
  local schema = one_of(asked, root)
  if server.given(schema.enum) then
    return table.concat(vim.tbl_map(exact.text, schema.enum), '|')
  elseif depth > deepest then -- it may hold itself
    return '..'
  elseif kind(schema) == 'array' then
    return '[' .. (server.given(schema.items) and type(schema.items) == 'table' and shape(schema.items, root, depth + 1) or '') .. '..]'
  elseif kind(schema) ~= 'object' then
    return kind(schema)
  elseif not server.given(schema.properties) or vim.tbl_isempty(schema.properties) then
    return '{..}'
  end
  local names, fields = vim.tbl_keys(schema.properties), {}
  table.sort(names)
  for _, name in ipairs(names) do
    local needed = server.given(schema.required) and vim.tbl_contains(schema.required, name)
    table.insert(fields, ('%s%s: %s'):format(name, needed and '' or '?', shape(schema.properties[name], root, depth + 1)))
  end
  return '{' .. table.concat(fields, ', ') .. '}'
end

local shortest = { array = '[..]', object = '{..}' } -- in the place of a hint that is too long

--- hint says what is to be typed for a list or an object.
local function hint(schema, root)
  local short = shortest[kind(schema)]
  local whole = short and shape(schema, root, 1) or ''
  return short and ', JSON: ' .. (#whole > longest and short or whole) or ''
end

local function prompt(name, schema, nullable, root)
  local format = server.given(schema.format) and ' ' .. schema.format or ''
  local words = server.given(schema.description) and ' ' .. schema.description or ''
  local null = nullable and ' or null' or ''
  return ('%s (%s%s%s%s)%s: '):format(name, kind(schema), format, hint(schema, root), null, words)
end

local function pick(question, all, start, done, quit)
  local items = {}
  for _, item in ipairs(all) do -- what was chosen the last time stands first
    table.insert(items, item == start and 1 or #items + 1, item)
  end
  choose.select(items, { prompt = question, format_item = exact.text }, function(choice)
    if choice == nil then
      return quit()
    end
    done(choice)
  end)
end

--- ask gets one value. It asks again for a text that is no such value, and calls
--- done with nothing for one that is empty where that is none. Escape ends it all by quit.
local function ask(name, asked, root, start, done, quit)
  local schema, nullable = one_of(asked, root)
  local question, all = prompt(name, schema, nullable, root), choices(schema, nullable)
  if all then
    return pick(question, all, start, done, quit)
  end
  local function typed(text)
    if text == nil then
      return quit()
    end
    vim.cmd('redraw') -- else what comes next stands behind what was typed
    local name_of, read = sort(schema)
    local value = read(text)
    if nullable and text == 'null' then
      return done(exact.null)
    elseif text == '' and read ~= readers.string then
      return done(nil)
    elseif value == nil then
      local shown = secret.within(asked, root) and 'that' or text
      server.notify(('%s is no %s: %s'):format(shown, name_of, name))
      return ask(name, asked, root, text, done, quit)
    end
    done(value)
  end
  if type(start) == 'string' and start:find('[%z\n]') then -- which a prompt has no line for
    local items = { exact.encode(start), 'another text' }
    return choose.select(items, { prompt = question }, function(_, i)
      if i == 1 then
        return done(start)
      elseif i then
        return ask(name, asked, root, nil, done, quit)
      end
      quit()
    end)
  end
  local way = secret.is(asked, root) and choose.unseen or choose.input
  way({ prompt = question, default = start ~= nil and exact.text(start) or nil }, typed)
end

--- first is the first of some values that is there.
local function first(...)
  for i = 1, select('#', ...) do
    local value = select(i, ...)
    if value ~= nil then
      return value
    end
  end
end

--- keep takes a value that was typed, and remembers it where it is no secret.
local function keep(name, value, schema, args, values)
  args[name] = value
  if not secret.within(schema.properties and schema.properties[name], schema) then
    values[name] = value
  end
end

--- label is a parameter as the person is asked for it: another run may ask as well.
local function label(name, tool)
  return tool and name .. ' of ' .. tool or name
end

--- optional offers the parameters that may be left out, until the word is taken.
local function optional(schema, names, values, args, word, done, quit, tool)
  local items = { word }
  for _, name in ipairs(names) do
    local set, before = args[name], values[name]
    local shown = set ~= nil and secret.within(schema.properties[name], schema) and '••••' or set
    local note = set ~= nil and ' = ' .. exact.text(shown) or before ~= nil and (' (the last time %s)'):format(exact.text(before)) or ''
    table.insert(items, name .. note)
  end
  if #names == 0 then
    return done()
  end
  choose.select(items, { prompt = label(word .. ', or set first', tool) .. ': ' }, function(choice, i)
    if choice == nil then
      return quit()
    end
    local name = names[i - 1]
    if not name then
      return done()
    end
    local property = schema.properties[name]
    ask(label(name, tool), property, schema, first(args[name], values[name], property.default), function(value)
      keep(name, value, schema, args, values)
      optional(schema, names, values, args, word, done, quit, tool)
    end, quit)
  end)
end

--- ask fills args: what is required and absent is asked for, the rest is offered.
---@param schema table JSON Schema of the tool's arguments
---@param args table
---@param values table those of the last time; what is typed goes into it as well
---@param word string what is done with them
---@param done fun()
---@param quit fun() called in its place where the person gives up
---@param tool string? whose arguments they are
function M.ask(schema, args, values, word, done, quit, tool)
  local properties = server.given(schema.properties) and schema.properties or {}
  local required = server.given(schema.required) and schema.required or {}
  local others = vim.tbl_filter(function(name)
    return not vim.tbl_contains(required, name) and args[name] == nil
  end, vim.tbl_keys(properties))
  table.sort(others)
  local function step(i)
    local name = required[i]
    if not name then
      return optional(schema, others, values, args, word, done, quit, tool)
    end
    if args[name] ~= nil then
      return step(i + 1)
    end
    local property = properties[name] or {}
    ask(label(name, tool), property, schema, first(values[name], property.default), function(value)
      keep(name, value, schema, args, values)
      step(i + 1)
    end, quit)
  end
  step(1)
end

return M
