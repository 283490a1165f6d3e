-- The runs of this workspace in the journal: lists and filters them, shows one, runs it again, undoes it, or compares it
-- with another one.
local M = {}

local choose = require('abl.choose')
local environment = require('abl.environment')
local past_run = require('abl.past')
local run = require('abl.run')
local server = require('abl.server')
local has_value = server.has_value

local most = 50 -- runs in the list
local searched = 500 -- runs whose tools are completed

-- The words for how a run ended: in a command, as the server has it, and in a message.
local outcomes = {
  { 'ok', 'ok', 'has succeeded' },
  { 'failed', 'failed', 'has failed' },
  { 'refused', 'refused', 'was refused' },
  { 'cancelled', 'cancelled', 'was cancelled' },
  { 'did-not-run', 'did not run', 'only asked for something' },
  { 'did-not-end', 'did not end', 'has no known end' },
}

--- outcome_of returns what a word says of how runs ended, or nil.
local function outcome_of(word)
  for _, outcome in ipairs(outcomes) do
    if outcome[1] == word then
      return outcome
    end
  end
end

--- filter_of reads what is given to the command: `plot`, how runs ended, a folder, which has a slash or is `.`, and the name of
--- a tool, which may follow `tool=`.
local function filter_of(words)
  local filter = {}
  for _, word in ipairs(words) do
    local outcome = outcome_of(word)
    if word == 'plot' then
      filter.plot = true
    elseif outcome then
      filter.outcome, filter.ended = outcome[2], outcome[3]
    elseif word == '.' or word == '..' or word:find('[/\\]') then
      filter.folder = vim.fn.fnamemodify(vim.fn.expand(word), ':p'):gsub('(.)[/\\]+$', '%1')
    else
      filter.tool = word:gsub('^tool=', '')
    end
  end
  return filter
end

--- ask calls done with the client and what the server answers of the runs that a filter lets pass. Without a folder these
--- are the runs of this workspace.
local function ask(filter, changes, done)
  local client = server.client()
  if not client then
    return
  end
  local folder = filter.folder and vim.uri_from_fname(filter.folder)
  local wanted = { here = folder == nil, folder = folder, tool = filter.tool, outcome = filter.outcome }
  server.request(client, 'abl.history', vim.tbl_extend('force', wanted, changes), function(answer)
    done(client, answer)
  end)
end

--- run_again repeats a run in its environment.
local function run_again(client, past)
  if has_value(past.unrepeatable) then
    return server.notify(past.tool .. ' is not run again: ' .. past.unrepeatable, vim.log.levels.WARN)
  end
  local params = { uri = past.uri, tool = past.tool, version = past.version, args = past.args, environment = past.environment or '', fresh = true }
  environment.confirm_repeat(client, params, function()
    run.run(client, params)
  end)
end

--- show_in_window shows lines in the current window. q closes the tab.
local function show_in_window(name, lines)
  local bufnr = vim.fn.bufadd(name)
  vim.fn.bufload(bufnr)
  vim.bo[bufnr].buftype, vim.bo[bufnr].swapfile, vim.bo[bufnr].bufhidden = 'nofile', false, 'wipe'
  vim.bo[bufnr].modifiable = true
  vim.api.nvim_buf_set_lines(bufnr, 0, -1, false, lines)
  vim.bo[bufnr].modifiable = false
  vim.api.nvim_buf_set_keymap(bufnr, 'n', 'q', '<Cmd>tabclose<CR>', { noremap = true, silent = true })
  vim.api.nvim_win_set_buf(0, bufnr)
end

local function lines_of(text)
  return vim.split((text:gsub('\n$', '')), '\n')
end

--- in_new_tab calls show in a new tab when the person types nothing else.
local function in_new_tab(show)
  choose.when_free(vim.loop.now(), function()
    vim.cmd('tabnew')
    vim.bo.bufhidden = 'wipe'
    show()
  end)
end

--- compare shows two runs beside each other in a tab, the older one on the left.
local function compare(client, one, other)
  server.request(client, 'abl.history', { as = 'comparison', runs = { one.run, other.run } }, function(answer)
    in_new_tab(function()
      for i, past in ipairs({ answer.older, answer.newer }) do
        if i == 2 then
          vim.cmd('rightbelow vsplit')
        end
        show_in_window(('abl://%s %s %s'):format(past.tool, past.run, past_run.local_time(past.time)), lines_of(answer.texts[i]))
        vim.cmd('diffthis')
      end
    end)
  end)
end

-- The marks of runs in a plot, each with its highlighting.
local marks = { ['•'] = 'DiagnosticInfo', ['×'] = 'DiagnosticError', ['○'] = 'DiagnosticWarn' }

--- show_plot draws the duration of runs over time in a tab.
local function show_plot(answer)
  in_new_tab(function()
    show_in_window('abl://history', lines_of(answer.text))
    for _, option in ipairs({ 'number', 'relativenumber', 'wrap', 'list', 'spell' }) do
      vim.wo[option] = false
    end
    vim.wo.signcolumn, vim.wo.foldcolumn = 'no', '0'
    for mark, group in pairs(marks) do
      vim.fn.matchadd(group, mark)
    end
  end)
end

--- choose_other lets the person choose a run to compare with, first from those of the same tool.
local function choose_other(client, past, runs)
  local same, others = {}, {}
  for _, one in ipairs(runs) do
    if one.run ~= past.run then
      table.insert(one.tool == past.tool and same or others, one)
    end
  end
  choose.select(vim.list_extend(same, others), { prompt = 'Compare with: ', format_item = past_run.label }, function(other)
    if other then
      compare(client, past, other)
    end
  end)
end

--- act lets the person choose what to do with a run.
local function act(client, past, runs)
  local actions = { Show = run.show_past, ['Run again'] = run_again, Undo = run.revert_past }
  actions['Compare with another'] = function()
    choose_other(client, past, runs)
  end
  local words = vim.list_extend({ 'Show', 'Run again' }, #runs > 1 and { 'Compare with another' } or {})
  vim.list_extend(words, past.revertible == true and { 'Undo' } or {})
  choose.select(words, { prompt = ('This run of %s: '):format(past.tool) }, function(word)
    if word then
      actions[word](client, past)
    end
  end)
end

--- tell_nothing says that no run passes a filter.
local function tell_nothing(filter, words)
  local what = 'no run' .. (filter.tool and ' of ' .. filter.tool or '') .. (filter.folder and ' below ' .. filter.folder or '')
  server.notify(#words == 0 and 'nothing has been run yet' or ('%s %s'):format(what, filter.ended or 'is in the journal'), vim.log.levels.INFO)
end

--- pick lists runs of this workspace; the person chooses one, and what to do with it. With the word `plot` it draws them.
---@param words string[] see filter_of
function M.pick(words)
  local filter = filter_of(words)
  if filter.plot then
    return ask(filter, { as = 'plot', width = vim.o.columns }, function(_, answer)
      if #answer.series == 0 then
        return tell_nothing(filter, vim.list_extend({ 'plot' }, words))
      end
      show_plot(answer)
    end)
  end
  ask(filter, { limit = most }, function(client, runs)
    if #runs == 0 then
      return tell_nothing(filter, words)
    end
    choose.select(runs, { prompt = 'History: ', format_item = past_run.label }, function(past)
      if past then
        act(client, past, runs)
      end
    end)
  end)
end

--- complete completes the words that the command takes: `plot`, how runs ended, the names of tools that have run, and folders.
---@param begun string
---@return string[]
function M.complete(begun)
  local names = { 'plot' }
  for _, outcome in ipairs(outcomes) do
    table.insert(names, outcome[1])
  end
  for _, past in ipairs(server.request_sync('abl.history', { here = true, limit = searched })) do
    if not vim.tbl_contains(names, past.tool) then
      table.insert(names, past.tool)
    end
  end
  names = vim.tbl_filter(function(name)
    return vim.startswith(name, begun)
  end, names)
  return vim.list_extend(names, vim.fn.getcompletion(begun, 'dir'))
end

return M
