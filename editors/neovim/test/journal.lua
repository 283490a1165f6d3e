-- The history of runs, for run.lua, which sets the answers and waits for messages.
local answer, last_told = ...
local h = dofile(vim.env.ABL_PLUGIN .. '/test/helpers.lua')
local wait, equal, contains, result_text = h.wait, h.equal, h.contains, h.result_text

--- endings says how runs ended, where, and how long they took.
local function endings()
  local past, exact = require('abl.past'), require('abl.exact')
  local function label(changes)
    local one = { time = '2026-11-22T01:00:27.09Z', tool = 'x', ok = false, args = { city = 'Rome' }, environment = '', duration_ms = exact.as_json('12.25') }
    return (past.label(vim.tbl_extend('force', one, changes)):gsub('^%S+ %S+  x  ', ''))
  end
  for want, changes in pairs({
    ['ok in live on a.b  12 ms  {"city": "Rome"}'] = { ok = true, environment = 'live', host = 'a.b' },
    ['failed  14.7 s  {"city": "Rome"}'] = { outcome = 'failed', duration_ms = 14676 },
    ['did not run  2 min 5 s  {"city": "Rome"}'] = { outcome = 'did not run', duration_ms = 125000 },
    ['ok  12 ms  {"a": "' .. ('🛫'):rep(72) .. '…'] = { ok = true, args = { a = ('🛫'):rep(90) } },
  }) do
    equal('a run', label(changes), want)
  end
end

--- filter lists the runs that failed, and those of one tool; the words are completed.
local function filter()
  local listed
  local function see(items)
    listed = vim.tbl_map(function(past)
      return past.tool .. ' ' .. require('abl.past').ending(past)
    end, items)
  end
  local function list(command)
    listed = nil
    answer({ ['History:'] = see })
    vim.cmd(command)
    wait('the list of ' .. command, function()
      return listed
    end)
    local all = {}
    for _, one in ipairs(listed) do
      all[one] = true
    end
    all = vim.tbl_keys(all)
    table.sort(all)
    return all
  end
  equal('of a tool', list('AblHistory clock'), { 'clock ok' })
  local failed = list('AblHistory failed')
  equal('cancelled ones are left out', vim.tbl_contains(failed, 'slow_report cancelled'), false)
  equal('failed', { #failed > 0, #vim.tbl_filter(function(one)
    return not vim.endswith(one, ' failed')
  end, failed) }, { true, 0 })
  equal('cancelled', vim.tbl_contains(list('AblHistory slow_report'), 'slow_report cancelled'), true)
  answer({})
  vim.cmd('AblHistory failed clock')
  last_told('no run of clock has failed')
  equal('with an outcome', list('AblHistory cancelled'), { 'slow_report cancelled' })
  equal('of a folder', #list('AblHistory runs/ tool=clock'), 1)
  vim.cmd('AblHistory ' .. vim.env.ABL_PLUGIN .. ' ok')
  last_told('no run below ' .. vim.env.ABL_PLUGIN .. ' has succeeded')
  equal('words', vim.fn.getcompletion('AblHistory fa', 'cmdline'), { 'failed' })
  equal('words', vim.fn.getcompletion('AblHistory ru', 'cmdline'), { 'runs/' })
  contains('words', table.concat(vim.fn.getcompletion('AblHistory ', 'cmdline'), ' '), 'weather')
end

--- plot draws the runs of a tool in a tab, as wide as the screen.
local function plot()
  local before = vim.api.nvim_get_current_tabpage()
  vim.cmd('AblHistory plot slow_report')
  wait('the tab', function()
    return vim.api.nvim_get_current_tabpage() ~= before
  end)
  local lines = vim.api.nvim_buf_get_lines(0, 0, -1, false)
  equal('the heading', lines[1], 'slow_report  run.tools.abl')
  contains('how many', lines[2], ' none failed, median ')
  contains('the marks', table.concat(lines, '\n'), '○\n')
  local widest = 0
  for _, line in ipairs(lines) do
    widest = math.max(widest, vim.fn.strdisplaywidth(line))
  end
  equal('no line is cut', { widest <= vim.o.columns, vim.wo.wrap, #vim.fn.getmatches() }, { true, false, 3 })
  vim.api.nvim_feedkeys('q', 'xt', false)
  equal('closed', vim.api.nvim_get_current_tabpage(), before)
  vim.cmd('AblHistory plot nothing')
  last_told('no run of nothing is in the journal')
end

--- show_and_compare shows a run without running it, and then compares two.
local function show_and_compare()
  local function of(city)
    return function(items)
      for _, past in ipairs(items) do
        if past.tool == 'weather' and past.ok and past.args.city == city then
          return past
        end
      end
    end
  end
  require('abl.result').open({})
  answer({ ['History:'] = of('Rome'), ['This'] = 'Show' })
  vim.cmd('AblHistory weather')
  wait('the run', function()
    return result_text():find('"city": "Rome"', 1, true)
  end)
  contains('the split', result_text(), ' ms, begun at 20')
  answer({ ['Allow'] = 'Allow', ['Run'] = 'Run' })
  vim.cmd('wincmd j | AblRun!')
  h.write_arguments('weather', '{"city": "Paris"}')
  wait('another run with its arguments', function()
    return result_text():find('"city": "Paris"', 1, true)
  end)
  vim.cmd('wincmd p')

  local before = vim.api.nvim_get_current_tabpage()
  answer({ ['History:'] = of('Paris'), ['This'] = 'Compare with another', ['Compare'] = of('Rome') })
  vim.cmd('AblHistory')
  wait('the tab', function()
    return vim.api.nvim_get_current_tabpage() ~= before
  end)
  local shown = vim.tbl_map(function(win)
    local bufnr = vim.api.nvim_win_get_buf(win)
    local text = table.concat(vim.api.nvim_buf_get_lines(bufnr, 0, -1, false), '\n')
    local said = { text:match('^outcome: ok %(.- m?s%)\n') ~= nil, text:match('arguments:\n{\n  "city": "(%a+)"'), text:match('value:\n{\n  "city": "(%a+)"') }
    return { vim.fn.getwinvar(win, '&diff'), vim.api.nvim_buf_get_name(bufnr):match('^abl://weather 20') ~= nil, said }
  end, vim.api.nvim_tabpage_list_wins(0))
  equal('the older one is on the left', shown, { { 1, true, { true, 'Rome', 'Rome' } }, { 1, true, { true, 'Paris', 'Paris' } } })
  vim.api.nvim_feedkeys('q', 'xt', false)
  equal('closed', vim.api.nvim_get_current_tabpage(), before)
end

return { endings = endings, filter = filter, plot = plot, show_and_compare = show_and_compare }
