-- The buffer with all arguments of a call, for run.lua, which sets the answers and waits for messages.
local answer, last_told, dir = ...
local h = dofile(vim.env.ABL_PLUGIN .. '/test/helpers.lua')
local wait, equal, contains, result_text = h.wait, h.equal, h.contains, h.result_text
local host = vim.env.ABL_HOST

--- in_file calls done in a file of tools, and deletes the file afterwards.
local function in_file(done)
  h.in_file(dir .. '/form.tools.abl', {
    'TOOLS:',
    '  form(zone: string, kind?: enum<[cat, dog]>, amount: number = 1, list?: array<string>) -> object',
    '    description: "Says it back"', '    type: http', '    endpoint: "http://' .. host .. '/v1/echo"', '    method: POST', '    mutation: false',
    '',
    '  sign(user: string) -> object',
    '    description: "Says it back"', '    type: http', '    endpoint: "http://' .. host .. '/v1/echo"', '    method: POST', '    mutation: false',
    '    input_schema: {"properties": {"user": {"type": "string"}, "pin": {"type": "string", "format": "password"}, "note": {"type": "string"}}, "required": ["user", "pin"]}',
  }, done)
end

local see = h.see

--- edit gives up, writes what is no JSON, and then arguments, which are sent exactly as written and offered again.
local function edit()
  in_file(function()
    answer({ ['Allow'] = 'Allow' })
    local tools, windows = vim.api.nvim_get_current_buf(), #vim.api.nvim_list_wins()
    vim.cmd('AblRun! form')
    equal('at first', h.arguments('form'), '{\n  \n}')
    last_told('form: <CR> or :w runs it with these arguments, :q gives up')
    vim.api.nvim_buf_set_lines(0, 0, -1, false, { '{"zone": "east",}' })
    vim.cmd('write')
    last_told('not sent: ')
    equal('it stays', h.arguments('form'), '{"zone": "east",}')
    vim.api.nvim_buf_set_lines(0, 0, -1, false, { '{"zone": "east"}' })
    vim.cmd('quit')
    vim.wait(50) -- what was typed is kept
    equal('given up', { vim.api.nvim_get_current_buf() == tools, #vim.api.nvim_list_wins(), result_text() }, { true, windows, '' })
    vim.cmd('AblRun! form')
    equal('offered', h.arguments('form'), '{\n  "zone": "east"\n}')
    vim.api.nvim_buf_set_lines(0, 0, -1, false, { '{', '  "list": ["a",', '    "b"],', '  "amount": 9007199254740993.50, "zone": "🛫\\"" }' })
    vim.api.nvim_feedkeys(vim.api.nvim_replace_termcodes('<Esc><CR>', true, true, true), 'xt', false)
    see('form  ok')
    contains('as written', result_text(), '"amount": 9007199254740993.50')
    equal('closed', { vim.api.nvim_get_current_buf() == tools, #vim.api.nvim_list_wins() }, { true, windows })
    vim.cmd('AblRun! form')
    equal('in the order of the schema', h.arguments('form'), '{\n  "zone": "🛫\\"",\n  "amount": 9007199254740993.50,\n  "list": ["a",\n    "b"]\n}')
    require('abl.result').open({})
    vim.cmd('wq')
    see('form  ok')
    equal('closed once', { vim.api.nvim_get_current_buf() == tools, #vim.api.nvim_list_wins() }, { true, windows })
    equal('on disk', vim.fn.glob(dir .. '/*.arguments.json'), '')
  end)
end

--- another runs the tool again while its buffer is open: what was typed is offered, and the earlier call ends.
local function another()
  in_file(function()
    local tools, windows = vim.api.nvim_get_current_buf(), #vim.api.nvim_list_wins()
    vim.cmd('AblRun! form')
    h.arguments('form')
    local first = vim.api.nvim_get_current_buf()
    vim.api.nvim_buf_set_lines(0, 0, -1, false, { '{"zone": "west"}' })
    vim.cmd('wincmd p')
    equal('in the tools', vim.api.nvim_get_current_buf(), tools)
    vim.cmd('AblRun! form')
    wait('another buffer', function()
      return vim.api.nvim_get_current_buf() ~= tools and not vim.api.nvim_buf_is_valid(first)
    end)
    equal('taken over', h.arguments('form'), '{\n  "zone": "west"\n}')
    vim.cmd('quit')
    vim.wait(50)
    equal('given up', { vim.api.nvim_get_current_buf() == tools, #vim.api.nvim_list_wins() }, { true, windows })
    local quits, call = 0, { params = { uri = vim.uri_from_bufnr(0), tool = 'form' }, client = h.client(), word = 'Run' }
    for expected = 0, 1 do
      require('abl.arguments').edit({}, {}, call, error, function()
        quits = quits + 1
      end)
      vim.wait(50)
      equal('earlier calls that ended', quits, expected)
    end
    vim.cmd('quit')
    wait('the end of both', function()
      return quits == 2
    end)
  end)
end

--- half_typed gives up a text that is no JSON: it is offered again as it is, unless it may have a secret.
local function half_typed()
  in_file(function()
    local function offered_after(tool, text)
      vim.cmd('AblRun! ' .. tool)
      h.arguments(tool)
      vim.api.nvim_buf_set_lines(0, 0, -1, false, { text })
      vim.cmd('quit')
      vim.wait(50)
      vim.cmd('AblRun! ' .. tool)
      local offered = h.arguments(tool)
      vim.cmd('quit')
      vim.wait(50)
      return offered
    end
    equal('as it was', offered_after('form', '{"zone": "ea'), '{"zone": "ea')
    equal('newer', offered_after('form', '{"zone": "east"}'), '{\n  "zone": "east"\n}')
    equal('a secret', offered_after('sign', '{"pin": "hun'):find('hun', 1, true), nil)
  end)
end

--- served completes a name and a value, and sees what is missing or wrong.
local function served()
  if vim.fn.has('nvim-0.10') == 0 then -- an older one edits without help
    return
  end
  in_file(function()
    vim.cmd('AblRun! form')
    h.arguments('form')
    vim.api.nvim_buf_set_lines(0, 0, -1, false, { '{', '  "ki', '}' })
    local function labels(line, column)
      local items = h.ask('textDocument/completion', { textDocument = { uri = vim.uri_from_bufnr(0) }, position = { line = line, character = column } })
      return vim.tbl_map(function(item)
        return item.label
      end, items and (items.items or items) or {})
    end
    contains('names', table.concat(labels(1, 5), ' '), 'kind')
    vim.api.nvim_buf_set_lines(0, 0, -1, false, { '{', '  "kind": ""', '}' })
    equal('values', labels(1, 11), { 'cat', 'dog' })
    vim.api.nvim_buf_set_lines(0, 1, 2, false, { '  "kind": "cat"' })
    wait('what is missing', function()
      local found = vim.diagnostic.get(0)
      return #found == 1 and found[1].message == '`form` needs `zone`.'
    end)
    vim.cmd('quit')
  end)
end

--- secrets asks for a secret argument after the others have been written: it is not in the buffer, now or the next time.
local function secrets()
  in_file(function()
    answer({ ['pin'] = 'hunter2', ['Allow'] = 'Allow' })
    for _, before in ipairs({ '{\n  \n}', '{\n  "user": "zoë"\n}' }) do
      require('abl.result').open({})
      vim.cmd('AblRun! sign')
      equal('what is there', h.arguments('sign'), before)
      h.write_arguments('sign', '{"user": "zoë"}')
      see('sign  ok')
    end
    equal('the secret on the screen', result_text():find('hunter2', 1, true), nil)
    answer({ ['user'] = 'ada', ['pin'] = { 'hunter2' }, ['Run,'] = 'Edit all arguments as JSON', ['Allow'] = 'Allow' }) -- one secret, once
    require('abl.result').open({})
    vim.cmd('AblRun sign')
    equal('without the secret', h.arguments('sign'), '{\n  "user": "ada"\n}')
    h.write_arguments('sign', '{"user": "zoë"}')
    see('sign  ok')
    answer({ ['pin'] = function() end })
    require('abl.result').open({})
    vim.cmd('AblRun! sign')
    h.write_arguments('sign', '{"user": "zoë"}')
    vim.wait(100)
    equal('it stays', h.arguments('sign'), '{"user": "zoë"}')
    vim.cmd('quit')
    equal('sent', result_text(), '')
  end)
end

return { edit = edit, another = another, half_typed = half_typed, served = served, secrets = secrets }
