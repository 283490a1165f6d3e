-- Which arguments are secrets, by their schema: they are not shown while they are typed, and not
-- remembered.
local M = {}

local reference = require('abl.reference')

local same = { anyOf = true, oneOf = true, allOf = true } -- their parts describe the value itself

--- contains_secret looks for a secret in a schema and its parts. Some schemas refer to each other.
local function contains_secret(schema, root, deep, seen)
  if type(schema) ~= 'table' or seen[schema] then
    return false
  elseif schema.format == 'password' or schema.writeOnly == true then
    return true
  end
  seen[schema] = true
  for key, part in pairs(schema) do
    if (deep or same[key] or type(key) == 'number') and contains_secret(part, root, deep, seen) then
      return true
    end
  end
  return contains_secret(reference.resolve(root, schema['$ref']), root, deep, seen)
end

--- is_secret returns whether a value is a secret.
---@param schema table of the value
---@param root table of all arguments
---@return boolean
function M.is_secret(schema, root)
  return contains_secret(schema, root, false, {})
end

--- may_contain returns whether a value is a secret, or may contain one.
---@param schema table of the value
---@param root table of all arguments
---@return boolean
function M.may_contain(schema, root)
  return contains_secret(schema, root, true, {})
end

--- without_secrets returns a copy of arguments without those that are secret, or may contain a secret.
---@param args table
---@param root table of all arguments
---@return table
function M.without_secrets(args, root)
  local others = vim.empty_dict()
  for name, value in pairs(args) do
    local properties = type(root.properties) == 'table' and root.properties or {}
    if not M.may_contain(properties[name], root) then
      others[name] = vim.deepcopy(value)
    end
  end
  return others
end

return M
