-- Asks for the arguments of a tool by their JSON Schema, with one prompt for each.
local M = {}

local choose = require('abl.choose')
local secret = require('abl.secret')
local reference = require('abl.reference')
local server = require('abl.server')
local exact = require('abl.exact')

--- without_null returns the schema without null, and whether null is allowed.
local function without_null(schema, root)
  schema = reference.resolve_all(schema, root)
  local all = server.has_value(schema.anyOf) and schema.anyOf or type(schema.type) == 'table' and schema.type or {}
  local others = vim.tbl_filter(function(one)
    return one ~= 'null' and one.type ~= 'null'
  end, all)
  if #others ~= 1 or #others == #all then
    return schema, false
  end
  local only = type(others[1]) == 'table' and others[1] or { type = others[1] }
  return vim.tbl_extend('force', schema, reference.resolve_all(only, root)), true
end

--- type_of returns the type of a schema, `any` if there are several.
local function type_of(schema)
  return type(schema.type) == 'string' and schema.type or 'any'
end

--- choices_of returns the values to choose from, nil if the value is typed.
local function choices_of(schema, nullable)
  local all = server.has_value(schema.enum) and schema.enum or type_of(schema) == 'boolean' and { true, false } or nil
  if all and nullable and not vim.tbl_contains(all, exact.null) then
    return vim.list_extend(vim.list_extend({}, all), { exact.null })
  end
  return all
end

--- json_reader returns a reader of typed JSON that begins with a pattern; the reader returns nil for other text.
local function json_reader(begin)
  return function(text)
    return text:match('^%s*' .. begin) and pcall(vim.fn.json_decode, text) and exact.as_json(vim.trim(text)) or nil
  end
end

-- How typed text becomes a value of each type; nil if it is not such a value. If any type is
-- allowed, the text may be JSON, and is a string otherwise.
local readers = {
  string = exact.as_text,
  integer = json_reader('-?%d+%s*$'),
  number = json_reader('[-%d]'),
  array = json_reader('%['),
  object = json_reader('{'),
  any = function(text)
    return json_reader('')(text) or exact.as_text(text)
  end,
}

--- read_date reads a date; the server checks the number of days of a month.
local function read_date(text)
  local month, day = text:match('^%d%d%d%d%-(%d%d)%-(%d%d)$')
  return month and tonumber(month) <= 12 and tonumber(day) <= 31 and exact.as_text(text) or nil
end

--- reader_of returns the name of the type and its reader.
local function reader_of(schema)
  if type_of(schema) == 'string' and schema.format == 'date' then
    return 'date (YYYY-MM-DD)', read_date
  end
  return type_of(schema), readers[type_of(schema)] or readers.any
end

local longest = 80 -- the longest hint, in bytes
local deepest = 4 -- nested lists and objects in a hint

--- shape_of returns the form of a type's JSON: {name: string, age?: number}.
local function shape_of(asked, root, depth)
  local schema = without_null(asked, root)
  if server.has_value(schema.enum) then
    return table.concat(vim.tbl_map(exact.to_text, schema.enum), '|')
  elseif depth > deepest then -- it may contain itself
    return '..'
  elseif type_of(schema) == 'array' then
    return '[' .. (server.has_value(schema.items) and type(schema.items) == 'table' and shape_of(schema.items, root, depth + 1) or '') .. '..]'
  elseif type_of(schema) ~= 'object' then
    return type_of(schema)
  elseif not server.has_value(schema.properties) or vim.tbl_isempty(schema.properties) then
    return '{..}'
  end
  local fields = {}
  for _, name in ipairs(exact.keys(schema.properties)) do
    local needed = server.has_value(schema.required) and vim.tbl_contains(schema.required, name)
    table.insert(fields, ('%s%s: %s'):format(name, needed and '' or '?', shape_of(schema.properties[name], root, depth + 1)))
  end
  return '{' .. table.concat(fields, ', ') .. '}'
end

local shortest = { array = '[..]', object = '{..}' } -- instead of a hint that is too long

--- hint_for says what to type for a list or an object.
local function hint_for(schema, root)
  local short = shortest[type_of(schema)]
  local whole = short and shape_of(schema, root, 1) or ''
  return short and ', JSON: ' .. (#whole > longest and short or whole) or ''
end

local function prompt_for(name, schema, nullable, root)
  local format = server.has_value(schema.format) and ' ' .. schema.format or ''
  local words = server.has_value(schema.description) and ' ' .. schema.description or ''
  local null = nullable and ' or null' or ''
  return ('%s (%s%s%s%s)%s: '):format(name, type_of(schema), format, hint_for(schema, root), null, words)
end

local function choose_value(question, all, start, done, quit)
  local items = {}
  for _, item in ipairs(all) do -- the last choice comes first
    table.insert(items, item == start and 1 or #items + 1, item)
  end
  choose.select(items, { prompt = question, format_item = exact.to_text }, function(choice)
    if choice == nil then
      return quit()
    end
    done(choice)
  end)
end

--- ask asks for one value. It asks again if the text is not such a value, and calls
--- done without a value if the text is empty and not a value. Escape calls quit.
local function ask(name, asked, root, start, done, quit)
  local schema, nullable = without_null(asked, root)
  local question, all = prompt_for(name, schema, nullable, root), choices_of(schema, nullable)
  if all then
    return choose_value(question, all, start, done, quit)
  end
  local function typed(text)
    if text == nil then
      return quit()
    end
    vim.cmd('redraw') -- otherwise the next text appears after the typed one
    local name_of, read = reader_of(schema)
    local value = read(text)
    if nullable and text == 'null' then
      return done(exact.null)
    elseif text == '' and read ~= readers.string then
      return done(nil)
    elseif value == nil then
      local shown = secret.may_contain(asked, root) and 'that' or text
      server.notify(('%s is no %s: %s'):format(shown, name_of, name))
      return ask(name, asked, root, text, done, quit)
    end
    done(value)
  end
  if type(start) == 'string' and start:find('[%z\n]') then -- a prompt has only one line
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
  local way = secret.is_secret(asked, root) and choose.input_secret or choose.input
  way({ prompt = question, default = start ~= nil and exact.to_text(start) or nil }, typed)
end

--- first_given returns the first value that is not nil.
local function first_given(...)
  for i = 1, select('#', ...) do
    local value = select(i, ...)
    if value ~= nil then
      return value
    end
  end
end

--- store sets a typed value, and remembers it unless it is a secret.
local function store(name, value, schema, args, values)
  args[name] = value
  if not secret.may_contain(schema.properties and schema.properties[name], schema) then
    values[name] = value
  end
end

--- label_for returns the text of a prompt: with the tool, because another run may ask too.
local function label_for(name, tool)
  return tool and name .. ' of ' .. tool or name
end

local edit_all = 'Edit all arguments as JSON'

--- properties_of returns the schemas of the arguments, by their names.
local function properties_of(schema)
  return server.has_value(schema.properties) and schema.properties or {}
end

--- required_of returns the names of the arguments that must be there.
local function required_of(schema)
  return server.has_value(schema.required) and schema.required or {}
end

--- ask fills args: it asks for missing required values, one after the other. If there are others, the person may then
--- edit all of them.
---@param schema table JSON Schema of the tool's arguments
---@param args table
---@param values table those of the last time; what is typed goes into it as well
---@param word string what is done with them
---@param done fun()
---@param quit fun() called in its place where the person gives up
---@param tool string? whose arguments they are
---@param edit fun()? lets the person edit all arguments
function M.ask(schema, args, values, word, done, quit, tool, edit)
  local properties, required = properties_of(schema), required_of(schema)
  local others = vim.tbl_filter(function(name)
    return not vim.tbl_contains(required, name) and args[name] == nil
  end, vim.tbl_keys(properties))
  local function offer_others()
    if #others == 0 or not edit then
      return done()
    end
    choose.select({ word, edit_all }, { prompt = label_for(word .. ', or edit all arguments', tool) .. ': ' }, function(choice)
      if choice == nil then
        return quit()
      elseif choice == edit_all then
        return edit()
      end
      done()
    end)
  end
  local function step(i)
    local name = required[i]
    if not name then
      return offer_others()
    end
    if args[name] ~= nil then
      return step(i + 1)
    end
    local property = properties[name] or {}
    ask(label_for(name, tool), property, schema, first_given(values[name], property.default), function(value)
      store(name, value, schema, args, values)
      step(i + 1)
    end, quit)
  end
  step(1)
end

--- ask_secrets asks for the secret arguments, which must not be in a buffer. An empty text leaves out one that need not be
--- there.
---@param schema table
---@param args table
---@param done fun()
---@param quit fun()
function M.ask_secrets(schema, args, done, quit)
  local properties = properties_of(schema)
  local names = vim.tbl_filter(function(name)
    return args[name] == nil and secret.may_contain(properties[name], schema)
  end, exact.keys(properties))
  local function step(i)
    local name = names[i]
    if not name then
      return done()
    end
    ask(name, properties[name], schema, nil, function(value)
      if value ~= '' or vim.tbl_contains(required_of(schema), name) then
        args[name] = value
      end
      step(i + 1)
    end, quit)
  end
  step(1)
end

return M
