-- Indents new lines. A line is indented deeper than Neovim would do only below a line that
-- opens a block; a line with text keeps its indentation.
local M = {}

--- code_of returns a line without a trailing comment and without the text in quotes.
local function code_of(lnum)
  local line = vim.fn.getline(lnum):gsub('"[^"]*"', function(quoted)
    return ('"'):rep(#quoted)
  end)
  return (line:gsub('^#.*', ''):gsub('%s#.*', ''):gsub('%s+$', ''))
end

--- parents_of returns the lines above a line that are less deep, each less than the one before.
local function parents_of(lnum)
  local depth, found = vim.fn.indent(lnum), {}
  while depth > 0 and lnum > 0 do
    lnum = vim.fn.prevnonblank(lnum - 1)
    if vim.fn.indent(lnum) < depth then
      depth = vim.fn.indent(lnum)
      table.insert(found, code_of(lnum))
    end
  end
  return found
end

local text = '[%w_]%s*:%s*[|>][+-]?$' -- the beginning of a text of several lines
local rules = { REQUIRE = true, LIMIT = true, RESTRICT = true, WARN = true }

--- ends_signature returns whether a line ends the signature of a tool.
local function ends_signature(line, parent)
  local rest = line:match('^%s+[%a_][%w_.]*%b()%s*(.*)$') or line:match('^%s+%)%s*(%->.*)$')
  return parent == 'TOOLS:' and rest == '' or rest and rest:find('^%->.*[^{%(%[,]$') ~= nil
end

--- deeper_by returns how many columns deeper the lines below a line are; nil if it opens no
--- block.
local function deeper_by(line, parent, step)
  local dash, rest = line:match('^%s*(%-?%s*)(.*)$')
  if ends_signature(line, parent) or line:find('[{%(%[]$') then
    return step
  elseif rest:find('^[%a_][%w_.%- ]*:$') or rest:find('^[%a_]') and rest:find(text) then
    return dash ~= '' and #dash or step
  elseif dash ~= '' and (rest:find('^%u[%u_]*:%s') or rest:find('^%l[%w_]*:%s') or rules[rest:match('^%u+')]) then
    return #dash
  end
end

--- style returns how a file is indented: whether by tabs, and the columns of a level. The first
--- block decides.
---@param bufnr integer
---@return boolean
---@return integer
function M.style(bufnr)
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

--- indent_of_line returns the value of 'indentexpr': -1 keeps the indentation.
---@return integer
function M.indent_of_line()
  local lnum = vim.v.lnum
  local above = code_of(lnum - 1)
  if above == '' or vim.fn.getline(lnum):find('%S') then
    return -1
  end
  local all = parents_of(lnum - 1)
  for _, parent in ipairs(all) do
    if parent:find(text) then -- its lines open no block
      return -1
    end
  end
  local deeper = deeper_by(above, all[1], vim.fn.shiftwidth())
  return deeper and vim.fn.indent(lnum - 1) + deeper or -1
end

return M
