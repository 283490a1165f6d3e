-- A session with an agent in YAML, as neovim_test.go starts it.
local h = dofile(vim.env.ABL_PLUGIN .. '/test/helpers.lua')
local wait, equal, contains, choose, client = h.wait, h.equal, h.contains, h.choose, h.client
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

--- labels returns what completion offers at the end of a line.
local function labels(line)
  local text = vim.api.nvim_buf_get_lines(0, line, line + 1, false)[1]
  local result = h.ask('textDocument/completion', { textDocument = { uri = vim.uri_from_bufnr(0) }, position = { line = line, character = #text } })
  return table.concat(vim.tbl_map(function(item)
    return item.label
  end, result and (result.items or result) or {}), ' ')
end

local agent = {
  'agent: Guide',
  'goal: Tells the weather',
  'tools:',
  '  - name: get_weather',
  '    description: The weather of a city',
  '    type: http',
  '    parameters:',
  '      - name: city',
  '    returns: object',
  '    http_binding:',
  '      endpoint: http://' .. host .. '/v1/cities/{city}/weather',
  '      method: GET',
  'flow:',
  '  entry_point: tell',
  '  steps:',
  '    tell:',
  '      reasoning: false',
  '      call: get_weather',
  '      then: stop',
  '    stop:',
  '      reasoning: false',
  '      respond: Bye',
}

--- write writes an agent from nothing, with what is offered on the way.
local function write()
  open_file('guide.agent.yaml', { '' })
  wait('the client', attached)
  for at, offered in pairs({ [1] = 'agent', [6] = 'http', [12] = 'GET', [14] = 'stop', [18] = 'get_weather', [19] = 'tell' }) do
    local lines = vim.deepcopy(agent)
    lines[at] = lines[at]:match('^%s*[%w_]+:? ?')
    if at == 1 then
      lines = { 'ag' }
    end
    vim.api.nvim_buf_set_lines(0, 0, -1, false, lines)
    contains('offered in line ' .. at, labels(at - 1), offered)
  end
  vim.api.nvim_buf_set_lines(0, 0, -1, false, agent)
  wait('no mistake', function()
    return vim.tbl_isempty(vim.tbl_filter(function(d)
      return d.severity <= vim.diagnostic.severity.WARN
    end, vim.diagnostic.get(0)))
  end)
  vim.cmd('silent write')
end

--- run runs the tool at the cursor.
local function run()
  vim.ui.input = function(_, done)
    done('Rome')
  end
  h.find('type: http')
  choose('Run')
  vim.cmd('AblRun')
  wait('the result', function()
    return h.result_text():find('"city": "Rome"', 1, true)
  end)
end

--- rename renames a step where it is declared and where it is used.
local function rename()
  h.find('stop:')
  vim.lsp.buf.rename('finish')
  wait('the new name', function()
    return vim.api.nvim_buf_get_lines(0, 18, 20, false)[2] == '    finish:'
  end)
  equal('where it is used', vim.api.nvim_buf_get_lines(0, 18, 19, false), { '      then: finish' })
  vim.cmd('silent write')
end

--- convert writes the agent in ABL into a file beside it.
local function convert()
  vim.cmd('normal! gg')
  choose('Convert to ABL')
  vim.lsp.buf.code_action()
  local text = ''
  wait('the agent in ABL', function() -- Neovim 0.7 does not show it
    local bufnr = vim.fn.bufnr('guide.agent.abl')
    text = bufnr > 0 and table.concat(vim.api.nvim_buf_get_lines(bufnr, 0, -1, false), '\n') or ''
    return text:find('AGENT: Guide', 1, true) and (vim.fn.has('nvim-0.10') == 0 or vim.fn.bufnr() == bufnr)
  end)
  contains('in ABL', text, 'finish:')
  vim.cmd('silent wall')
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
  open_file('desk.agent.yaml', {
    'agent: Desk', 'goal: Helps', 'flow:', '  steps:', '    one: {reasoning: false, then: two}', '    two: {reasoning: false, then: nowhere}',
  })
  wait('both servers', function()
    return #vim.lsp.get_clients({ bufnr = 0 }) == 2
  end)
  equal('hovers', #answers('textDocument/hover', 1, 1), 1)
  equal('the places of a step', #answers('textDocument/definition', 4, 35), 1)
  wait('a mistake', function()
    return #vim.diagnostic.get(0) > 0
  end)
  vim.wait(500)
  local codes = vim.tbl_map(function(d)
    return d.code
  end, vim.diagnostic.get(0))
  equal('the mistake, once', codes, { 'undefined-step' })
end

h.run({
  { 'open', open },
  { 'the tools of lines', lines_of_tools },
  { 'write', write },
  { 'run', run },
  { 'rename', rename },
  { 'convert', convert },
  { 'other YAML', other_yaml },
  { 'beside a server for YAML', beside_yaml_server },
})
