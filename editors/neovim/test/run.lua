-- Runs tools as a person does, from a real Neovim: arguments of every type, a secret, the
-- permission to send it, a host and a confirmation are asked for; the result is in a split.
-- Then saved cases (saved.lua), the journal, environments, and the parts in around.lua.
--
-- Started by neovim_test.go, as session.lua is.
local h = dofile(vim.env.ABL_PLUGIN .. '/test/helpers.lua')
local wait, equal, contains, find, result_text = h.wait, h.equal, h.contains, h.find, h.result_text
local host = vim.env.ABL_HOST
local dir = vim.fn.fnamemodify(vim.env.ABL_AGENT, ':p:h:h') .. '/runs'

local pieces = loadfile(vim.env.ABL_PLUGIN .. '/test/pieces.lua')() -- takes Neovim's own prompts, which answer replaces
local said = {} -- what was asked, in its order
local told = {} -- notifications

--- answer sets the answers to the next prompts, by the first word of each. A function gets
--- the items or the options, and returns the answer.
local function answer(replies)
  said = {}
  local function reply(options, given)
    local word = options.prompt:match('^%S+')
    table.insert(said, word)
    local value = replies[word]
    if type(value) == 'table' then -- one after the other
      value = table.remove(value, 1)
    end
    if value == nil then
      error('asked in vain: ' .. options.prompt)
    end
    if type(value) == 'function' then
      value = value(given, options)
    end
    return value
  end
  vim.ui.input = function(options, done)
    done(reply(options, options))
  end
  vim.ui.select = function(items, options, done)
    local want = reply(options, items)
    if want == nil then
      return done(nil)
    end
    for i, item in ipairs(items) do
      local label = options.format_item and options.format_item(item) or item
      if item == want or label == want then
        return done(item, i)
      end
    end
    error(('no %s among %s'):format(vim.inspect(want), vim.inspect(items)))
  end
  vim.fn.inputsecret = function(options)
    return reply(type(options) == 'table' and options or { prompt = options }, {})
  end
end

local function last_told(part)
  local function came()
    return told[#told] and told[#told]:find(part, 1, true)
  end
  if not vim.wait(20000, came, 10) then
    error(('waited in vain for the word %s; told were\n%s'):format(part, table.concat(told, '\n')), 2)
  end
  told = {} -- the next one is another
end

local function open()
  vim.notify = function(message)
    table.insert(told, message)
  end
  vim.fn.mkdir(dir, 'p')
  vim.fn.writefile({
    'environments:', '  dev: {}', '  live: {protected: true}',
    'auth_services:', '  crm: {kind: oidc, issuer: "' .. vim.env.ABL_ISSUER .. '", client_id: desktop}',
  }, dir .. '/abl.yaml')
  vim.fn.mkdir(dir .. '/streams', 'p')
  vim.fn.writefile({
    'import { existsSync } from "node:fs";',
    'export async function* tell({ word }) {',
    '  yield `first ${word}\\nand `;',
    '  while (!existsSync(new URL("go", import.meta.url))) {',
    '    await new Promise((resolve) => setTimeout(resolve, 20));',
    '  }',
    '  yield "last";',
    '}',
  }, dir .. '/streams/tell.mjs')
  vim.fn.writefile({
    'TOOLS:',
    '  base_url: "http://' .. host .. '/v1"',
    '',
    '  book(city: string, kind: enum<[cat, dog]>, ok: boolean, tags: array<string>, who: object<{name: string}>, nights: number, on: date, pay: string = "cash") -> object',
    '    description: "Books"',
    '    type: http',
    '    endpoint: "/echo"',
    '    method: POST',
    '    headers: {X-Key: "{{secrets.BOOK_KEY}}"}',
    '',
    '  weather(city: string) -> object',
    '    description: "Weather"',
    '    type: http',
    '    endpoint: "/cities/{city}/weather"',
    '    method: GET',
    '',
    '  maybe(a: nullable<string>, b: nullable<boolean>, n: nullable<number>, list: array<nullable<string>>) -> object',
    '    description: "Says it back"',
    '    type: http',
    '    endpoint: "/echo"',
    '    method: POST',
    '    mutation: false',
    '',
    '  slow_report() -> string',
    '    description: "Never comes back by itself"',
    '    type: http',
    '    endpoint: "http://' .. host .. '/slow"',
    '    method: GET',
    '    timeout: 60000',
    '',
    '  tell(word: string) -> string',
    '    description: "Tells it bit by bit"',
    '    type: module',
    '    module: ./streams/tell.mjs',
    '    streaming: true',
    '    mutation: false',
    '',
    '  pause(duration: string) -> string',
    '    description: "Waits"',
    '    type: builtin',
    '    builtin: wait',
    '',
    '  clock() -> object',
    '    description: "The time"',
    '    type: builtin',
    '    builtin: datetime',
    '',
    '  whoami() -> {who: string}',
    '    description: "Whose token it is"',
    '    type: http',
    '    endpoint: "http://' .. host .. '/me"',
    '    method: GET',
    '    auth: oauth2_user',
    '    auth_config:',
    '      provider: crm',
  }, dir .. '/run.tools.abl')
  vim.opt.runtimepath:prepend(vim.env.ABL_PLUGIN)
  vim.cmd('filetype plugin on')
  require('abl').setup({ cmd = { vim.env.ABL_SERVER, 'serve', '--log-file', vim.env.ABL_LOG }, init_options = { trusted = false } })
  vim.cmd('set hidden')
  vim.cmd('edit ' .. vim.fn.fnameescape(dir .. '/run.tools.abl'))
  wait('the client', function()
    return h.client() and vim.lsp.buf_is_attached(0, h.client().id)
  end)
end

--- ask_for_all runs a tool that needs everything.
local function ask_for_all()
  local function hex(_, options)
    equal('what was wrong is there to be mended', options.default, 'two')
    return '0x10'
  end
  local tries = { 'two', hex, '9007199254740993.50' }
  answer({
    ['city'] = 'São Paulo 🛫',
    ['kind'] = 'dog',
    ['ok'] = false,
    ['tags'] = { 'no list', '["a", "b"]' },
    ['who'] = '{"name": "Zoë"}',
    ['nights'] = tries,
    ['on'] = { '2026-13-01', '2026-12-01' },
    ['Run,'] = 'Edit all arguments as JSON',
    ['Trust'] = 'Trust',
    ['BOOK_KEY:'] = 's3cr3t-of-the-test',
    ['Allow'] = 'Allow',
    ['Run'] = function()
      for _, part in ipairs({ 'book  would send  POST http://', '"nights": 9007199254740993.50', '••••(BOOK_KEY)', '/v1/echo' }) do
        contains('what is seen before the word', result_text(), part)
      end
      return 'Run'
    end,
  })
  find('book(')
  vim.cmd('AblRun')
  contains('the arguments', h.arguments('book'), '"nights": 9007199254740993.50')
  h.write_arguments('book', (h.arguments('book'):gsub('\n}$', ',\n  "pay": "card"\n}')))
  wait('the booking', function()
    return result_text():find('book  ok', 1, true)
  end)
  local text = result_text()
  for _, part in ipairs({ 'book  ok', ' ms, begun at ', '"kind": "dog"', '"ok": false', '"a",', '"name": "Zoë"', '"nights": 9007199254740993.50', '"pay": "card"', 'attempts:', '1  200' }) do
    contains('result', text, part)
  end
  equal('the secret in the result', text:find('s3cr3t', 1, true), nil)
  contains('what was wrong', table.concat(told, '\n'), 'two is no number: nights')
  contains('what was wrong', table.concat(told, '\n'), 'no list is no array: tags')
  contains('what was wrong', table.concat(told, '\n'), '2026-13-01 is no date (YYYY-MM-DD): on')
  local split = vim.fn.bufwinid('abl://result')
  equal('the split has room for what is to be seen', vim.api.nvim_win_get_height(split), vim.o.lines - 5)
end

--- remember runs it again: what was typed is offered, and nothing is typed.
local function remember()
  local offered = {}
  local function take(_, options)
    table.insert(offered, options.default)
    return options.default
  end
  local function first(items)
    return items[1]
  end
  answer({
    ['city'] = take, ['kind'] = first, ['ok'] = first, ['tags'] = take, ['who'] = take, ['nights'] = take, ['on'] = take,
    ['Run,'] = function(items)
      equal('choices', items, { 'Run', 'Edit all arguments as JSON' })
      return 'Run'
    end,
    ['Allow'] = 'Allow', ['Run'] = 'Run', -- the secret is known
  })
  require('abl.result').open({})
  vim.cmd('AblRun book')
  wait('the booking', function()
    return result_text():find('book  ok', 1, true)
  end)
  contains('result', result_text(), '"kind": "dog"')
  contains('result', result_text(), '"ok": false')
  contains('result', result_text(), '"nights": 9007199254740993.50')
  equal('offered', { offered[1], offered[2], offered[4] }, { 'São Paulo 🛫', '["a", "b"]', '9007199254740993.50' })
end

--- with_null sends null and shows it, now and from the journal.
local function with_null()
  local function see()
    wait('what came', function()
      return result_text():find('maybe  ok', 1, true)
    end)
    for _, part in ipairs({ '"a": null,', '"b": null,', '"n": 7.50', 'null,\n    "\238\128\1281.5"' }) do
      contains('the split', result_text(), part)
    end
  end
  answer({ ['a'] = 'null', ['b'] = 'null', ['n'] = '7.50', ['list'] = '[null, "\\ue0001.5"]', ['Allow'] = 'Allow' })
  vim.cmd('AblRun maybe')
  see()
  require('abl.result').open({})
  local label
  answer({
    ['History:'] = function(items, options)
      label = options.format_item(items[1])
      return items[1]
    end,
    ['This'] = 'Run again',
    ['Allow'] = 'Allow',
  })
  vim.cmd('AblHistory')
  see()
  local past = { time = '2026-11-22T01:00:27.09Z', tool = 'x', ok = true }
  equal('a run by the clock here', require('abl.past').label(past), '2026-11-21 21:30:27  x  ok  {}')
  past.environment, past.reverts = 'live', 'a run'
  contains('what undid one', require('abl.past').label(past), 'x (undo)  ok in live  {}')
  contains('the run', label, '{"a": null, "b": null, "list": [null, "\238\128\1281.5"], "n": 7.50}')
end

--- forget asks again for a secret after a run with it failed.
local function forget()
  local needs, asked_for, client = require('abl.needs'), {}, h.client()
  answer({ ['KEY:'] = function(_, options)
    table.insert(asked_for, options.prompt)
    return 'typed'
  end })
  local function call(ok)
    local params = {}
    needs.ask({ needs = { secrets = { 'KEY' } } }, { client = client, params = params, since = vim.loop.now(), again = function()
      needs.remember_secrets(client, params, ok)
    end })
    return params.kept
  end
  equal('kept', { call(true), call(true), call(false), call(true) }, { {}, { 'KEY' }, { 'KEY' }, {} })
  equal('asked for', #asked_for, 2)
end

--- trust_once does not ask what the server has just asked.
local function trust_once()
  local needs, before = require('abl.needs'), vim.lsp.handlers['window/showMessageRequest']
  vim.lsp.handlers['window/showMessageRequest'] = function() end
  needs.reset()
  h.client().handlers['window/showMessageRequest'](nil, {}, {})
  vim.lsp.handlers['window/showMessageRequest'] = before
  answer({})
  local quits = 0
  local call = { since = vim.loop.now(), params = {}, quit = function()
    quits = quits + 1
  end }
  needs.ask({ needs = { trust = true } }, call)
  last_told('not run: this workspace is not trusted')
  needs.reset()
  answer({ ['Trust'] = 'Cancel' })
  needs.ask({ needs = { trust = true } }, call)
  equal('asked, and given up', { said, quits }, { { 'Trust' }, 2 })
end

--- give_up gives no answer: nothing is run.
local function give_up()
  answer({ ['city'] = function() end })
  require('abl.result').open({})
  vim.cmd('AblRun weather')
  wait('the question', function()
    return #said > 0
  end)
  equal('asked', said, { 'city' })
  vim.wait(100)
  equal('result', result_text(), '')

  local offered
  answer({ ['city'] = 'Oslo', ['kind'] = function() end })
  vim.cmd('AblRun book')
  wait('the second question', function()
    return #said > 1
  end)
  answer({
    ['city'] = function(_, options)
      offered = options.default
    end,
  })
  vim.cmd('AblRun book')
  wait('the question', function()
    return #said > 0
  end)
  equal('offered', offered, 'Oslo')
end

--- lasts says that a slow run has ended, after a message said that it runs.
local function lasts()
  answer({ ['duration'] = '1200ms' })
  vim.cmd('AblRun pause')
  last_told('pause runs; :AblCancel stops it')
  last_told('pause has ended')
end

local function cancel()
  answer({ ['Allow'] = 'Allow' })
  vim.cmd('AblRun slow_report')
  wait('the slow run to start', function()
    return h.signal('started')
  end)
  local began = vim.loop.now()
  require('abl.needs').ask_for_server(function() end) -- by the server, which the person answers
  last_told('slow_report runs; :AblCancel stops it')
  equal('it waits for that', vim.loop.now() - began > 1500, true)
  vim.cmd('AblCancel')
  wait('the cancel to reach the socket', function()
    return h.signal('cancelled')
  end)
  last_told('cancelled slow_report, begun at ')
  vim.cmd('AblCancel')
  last_told('nothing runs')
  if vim.fn.has('nvim-0.11') == 1 then -- one before keeps its answer to itself
    wait('what came of it', function()
      return result_text():find('slow_report  failed', 1, true)
    end)
    vim.cmd('AblSaveCase')
    last_told('slow_report was cancelled')
  end
end

--- killed reports a run whose server ends; :edit starts the server again.
local function killed()
  vim.fn.delete(vim.env.ABL_SIGNALS .. '/started')
  answer({ ['Allow'] = 'Allow' })
  vim.cmd('AblRun slow_report')
  wait('the slow run to start', function()
    return h.signal('started')
  end)
  local before = h.client()
  told = {}
  local server = vim.fn.system({ 'pgrep', '-P', tostring(vim.fn.getpid()), '-f', 'serve' })
  vim.loop.kill(tonumber(server:match('%d+')), 'sigkill')
  wait('the word', function() -- Neovim has one of its own
    return table.concat(told, '\n'):find('nobody knows what came of slow_report', 1, true)
  end)
  vim.cmd('AblCancel')
  last_told('nothing runs')
  vim.cmd('edit')
  wait('another server', function()
    local client = h.client()
    return client and client.id ~= before.id and vim.lsp.buf_is_attached(0, client.id)
  end)
  h.ask('workspace/executeCommand', { command = 'abl.trust', arguments = { { trusted = true } } })
  vim.cmd('AblCopy') -- of a run on the server that has ended
  last_told('copied: ')
  vim.fn.delete(vim.env.ABL_SIGNALS .. '/cancelled')
end

--- cancel_and_answer cancels the slow run, and waits for its answer, which a Neovim before 0.11
--- does not pass on.
local function cancel_and_answer()
  local open = h.client().requests or {}
  local before = vim.tbl_count(open)
  vim.cmd('AblCancel')
  last_told('cancelled slow_report')
  wait('the cancel to reach the socket', function()
    return h.signal('cancelled')
  end)
  wait('the answer', function()
    return vim.fn.has('nvim-0.11') == 0 or vim.tbl_count(open) < before
  end)
end

--- two_at_once shows the output of one run while another one, which is stopped later, goes on:
--- the split stays with its owner.
local function two_at_once()
  vim.fn.delete(vim.env.ABL_SIGNALS .. '/started')
  vim.fn.delete(vim.env.ABL_SIGNALS .. '/cancelled')
  answer({ ['Allow'] = 'Allow', ['word'] = '🛫' })
  vim.cmd('AblRun slow_report')
  wait('the slow run to start', function()
    return h.signal('started')
  end)
  vim.cmd('AblRun tell')
  wait('its first words', function()
    return result_text():find('first 🛫\nand ', 1, true)
  end)
  contains('the split', result_text(), 'tell  running')
  vim.fn.writefile({}, dir .. '/streams/go')
  wait('its end', function()
    return result_text():find('tell  ok', 1, true)
  end)
  contains('the split', result_text(), 'first 🛫\nand last')
  equal('the other still runs', h.signal('cancelled'), false)
  cancel_and_answer()
  contains('the split', result_text(), 'tell  ok')

  vim.fn.delete(vim.env.ABL_SIGNALS .. '/started')
  vim.fn.delete(vim.env.ABL_SIGNALS .. '/cancelled')
  vim.fn.delete(dir .. '/streams/go')
  vim.cmd('AblRun! tell')
  equal('what was typed', h.arguments('tell'), '{\n  "word": "🛫"\n}')
  vim.cmd('AblRun') -- as :w
  wait('its first words', function()
    return result_text():find('stops it\n\nfirst 🛫\nand ', 1, true)
  end)
  vim.cmd('AblRun slow_report')
  wait('the slow run to start', function()
    return h.signal('started')
  end)
  cancel_and_answer()
  contains('the split', result_text(), 'tell  running')
  vim.fn.writefile({}, dir .. '/streams/go')
  wait('its end', function()
    return result_text():find('tell  ok', 1, true)
  end)
end

--- written writes a file that is not a document of the server, which changes diagnostics.
local function written()
  local tools = vim.api.nvim_get_current_buf()
  local function reported()
    for _, d in ipairs(vim.diagnostic.get(tools)) do
      if d.message:find('BOOK_KEY', 1, true) then
        return true
      end
    end
    return false
  end
  wait('the hint', reported)
  vim.cmd('edit ' .. vim.fn.fnameescape(dir .. '/.env'))
  vim.api.nvim_buf_set_lines(0, 0, -1, false, { 'BOOK_KEY=x' })
  vim.cmd('silent write | bwipeout')
  vim.cmd('buffer ' .. tools)
  wait('the hint to go', function()
    return not reported()
  end)
  vim.fn.delete(dir .. '/.env')
end

local function preview()
  answer({ ['city'] = 'Rome' })
  vim.cmd('AblPreview weather')
  wait('what it would send', function()
    return result_text():find('weather  would send', 1, true)
  end)
  contains('the split', result_text(), '/v1/cities/Rome/weather')
  equal('the request is there once', result_text():find('request:', 1, true), nil)
end

--- sign_in runs a tool for which the person signs in with a browser.
local function sign_in()
  local page
  local function browse(_, options)
    page = page or options.prompt:match('http%S+'):gsub(',$', '')
    vim.fn.writefile({ page }, vim.env.ABL_SIGNALS .. '/page')
    return 'I have signed in'
  end
  answer({ ['Allow'] = 'Allow', ['Sign'] = browse })
  if vim.ui.open then
    vim.ui.open = function(opened)
      page = opened
      return vim.system({ 'true' })
    end
  end
  vim.cmd('AblRun whoami')
  if vim.ui.open then
    wait('the page, and what is asked', function()
      return page and result_text():find('sign in at 127.0.0.1', 1, true)
    end)
    vim.fn.writefile({ page }, vim.env.ABL_SIGNALS .. '/page')
  end
  wait('the answer', function()
    return result_text():find('"who": "alice"', 1, true)
  end)
end

--- allow_for_long asks for a host once, for this run and later ones.
local function allow_for_long()
  answer({ ['city'] = 'Rome', ['Allow'] = 'Allow until Neovim ends' })
  for _, want in ipairs({ { 'city', 'Allow' }, { 'city' } }) do
    require('abl.result').open({})
    vim.cmd('AblRun weather')
    wait('the weather', function()
      return result_text():find('weather  ok', 1, true)
    end)
    equal('asked', said, want)
    said = {}
  end
  local call = { since = vim.loop.now(), client = h.client(), params = { uri = vim.uri_from_bufnr(0), tool = 'other' }, again = function() end }
  require('abl.needs').ask({ error = { code = 'private-address', message = 'no', details = { host = '10.9.8.7:80' } } }, call)
  require('abl.result').open({})
  vim.cmd('AblRun weather')
  wait('the weather', function()
    return result_text():find('weather  ok', 1, true)
  end)
  vim.cmd('AblCopy')
  last_told('copied')
  contains('the line', vim.fn.getreg('"'), '--allow-host ' .. host)
  equal('a host of another tool', vim.fn.getreg('"'):find('10.9.8.7', 1, true), nil)
end

--- again repeats the run in the split, which then begins at its top.
local function again()
  answer({ ['city'] = 'Rome', ['Run'] = 'Run', ['Allow'] = 'Allow' })
  vim.cmd('AblPreview weather')
  wait('the weather', function()
    return result_text():find('weather  would send', 1, true)
  end)
  vim.cmd('wincmd j | normal! G')
  said = {}
  vim.cmd('AblRun')
  wait('the weather', function()
    return result_text():find('weather  ok', 1, true)
  end)
  equal('asked', said, {})
  equal('the first line', vim.fn.line('.'), 1)
  vim.cmd('AblRun!')
  h.write_arguments('weather', (h.arguments('weather'):gsub('Rome', 'Rome!')))
  wait('the weather', function()
    return result_text():find('"city": "Rome!"', 1, true)
  end)
  vim.cmd('AblEnvironment live')
  last_told('tools of this file run in dev')
  vim.cmd('AblTest in Rome')
  last_told('1 passed')
  vim.cmd('wincmd p')
end

--- leave closes the split, even if there is no other window.
local function leave()
  local file = vim.api.nvim_get_current_buf()
  local function press()
    vim.api.nvim_feedkeys('q', 'xt', false)
  end
  vim.cmd('wincmd j')
  press()
  equal('windows', { #vim.api.nvim_list_wins(), vim.api.nvim_get_current_buf() }, { 1, file })
  require('abl.result').open({})
  vim.cmd('wincmd j | only')
  press()
  equal('windows', { #vim.api.nvim_list_wins(), vim.api.nvim_get_current_buf() }, { 1, file })
end

local function history()
  require('abl.result').open({})
  local listed
  answer({
    ['This'] = 'Run again',
    ['History:'] = function(items)
      listed = items
      for _, past in ipairs(items) do
        if past.tool == 'weather' and past.args.city == 'Rome' then
          return past
        end
      end
    end,
    ['Allow'] = 'Allow',
  })
  vim.cmd('AblHistory')
  wait('the weather', function()
    return result_text():find('"city": "Rome"', 1, true)
  end)
  equal('secret kept', vim.inspect(listed):find('s3cr3t', 1, true), nil)
end

--- later is another session: the journal has what was typed.
local function later()
  package.loaded['abl.run'], package.loaded['abl.needs'] = nil, nil
  require('abl.run').command('weather', true)
  equal('offered', h.arguments('weather'), '{\n  "city": "Rome"\n}')
  vim.cmd('quit')
end

--- in_none repeats the last run, which was in no environment: it does not run in the chosen
--- environment unless the person says so.
local function in_none()
  local function refuse(_, options)
    contains('the question', options.prompt, 'Run weather in live? It ran in no environment before.')
    return 'Cancel'
  end
  local before = result_text()
  answer({ ['Run'] = { refuse, refuse }, ['This'] = 'Run again', ['History:'] = function(items)
    return items[1]
  end })
  vim.cmd('wincmd j | AblRun')
  wait('the question', function()
    return #said == 1
  end)
  vim.cmd('wincmd p | AblHistory')
  wait('the list and the question', function()
    return #said == 4
  end)
  equal('what stands in the split', result_text(), before)
  answer({ ['Copy'] = function(_, options)
    contains('the question', options.prompt, 'Copy weather in live? It ran in no environment before.')
    return 'Copy'
  end })
  vim.cmd('AblCopy')
  last_told('--environment live')
end

local function environment()
  equal('tools that begin so', vim.fn.getcompletion('AblRun w', 'cmdline'), { 'weather', 'whoami' })
  equal('environments', vim.fn.getcompletion('AblEnvironment ', 'cmdline'), { 'dev', 'live' })
  answer({ ['Environment:'] = 'live (protected)' })
  vim.cmd('AblEnvironment')
  last_told('tools run in the environment live now')
  wait('the environment in force', function()
    local all = h.ask('workspace/executeCommand', { command = 'abl.environments', arguments = { { uri = vim.uri_from_bufnr(0) } } })
    for _, one in ipairs(all) do
      if one.current and one.name == 'live' then
        return true
      end
    end
  end)
  in_none()
  answer({ ['city'] = 'Rome', ['Allow'] = 'Allow' })
  require('abl.result').open({})
  vim.cmd('AblRun weather')
  wait('the weather', function()
    return result_text():find('weather  ok', 1, true)
  end)
end

--- another_environment sets an environment for the folder in the settings.
local function another_environment()
  local settings = { environments = { [vim.uri_from_fname(dir)] = 'dev' } }
  require('abl.server').configure(h.client(), settings)
  vim.cmd('AblEnvironment live')
  last_told('tools of this file run in dev')
  vim.cmd('AblCopy')
  last_told('--environment live') -- as it ran
  vim.cmd('wincmd j')
  require('abl.result').open({})
  answer({ ['Allow'] = 'Allow' })
  vim.cmd('AblRun')
  wait('the weather', function()
    return result_text():find('weather  ok', 1, true)
  end)
  vim.cmd('wincmd p | AblCopy')
  last_told('--environment live')
end

local function copy()
  vim.cmd('AblCopy curl')
  last_told('copied')
  contains('curl', vim.fn.getreg('"'), 'curl')
  contains('curl', vim.fn.getreg('"'), '/v1/cities/Rome/weather')
  vim.cmd('AblCopy command')
  wait('the other line', function()
    return vim.fn.getreg('"'):find('abl-lsp run', 1, true)
  end)
end

pieces = pieces(answer)
local saved = loadfile(vim.env.ABL_PLUGIN .. '/test/saved.lua')(answer, last_told)
local arguments = loadfile(vim.env.ABL_PLUGIN .. '/test/arguments.lua')(answer, last_told, dir)
local questions = loadfile(vim.env.ABL_PLUGIN .. '/test/questions.lua')(answer, last_told, dir)
local journal = loadfile(vim.env.ABL_PLUGIN .. '/test/journal.lua')(answer, last_told)
local around = loadfile(vim.env.ABL_PLUGIN .. '/test/around.lua')(last_told, dir)

local steps = {
  { 'open', open },
  { 'ask for all that is needed', ask_for_all },
  { 'remember', remember },
  { 'with null', with_null },
  { 'forget', forget },
  { 'trust once', trust_once },
  { 'alone', pieces.alone },
  { 'deep', pieces.deep },
  { 'refused', pieces.refused },
  { 'give up', give_up },
  { 'lasts', lasts },
  { 'cancel', cancel },
  { 'killed', killed },
  { 'two at once', two_at_once },
  { 'many words', pieces.many_words },
  { 'several types', pieces.several_types },
  { 'referred', pieces.referred },
  { 'several lines', pieces.several_lines },
  { 'a drive', pieces.drive },
  { 'no room', pieces.no_room },
  { 'locked', pieces.locked },
  { 'empty', pieces.empty },
  { 'interrupt', pieces.interrupt },
  { 'secret arguments', pieces.secrets },
  { 'no effects', questions.no_effects },
  { 'a wrong secret', questions.retype },
  { 'permissions', questions.permissions },
  { 'edit the arguments', arguments.edit },
  { 'another call of the tool', arguments.another },
  { 'half-typed arguments', arguments.half_typed },
  { 'what the server says of them', arguments.served },
  { 'secrets besides them', arguments.secrets },
  { 'names in their order', questions.key_order },
  { 'wrong arguments', questions.wrong_arguments },
  { 'written', written },
  { 'preview', preview },
  { 'sign in', sign_in },
  { 'cases', saved.cases },
  { 'lenses', saved.lenses },
  { 'at the cursor', saved.at_the_cursor },
  { 'history', history },
  { 'remember in a later session', later },
  { 'environment', environment },
  { 'another environment', another_environment },
  { 'copy', copy },
  { 'endings', journal.endings },
  { 'filter the history', journal.filter },
  { 'plot the history', journal.plot },
  { 'show, compare', journal.show_and_compare },
  { 'allow for long', allow_for_long },
  { 'again', again },
  { 'leave the split', leave },
  { 'versions', around.versions },
  { 'a tool at the cursor', around.at_the_cursor },
  { 'asks again', around.asks_again },
  { 'session variable', around.session_variable },
  { 'while typing', around.while_typing },
  { 'at rest', around.rests },
  { 'without a line', around.without_a_line },
  { 'beside a prompt', around.beside_a_prompt },
  { 'renamed', around.renamed },
  { 'a buffer that is named', around.named },
  { 'a buffer of others', around.of_others },
  { 'two roots', around.two_roots },
  { 'help', around.help },
  { 'health', around.health },
  { 'secret on the screen', around.secret_on_screen },
  { 'highlight', around.highlight },
}
h.run(steps)
