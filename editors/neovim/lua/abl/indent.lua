-- How deep a new line stands. Only below a line that opens something is it deeper than
-- Neovim itself has it; a line that has words stays where it is.
local M = {}

--- words are those of a line without a trailing comment; what is in quotes is not told.
local function words(lnum)
  local line = vim.fn.getline(lnum):gsub('"[^"]*"', function(quoted)
    return ('"'):rep(#quoted)
  end)
  return (line:gsub('^#.*', ''):gsub('%s#.*', ''):gsub('%s+$', ''))
end

--- parents are the lines above one that stand less deep, each less than the one before it.
local function parents(lnum)
  local depth, found = vim.fn.indent(lnum), {}
  while depth > 0 and lnum > 0 do
    lnum = vim.fn.prevnonblank(lnum - 1)
    if vim.fn.indent(lnum) < depth then
      depth = vim.fn.indent(lnum)
      table.insert(found, words(lnum))
    end
  end
  return found
end

local text = '[%w_]%s*:%s*[|>][+-]?$' -- what begins one of several lines
local rules = { REQUIRE = true, LIMIT = true, RESTRICT = true, WARN = true }

--- signature says whether a line ends that of a tool.
local function signature(line, parent)
  local rest = line:match('^%s+[%a_][%w_.]*%b()%s*(.*)$') or line:match('^%s+%)%s*(%->.*)$')
  return parent == 'TOOLS:' and rest == '' or rest and rest:find('^%->.*[^{%(%[,]$') ~= nil
end

--- opens says how many columns deeper what is below a line stands; nil where it opens
--- nothing.
local function opens(line, parent, step)
  local dash, rest = line:match('^%s*(%-?%s*)(.*)$')
  if signature(line, parent) or line:find('[{%(%[]$') then
    return step
  elseif rest:find('^[%a_][%w_.%- ]*:$') or rest:find('^[%a_]') and rest:find(text) then
    return dash ~= '' and #dash or step
  elseif dash ~= '' and (rest:find('^%u[%u_]*:%s') or rest:find('^%l[%w_]*:%s') or rules[rest:match('^%u+')]) then
    return #dash
  end
end

--- of is how a file is indented: whether by tabs, and how many columns a step has. The
--- first block says so.
---@param bufnr integer
---@return boolean
---@return integer
function M.of(bufnr)
  local above = ''
  for _, line in ipairs(vim.api.nvim_buf_get_lines(bufnr, 0, -1, false)) do
    local indent = line:match('^(%s+)[^%s#]')
    if indent and above:find('^[%a_]') and above:find(':') then
      local tabs = indent:sub(1, 1) == '\t'
      return tabs, tabs and 4 or #indent <= 8 and #indent or 2
    end
    above = line:find('^%s*[^%s#]') and line or above
  end
  return false, 2
end

--- line is what 'indentexpr' says of a line: -1 leaves it as it is.
---@return integer
function M.line()
  local lnum = vim.v.lnum
  local above = words(lnum - 1)
  if above == '' or vim.fn.getline(lnum):find('%S') then
    return -1
  end
  local all = parents(lnum - 1)
  for _, parent in ipairs(all) do
    if parent:find(text) then -- whose lines open nothing
      return -1
    end
  end
  local deeper = opens(above, all[1], vim.fn.shiftwidth())
  return deeper and vim.fn.indent(lnum - 1) + deeper or -1
end

return M
