-- A session of a person, from a real Neovim: open the demo's agent, see the mistake, fix it,
-- format, read, jump, run a tool, cancel a slow one.
--
--   nvim --headless -u NONE -i NONE -S session.lua
--
-- started by neovim_test.go, which sets environment variables with the paths.
local plugin, server, agent = vim.env.ABL_PLUGIN, vim.env.ABL_SERVER, vim.env.ABL_AGENT
local host = vim.env.ABL_HOST

local h = dofile(vim.env.ABL_PLUGIN .. '/test/helpers.lua')
local wait, equal, contains, choose, client = h.wait, h.equal, h.contains, h.choose, h.client
local request, ask, find, signal, result_text = h.request, h.ask, h.find, h.signal, h.result_text

--- found returns the errors and warnings of the current buffer, without information: the test's
--- own server has a private address.
local function found()
  return vim.tbl_filter(function(d)
    return d.severity <= vim.diagnostic.severity.WARN
  end, vim.diagnostic.get(0))
end

local function here(line, column)
  return {
    textDocument = { uri = vim.uri_from_bufnr(0) },
    position = { line = line, character = column },
  }
end

local function float_text()
  for _, win in ipairs(vim.api.nvim_list_wins()) do
    if vim.api.nvim_win_get_config(win).relative ~= '' then
      return table.concat(vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(win), 0, -1, false), '\n')
    end
  end
end

local function hover_text(line, column)
  return vim.inspect(ask('textDocument/hover', here(line, column)))
end

local function current(suffix)
  return vim.endswith(vim.api.nvim_buf_get_name(0), suffix)
end

local function open()
  vim.opt.runtimepath:prepend(plugin)
  vim.cmd('filetype plugin on')
  require('abl').setup({
    cmd = { server, 'serve', '--log-file', vim.env.ABL_LOG },
    init_options = { trusted = true, allowHosts = { host } },
  })
  vim.cmd('edit ' .. vim.fn.fnameescape(agent))
  equal('filetype', vim.bo.filetype, 'abl')
  wait('the client', function()
    return client() ~= nil and client().server_capabilities ~= nil
  end)
end

local function see_the_mistake()
  wait('the diagnostics', function()
    return #found() > 0
  end)
  local all = found()
  equal('number of diagnostics', #all, 1)
  equal('code', all[1].code, 'invalid-value')
  equal('severity', all[1].severity, vim.diagnostic.severity.ERROR)
  local line, column = find('GTE')
  equal('place', { all[1].lnum, all[1].col, all[1].end_col }, { line, column, column + 3 })
end

--- read_again keeps diagnostics when the file is read again, as after a checkout.
local function read_again()
  vim.cmd('edit')
  wait('the diagnostics to be there again', function()
    return #found() == 1
  end)
  vim.wait(300)
  equal('number of diagnostics', #found(), 1)
end

local function mend_it()
  local sync = client().server_capabilities.textDocumentSync
  equal('incremental sync', type(sync) == 'table' and sync.change or sync, 2)
  find('GTE')
  choose('GET')
  vim.lsp.buf.code_action()
  wait('the diagnostics to go', function()
    return #found() == 0
  end)
  find('method: GET')
end

local function suppress()
  local line, column = find('method: GET', 8)
  vim.api.nvim_buf_set_text(0, line, column, line, column + 3, { 'GTE' })
  wait('the diagnostics', function()
    return #found() > 0
  end)
  find('GTE')
  choose('Suppress')
  vim.lsp.buf.code_action()
  wait('the diagnostics to go', function()
    return #found() == 0
  end)
  equal('the comment', find('    # abl:ignore invalid-value'), line)
  vim.api.nvim_buf_set_lines(0, line, line + 2, false, { '    method: GET' })
end

--- refactor writes a block in braces and back; the edits arrive when an action is chosen.
local function refactor()
  local before = vim.api.nvim_buf_get_lines(0, 0, -1, false)
  local line = find('hints:')
  choose('in braces')
  vim.lsp.buf.code_action()
  wait('the braces', function()
    return vim.api.nvim_buf_get_lines(0, line, line + 1, false)[1] == '    hints: {cacheable: false, latency: fast}'
  end)
  find('hints:')
  vim.cmd('normal! 0') -- where :6 and } lead
  choose('as lines')
  vim.lsp.buf.code_action()
  wait('the lines', function()
    return vim.deep_equal(vim.api.nvim_buf_get_lines(0, 0, -1, false), before)
  end)
end

local function format()
  local before = vim.api.nvim_buf_get_lines(0, 0, -1, false)
  local line = find('latency: fast')
  vim.api.nvim_buf_set_lines(0, line, line + 1, false, { '      Latency:fast' })
  if vim.lsp.buf.format then
    vim.lsp.buf.format()
  else
    vim.lsp.buf.formatting_sync()
  end
  equal('formatted', vim.api.nvim_buf_get_lines(0, 0, -1, false), before)
  vim.cmd('normal! gg=G') -- which indents as C where nobody says how
  equal('indented', vim.api.nvim_buf_get_lines(0, 0, -1, false), before)
  vim.api.nvim_buf_set_lines(0, line, line + 1, false, { '      latency:fast' })
  wait('formatted by gq', function() -- Neovim gives the server half a second
    vim.cmd('normal! ' .. line + 1 .. 'Ggqq')
    return vim.deep_equal(vim.api.nvim_buf_get_lines(0, 0, -1, false), before)
  end)
end

--- new_line begins a new line: it is indented below a line that opens a block, and `=` keeps it.
local function new_line()
  vim.cmd('enew | setlocal filetype=abl bufhidden=wipe')
  for above, want in pairs({
    ['GOAL:'] = 2,
    ['TOOLS:  # note: x'] = 2,
    ['TOOLS:\n  # note:'] = 2,
    ['TOOLS:\n  ping() -> string'] = 4,
    ['TOOLS:\n  ping(a: string = "(") -> {a: string}  # c'] = 4,
    ['TOOLS:\n  f(a: string)'] = 4,
    ['TOOLS:\n  f('] = 4,
    ['TOOLS:\n  f(\n    a: string,'] = 4,
    ['TOOLS:\n  f(\n    a: string\n  ) -> string'] = 4,
    ['TOOLS:\n  f() -> {'] = 4,
    ['TOOLS:\n  f() -> string\n    type: http'] = 4,
    ['TOOLS:\n  f() -> string\n    hints:'] = 6,
    ['TOOLS:\n  f() -> string\n    code: |'] = 6,
    ['TOOLS:\n  f() -> string\n    headers:\n      x: >-'] = 8,
    ['TOOLS:\n  f() -> string\n    code: |\n      if x:'] = 6,
    ['TOOLS:\n  f() -> string\n    code: |\n      if x:\n        # y:\n\n        z('] = 8,
    ['FLOW:\n  a:\n    ON_INPUT:\n      - IF: x > 3'] = 8,
    ['FLOW:\n  a:\n    ON_INPUT:\n      - ELSE:'] = 8,
    ['FLOW:\n  a:\n    SET: x = f(1)'] = 4,
    ['CONSTRAINTS:\n  a:\n    - REQUIRE x > 3'] = 6,
    ['LIMITATIONS:\n  - Note: two'] = 2,
    ['LIMITATIONS:\n  - "a: b:"'] = 2,
  }) do
    vim.api.nvim_buf_set_lines(0, 0, -1, false, vim.split(above, '\n'))
    vim.cmd('normal! Gox')
    equal(above, vim.fn.indent('$'), want)
    vim.cmd('normal! Gdd')
    equal(above, vim.api.nvim_buf_get_lines(0, 0, -1, false), vim.split(above, '\n'))
  end
  vim.cmd('bwipeout!')
end

--- as_the_file indents new lines like the rest of a file: a tab is four columns.
local function as_the_file()
  for _, step in ipairs({ '\t', '    ', '  ' }) do
    local text = ('AGENT: A\n\n  # note\nTOOLS:\n@f() -> string\n@@type: sandbox\n@@code: |\n@@@  \tx\n@@hints:'):gsub('@', step)
    vim.fn.writefile(vim.split(text, '\n'), 'indented.abl')
    vim.cmd('edit! indented.abl')
    vim.cmd('normal! gg=G')
    equal('indented again', table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n'), text)
    vim.cmd('normal! Gox: y')
    equal('a new line', vim.fn.getline('$'), step:rep(3) .. 'x: y')
    find('\tx')
    vim.cmd('normal! oy')
    equal('a line of code', vim.fn.getline('.'), step:rep(3) .. '  \ty')
    vim.cmd('bwipeout!')
  end
  vim.fn.delete('indented.abl')
end

local function hover()
  find('get_weather', 2)
  vim.lsp.buf.hover()
  wait('the hover', float_text)
  contains('hover', float_text(), 'The weather of a city for the coming days')
  for _, win in ipairs(vim.api.nvim_list_wins()) do
    if vim.api.nvim_win_get_config(win).relative ~= '' then
      vim.api.nvim_win_close(win, true)
    end
  end
end

local function complete()
  local line = find('latency: fast')
  vim.api.nvim_buf_set_lines(0, line + 1, line + 1, false, { '      si' })
  local result = ask('textDocument/completion', here(line + 1, 8))
  local labels = vim.tbl_map(function(item)
    return item.label
  end, result.items or result)
  contains('completion', table.concat(labels, ' '), 'side_effects')
  equal('CTRL-X CTRL-O', vim.bo.omnifunc, 'v:lua.vim.lsp.omnifunc')
  vim.api.nvim_buf_set_lines(0, line + 1, line + 2, false, {})
end

local function jump()
  find('get_weather', 2)
  vim.cmd('set hidden')
  vim.lsp.buf.definition()
  wait('the other file', function()
    return current('tools/weather.tools.abl')
  end)
  local line = vim.api.nvim_buf_get_lines(0, 0, -1, false)[vim.api.nvim_win_get_cursor(0)[1]]
  contains('line of the definition', line, 'get_weather(city: string')
  wait('the client in the other file', function()
    return vim.lsp.buf_is_attached(0, client().id)
  end)
end

--- importer shows the effect of a change on the importing file.
local function importer()
  local function lacks()
    for _, d in ipairs(vim.diagnostic.get(vim.fn.bufnr(agent))) do
      if d.message:find('book_trip', 1, true) then
        return true
      end
    end
    return false
  end
  local line = find('book_trip(')
  local before = vim.api.nvim_buf_get_lines(0, line, line + 1, false)
  vim.api.nvim_buf_set_text(0, line, 2, line, 6, { 'look' })
  wait('what the importer lacks', lacks)
  vim.api.nvim_buf_set_lines(0, line, line + 1, false, before)
  wait('it to be there again', function()
    return not lacks()
  end)
end

--- lenses returns the lenses that Neovim shows, in the way of its version.
local function lenses()
  if vim.fn.has('nvim-0.12') == 1 then
    return vim.tbl_map(function(shown)
      return shown.lens
    end, vim.lsp.codelens.get({ bufnr = 0 }))
  end
  return vim.lsp.codelens.get(0)
end

--- foreign opens files of other systems: the server gets those that it knows.
local function foreign()
  local tools = vim.api.nvim_buf_get_name(0)
  local dir = vim.fn.fnamemodify(tools, ':p:h')
  vim.fn.writefile({ 'tools:', '  rest: {kind: wait, description: Rests}' }, dir .. '/tools.yaml')
  vim.fn.writefile({ 'jobs: {}' }, dir .. '/ci.tools.yaml')
  vim.cmd('edit ' .. vim.fn.fnameescape(dir .. '/ci.tools.yaml'))
  equal('filetype of another YAML file', vim.bo.filetype, 'yaml')
  equal('clients there', vim.tbl_isempty((vim.lsp.get_clients and vim.lsp.get_clients({ bufnr = 0 })) or vim.lsp.buf_get_clients(0)), true)
  vim.cmd('edit ' .. vim.fn.fnameescape(dir .. '/tools.yaml'))
  equal('filetype of a Toolbox file', vim.bo.filetype, 'yaml.ablproject')
  wait('the client in a Toolbox file', function()
    return vim.lsp.buf_is_attached(0, client().id)
  end)
  contains('hover in a Toolbox file', hover_text(1, 3), 'Rests')
  local more = {
    ['a.tools.yml'] = { 'kind: "tools"', 'name: rest', 'type: wait' },
    ['git.tools.json'] = { '{"tools": {"rest": {', '"description": "Rests"}}}' },
    ['all.tools.mjs'] = { 'export default {', '  rest: { description: "Rests" },', '};' },
    ['git.tools.ts'] = { 'export const TOOLS = {', '  rest: { description: "Rests" },', '};' },
  }
  for name, lines in pairs(more) do
    for _, case in ipairs({ { lines, true }, { { 'jobs' }, false } }) do
      vim.fn.writefile(case[1], dir .. '/' .. name)
      vim.cmd('edit ' .. vim.fn.fnameescape(dir .. '/' .. name))
      local function shown()
        return vim.lsp.buf_is_attached(0, client().id)
      end
      vim.wait(case[2] and 20000 or 50, shown, 10)
      equal('whether the server is shown ' .. name, shown(), case[2])
      vim.cmd('bwipeout')
    end
    vim.fn.delete(dir .. '/' .. name)
  end
  vim.cmd('edit ' .. vim.fn.fnameescape(tools))
  vim.fn.delete(dir .. '/tools.yaml')
  vim.fn.delete(dir .. '/ci.tools.yaml')
end

--- project opens abl.yaml and saved cases, which are YAML by their filetype.
local function project()
  local tools = vim.api.nvim_buf_get_name(0)
  local root = vim.fn.fnamemodify(tools, ':p:h:h')
  vim.cmd('edit ' .. vim.fn.fnameescape(root .. '/abl.yaml'))
  equal('filetype of abl.yaml', vim.bo.filetype, 'yaml.ablproject')
  wait('the client in abl.yaml', function()
    return vim.lsp.buf_is_attached(0, client().id)
  end)
  vim.api.nvim_buf_set_lines(0, 0, -1, false, { 'environments:', '  dev: {protected: }' })
  local result = ask('textDocument/completion', here(1, 19))
  equal('completion in abl.yaml', (result.items or result)[1].label, 'true')
  vim.bo.modified = false

  vim.cmd('edit ' .. vim.fn.fnameescape(vim.fn.fnamemodify(tools, ':r:r') .. '.cases.yaml'))
  equal('filetype of cases', vim.bo.filetype, 'yaml.ablproject')
  wait('the client in cases', function()
    return vim.lsp.buf_is_attached(0, client().id)
  end)
  vim.api.nvim_buf_set_lines(0, 0, -1, false, { 'get_weather:', '  - {name: here, args: {city: Rome}}' })
  contains('hover in cases', hover_text(0, 3), 'The weather of a city')
  local all = ask('textDocument/codeLens', { textDocument = here(0, 0).textDocument })
  equal('lens of a case', all[1].command.arguments[1].case, 'here')
  vim.bo.modified = false
  vim.cmd('edit ' .. vim.fn.fnameescape(tools))
end

local function run_from_the_lens()
  if vim.fn.has('nvim-0.12') == 1 then
    vim.lsp.codelens.enable(true, { bufnr = 0 })
  else
    vim.lsp.codelens.refresh()
  end
  wait('a lens on each of the three tools', function()
    local lines = {}
    for _, lens in ipairs(lenses()) do
      if lens.command and lens.command.command == 'abl.run' then
        lines[lens.range.start.line] = true
      end
    end
    return vim.tbl_count(lines) == 3
  end)

  local asked = {}
  vim.ui.input = function(options, done)
    table.insert(asked, options.prompt)
    done('São Paulo')
  end
  choose('Run')
  find('get_weather(')
  vim.lsp.codelens.run()
  wait('the result', function()
    return result_text():find('ok', 1, true)
  end)
  equal('asked for', asked, { 'city of get_weather (string): ' })
  contains('result', result_text(), '"city": "São Paulo"')
  choose('Preview')
  find('get_weather(')
  vim.lsp.codelens.run()
  wait('what would be sent', function()
    return result_text():find('get_weather  would send', 1, true)
  end)
end

local function run_by_command()
  local envelope = ask('workspace/executeCommand', {
    command = 'abl.run',
    arguments = { {
      uri = vim.uri_from_bufnr(0),
      tool = 'get_weather',
      args = { city = 'Lisbon', days = 2 },
    } },
  })
  equal('ok', envelope.ok, true)
  equal('value', { envelope.value.city, #envelope.value.days }, { 'Lisbon', 2 })
end

--- revert_a_run runs a tool that writes, and undoes it at the second attempt; everything is
--- confirmed.
local function revert_a_run()
  local agent_name = vim.api.nvim_buf_get_name(0)
  local name = vim.fn.fnamemodify(agent_name, ':p:h') .. '/notes.tools.abl'
  vim.fn.writefile({
    'TOOLS:',
    '  put_note(text: string) -> object',
    '    description: "Writes a note"',
    '    type: http',
    '    endpoint: "http://' .. host .. '/v1/notes/one"',
    '    method: PUT',
    '    revert: {type: http, endpoint: "http://' .. host .. '/v1/notes/{result.id}", method: DELETE}',
  }, name)
  vim.cmd('edit ' .. vim.fn.fnameescape(name))
  wait('the client in the notes', function()
    return vim.lsp.buf_is_attached(0, client().id)
  end)
  local asked = {}
  vim.ui.select = function(items, options, done)
    local shown = options.format_item and options.format_item(items[1]):match('put_note') or items[1]
    table.insert(asked, shown .. ': ' .. options.prompt:match('^%a+'))
    if items[1] == 'Revert' then
      contains('the split beside the question', result_text(), 'would send  DELETE http://' .. host .. '/v1/notes/one')
    end
    done(items[1], 1)
  end
  vim.lsp.commands['abl.run']({ arguments = { {
    uri = vim.uri_from_bufnr(0), tool = 'put_note', args = { text = 'tea' },
  } } }, { client_id = client().id })
  wait('the offer to undo it', function()
    return result_text():find(':AblRevert', 1, true)
  end)
  vim.cmd('AblRevert')
  wait('the refusal', function()
    return result_text():find('answered 503', 1, true) -- a port may contain 503
  end)
  vim.cmd('AblRevert')
  wait('the note to be gone', function()
    return result_text():find('"deleted": "one"', 1, true)
  end)
  equal('asked', asked, { 'Run: Run', 'Revert: Revert', 'Revert: Revert' })
  equal('offered again', result_text():find(':AblRevert', 1, true), nil)

  -- One of the journal, as in a later session.
  vim.lsp.commands['abl.run']({ arguments = { {
    uri = vim.uri_from_bufnr(0), tool = 'put_note', args = { text = 'milk' },
  } } }, { client_id = client().id })
  wait('the second offer', function()
    return result_text():find(':AblRevert', 1, true)
  end)
  package.loaded['abl.run'] = nil
  asked = {}
  require('abl.run').revert()
  wait('the second note to be gone', function()
    return result_text():find('"deleted": "one"', 1, true)
  end)
  equal('asked of the journal', asked, { 'put_note: Undo', 'Revert: Revert' })
  vim.cmd('edit ' .. vim.fn.fnameescape(agent_name))
end

local function cancel_while_hovering()
  local argument = { uri = vim.uri_from_bufnr(0), tool = 'slow_report', args = vim.empty_dict() }
  local _, id = request('workspace/executeCommand', { command = 'abl.run', arguments = { argument } }, function() end)
  wait('the slow run to start', function()
    return signal('started')
  end)

  local line, column = find('get_weather(', 2)
  contains('hover during a run', hover_text(line, column), 'The weather of a city')
  equal('still running', signal('cancelled'), false)

  local c = client()
  if vim.fn.has('nvim-0.11') == 1 then
    c:cancel_request(id)
  else
    c.cancel_request(id)
  end
  wait('the cancel to reach the socket', function()
    return signal('cancelled')
  end)
  contains('hover after a cancel', hover_text(line, column), 'The weather of a city')
end

local steps = {
  { 'open', open },
  { 'see the mistake', see_the_mistake },
  { 'read it again', read_again },
  { 'mend it', mend_it },
  { 'suppress it', suppress },
  { 'refactor', refactor },
  { 'format', format },
  { 'new line', new_line },
  { 'as the file is indented', as_the_file },
  { 'hover', hover },
  { 'complete', complete },
  { 'jump', jump },
  { 'importer', importer },
  { 'project', project },
  { 'foreign', foreign },
  { 'run from the lens', run_from_the_lens },
  { 'run by command', run_by_command },
  { 'revert a run', revert_a_run },
  { 'cancel a slow run while hovering', cancel_while_hovering },
}
h.run(steps)
