-- What is at the cursor: a tool, or a saved case.
local M = {}

local server = require('abl.server')

--- is_cases says whether a file has saved cases.
---@param uri string
---@return boolean
function M.is_cases(uri)
  return vim.endswith(uri, '.cases.yaml')
end

--- plain is a URI with the letter of its drive small, which may be written either way.
local function plain(uri)
  return (uri:gsub('^file:///%a:', string.lower))
end

--- is says whether a tool has a name, which may say its version and leave out its service.
local function is(one, name)
  local namespace = server.given(one.namespace) and one.namespace or ''
  local own = namespace ~= '' and one.name:sub(#namespace + 2) or one.name
  local version = '@' .. (server.given(one.version) and one.version or '')
  return vim.tbl_contains({ one.name, own, one.name .. version, own .. version }, name)
end

--- call is the name that means one of some tools: with its version where others have its name.
---@param tools table[] as abl.tools answers
---@param tool table
---@return string
function M.call(tools, tool)
  local same = vim.tbl_filter(function(one)
    return one.name == tool.name
  end, tools)
  return #same > 1 and tool.name .. '@' .. tool.version or tool.name
end

local function text(line)
  return vim.api.nvim_buf_get_lines(0, line, line + 1, false)[1] or ''
end

--- deep is how deep a line stands: a tab reaches the next multiple of four.
local function deep(indent)
  local depth = 0
  for sign in indent:gmatch('.') do
    depth = sign == '\t' and depth - depth % 4 + 4 or depth + 1
  end
  return depth
end

--- has says whether a line of the current file is one of those of a tool that begins above:
--- in ABL those stand deeper, and below them may stand a whole agent.
local function has(one, line)
  local first = one.range.start.line
  local depth = deep(text(first):match('^%s*'))
  for at = first + 1, vim.bo.filetype == 'abl' and line or first do
    local indent = text(at):match('^(%s*)[^%s#)}%]]') -- no comment, and no end of a signature
    if indent and deep(indent) <= depth then
      return false
    end
  end
  return true
end

--- tool is the named one, else the one to which a line of the file belongs.
---@param tools table[] as abl.tools answers
---@param name string?
---@param uri string
---@param line integer from 0
---@return table?
function M.tool(tools, name, uri, line)
  local found
  for _, one in ipairs(tools) do
    local at = one.range.start.line
    if name and is(one, name) then
      return one
    end
    local above = plain(vim.uri_from_fname(one.file)) == plain(uri) and at <= line
    if not name and above and (not found or found.range.start.line < at) then
      found = one
    end
  end
  return found and has(found, line) and found or nil
end

--- begins is the line in which a case does: its name may stand below its arguments.
local function begins(case)
  local named = case.range.start.line
  local depth = #text(named):match('^%s*')
  for line = named, 0, -1 do
    local indent = text(line):match('^(%s*)%-%s')
    if indent and (line == named or #indent < depth) then
      return line
    elseif text(line):match('^[^%s#]') then -- the key of its tool
      return named
    end
  end
  return named
end

--- case is the tool that a line of the current file of cases is about, and the case,
--- nil where that is none.
---@param cases table[] as abl.cases answers
---@param line integer from 0
---@return string? tool
---@return table? case
function M.case(cases, line)
  for at = line, 0, -1 do
    for _, one in ipairs(cases) do
      if begins(one) == at then
        return one.tool, one
      end
    end
    local key = text(at):match('^["\']?([^%s#"\':-][^"\':]*)["\']?%s*:')
    if key then
      return key
    end
  end
end

--- named gives done the saved case that a call names, nil where there is not one.
---@param client vim.lsp.Client
---@param params table of abl.run
---@param done fun(case: table?)
function M.named(client, params, done)
  if not params.case then
    return done()
  end
  local versioned = params.tool .. '@' .. (params.version or '')
  server.request(client, 'abl.cases', { uri = params.uri }, function(cases)
    local found = vim.tbl_filter(function(case)
      return case.name == params.case and (case.tool == params.tool or case.tool == versioned)
    end, cases)
    done(#found == 1 and found[1] or nil)
  end)
end

--- over lays the fields of a call over those of its saved case.
---@param params table
---@param case table?
---@param field string args or session
---@return table?
function M.over(params, case, field)
  local call = server.given(params[field]) and params[field] or nil
  local saved = case and server.given(case[field]) and case[field] or nil
  return call and saved and vim.tbl_extend('force', saved, call) or call or saved
end

return M
