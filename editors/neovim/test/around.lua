-- Parts around runs, for run.lua: the help, the health, secrets on a screen, and highlighting.
-- It gets the function of run.lua that waits for a message, and the folder of the test.
local last_told, dir = ...
local h = dofile(vim.env.ABL_PLUGIN .. '/test/helpers.lua')
local wait, equal, contains, find, result_text = h.wait, h.equal, h.contains, h.find, h.result_text
local host = vim.env.ABL_HOST

--- help checks that the help has all commands, and nothing else.
local function help()
  local copied = vim.fn.tempname() -- no tags are left in the repository
  vim.fn.mkdir(copied .. '/doc', 'p')
  vim.fn.writefile(vim.fn.readfile(vim.env.ABL_PLUGIN .. '/doc/abl.txt'), copied .. '/doc/abl.txt')
  vim.cmd('helptags ' .. copied .. '/doc')
  vim.opt.runtimepath:prepend(copied)
  for name in pairs(require('abl.commands').all) do
    vim.cmd('noautocmd help :' .. name) -- this Neovim has no parser of help files
    contains('line of the help', vim.api.nvim_get_current_line(), '*:' .. name .. '*')
  end
  local page = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n')
  for name in page:gmatch('%*:(%w+)%*') do
    equal(name .. ' is a command', require('abl.commands').all[name] ~= nil, true)
  end
  vim.cmd('noautocmd help abl')
  contains('line of the help', vim.api.nvim_get_current_line(), '*abl*')
  for link in page:gmatch('|(abl%-%w+)|') do
    vim.cmd('noautocmd help ' .. link)
    contains('line of the help', vim.api.nvim_get_current_line(), '*' .. link .. '*')
  end
  vim.cmd('helpclose')
  local options = table.concat(vim.fn.readfile(vim.env.ABL_PLUGIN .. '/../../docs/editors.md'), '\n'):match('\n| option | means |\n(.-)\n\n')
  local known = table.concat(vim.fn.readfile(vim.env.ABL_PLUGIN .. '/lua/abl/health.lua'), '\n')
  for option in options:gmatch('\n| `(%w+)` |') do
    contains('options that the health knows', known, "'" .. option .. "'")
    contains('options in the help', page:match('The options in `init_options` are (.-)\n\n'), '`' .. option .. '`')
  end
end

--- with_setting changes a setting that only the plugin's health checks here.
local function with_setting(name, changed, done)
  local config = vim.lsp.config and vim.lsp.config.abl or require('abl').options
  local before = config[name]
  local function set(value)
    if vim.lsp.config then
      return vim.lsp.config('abl', { [name] = value })
    end
    config[name] = value
  end
  set(changed)
  done()
  set(before)
end

--- with_cmd changes the command that starts the server.
local function with_cmd(cmd, done)
  with_setting('cmd', cmd, done)
end

--- asked_for returns the server's commands that the plugin uses.
local function asked_for()
  local names = {}
  for _, file in ipairs(vim.fn.glob(vim.env.ABL_PLUGIN .. '/lua/abl/*.lua', false, true)) do
    local text = table.concat(vim.fn.readfile(file), '\n'):gsub("require%('abl%.%l+'%)", '')
    if not vim.endswith(file, 'health.lua') then
      for name in text:gmatch("'(abl%.%a+)'") do
        names[name] = true
      end
    end
  end
  names = vim.tbl_keys(names)
  table.sort(names)
  return names
end

--- healthy checks what :checkhealth abl says.
local function healthy()
  vim.cmd('checkhealth abl')
  local text
  wait('the health', function()
    text = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n')
    return text:find('commands are there', 1, true)
  end)
  vim.cmd('bwipeout!')
  return text
end

local function health()
  vim.cmd('filetype plugin off') -- this Neovim has no parser of help files
  local text = healthy()
  contains('health', text, 'the server runs for')
  contains('health', text, 'abl-lsp: abl-lsp')
  contains('health', text, vim.fn.has('nvim-0.10') == 1 and 'no tree-sitter parser' or 'which needs Neovim 0.10')
  equal('errors', text:find('ERROR', 1, true), nil)
  equal('age', text:find('older than this plugin', 1, true), nil)

  with_cmd({ 'no-such-server', 'serve' }, function()
    contains('health without a server', healthy(), 'no-such-server is not to be found')
    if vim.fn.has('nvim-0.12') == 1 then -- those before say it themselves
      vim.cmd('runtime ftplugin/abl.lua')
      last_told('no-such-server is not to be found; :checkhealth abl')
    end
  end)
  with_setting('filetypes', { 'abl' }, function()
    contains('health without YAML', healthy(), 'agents in YAML (*.agent.yaml) get no server')
  end)
  with_cmd('abl-lsp serve', function()
    contains('health with a text', healthy(), "Write it as { 'abl-lsp', 'serve' }")
  end)
  with_cmd({ 'false', 'serve' }, function()
    contains('health with a program that fails', healthy(), 'false does not start: it ends with 1')
  end)
  with_cmd({ 'env', vim.env.ABL_SERVER, 'serve' }, function()
    contains('health with a program before it', healthy(), 'env: abl-lsp')
  end)
  with_cmd(function() end, function()
    text = healthy()
    contains('health with a function', text, 'cmd is a function')
    equal('errors', text:find('ERROR', 1, true), nil)
  end)
  local set = (vim.lsp.config and vim.lsp.config.abl or require('abl').options).init_options
  set.truste = true
  contains('health with a wrong option', healthy(), 'init_options has truste, which nobody reads')
  set.truste = nil
  local commands = h.client().server_capabilities.executeCommandProvider.commands
  h.client().server_capabilities.executeCommandProvider.commands = {}
  contains('health with a server that knows nothing', healthy(), table.concat(asked_for(), ', '))
  h.client().server_capabilities.executeCommandProvider.commands = vim.tbl_filter(function(name)
    return name ~= 'abl.copy'
  end, commands)
  contains('health with an old server', healthy(), 'it does not know abl.copy')
  h.client().server_capabilities.executeCommandProvider.commands = commands
  vim.cmd('filetype plugin on')
  vim.cmd('edit ' .. vim.fn.fnameescape(dir .. '/run.tools.abl'))
end

--- versions runs one of several tools with the same name: the one at the cursor, in its file, in
--- the split and in a file of cases.
local function versions()
  local before, file = vim.api.nvim_get_current_buf(), dir .. '/note.tools.json'
  local tool = '{"name": "note", "version": "%d", "description": "🗒️", "binding": {"type": "http", "method": "GET", "endpoint": "https://example.com/%d"}}'
  local texts = {
    [file] = { '{"tools": [', tool:format(1, 1) .. ',', tool:format(2, 2), ']}' },
    [dir .. '/note.cases.yaml'] = { 'note@2:', '  - name: second' },
  }
  for name, lines in pairs(texts) do
    vim.fn.writefile(lines, name)
  end
  local function shows(version)
    vim.cmd('AblPreview')
    wait('the version', function()
      return result_text():find('note  would send  GET https://example.com/' .. version, 1, true)
    end)
  end
  vim.cmd('edit ' .. vim.fn.fnameescape(file))
  find('"1"')
  shows(1)
  find('"2"')
  shows(2)
  require('abl.result').open({})
  vim.cmd('wincmd j')
  shows(2)
  vim.cmd('wincmd p | edit ' .. vim.fn.fnameescape(dir .. '/note.cases.yaml'))
  require('abl.result').open({})
  find('second')
  shows(2)
  vim.cmd('buffer ' .. before)
  for name in pairs(texts) do
    vim.cmd('bwipeout! ' .. vim.fn.fnameescape(name))
    vim.fn.delete(name)
  end
end

--- at_the_cursor runs the tool of the line, or the tool that is named there, and no other.
local function at_the_cursor()
  local before, file = vim.api.nvim_get_current_buf(), dir .. '/near.agent.abl'
  vim.fn.writefile({
    'AGENT: Near', 'GOAL: "To be near"', 'TOOLS:',
    '  first() -> object', '    type: http', '    endpoint: "https://example.com/1"', '    method: GET',
    '  second(', '    a: string = "x"', '  ) -> object', '\ttype: http', '  # timeout: 5', '\tendpoint: "https://example.com/2"', '    method: GET',
    '  far.first() -> object', '    type: http', '    endpoint: "https://example.com/3"', '    method: GET',
    '', 'FLOW:', '  steps: [look]', '  look:', '    CALL: far.first', '    CALL: first',
  }, file)
  vim.cmd('edit ' .. vim.fn.fnameescape(file))
  wait('the client', function()
    return vim.lsp.buf_is_attached(0, h.client().id)
  end)
  for place, tool in pairs({ ['/1'] = 'first', ['^  ) ->'] = 'second', ['/2'] = 'second', [': first$'] = 'first', ['far.first$'] = 'far.first', ['\\.\\zsfirst$'] = 'far.first' }) do
    require('abl.result').open({})
    vim.fn.search(place, 'w')
    vim.cmd('AblPreview')
    wait(tool .. ' at ' .. place, function()
      return result_text():find(tool .. '  would send', 1, true)
    end)
  end
  for _, place in ipairs({ 'GOAL', 'steps', 'look:' }) do
    vim.fn.search(place, 'w')
    vim.cmd('AblPreview')
    last_told('no tool at the cursor')
  end
  vim.cmd('buffer ' .. before .. ' | bwipeout! ' .. vim.fn.fnameescape(file))
  vim.fn.delete(file)
end

--- two_roots has two servers, each with its own trust: if the server of a file has ended, no
--- other server runs its tools, neither from the file nor from the split.
local function two_roots()
  local before, other = vim.api.nvim_buf_get_name(0), vim.fn.fnamemodify(dir, ':h:h') .. '/other 🛫'
  local server = require('abl.server')
  vim.fn.mkdir(other)
  vim.fn.writefile({ 'environments: {}' }, other .. '/abl.yaml')
  vim.fn.writefile({
    'TOOLS:', '  sum(expression: string = "1") -> number', '    description: "Sums"', '    type: builtin', '    builtin: calculator',
  }, other .. '/sum.tools.abl')
  local function own()
    for _, client in ipairs(server.clients()) do
      if vim.lsp.buf_is_attached(0, client.id) then
        return client
      end
    end
  end
  local function stop()
    local client = own()
    server.call(client, 'stop', true)
    wait('its end', function()
      return #server.clients() == 1
    end)
  end
  local function preview()
    require('abl.result').open({})
    vim.cmd('AblPreview')
    wait('what it would do', function()
      return result_text():find('sum  would send', 1, true)
    end)
  end
  vim.cmd('edit ' .. vim.fn.fnameescape(other .. '/sum.tools.abl'))
  wait('its server', own)
  find('sum(')
  preview()
  stop()
  for _, place in ipairs({ 'wincmd j', 'wincmd p' }) do
    vim.cmd('AblPreview')
    last_told('no server runs here')
    vim.cmd(place)
  end
  vim.cmd('edit')
  wait('another one', own)
  local id = own().id
  find('sum(')
  preview()
  vim.cmd('wincmd j')
  preview()
  equal('the server of the split', server.client().id, id)
  vim.cmd('wincmd p')
  stop()
  vim.cmd('bwipeout!')
  vim.fn.delete(other, 'rf')
  vim.cmd('edit ' .. vim.fn.fnameescape(before))
end

--- renamed runs a tool in a buffer whose new name no file has until it is written.
local function renamed()
  local name = dir .. '/renamed 🛫.tools.abl'
  local before = vim.api.nvim_buf_get_name(0)
  vim.cmd('file ' .. vim.fn.fnameescape(name))
  vim.cmd('AblRun weather')
  last_told('no file of this name yet; :write it')
  vim.cmd('silent write')
  vim.cmd('AblPreview whoami')
  wait('what it would send', function()
    return result_text():find('whoami  would send', 1, true)
  end)
  vim.cmd('bwipeout!')
  vim.fn.delete(name)
  vim.cmd('edit ' .. vim.fn.fnameescape(before))
end

--- named gives a buffer its name by writing it, and another one by :saveas: its diagnostics
--- follow.
local function named()
  local before, files = vim.api.nvim_get_current_buf(), { dir .. '/named.tools.abl', dir .. '/named-else.tools.abl' }
  local function reported(word)
    wait(word .. ' to be reported', function()
      return #vim.tbl_filter(function(one)
        return one.message:find('`' .. word .. '` is no property', 1, true)
      end, vim.diagnostic.get(0)) == 1
    end)
  end
  local function lines(word)
    vim.api.nvim_buf_set_lines(0, 0, -1, false, { 'TOOLS:', '  hi() -> string', '    type: builtin', '    ' .. word .. ': 1' })
  end
  local cwd = vim.fn.getcwd()
  vim.cmd('cd ' .. vim.fn.fnameescape(dir))
  vim.cmd('enew | setlocal filetype=abl')
  wait('the client', function()
    return vim.lsp.buf_is_attached(0, h.client().id)
  end)
  lines('none')
  vim.cmd('silent write ' .. vim.fn.fnameescape(files[1]))
  lines('one') -- who types on at once
  vim.wait(10)
  vim.cmd('silent write')
  reported('one')
  lines('two')
  reported('two')
  vim.cmd('silent undo')
  vim.cmd('silent saveas ' .. vim.fn.fnameescape(files[2]))
  reported('one')
  lines('three')
  reported('three')
  vim.cmd('cd ' .. vim.fn.fnameescape(cwd))
  vim.cmd('buffer ' .. before .. ' | bwipeout! ' .. vim.fn.fnameescape(files[2]))
  for _, file in ipairs(files) do
    vim.fn.delete(file)
  end
end

--- of_others names a buffer of another language: it is not read again.
local function of_others()
  local before, file = vim.api.nvim_get_current_buf(), dir .. '/of_others.py'
  vim.cmd('enew | setlocal filetype=python')
  vim.cmd('autocmd BufReadPost *.py let g:of_others_read = 1')
  vim.api.nvim_buf_set_lines(0, 0, -1, false, { 'print(1)' })
  vim.cmd('silent write ' .. vim.fn.fnameescape(file))
  vim.wait(50) -- what is scheduled comes
  equal('read again', vim.g.of_others_read, nil)
  vim.cmd('autocmd! BufReadPost *.py')
  vim.cmd('buffer ' .. before .. ' | bwipeout! ' .. vim.fn.fnameescape(file))
  vim.fn.delete(file)
end

--- asks_again runs a tool that needs other arguments than it was given.
local function asks_again()
  local before, file = vim.api.nvim_get_current_buf(), dir .. '/pay.tools.abl'
  vim.fn.writefile({
    'TOOLS:', '  pay(amount: number, to: string) -> object', '    type: http', '    endpoint: "http://' .. host .. '/v1/cities/{to}/weather"', '    method: GET',
    '    process:', '      before:', '        require: ["amount < 100"]', '        on_fail: reask("It must be below 100.")',
  }, file)
  vim.cmd('edit ' .. vim.fn.fnameescape(file))
  wait('the client', function()
    return vim.lsp.buf_is_attached(0, h.client().id)
  end)
  find('pay(')
  local asked, amounts = {}, { '500', '50' }
  vim.ui.input = function(options, done)
    local amount = options.prompt:match('^amount')
    table.insert(asked, options.default or '')
    done(amount and (table.remove(amounts, 1) or error('asked for one more')) or 'Bonn')
  end
  vim.ui.select = function(items, _, done)
    done(items[1], 1) -- Allow
  end
  vim.cmd('AblRun')
  last_told('It must be below 100.')
  wait('the payment', function()
    return result_text():find('"city": "Bonn"', 1, true)
  end)
  equal('what is asked again', asked, { '', '', '500', 'Bonn' })
  vim.cmd('buffer ' .. before .. ' | bwipeout! ' .. vim.fn.fnameescape(file))
  vim.fn.delete(file)
end

--- session_variable runs a tool that reads a session variable, which is asked for, and offered again.
local function session_variable()
  local before, file = vim.api.nvim_get_current_buf(), dir .. '/whose.tools.abl'
  vim.fn.writefile({
    'TOOLS:', '  whose() -> object', '    type: http', '    endpoint: "http://' .. host .. '/v1/cities/{{session.user.town}}/weather"', '    method: GET',
  }, file)
  vim.cmd('edit ' .. vim.fn.fnameescape(file))
  wait('the client', function()
    return vim.lsp.buf_is_attached(0, h.client().id)
  end)
  find('whose(')
  local asked, towns = {}, { 'Bonn', false, 'Rome' }
  vim.ui.input = function(options, done)
    table.insert(asked, options.prompt .. (options.default or ''))
    done(table.remove(towns, 1) or nil)
  end
  vim.ui.select = function(items, _, done)
    done(items[1], 1) -- Allow
  end
  local function run(town)
    require('abl.result').open({}) -- the step before may have left the same there
    vim.cmd('AblRun')
    wait('the weather of ' .. town, function()
      return result_text():find('"city": "' .. town .. '"', 1, true)
    end)
  end
  run('Bonn')
  vim.cmd('AblRun') -- given up
  wait('the second question', function()
    return #asked == 2
  end)
  run('Rome')
  equal('what is asked', asked, { 'session variable user.town: ', 'session variable user.town: Bonn', 'session variable user.town: Bonn' })
  vim.cmd('buffer ' .. before .. ' | bwipeout! ' .. vim.fn.fnameescape(file))
  vim.fn.delete(file)
end

--- while_typing lets questions appear while the person types: the keys do not answer them,
--- each question is shown with its subject, and :AblCancel cancels one.
local function while_typing()
  local before, file, asked = vim.api.nvim_get_current_buf(), dir .. '/late.tools.abl', {}
  local lines = { 'TOOLS:' }
  for _, name in ipairs({ 'one', 'two' }) do
    vim.list_extend(lines, { '  ' .. name .. '() -> object', '    type: http', '    endpoint: "https://example.com/' .. name .. '"', '    method: POST' })
  end
  vim.fn.writefile(lines, file)
  vim.cmd('edit ' .. vim.fn.fnameescape(file))
  wait('the client', function()
    return vim.lsp.buf_is_attached(0, h.client().id)
  end)
  vim.ui.select = function(items, options, done)
    table.insert(asked, { vim.api.nvim_get_mode().mode, options.prompt:match('^Run (%a+)'), result_text():match('^%a+  would send') })
    done(items[#items], #items) -- Cancel
  end
  local waits, previewed = ' has a question, which waits until you are back in Normal mode', 0
  local server = require('abl.server')
  local request = server.request
  server.request = function(client, command, argument, done, ...)
    return request(client, command, argument, function(...)
      previewed = previewed + (command == 'abl.preview' and 1 or 0)
      done(...)
    end, ...)
  end
  --- type_on types, and does something when there are so many questions.
  local function type_on(keys, count, done)
    vim.api.nvim_feedkeys(keys, 'n', false)
    local function look()
      if previewed < count then
        return vim.defer_fn(look, 10)
      end
      previewed = 0
      done(vim.fn.getline('.') .. vim.fn.getcmdline())
      vim.api.nvim_input('<Esc>')
    end
    vim.defer_fn(look, 10)
    vim.api.nvim_feedkeys('', 'x!', false) -- types on until the keys that are sent end it
    vim.cmd('silent! undo')
  end
  local both = { { 'n', 'one', 'one  would send' }, { 'n', 'two', 'two  would send' } }
  for _, keys in ipairs({ 'O1', ':1' }) do
    asked = {}
    vim.cmd('AblRun one')
    vim.cmd('AblRun two')
    type_on(keys, 2, function(typed)
      equal('typed, and asked', { typed:sub(-1), asked }, { '1', {} })
      equal('the server is told', require('abl.needs').ask_for_server(error, 'asked amid it'), vim.NIL)
      if keys == 'O1' then
        contains('the split', result_text(), waits)
      end
    end)
    wait('both questions', function()
      return #asked == 2
    end)
    table.sort(asked, function(a, b)
      return a[2] < b[2]
    end)
    equal('asked', asked, both)
  end
  asked, previewed = {}, 0
  vim.api.nvim_win_close(vim.fn.bufwinid('abl://result'), true)
  vim.cmd('AblRun one')
  vim.cmd('normal! v')
  wait('its question', function()
    return previewed == 1
  end)
  last_told('one' .. waits)
  equal('mode, and asked', { vim.api.nvim_get_mode().mode, asked }, { 'v', {} })
  vim.cmd('normal! \27')
  wait('its answer', function()
    return #asked == 1
  end)
  asked, previewed = {}, 0
  type_on('O', 0, function()
    require('abl.choose').select({ 'a', 'b' }, { prompt = 'Run again' }, function(_, i)
      table.insert(asked, i)
    end)
    equal('asked amid it', asked, {})
  end)
  wait('the list', function()
    return #asked == 2
  end)
  equal('chosen', { asked[1][1], asked[2] }, { 'n', 2 })
  asked = {}
  vim.cmd('AblRun one')
  type_on('O', 1, function()
    vim.cmd('AblCancel')
  end)
  last_told('cancelled one')
  vim.cmd('AblRun two')
  wait('the other question', function()
    return #asked > 0
  end)
  equal('asked', asked, { both[2] })
  server.request = request
  vim.cmd('buffer ' .. before .. ' | bwipeout! ' .. vim.fn.fnameescape(file))
  vim.fn.delete(file)
end

--- rests presses keys in Normal mode: a question waits until that ends.
local function rests()
  local now, clock, looked, asked = vim.loop.now, 1000000, 0, false
  vim.loop.now = function()
    return clock
  end
  vim.api.nvim_feedkeys('l', 'x', false)
  require('abl.choose').when_free(clock - 1, function()
    asked = true
  end, function()
    looked = looked + 1
  end)
  local waited = vim.wait(20000, function()
    return looked > 2
  end, 10)
  local early = asked
  clock = clock + 1000
  wait('the question', function()
    return asked
  end)
  vim.loop.now = now
  equal('waited, and asked at once', { waited, early }, { true, false })
end

--- without_a_line shows a menu on a screen without a command line: its question needs one.
local function without_a_line()
  if vim.fn.has('nvim-0.8') == 0 then -- there is always one
    return
  end
  local height
  vim.ui.select = function(_, _, done)
    height = vim.o.cmdheight
    done(nil)
  end
  vim.o.cmdheight = 0
  require('abl.choose').select({ 'a' }, { prompt = 'Which?' }, function() end)
  equal('lines', { height, vim.o.cmdheight }, { 1, 0 })
  vim.o.cmdheight = 1
end

--- beside_a_prompt opens the split while another plugin asks something in its own window,
--- which the cursor must not leave.
local function beside_a_prompt()
  local here = vim.api.nvim_get_current_win()
  require('abl.result').open({})
  vim.api.nvim_win_close(vim.fn.bufwinid('abl://result'), true)
  local bufnr, left = vim.api.nvim_create_buf(false, true), 0
  local win = vim.api.nvim_open_win(bufnr, true, { relative = 'editor', row = 1, col = 1, width = 9, height = 1 })
  vim.api.nvim_create_autocmd({ 'BufLeave', 'WinLeave' }, { callback = function()
    left = left + 1
  end })
  require('abl.result').open({ 'beside' })
  equal('left', { left, vim.api.nvim_get_current_win() == win, vim.fn.bufwinid('abl://result') ~= -1 }, { 0, true, true })
  vim.api.nvim_clear_autocmds({ event = { 'BufLeave', 'WinLeave' } })
  vim.api.nvim_win_close(win, true)
  vim.api.nvim_set_current_win(here)
end

--- secret_on_screen types a secret in a Neovim on a terminal: it must not be visible.
local function secret_on_screen()
  local script = dir .. '/secret.lua'
  vim.fn.writefile({
    'vim.opt.runtimepath:prepend(vim.env.ABL_PLUGIN)',
    'local function attached()',
    '  vim.o.statusline = "attached"',
    'end',
    'require("abl").setup({ cmd = { vim.env.ABL_SERVER, "serve" }, init_options = { trusted = true, allowHosts = { vim.env.ABL_HOST } }, on_attach = attached })',
    'vim.cmd("filetype plugin on | edit " .. vim.fn.fnameescape(vim.env.ABL_TOOLS))',
  }, script)
  local file = dir .. '/secret.tools.abl'
  vim.fn.writefile({
    'TOOLS:',
    '  look() -> object',
    '    description: "Looks"',
    '    type: http',
    '    endpoint: "http://' .. host .. '/v1/cities/Rome/weather"',
    '    method: GET',
    '    headers: {X-Key: "{{secrets.LOOK_KEY}}"}',
  }, file)
  vim.cmd('tabnew')
  -- A terminal UI of its own: a Neovim since 0.9 would start itself by a path that
  -- this Neovim does not have.
  local start = { vim.env.ABL_NVIM, '-u', 'NONE', '-i', 'NONE', '-n', '-S', script }
  local server
  if vim.fn.has('nvim-0.9') == 1 then
    local address = vim.fn.tempname()
    server = vim.fn.jobstart(vim.list_extend(start, { '--headless', '--listen', address }), { env = { ABL_TOOLS = file } })
    wait('its address', function()
      return vim.loop.fs_stat(address)
    end)
    start = { vim.env.ABL_NVIM, '--server', address, '--remote-ui' }
  end
  local job = vim.fn.termopen(start, { env = { ABL_TOOLS = file, TERM = 'xterm-256color' } })
  local function screen()
    return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n')
  end
  local function see(text)
    vim.wait(20000, function()
      return screen():find(text, 1, true)
    end, 10)
    contains('the screen', screen(), text)
  end
  see('attached')
  vim.fn.chansend(job, ':AblRun look\r')
  see('LOOK_KEY:')
  vim.fn.chansend(job, 's3cr3t')
  see('LOOK_KEY: ******')
  equal('the secret on the screen', screen():find('s3cr3t', 1, true), nil)
  vim.fn.chansend(job, '\r')
  see('look  ok')
  equal('the secret on the screen', screen():find('s3cr3t', 1, true), nil)
  equal('its stars', screen():find('LOOK_KEY: *', 1, true), nil)
  vim.fn.jobstop(job)
  if server then
    vim.fn.jobstop(server)
    vim.fn.jobwait({ server }, 20000) -- it writes into the folder of the test
  end
  vim.cmd('bwipeout!')
end

--- broken opens a file when the parser cannot be loaded: the server still starts.
local function broken()
  local parser = vim.fn.stdpath('data') .. '/site/parser/abl.so'
  vim.fn.mkdir(vim.fn.fnamemodify(parser, ':h'), 'p')
  vim.fn.writefile({ 'of another machine' }, parser)
  vim.o.runtimepath = vim.o.runtimepath
  vim.cmd('bwipeout!')
  vim.cmd('edit ' .. vim.fn.fnameescape(dir .. '/run.tools.abl'))
  last_told('the tree-sitter parser is of no use here')
  wait('the client', function()
    return vim.lsp.buf_is_attached(0, h.client().id)
  end)
  contains('the fault', require('abl.parser').fault(), 'abl.so')
  vim.fn.delete(parser)
end

--- highlight builds the parser, and checks that it highlights a word.
local function highlight()
  if vim.fn.has('nvim-0.10') == 1 then
    broken()
  end
  vim.cmd('AblInstallParser')
  if vim.fn.has('nvim-0.10') == 0 then
    return last_told('needs Neovim 0.10')
  end
  last_told('built')
  local cc = vim.env.CC
  vim.env.CC = 'no-such-compiler -O3'
  vim.cmd('AblInstallParser')
  last_told('no-such-compiler is not to be found')
  vim.env.CC = cc
  local line, column = find('weather(')
  local function shown()
    vim.treesitter.get_parser(0):parse(true)
    local all = vim.treesitter.get_captures_at_pos(0, line, column)
    return all[#all] and all[#all].capture
  end
  equal('shown as', shown(), 'function')
  vim.cmd('bwipeout!')
  vim.cmd('edit ' .. vim.fn.fnameescape(dir .. '/run.tools.abl'))
  equal('highlighted when opened', vim.treesitter.highlighter.active[vim.api.nvim_get_current_buf()] ~= nil, true)
  equal('shown as', shown(), 'function')
end

return { without_a_line = without_a_line, beside_a_prompt = beside_a_prompt, while_typing = while_typing, rests = rests, at_the_cursor = at_the_cursor, versions = versions, renamed = renamed, named = named, of_others = of_others, two_roots = two_roots, asks_again = asks_again, session_variable = session_variable, help = help, health = health, secret_on_screen = secret_on_screen, highlight = highlight }
