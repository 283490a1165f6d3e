-- Saved cases, for run.lua, which sets the answers and waits for messages.
local answer, last_told = ...
local h = dofile(vim.env.ABL_PLUGIN .. '/test/helpers.lua')
local wait, equal, contains, find, result_text = h.wait, h.equal, h.contains, h.find, h.result_text

--- held saves a case in a file for which a Neovim has left a swap file.
local function held()
  local file = vim.fn.fnamemodify(vim.api.nvim_buf_get_name(0), ':h') .. '/run.cases.yaml'
  vim.fn.writefile({ '# of the last time' }, file)
  vim.cmd('split ' .. vim.fn.fnameescape(file))
  local swap = vim.fn.fnamemodify(vim.fn.swapname('%'), ':p')
  local kept = vim.fn.readfile(swap, 'b')
  vim.cmd('bwipeout')
  vim.fn.writefile(kept, swap, 'b')
  vim.cmd('AblSaveCase in Rome')
  last_told('another Neovim has it open')
  vim.fn.delete(swap)
end

--- cases saves a run as a case, adds one that fails, and runs both.
local function cases()
  vim.cmd('AblTest')
  last_told('no saved cases here; those of an imported tool are beside its own file')
  answer({ ['city'] = 'Rome', ['Allow'] = 'Allow' })
  vim.cmd('AblRun weather')
  wait('the weather', function()
    return result_text():find('"city": "Rome"', 1, true)
  end)
  equal('allowed for one run', require('abl.run').last().params.allowHosts, nil)
  held()
  vim.cmd('AblSaveCase in Rome')
  last_told('run.cases.yaml:')
  local file = vim.fn.bufnr('run.cases.yaml')
  local lines = vim.api.nvim_buf_get_lines(file, 0, -1, false)
  contains('the case', table.concat(lines, '\n'), 'in Rome')
  equal('what was there', lines[1], '# of the last time')
  vim.list_extend(lines, { '  - name: in Paris', '    args: {city: Paris}', '    expect: {value: result.city == "Lyon"}' })
  vim.api.nvim_buf_set_lines(file, 0, -1, false, lines)

  vim.cmd('AblTest')
  last_told('1 passed, 1 failed')
  local rows = vim.fn.getqflist()
  equal('rows', #rows, 1)
  contains('row', rows[1].text, 'weather: in Paris')
  equal('place', { rows[1].bufnr, rows[1].lnum >= #lines - 2 }, { file, true })
  vim.fn.delete(vim.env.ABL_SIGNALS .. '/started')
  vim.api.nvim_buf_set_lines(file, -1, -1, false, { 'slow_report:', '  - {name: slowly}' })
  vim.cmd('AblTest')
  wait('the slow case to start', function()
    return h.signal('started')
  end)
  vim.cmd('AblCancel')
  last_told('1 passed, 1 failed, 1 not run')
  equal('rows', #vim.fn.getqflist(), 1)
  vim.api.nvim_buf_set_lines(file, -3, -1, false, {})

  local function lists()
    return vim.fn.getqflist({ winid = 0, size = 0, title = 0 })
  end
  equal('the window of what failed', lists().winid > 0, true)
  vim.cmd('AblTest in Rome')
  last_told('1 passed')
  equal('what is left of it', lists(), { winid = 0, size = 0, title = 'abl test' })
  vim.fn.setqflist({}, ' ', { title = 'own', items = { { text = 'x' } } })
  vim.cmd('copen | wincmd p | AblTest in Rome')
  last_told('1 passed')
  equal('the list of the person', { lists().winid > 0, lists().size, lists().title }, { true, 1, 'own' })
  answer({ ['Run'] = 'weather: in Paris', ['Allow'] = 'Allow' })
  vim.cmd('AblCases')
  last_told('1 failed')
  local text = vim.fn.getqflist()[1].text
  contains('row', text, 'weather: in Paris: ')
  equal('what was found is there once', { select(2, text:gsub('Rome', '')), text:find('expected', 1, true) }, { 0 })
  vim.cmd('cclose')
end

--- lenses shows the lenses of one line in the order of the server. Neovim 0.12 sorts them by their start.
local function lenses()
  if vim.fn.has('nvim-0.12') == 0 then -- those before keep the order, or the person shows them by another plugin
    return
  end
  vim.lsp.codelens.enable(true, { bufnr = 0 })
  local shown = ''
  local function look()
    vim.cmd('redraw')
    for name, namespace in pairs(vim.api.nvim_get_namespaces()) do
      local marks = name:find('^nvim.lsp.codelens:') and vim.api.nvim_buf_get_extmarks(0, namespace, 0, -1, { details = true }) or {}
      for _, mark in ipairs(marks) do
        local words = vim.tbl_map(function(piece)
          return piece[1]
        end, mark[4].virt_lines[1])
        shown = table.concat(words):find('in Rome', 1, true) and table.concat(words) or shown
      end
    end
    return shown ~= ''
  end
  wait('the lenses', look)
  equal('lenses', vim.trim(shown), 'Run | ▶ in Rome | ▶ in Paris | Preview')
  vim.lsp.codelens.enable(false, { bufnr = 0 })
end

--- at_the_cursor runs the case or tool of a line of a file of cases.
local function at_the_cursor()
  local before = vim.api.nvim_get_current_buf()
  vim.cmd('buffer run.cases.yaml')
  vim.api.nvim_buf_set_lines(0, 0, -1, false, {
    'maybe:', '- args:', '    list:', '      - x', '  name: later', 'weather:', '  - name: in Rome', '    args: {city: Rome}',
    '  - args:', '      city: Paris', '    name: in Paris', '    expect: {value: result.city == "Lyon"}',
    '  - {name: not now, skip: too far}',
  })
  answer({ ['Allow'] = 'Allow', ['city'] = 'Bonn' })
  local function ran(place, part, command)
    require('abl.result').open({})
    find(place)
    vim.cmd(command or 'AblRun')
    wait('what came of ' .. place, function()
      return result_text():find(part, 1, true)
    end)
  end
  ran('args: {', '"city": "Rome"')
  last_told('1 passed')
  ran('city: Paris', '"city": "Paris"')
  last_told('1 failed')
  contains('row', vim.fn.getqflist()[1].text, 'weather: in Paris: `result.city` is "Paris", not "Lyon"')
  vim.cmd('cclose')
  ran('args: {', '"city": "Rome"')
  last_told('1 passed')
  vim.cmd('AblSaveCase once more')
  last_told('run.cases.yaml:')
  contains('the case', table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n'), 'name: once more\n    args: {city: Rome}')
  find('not now')
  vim.cmd('AblRun')
  last_told('weather: not now is skipped: too far')
  ran('weather:', '"city": "Bonn"')
  ran('name: in Paris', '"city": "Bonn"', 'AblRun weather')
  ran('name: in Paris', '/cities/Paris/weather', 'AblPreview')
  find('name: in Paris')
  vim.cmd('AblRun!')
  h.write_arguments('weather', (h.arguments('weather'):gsub('Paris', 'Paris-Plage')))
  wait('the other city', function()
    return result_text():find('"city": "Paris-Plage"', 1, true)
  end)
  answer({ ['a'] = 'null', ['b'] = 'null', ['n'] = '1', ['Allow'] = 'Allow' })
  ran('- x', 'maybe  ok')
  contains('the list of the case', result_text(), '"x"')
  last_told('1 passed')
  vim.api.nvim_buf_set_lines(0, 0, -1, false, {
    'weather:', '  - {name: in Rome, args: {city: Rome}}', 'maybe:', '  - name: asks', '  - name: would ask', 'nobody:', '  - name: gone', 'clock:', '  - name: twice', '  - name: asks nothing', '  - name: twice',
  })
  answer({ ['Allow'] = 'Allow', ['a'] = function() end })
  vim.cmd('AblTest')
  last_told('2 passed, 1 failed, 3 errored, 1 not run')
  for i, words in ipairs({ 'maybe: would ask', 'nobody: gone: no file beside run.cases.yaml has a tool "nobody"', 'clock: twice' }) do
    contains('row', vim.fn.getqflist()[i].text, words)
  end
  vim.cmd('cclose')
  vim.bo.modified = false
  vim.cmd('buffer ' .. before)
end

return { cases = cases, lenses = lenses, at_the_cursor = at_the_cursor }
