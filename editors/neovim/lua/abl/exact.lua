-- Numbers as they were written. Neovim reads every number of JSON as a floating-point
-- one, which has no 9007199254740993 and no 10.50. So the server, which lsp/abl.lua
-- asks for it, sends such a number as a text with a mark before it, and reads a text
-- with the mark as the JSON that follows.
local M = {}

local mark = '\238\128\128' -- U+E000, of no script

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

--- encode is a value as JSON, with numbers as they were written.
---@param value any
---@return string
function M.encode(value)
  return written(value) or (vim.fn.json_encode(value):gsub('"' .. mark .. '(%-?%d[%d.eE+-]*)"', '%1'))
end

--- text is a value as a person types it: JSON, and a string without quotes.
---@param value any
---@return string
function M.text(value)
  return not written(value) and type(value) == 'string' and value or M.encode(value)
end

return M
