-- Follows the references of a JSON Schema to other parts of it.
local M = {}

--- resolve returns the target of a reference to a part of the whole schema.
function M.resolve(root, reference)
  local at = type(reference) == 'string' and reference:match('^#') and root or nil
  for part in tostring(reference):gmatch('/([^/]*)') do
    local key = part:gsub('%%(%x%x)', function(hex)
      return string.char(tonumber(hex, 16))
    end):gsub('~1', '/'):gsub('~0', '~')
    at = type(at) == 'table' and (at[key] or at[(tonumber(key) or 0) + 1]) or nil
  end
  return at
end

--- resolve_all returns a schema with its references replaced by their targets, merged with its
--- own keys. The only part of an allOf is treated like a reference.
---@param schema table
---@param root table of all arguments
---@return table
function M.resolve_all(schema, root)
  for _ = 1, 20 do -- some refer to each other
    local word, target = '$ref', M.resolve(root, schema['$ref'])
    if type(target) ~= 'table' and type(schema.allOf) == 'table' and #schema.allOf == 1 then
      word, target = 'allOf', schema.allOf[1]
    end
    if type(target) ~= 'table' then
      return schema
    end
    local own = vim.tbl_extend('force', {}, schema)
    own[word] = nil
    schema = vim.tbl_extend('force', target, own)
  end
  return schema
end

return M
