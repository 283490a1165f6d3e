-- Exact numbers, null, and the order of names. Neovim reads every number of JSON as floating point, which cannot
-- represent 9007199254740993 and 10.50, and before 0.11 it loses fields that are null. So the
-- server, at the request of lsp/abl.lua, sends them as texts with a mark at the beginning, and
-- reads a text with the mark as the JSON after it. A table of Lua has no order, so the server also
-- adds to an object the list of its names, if they are not sorted.
local M = {}

local mark = '\238\128\128' -- U+E000, a private character

local order_key = '\238\128\129' -- U+E001, the name under which the server lists an object's names

--- with_order remembers the order of the names in an answer, in metatables, and removes it from the tables. Copies by
--- vim.deepcopy have it as well.
---@param value any
---@return any the same value
function M.with_order(value)
  if type(value) ~= 'table' then
    return value
  end
  local order = value[order_key]
  if type(order) == 'table' then
    value[order_key] = nil
    setmetatable(value, { abl_order = order })
  end
  for _, part in pairs(value) do
    M.with_order(part)
  end
  return value
end

--- in_order makes names of a table come in an order.
---@param value table
---@param names string[]
---@return table the same value
function M.in_order(value, names)
  return vim.tbl_isempty(value) and value or setmetatable(value, { abl_order = names })
end

--- keys returns the keys of a table: in the order of the server, then the others, sorted.
---@param value table
---@return any[]
function M.keys(value)
  local meta, keys, seen, others = getmetatable(value), {}, {}, {}
  for _, key in ipairs(meta and meta.abl_order or {}) do
    if value[key] ~= nil and not seen[key] then
      seen[key] = true
      table.insert(keys, key)
    end
  end
  for key in pairs(value) do
    if not seen[key] then
      table.insert(others, key)
    end
  end
  table.sort(others)
  return vim.list_extend(keys, others)
end

-- The value for null.
M.null = mark .. 'null'

--- as_json returns a value for JSON exactly as typed.
---@param typed string
---@return string
function M.as_json(typed)
  return mark .. typed
end

--- marked returns the text after the mark, nil for any other value.
local function marked(value)
  return type(value) == 'string' and vim.startswith(value, mark) and value:sub(#mark + 1) or nil
end

--- as_text returns a value for typed text, which may begin with the mark.
---@param typed string
---@return string
function M.as_text(typed)
  return marked(typed) and M.as_json(vim.fn.json_encode(typed)) or typed
end

--- is_list returns whether a table that is not empty is a list.
M.is_list = vim.islist or vim.tbl_islist

--- quote returns a value that is not a table as JSON; the mark is an ordinary letter. A text with NUL would become a list of bytes.
function M.quote(value)
  if type(value) ~= 'string' then
    return vim.fn.json_encode(value)
  end
  return '"' .. table.concat(vim.tbl_map(function(part)
    return vim.fn.json_encode(part):sub(2, -2)
  end, vim.split(value, '\0', { plain = true })), '\\u0000') .. '"'
end

--- add appends a value to the pieces of JSON.
local function add(pieces, value)
  if type(value) ~= 'table' then
    return table.insert(pieces, marked(value) or M.quote(value))
  elseif vim.tbl_isempty(value) then
    return table.insert(pieces, vim.fn.json_encode(value))
  end
  local list = M.is_list(value)
  for i, key in ipairs(M.keys(value)) do
    table.insert(pieces, i > 1 and ', ' or list and '[' or '{')
    if not list then
      table.insert(pieces, M.quote(key) .. ': ')
    end
    add(pieces, value[key])
  end
  table.insert(pieces, list and ']' or '}')
end

--- string_end returns where the string of JSON that begins at a place ends.
local function string_end(text, at)
  at = text:find('[\\"]', at + 1)
  while at and text:sub(at, at) == '\\' do
    at = text:find('[\\"]', at + 2)
  end
  return at or #text
end

--- value_end returns where the value of JSON that begins at a place ends.
local function value_end(text, at)
  local depth = 0
  while true do
    local place = text:find('["%[%]{},]', at)
    local sign = text:sub(place, place)
    if sign == '"' then
      place = string_end(text, place)
    elseif sign == '[' or sign == '{' then
      depth = depth + 1
    elseif depth == 0 then
      return place - 1
    elseif sign ~= ',' then
      depth = depth - 1
    end
    at = place + 1
  end
end

--- read_value returns a value of JSON: texts as they are, everything else exactly as written.
local function read_value(written)
  if written:sub(1, 1) == '"' then
    return M.as_text(vim.json.decode(written))
  elseif written == 'true' or written == 'false' then
    return written == 'true'
  elseif written:find('^-?%d+$') and #written <= 15 then
    return tonumber(written)
  end
  return M.as_json(written)
end

--- members returns the members of an object of JSON, which must be valid. Their values are exactly as written.
---@param text string
---@return table
function M.members(text)
  local members, names = vim.empty_dict(), {}
  local at = text:find('[^%s{]', text:find('{', 1, true) + 1)
  while text:sub(at, at) == '"' do
    local last = string_end(text, at)
    local name = vim.json.decode(text:sub(at, last))
    local first = text:find('%S', text:find(':', last + 1, true) + 1)
    last = value_end(text, first)
    members[name] = read_value(vim.trim(text:sub(first, last)))
    table.insert(names, name)
    at = text:find('[^%s,]', last + 1)
  end
  return M.in_order(members, names)
end

--- encode returns a value as JSON in one line, with exact numbers.
---@param value any
---@return string
function M.encode(value)
  local pieces = {}
  add(pieces, value)
  return table.concat(pieces)
end

--- to_text returns a value as a person types it: JSON, and a string without quotes.
---@param value any
---@return string
function M.to_text(value)
  return not marked(value) and type(value) == 'string' and value or M.encode(value)
end

return M
