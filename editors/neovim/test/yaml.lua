-- A session with an agent in YAML, as neovim_test.go starts it.
local h = dofile(vim.env.ABL_PLUGIN .. '/test/helpers.lua')
local wait, equal, client = h.wait, h.equal, h.client
local host, agents = vim.env.ABL_HOST, vim.fn.fnamemodify(vim.env.ABL_AGENT, ':h')

--- open_file writes a file, and opens it.
local function open_file(name, lines)
  local file = agents .. '/' .. name
  vim.fn.writefile(lines, file)
  vim.cmd('edit ' .. vim.fn.fnameescape(file))
end

local function attached()
  return client() ~= nil and vim.lsp.buf_is_attached(0, client().id)
end

--- answers returns what the servers of the buffer answer about a place, those without an answer left out.
local function answers(method, line, column)
  local all
  vim.lsp.buf_request_all(0, method, { textDocument = { uri = vim.uri_from_bufnr(0) }, position = { line = line, character = column } }, function(given)
    all = given
  end)
  wait('the answers to ' .. method, function()
    return all
  end)
  local results = vim.tbl_map(function(one)
    return one.result
  end, vim.tbl_values(all))
  return vim.tbl_filter(function(one)
    return one ~= vim.NIL and not vim.tbl_isempty(one.items or one.contents or one)
  end, results)
end

--- open opens an agent, whose filetype stays that of YAML.
local function open()
  vim.opt.runtimepath:prepend(vim.env.ABL_PLUGIN)
  vim.cmd('filetype plugin on')
  require('abl').setup({
    cmd = { vim.env.ABL_SERVER, 'serve', '--log-file', vim.env.ABL_LOG },
    init_options = { trusted = true, allowHosts = { host } },
  })
  open_file('desk.agent.yaml', { 'agent: Desk', 'goal: Helps' })
  wait('the client', attached)
  equal('filetype', vim.bo.filetype, 'yaml')
end

--- lines_of_tools finds the tool to which a line belongs. The name may be below other keys.
local function lines_of_tools()
  local lines = {
    'tools:', '  - description: Finds', '    name: find', '    type: http', '  - name: send', '    parameters:', '      - name: to', 'goal: Helps',
  }
  vim.api.nvim_buf_set_lines(0, 0, -1, false, lines)
  local file = vim.api.nvim_buf_get_name(0)
  local tools = { { name = 'find', file = file, range = { start = { line = 2 } } }, { name = 'send', file = file, range = { start = { line = 4 } } } }
  local found = {}
  for line = 1, #lines do
    local tool = require('abl.cursor').find_tool(tools, nil, vim.uri_from_fname(file), line - 1)
    found[line] = tool and tool.name or ''
  end
  equal('the tools of the lines', found, { '', '', 'find', 'find', 'send', 'send', 'send', '' })
  vim.cmd('edit!')
end

--- other_yaml opens YAML that does not concern the server.
local function other_yaml()
  open_file('compose.yaml', { 'agent: Desk', 'goal: Helps' })
  vim.wait(50, attached, 10)
  equal('whether the server gets it', attached(), false)
  equal('filetype', vim.bo.filetype, 'yaml')
  vim.cmd('bwipeout')
end

--- beside_yaml_server uses the server together with the one for YAML that most people have.
local function beside_yaml_server()
  if not vim.env.ABL_YAML_SERVER or vim.fn.has('nvim-0.11') == 0 then
    return
  end
  vim.lsp.config('yamlls', {
    cmd = { 'node', vim.env.ABL_YAML_SERVER, '--stdio' },
    filetypes = { 'yaml' },
    settings = { yaml = { schemaStore = { enable = false } }, redhat = { telemetry = { enabled = false } } },
  })
  vim.lsp.enable('yamlls')
  open_file('desk.agent.yaml', { 'agent: Desk', 'goal: Helps', 'persona: Kind' })
  wait('both servers', function()
    return #vim.lsp.get_clients({ bufnr = 0 }) == 2
  end)
  equal('several hovers', #answers('textDocument/hover', 1, 1) > 1, false)
end

h.run({
  { 'open', open },
  { 'the tools of lines', lines_of_tools },
  { 'other YAML', other_yaml },
  { 'beside a server for YAML', beside_yaml_server },
})
