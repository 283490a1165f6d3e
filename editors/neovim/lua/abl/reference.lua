-- Follows the references of a JSON Schema to other parts of it.
local M = {}

--- pointed is what a reference to a part of the whole schema leads to.
function M.pointed(root, reference)
  local at = type(reference) == 'string' and reference:match('^#') and root or nil
  for part in tostring(reference):gmatch('/([^/]*)') do
    local key = part:gsub('%%(%x%x)', function(hex)
      return string.char(tonumber(hex, 16))
    end):gsub('~1', '/'):gsub('~0', '~')
    at = type(at) == 'table' and (at[key] or at[(tonumber(key) or 0) + 1]) or nil
  end
  return at
end

--- followed is a schema with what it refers to in its place, and with its own words over
--- that. The only part of an allOf is referred to in that way as well.
---@param schema table
---@param root table of all arguments
---@return table
function M.followed(schema, root)
  for _ = 1, 20 do -- some lead to each other
    local word, target = '$ref', M.pointed(root, schema['$ref'])
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
