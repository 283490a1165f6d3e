-- Lays out a value with the parts of a list or an object on lines of their own, as long as
-- white space takes at most three times the size of the value in one line, plus a constant.
-- Below the depth where it would take more, a part is on one line.
local M = {}

local exact = require('abl.exact')

local growth, spare = 3, 16 * 1024 -- bytes of white space: for each byte of the value, and the constant

local function has_parts(value)
  return type(value) == 'table' and not vim.tbl_isempty(value)
end

--- measure returns the approximate size of a value in one line, and adds to costs, for each
--- level, the white space of its lines.
local function measure(value, level, costs)
  if not has_parts(value) then
    return #tostring(value)
  end
  local size, count = 2, 0
  for key, part in pairs(value) do
    local name = type(key) == 'string' and #key + 4 or 0
    size = size + name + #', ' + measure(part, level + 1, costs)
    count = count + 1
  end
  costs[level] = (costs[level] or 0) + count * (2 * level + 1) + 2 * level
  return size
end

--- levels returns how many levels can have lines.
local function levels(value)
  local costs = {}
  local room = spare + growth * measure(value, 1, costs)
  for level, cost in ipairs(costs) do
    room = room - cost
    if room < 0 then
      return level - 1
    end
  end
  return #costs
end

--- add appends the lines of a part, with two spaces for each level.
local function add(lines, value, level, deepest, prefix, suffix)
  local pad = ('  '):rep(level - 1)
  if level > deepest or not has_parts(value) then
    table.insert(lines, pad .. prefix .. exact.encode(value) .. suffix)
    return
  end
  local list = exact.is_list(value)
  table.insert(lines, pad .. prefix .. (list and '[' or '{'))
  local keys = exact.keys(value)
  for i, key in ipairs(keys) do
    local name = list and '' or exact.quote(key) .. ': '
    add(lines, value[key], level + 1, deepest, name, i < #keys and ',' or '')
  end
  table.insert(lines, pad .. (list and ']' or '}') .. suffix)
end

--- add appends the lines of a decoded JSON value.
---@param lines string[]
---@param value any
---@param prefix string? before it, in its first line
function M.add(lines, value, prefix)
  add(lines, value, 1, levels(value), prefix or '', '')
end

return M
