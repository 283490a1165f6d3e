-- Single parts of the plugin, for run.lua: how a result reads, and how one value is asked
-- for. It is loaded with Neovim's own prompts, and then gets the answers of run.lua.
local h = dofile(vim.env.ABL_PLUGIN .. '/test/helpers.lua')
local wait, equal, contains, result_text = h.wait, h.equal, h.contains, h.result_text
local typed_input, typed_select, typed_secret = vim.ui.input, vim.ui.select, vim.fn.inputsecret
local answer

--- alone shows a value that is neither a list nor an object.
local function alone()
  local exact, lines = require('abl.exact'), require('abl.result').lines
  for want, value in pairs({ ['10.50'] = exact.as_json('10.50'), ['a\nb'] = 'a\nb', ['true'] = true, [''] = exact.null }) do
    local envelope = { tool = 'x', ok = true, value = value, duration_ms = 1 }
    equal('the split', table.concat(vim.list_slice(lines(envelope), 3), '\n'), want)
  end
  local nul = { tool = 'x', ok = true, value = { ['k\0'] = 'a\0"b\0' }, duration_ms = 1 }
  equal('the split', vim.list_slice(lines(nul), 3), { '{', [[  "k\u0000": "a\u0000\"b\u0000"]], '}' })
  local bytes = { tool = 'x', ok = true, value = 'AAEC', encoding = 'base64', content_type = 'image/png', duration_ms = 1 }
  equal('the split', vim.list_slice(lines(bytes), 3), { 'image/png, in base64:', 'AAEC' })
end

--- deep shows nested values completely, in not much more than their own size.
local function deep()
  local exact, lines = require('abl.exact'), require('abl.result').lines
  local function nested(value, levels)
    for _ = 1, levels do
      value = { value }
    end
    return value
  end
  local wide, below = {}, exact.as_json('[[[1,2.50]]]') -- as the server sends what is deeper still
  for i = 1, 20000 do
    wide[i] = i
  end
  for name, value in pairs({ comb = nested(wide, 450), bare = nested(below, 499), bushy = { nested(wide, 60), nested(below, 300) } }) do
    local all = table.concat(vim.list_slice(lines({ tool = 'x', ok = true, value = value, duration_ms = 1 }), 3), '\n')
    local bare = exact.encode(value)
    equal(name, #all <= 4 * #bare + 20000, true)
    equal(name, all:sub(1, 6), '[\n  [\n')
    equal(name, (all:gsub('%s', '')), (bare:gsub('%s', '')))
  end
end

--- refused shows the answer of the other side, and the details of a failure.
local function refused()
  local lines = require('abl.result').lines({
    tool = 'x', ok = false, duration_ms = 1,
    error = { message = 'no', details = { status = 400, host = 'h', body = '{"wrong": 10.50}', stack = 'a\nb 🛫', code = 7 } },
  })
  equal('the split', vim.list_slice(lines, 3), { 'no', '', 'answer:', '{"wrong": 10.50}', '', 'details:', 'code: 7', 'stack:', 'a', 'b 🛫' })
end

--- many_words appends many words in one step, and only where they belong.
local function many_words()
  local result, set, steps = require('abl.result'), vim.api.nvim_buf_set_lines, 0
  result.open({ 'old', '' })
  result.append('lost')
  result.open({ 'new', '' })
  vim.api.nvim_buf_set_lines = function(...)
    steps = steps + 1
    return set(...)
  end
  for i = 1, 1000 do
    result.append(i .. '\n🛫')
  end
  wait('the last words', function()
    return result_text():find('1000\n🛫', 1, true)
  end)
  vim.api.nvim_buf_set_lines = set
  equal('steps', steps, 1)
  equal('lost', result_text():find('lost', 1, true), nil)
  contains('the split', result_text(), 'new\n1\n🛫2\n🛫3\n')
end

--- several_types accepts a text as well as a number.
local function several_types()
  local args = {}
  answer({ ['x'] = 'abc', ['y'] = '7' })
  local several = { type = { 'integer', 'string', 'null' } }
  require('abl.form').ask({ properties = { x = several, y = several }, required = { 'x', 'y' } }, args, {}, 'Run', function() end)
  equal('args', args, { x = 'abc', y = require('abl.exact').as_json('7') })

  local prompts = {}
  local function empty(_, options)
    table.insert(prompts, options.prompt)
    return 'null'
  end
  answer({ ['x'] = empty, ['y'] = empty, ['z'] = 'null', ['o'] = function(_, options)
    table.insert(prompts, options.prompt)
    return ''
  end })
  args = {}
  require('abl.form').ask({ properties = {
    x = { type = { 'string', 'null' }, format = 'date', description = 'When' },
    y = { anyOf = { { type = 'array' }, { type = 'null' } }, description = 'What' },
    z = { anyOf = { { type = 'string', enum = { 'a', 'b' } }, { type = 'null' } } },
    o = { type = 'object', required = { 'n' }, properties = {
      n = { type = 'array', items = { type = 'number' } }, e = { enum = { 'a', 'b' } },
    } },
  }, required = { 'x', 'y', 'z', 'o' } }, args, {}, 'Run', function() end)
  local null = require('abl.exact').null
  equal('args', args, { x = null, y = null, z = null })
  equal('prompts', prompts, { 'x (string date or null) When: ', 'y (array, JSON: [..] or null) What: ', 'o (object, JSON: {e?: a|b, n: [number..]}): ' })
end

--- referred asks for values whose schema has references, some of them to itself.
local function referred()
  local args, prompts, picked = {}, {}, {}
  local function note(_, options)
    table.insert(prompts, options.prompt)
    return '4711'
  end
  local function pick(items)
    table.insert(picked, items)
    return 'b'
  end
  answer({ ['a'] = pick, ['b'] = pick, ['c'] = note, ['d'] = { function(_, options)
    table.insert(prompts, options.prompt)
    return '{}'
  end } })
  local one, node = { ['$ref'] = '#/$defs/one' }, { ['$ref'] = '#/$defs/node' }
  require('abl.form').ask({
    properties = { a = one, b = { anyOf = { one, { type = 'null' } } }, c = { ['$ref'] = '#/$defs/word', description = 'C' }, d = node },
    required = { 'a', 'b', 'c', 'd' },
    ['$defs'] = {
      one = { type = 'string', enum = { 'a', 'b' } }, word = { ['$ref'] = '#/$defs/text' }, text = { type = 'string', description = 'T' },
      node = { type = 'object', properties = { n = node } }, loop = { ['$ref'] = '#/$defs/loop' },
    },
  }, args, {}, 'Run', function() end)
  equal('args', args, { a = 'b', b = 'b', c = '4711', d = require('abl.exact').as_json('{}') })
  equal('choices', picked, { { 'a', 'b' }, { 'a', 'b', require('abl.exact').null } })
  equal('prompts', prompts, { 'c (string) C: ', 'd (object, JSON: {n?: {n?: {n?: {n?: ..}}}}): ' })
  local number, offered = { type = 'number' }, {}
  local function see(_, options)
    table.insert(offered, options.prompt)
    return ''
  end
  answer({ ['e'] = see, ['f'] = see, ['g'] = 'a' })
  require('abl.form').ask({
    properties = {
      e = { allOf = { { ['$ref'] = '#/$defs/count' } }, description = 'E' }, f = { anyOf = { { allOf = { number } }, { type = 'null' } } },
      g = { allOf = { { enum = { 'a' } } } },
    },
    required = { 'e', 'f', 'g' },
    ['$defs'] = { count = { allOf = { { type = 'integer' } } } },
  }, {}, {}, 'Run', function() end)
  equal('prompts', offered, { 'e (integer) E: ', 'f (number or null): ' })
  local loop = { ['$ref'] = '#/x' }
  equal('a loop', require('abl.reference').resolve_all(loop, { x = loop }), loop)
  loop = { allOf = { { ['$ref'] = '#/x' } } }
  require('abl.reference').resolve_all(loop, { x = loop })
end

--- empty types nothing, which is a text, and then gives up.
local function empty()
  answer({})
  vim.ui.input = typed_input
  local function type_keys(keys)
    local args, done = {}, false
    vim.api.nvim_feedkeys(vim.api.nvim_replace_termcodes(keys, true, true, true), 't', false)
    require('abl.form').ask({ properties = { x = { type = 'string' } }, required = { 'x' } }, args, { x = 'old' }, 'Run', function()
      done = true
    end, function()
      done = 'quit'
    end)
    return { args.x, done }
  end
  equal('an empty text', type_keys('<C-u><CR>'), { '', true })
  equal('given up', type_keys('<Esc>'), { nil, 'quit' })
  equal('taken', type_keys('<CR>'), { 'old', true })
end

--- secrets types secret arguments without showing them; they are not remembered.
local function secrets()
  answer({})
  vim.ui.input, vim.ui.select, vim.fn.inputsecret = typed_input, typed_select, typed_secret
  local schema = {
    properties = {
      a = { type = 'string', format = 'password' }, b = { ['$ref'] = '#/%24defs/a~1pin' }, c = { type = 'string' },
      d = { type = 'object', properties = { p = { type = 'string', writeOnly = true } } },
      o = { type = { 'string', 'null' }, format = 'password' },
    },
    required = { 'a', 'b', 'c', 'd' },
    ['$defs'] = { ['a/pin'] = { type = 'integer', writeOnly = true } },
  }
  local args, values, gone, notify = {}, {}, 0, vim.notify
  local function ask(keys, values)
    args = {}
    vim.api.nvim_feedkeys(vim.api.nvim_replace_termcodes(keys, true, true, true), 't', false)
    require('abl.form').ask(schema, args, values, 'Run', function() end, function()
      gone = gone + 1
    end)
  end
  vim.notify = function() end
  ask('hunter2<CR>4711<CR>seen<CR>{hunter3<CR><C-u>{"p": "hunter4"}<CR>', values)
  local whole = { a = 'hunter2', b = require('abl.exact').as_json('4711'), c = 'seen', d = require('abl.exact').as_json('{"p": "hunter4"}') }
  equal('args', args, whole)
  equal('remembered', { values, require('abl.secret').without_secrets(args, schema) }, { { c = 'seen' }, { c = 'seen' } })
  ask('<CR><Esc>', {})
  ask('x<CR>1<CR>seen<CR>{"p": "hunter6<Esc>', {})
  ask('x<C-c>', {})
  vim.notify = notify
  equal('given up', gone, 3)
  local history = vim.fn.execute('history @')
  equal('what was typed in the history', { history:find('hunter'), history:find('4711'), history:find('seen') }, {})
end

--- several_lines offers a text that does not fit into a prompt.
local function several_lines()
  local function chosen(items)
    return items[1]
  end
  local function ask(replies)
    local args = {}
    answer(replies)
    require('abl.form').ask({ properties = { x = { type = 'string' } }, required = { 'x' } }, args, { x = 'a\n🛫\0' }, 'Run', function() end, function() end)
    return args.x
  end
  equal('as it was', ask({ ['x'] = chosen }), 'a\n🛫\0')
  equal('another', ask({ ['x'] = { 'another text', 'b' } }), 'b')
  equal('given up', ask({ ['x'] = function() end }), nil)
end

--- locked shows results in a Neovim whose files cannot be changed, as with its flag -M.
local function locked()
  vim.cmd('silent! bwipeout abl://result')
  vim.cmd('setglobal nomodifiable readonly')
  local ok, fault = pcall(require('abl.result').open, { 'x  ok' })
  vim.cmd('setglobal modifiable noreadonly')
  equal('the fault', ok and '' or fault, '')
  equal('the split', result_text(), 'x  ok')
  equal('read-only', vim.bo[vim.fn.bufnr('abl://result')].readonly, false)
end

--- no_room shows a result when there can be no split.
local function no_room()
  local told = {}
  local notify, result = vim.notify, require('abl.result')
  vim.notify = function(message)
    table.insert(told, message)
  end
  vim.cmd('silent! bwipeout abl://result')
  local cmd = vim.cmd
  vim.cmd = function(command)
    return command == 'botright split' and error('E11') or cmd(command)
  end
  result.open({ 'x  ok', '🛫' })
  vim.cmd, vim.notify = cmd, notify
  equal('told', told, { 'abl: x  ok; :sbuffer abl://result shows it' })
  vim.cmd('sbuffer abl://result')
  equal('there', result.is_here(), true)
  contains('the split', result_text(), '🛫')
  result.close()
end

--- interrupt types CTRL-C at a menu, and at a question of the server.
local function interrupt()
  answer({})
  vim.ui.select = typed_select
  local all = {}
  for _, keys in ipairs({ '<C-c>', '2<CR>', '<CR>' }) do
    vim.api.nvim_feedkeys(vim.api.nvim_replace_termcodes(keys, true, true, true), 't', false)
    require('abl.choose').select({ 'a', 'b' }, { prompt = 'Which' }, function(choice)
      table.insert(all, choice or 'none')
    end)
  end
  equal('chosen', all, { 'none', 'b', 'none' })
  local function broken()
    require('abl.choose').select({ 'a' }, {}, error)
  end
  vim.ui.select = function(_, _, done)
    done('a fault')
  end
  contains('a fault is one', select(2, pcall(broken)), 'a fault')
  equal('the server is told', require('abl.needs').ask_for_server(error, 'Keyboard interrupt'), vim.NIL)
end

--- drive compares URIs of Windows, whose drive letter the server writes small.
local function drive()
  local tool = { name = 'x', file = 'c:\\w\\a b.abl', range = { start = { line = 1 } } }
  local function found(uri)
    return require('abl.cursor').find_tool({ tool }, nil, uri, 1) == tool
  end
  equal('found by either letter, nowhere else', { found('file:///C:/w/a%20b.abl'), found('file:///c:/w/a%20b.abl'), found('file:///d:/w/a%20b.abl') }, { true, true, false })
end

return function(how)
  answer = how
  return {
    secrets = secrets, referred = referred, drive = drive, no_room = no_room, locked = locked, several_lines = several_lines, alone = alone, deep = deep, refused = refused, many_words = many_words, several_types = several_types, empty = empty, interrupt = interrupt,
  }
end
