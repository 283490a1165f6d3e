-- Which files the server gets. It recognizes files of other systems by their content, but
-- must not start for every YAML, JSON or program.
local M = {}

-- A line that matches one of these shows that a file has tools.
local lines = {
  yaml = {
    '^["\']?tools["\']?%s*:', '^["\']?sources["\']?%s*:', '^["\']?auth[SC]%l+["\']?%s*:', '^["\']?toolsets["\']?%s*:',
    '^{%s*["\']?tools["\']?%s*:', '^kind:%s*["\']?tools?["\']?%s*$', '^kind:%s*["\']?sources?["\']?%s*$',
    '^kind:%s*["\']?authS%l+["\']?%s*$', '^kind:%s*["\']?toolsets?["\']?%s*$', '^apiVersion:%s*["\']?agents%.recif%.dev/',
  },
  project = { '"agents"%s*:', '"entry_agent"%s*:' }, -- an exported project
  json = { '"description"%s*:', '"tools"%s*:' },
  program = { '%f[%w]TOOLS%f[%W]', '^export%s+default%f[%W]', '^module%.exports%s*=' },
}

--- has_line returns whether a buffer has a line of a kind.
---@param bufnr integer
---@param kind string
---@return boolean
function M.has_line(bufnr, kind)
  for _, line in ipairs(vim.api.nvim_buf_get_lines(bufnr, 0, 200, false)) do
    for _, begin in ipairs(lines[kind]) do
      if line:find(begin) then
        return true
      end
    end
  end
  return false
end

-- The names of files that keep their filetype: those of other systems, and of an exported project.
local names = { ['^project%.json$'] = 'project', ['^tools%.json$'] = 'json', ['%.tools?%.json$'] = 'json', ['%.tools?%.m?[tj]s$'] = 'program' }

-- The names of YAML files.
local yaml = { '^abl%.yaml$', '%.agent%.yaml$', '%.cases%.yaml$', '^tools%.ya?ml$', '%.tools?%.ya?ml$' }

--- is_yaml_agent returns whether a file has the name of an agent in YAML. Such a file keeps its
--- filetype, because other plugins for YAML also serve it.
---@param name string
---@return boolean
function M.is_yaml_agent(name)
  return name:find('%.agent%.yaml$') ~= nil
end

--- may_serve returns whether the server may get a file with such a name.
---@param name string
---@return boolean
function M.may_serve(name)
  for _, pattern in ipairs(vim.list_extend({ '%.abl$' }, vim.list_extend(vim.tbl_keys(names), yaml))) do
    if vim.fn.fnamemodify(name, ':t'):find(pattern) then
      return true
    end
  end
  return false
end

--- is_served returns whether the server gets a buffer of one of its filetypes.
---@param bufnr integer
---@return boolean
function M.is_served(bufnr)
  local name = vim.fn.fnamemodify(vim.api.nvim_buf_get_name(bufnr), ':t')
  for pattern, kind in pairs(names) do
    if name:find(pattern) then
      return M.has_line(bufnr, kind)
    end
  end
  local filetype = vim.bo[bufnr].filetype
  return filetype == 'abl' or filetype == 'yaml.ablproject' or M.is_yaml_agent(name)
end

return M
