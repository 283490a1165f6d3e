-- The runs of this workspace in the journal: lists and filters them, shows one, runs it again, undoes it, or compares it
-- with another one.
local M = {}

local choose = require('abl.choose')
local environment = require('abl.environment')
local exact = require('abl.exact')
local layout = require('abl.layout')
local past_run = require('abl.past')
local run = require('abl.run')
local server = require('abl.server')
local has_value = server.has_value

local most = 50 -- runs in the list
local searched = 500 -- runs whose tools are completed

--- filter_of reads what is given to the command: `failed`, and the name of a tool.
local function filter_of(words)
  local filter = {}
  for _, word in ipairs(words) do
    if word == 'failed' then
      filter.failed = true
    else
      filter.tool = word
    end
  end
  return filter
end

--- list calls done with the client and the runs that a filter lets pass, the newest first.
local function list(filter, done)
  local client = server.client()
  if not client then
    return
  end
  local wanted = { limit = most, here = true, tool = filter.tool, failed = filter.failed }
  server.request(client, 'abl.history', wanted, function(runs)
    done(client, runs)
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

--- outcome returns the lines of a value, or of an error, without what differs in each run.
local function outcome(past)
  local envelope, lines = past_run.envelope(past), {}
  if not envelope.ok then
    return vim.split(envelope.ending .. ': ' .. (has_value(envelope.error) and envelope.error.message or ''), '\n')
  elseif type(envelope.value) ~= 'table' then
    return vim.split(exact.to_text(envelope.value), '\n')
  end
  layout.add(lines, envelope.value)
  return lines
end

--- show_in_window shows what came of a run in the current window, to be compared. q closes the tab.
local function show_in_window(past)
  local bufnr = vim.fn.bufadd(('abl://%s %s %s'):format(past.tool, past_run.local_time(past.time), past.run))
  vim.fn.bufload(bufnr)
  vim.bo[bufnr].buftype, vim.bo[bufnr].swapfile, vim.bo[bufnr].bufhidden = 'nofile', false, 'wipe'
  vim.bo[bufnr].modifiable = true
  vim.api.nvim_buf_set_lines(bufnr, 0, -1, false, outcome(past))
  vim.bo[bufnr].modifiable = false
  vim.api.nvim_buf_set_keymap(bufnr, 'n', 'q', '<Cmd>tabclose<CR>', { noremap = true, silent = true })
  vim.api.nvim_win_set_buf(0, bufnr)
  vim.cmd('diffthis')
end

--- compare shows two runs beside each other in a tab, the older one on the left.
local function compare(one, other)
  local older, newer = one, other
  if one.time > other.time then
    older, newer = other, one
  end
  vim.cmd('tabnew')
  vim.bo.bufhidden = 'wipe'
  show_in_window(older)
  vim.cmd('rightbelow vsplit')
  show_in_window(newer)
end

--- choose_other lets the person choose a run to compare with, first from those of the same tool.
local function choose_other(past, runs)
  local same, others = {}, {}
  for _, one in ipairs(runs) do
    if one.run ~= past.run then
      table.insert(one.tool == past.tool and same or others, one)
    end
  end
  choose.select(vim.list_extend(same, others), { prompt = 'Compare with: ', format_item = past_run.label }, function(other)
    if other then
      compare(past, other)
    end
  end)
end

--- act lets the person choose what to do with a run.
local function act(client, past, runs)
  local actions = { Show = run.show_past, ['Run again'] = run_again, Undo = run.revert_past }
  actions['Compare with another'] = function()
    choose_other(past, runs)
  end
  local words = vim.list_extend({ 'Show', 'Run again' }, #runs > 1 and { 'Compare with another' } or {})
  vim.list_extend(words, past.revertible == true and { 'Undo' } or {})
  choose.select(words, { prompt = ('This run of %s: '):format(past.tool) }, function(word)
    if word then
      actions[word](client, past)
    end
  end)
end

--- pick lists runs of this workspace; the person chooses one, and what to do with it.
---@param words string[] `failed` for those that failed, and the name of a tool
function M.pick(words)
  local filter = filter_of(words)
  list(filter, function(client, runs)
    if #runs == 0 then
      local what = (filter.tool and 'no run of ' .. filter.tool or 'no run') .. (filter.failed and ' has failed' or ' is in the journal')
      return server.notify(#words == 0 and 'nothing has been run yet' or what, vim.log.levels.INFO)
    end
    choose.select(runs, { prompt = 'History: ', format_item = past_run.label }, function(past)
      if past then
        act(client, past, runs)
      end
    end)
  end)
end

--- complete completes `failed` and the names of tools that have run.
---@param begun string
---@return string[]
function M.complete(begun)
  local names = { 'failed' }
  for _, past in ipairs(server.request_sync('abl.history', { here = true, limit = searched })) do
    if not vim.tbl_contains(names, past.tool) then
      table.insert(names, past.tool)
    end
  end
  return vim.tbl_filter(function(name)
    return vim.startswith(name, begun)
  end, names)
end

return M
