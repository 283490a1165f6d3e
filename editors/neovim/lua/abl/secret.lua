-- Which arguments are secrets, as their schema says: they are typed unseen, and none is
-- remembered.
local M = {}

local reference = require('abl.reference')

local same = { anyOf = true, oneOf = true, allOf = true } -- whose parts are about the value itself

--- has looks for a secret in a schema, or in what it is made of. Some schemas lead to each other.
local function has(schema, root, deep, seen)
  if type(schema) ~= 'table' or seen[schema] then
    return false
  elseif schema.format == 'password' or schema.writeOnly == true then
    return true
  end
  seen[schema] = true
  for key, part in pairs(schema) do
    if (deep or same[key] or type(key) == 'number') and has(part, root, deep, seen) then
      return true
    end
  end
  return has(reference.pointed(root, schema['$ref']), root, deep, seen)
end

--- is says whether a value is one.
---@param schema table of the value
---@param root table of all arguments
---@return boolean
function M.is(schema, root)
  return has(schema, root, false, {})
end

--- within says whether a value is one, or may hold one.
---@param schema table of the value
---@param root table of all arguments
---@return boolean
function M.within(schema, root)
  return has(schema, root, true, {})
end

--- without is a copy of some arguments without those that are secret, or may hold one.
---@param args table
---@param root table of all arguments
---@return table
function M.without(args, root)
  local others = vim.empty_dict()
  for name, value in pairs(args) do
    local properties = type(root.properties) == 'table' and root.properties or {}
    if not M.within(properties[name], root) then
      others[name] = vim.deepcopy(value)
    end
  end
  return others
end

return M
