-- Finds what is at the cursor: a tool, or a saved case.
local M = {}

local server = require('abl.server')

--- is_cases returns whether a file has saved cases.
---@param uri string
---@return boolean
function M.is_cases(uri)
  return vim.endswith(uri, '.cases.yaml')
end

--- normalize returns a URI with a small drive letter, because both forms occur.
local function normalize(uri)
  return (uri:gsub('^file:///%a:', string.lower))
end

--- has_name returns whether a tool has a name, which may add its version and leave out its service.
local function has_name(one, name)
  local namespace = server.has_value(one.namespace) and one.namespace or ''
  local own = namespace ~= '' and one.name:sub(#namespace + 2) or one.name
  local version = '@' .. (server.has_value(one.version) and one.version or '')
  return vim.tbl_contains({ one.name, own, one.name .. version, own .. version }, name)
end

--- call_name returns the name of one of several tools: with its version if others have its name.
---@param tools table[] as abl.tools answers
---@param tool table
---@return string
function M.call_name(tools, tool)
  local same = vim.tbl_filter(function(one)
    return one.name == tool.name
  end, tools)
  return #same > 1 and tool.name .. '@' .. tool.version or tool.name
end

--- is_yaml_agent returns whether the current file is an agent in YAML.
local function is_yaml_agent()
  return require('abl.files').is_yaml_agent(vim.api.nvim_buf_get_name(0))
end

local function line_text(line)
  return vim.api.nvim_buf_get_lines(0, line, line + 1, false)[1] or ''
end

--- depth_of returns how deep a line is indented: a tab reaches the next multiple of four.
local function depth_of(indent)
  local depth = 0
  for sign in indent:gmatch('.') do
    depth = sign == '\t' and depth - depth % 4 + 4 or depth + 1
  end
  return depth
end

--- depth_of_tool returns how deep a tool is indented whose name is in a line. In YAML it is an item of a
--- list, which may have other keys before its name.
local function depth_of_tool(named)
  local depth = depth_of(line_text(named):match('^%s*'))
  for at = named, is_yaml_agent() and 0 or named, -1 do
    local indent = line_text(at):match('^(%s*)%-%s')
    if indent and (at == named or #indent < depth) then
      return #indent
    end
  end
  return depth
end

--- contains_line returns whether a line of the current file belongs to a tool that begins above it:
--- in an agent its lines are indented deeper, and other sections may follow below.
local function contains_line(one, line)
  local first = one.range.start.line
  local depth = depth_of_tool(first)
  for at = first + 1, (vim.bo.filetype == 'abl' or is_yaml_agent()) and line or first do
    local indent = line_text(at):match('^(%s*)[^%s#)}%]]') -- not a comment, and not the end of a signature
    if indent and depth_of(indent) <= depth then
      return false
    end
  end
  return true
end

--- find_tool returns the named tool, else the one to which a line of the file belongs.
---@param tools table[] as abl.tools answers
---@param name string?
---@param uri string
---@param line integer from 0
---@return table?
function M.find_tool(tools, name, uri, line)
  local found
  for _, one in ipairs(tools) do
    local at = one.range.start.line
    if name and has_name(one, name) then
      return one
    end
    local above = normalize(vim.uri_from_fname(one.file)) == normalize(uri) and at <= line
    if not name and above and (not found or found.range.start.line < at) then
      found = one
    end
  end
  return found and contains_line(found, line) and found or nil
end

--- first_line returns the line in which a case begins: its name may be below its arguments.
local function first_line(case)
  local named = case.range.start.line
  local depth = #line_text(named):match('^%s*')
  for line = named, 0, -1 do
    local indent = line_text(line):match('^(%s*)%-%s')
    if indent and (line == named or #indent < depth) then
      return line
    elseif line_text(line):match('^[^%s#]') then -- the key of its tool
      return named
    end
  end
  return named
end

--- find_case returns the tool of a line of the current file of cases, and the case,
--- nil if the line belongs to no case.
---@param cases table[] as abl.cases answers
---@param line integer from 0
---@return string? tool
---@return table? case
function M.find_case(cases, line)
  for at = line, 0, -1 do
    for _, one in ipairs(cases) do
      if first_line(one) == at then
        return one.tool, one
      end
    end
    local key = line_text(at):match('^["\']?([^%s#"\':-][^"\':]*)["\']?%s*:')
    if key then
      return key
    end
  end
end

--- find_named_case calls done with the saved case that a call names, nil if there is not exactly one.
---@param client vim.lsp.Client
---@param params table of abl.run
---@param done fun(case: table?)
function M.find_named_case(client, params, done)
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

--- merge_case returns a field of a call merged over that of its saved case.
---@param params table
---@param case table?
---@param field string args or session
---@return table?
function M.merge_case(params, case, field)
  local call = server.has_value(params[field]) and params[field] or nil
  local saved = case and server.has_value(case[field]) and case[field] or nil
  return call and saved and vim.tbl_extend('force', saved, call) or call or saved
end

return M
