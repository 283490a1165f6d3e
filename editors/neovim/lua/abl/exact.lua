-- Numbers and null as they were written. Neovim reads every number of JSON as a
-- floating-point one, which has no 9007199254740993 and no 10.50, and before 0.11 it
-- loses fields that are null. So the server, which lsp/abl.lua asks for it, sends them as
-- texts with a mark before them, and reads a text with the mark as the JSON that follows.
local M = {}

local mark = '\238\128\128' -- U+E000, of no script

-- What stands for null.
M.null = mark .. 'null'

--- json is a value that stands for JSON as it was typed.
---@param typed string
---@return string
function M.json(typed)
  return mark .. typed
end

--- written is what follows the mark, nil of all else.
local function written(value)
  return type(value) == 'string' and vim.startswith(value, mark) and value:sub(#mark + 1) or nil
end

--- plain is a text as it was typed, which may begin with the mark.
---@param typed string
---@return string
function M.plain(typed)
  return written(typed) and M.json(vim.fn.json_encode(typed)) or typed
end

--- is_list says whether a table that is not empty is a list.
M.is_list = vim.islist or vim.tbl_islist

--- quoted is a value that is no table as JSON, the mark like any other letter. A text with NUL would become a list of bytes.
function M.quoted(value)
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
    return table.insert(pieces, written(value) or M.quoted(value))
  elseif vim.tbl_isempty(value) then
    return table.insert(pieces, vim.fn.json_encode(value))
  end
  local list = M.is_list(value)
  local keys = vim.tbl_keys(value)
  table.sort(keys)
  for i, key in ipairs(keys) do
    table.insert(pieces, i > 1 and ', ' or list and '[' or '{')
    if not list then
      table.insert(pieces, M.quoted(key) .. ': ')
    end
    add(pieces, value[key])
  end
  table.insert(pieces, list and ']' or '}')
end

--- encode is a value as JSON in one line, with all of it as it was written.
---@param value any
---@return string
function M.encode(value)
  local pieces = {}
  add(pieces, value)
  return table.concat(pieces)
end

--- text is a value as a person types it: JSON, and a string without quotes.
---@param value any
---@return string
function M.text(value)
  return not written(value) and type(value) == 'string' and value or M.encode(value)
end

return M
