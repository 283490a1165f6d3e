-- The questions of a run that a person answers in VS Code as well, for run.lua: it sets the answers, waits
-- for messages, and names the folder of the test.
local answer, last_told, dir = ...
local h = dofile(vim.env.ABL_PLUGIN .. '/test/helpers.lua')
local equal, contains, result_text = h.equal, h.contains, h.result_text
local host = vim.env.ABL_HOST

local see = h.see

--- in_file calls done in a new file of tools in the folder of the test, and deletes it afterwards.
local function in_file(name, lines, done)
  h.in_file(dir .. '/' .. name, lines, done)
end

--- no_effects confirms a run, and writes that its tool needs no confirmation.
local function no_effects()
  in_file('note.tools.abl', {
    'TOOLS:', '  note(text: string) -> object', '    type: http', '    endpoint: "http://' .. host .. '/v1/echo"', '    method: POST',
  }, function()
    local offered
    answer({ ['text'] = 'tea', ['Allow'] = 'Allow', ['Run'] = function(items)
      offered = items
      return items[2]
    end })
    vim.cmd('AblRun note')
    see('note  ok')
    equal('choices', offered, { 'Run', 'Run, and write side_effects: false', 'Cancel' })
    contains('the tool', table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n'), 'side_effects: false')
    last_told('note says side_effects: false now')
    require('abl.result').open({})
    answer({ ['text'] = 'tea', ['Allow'] = 'Allow' })
    vim.cmd('AblRun note')
    see('note  ok')
  end)
end

--- retype types a secret again after it was refused: of a tool, and of a saved case.
local function retype()
  local asked = {}
  local function note(reply)
    return function(_, options)
      table.insert(asked, (options.prompt:gsub(vim.pesc(host), 'HOST')))
      return reply
    end
  end
  in_file('lock.tools.abl', {
    'TOOLS:', '  enter() -> object', '    type: http', '    endpoint: "http://' .. host .. '/v1/locked"', '    method: GET',
    '    headers: {X-Key: "{{secrets.LOCK_KEY}}"}',
  }, function()
    answer({ ['LOCK_KEY:'] = { 'wrong', 'right' }, ['Allow'] = note('Allow'), ['Is'] = note('Type it again') })
    vim.cmd('AblRun enter')
    see('"inside": true')
    equal('asked', asked[#asked], 'Is the secret LOCK_KEY wrong? enter was answered 401.')

    vim.fn.writefile({ 'enter:', '  - name: one', '  - name: two' }, dir .. '/lock.cases.yaml')
    require('abl.needs').remember_secrets(h.client(), { secrets = { LOCK_KEY = '' } }, false)
    answer({ ['LOCK_KEY:'] = { 'wrong', 'bad', 'right' }, ['Allow'] = 'Allow', ['Is'] = 'Type it again' })
    vim.cmd('AblTest')
    last_told('2 passed')
    answer({ ['LOCK_KEY:'] = 'wrong', ['Allow'] = 'Allow', ['Is'] = 'Cancel' })
    require('abl.needs').remember_secrets(h.client(), { secrets = { LOCK_KEY = '' } }, false)
    vim.cmd('AblTest one')
    last_told('1 failed')
    require('abl.needs').remember_secrets(h.client(), { secrets = { LOCK_KEY = '' } }, false)
    answer({ ['LOCK_KEY:'] = 'right', ['Allow'] = 'Allow' })
    vim.cmd('AblTest one') -- closes the list
    last_told('1 passed')
    vim.fn.delete(dir .. '/lock.cases.yaml')
  end)
end

--- permissions asks for two permissions in one question.
local function permissions()
  local prompt
  answer({ ['Allow'] = function(_, options)
    prompt = options.prompt
    return 'Allow'
  end })
  local call, wanted = { since = vim.loop.now(), client = h.client(), params = {}, again = function() end }, {
    { kind = 'secret', op = 'send', resource = 'KEY a.b:1' }, { kind = 'web', op = 'get', resource = 'c.d' },
  }
  require('abl.needs').ask({ tool = 'x', needs = { permission = wanted } }, call)
  equal('asked', { prompt, call.params.grant }, { 'Allow x to send the secret KEY to a.b:1, get web: c.d?', wanted })
end

--- wrong_arguments types all arguments again after the server has refused one.
local function wrong_arguments()
  in_file('trip.tools.abl', {
    'TOOLS:', '  trip(on: date, to: string) -> object', '    type: http', '    endpoint: "http://' .. host .. '/v1/cities/{to}/weather"', '    method: GET',
  }, function()
    local offered = {}
    local function take(_, options)
      table.insert(offered, options.default)
      return options.default
    end
    answer({ ['on'] = { '2026-02-30', '2026-02-28' }, ['to'] = { 'Bonn', take }, ['Allow'] = 'Allow' })
    vim.cmd('AblRun trip')
    last_told('2026-02-30')
    see('"city": "Bonn"')
    equal('offered', offered, { 'Bonn' })
  end)
end

--- key_order shows the names of a result, and of the request, in the order of the server.
local function key_order()
  in_file('order.tools.abl', {
    'TOOLS:', '  order(zeta: object) -> object', '    type: http', '    endpoint: "http://' .. host .. '/v1/echo"', '    method: POST', '    mutation: false',
    "    body_template: '{\"zeta\": {{zeta}}, \"alpha\": 1.50, \"mid\": {\"b\": [], \"a\": {}}}'",
  }, function()
    answer({ ['zeta'] = '{"x": 2, "y": {"p": null, "q": 1}}', ['Allow'] = 'Allow' })
    vim.cmd('AblRun order')
    see('order  ok')
    local words = {}
    for word in result_text():match('{.-\n}'):gmatch('"(%a+)": ') do
      table.insert(words, word)
    end
    equal('names', table.concat(words, ' '), 'zeta x y p q alpha mid b a')
    local exact = require('abl.exact')
    local sorted = exact.with_order({ b = 1, a = { d = 1, c = 1, ['\238\128\129'] = { 'd', 'c' } } })
    equal('a copy', exact.encode(vim.deepcopy(sorted)), '{"a": {"d": 1, "c": 1}, "b": 1}')
  end)
end

return { key_order = key_order, no_effects = no_effects, retype = retype, permissions = permissions, wrong_arguments = wrong_arguments }
