-- Shows how far a run is, and its result, in a split that the next run takes over; q
-- closes it.
local M = {}

local exact = require('abl.exact')
local layout = require('abl.layout')
local server = require('abl.server')

local waiting = '' -- words that are not in the split yet

--- text appends a text of several lines.
local function text(lines, words)
  vim.list_extend(lines, vim.split((words:gsub('\n$', '')), '\n'))
end

local function given(value)
  return server.given(value) and value ~= '' and not (type(value) == 'table' and vim.tbl_isempty(value))
end

--- section appends a heading, and below it what fill writes, if there is anything.
local function section(lines, name, value, fill)
  if given(value) then
    vim.list_extend(lines, { '', name .. ':' })
    fill(lines, value)
  end
end

local function took(one)
  return ('%.0f ms'):format(given(one.duration_ms) and tonumber(exact.encode(one.duration_ms)) or 0)
end

--- attempts has a line for each try: what came of it, and how long it took.
local function attempts(lines, all)
  for i, one in ipairs(all) do
    local what = given(one.error) and one.error or given(one.status) and one.status ~= 0 and tostring(one.status) or 'ok'
    text(lines, ('%d  %s  %s'):format(i, what, took(one)))
  end
end

local function fault(lines, error)
  text(lines, error.message)
  if given(error.hint) then
    text(lines, error.hint)
  end
end

--- known has what else is known of a failure, a stack in its lines.
local function known(lines, details)
  local names = vim.tbl_keys(details)
  table.sort(names)
  for _, name in ipairs(names) do
    local value = details[name]
    if type(value) == 'string' and value:find('\n', 1, true) then
      text(lines, name .. ':\n' .. value)
    else
      layout.add(lines, value, name .. ': ')
    end
  end
end

--- refusal has what the other side said in it, and the details that the message lacks.
local function refusal(lines, details)
  local others = vim.tbl_extend('force', {}, details)
  others.body, others.host, others.status = nil, nil, nil
  section(lines, 'answer', details.body, text)
  section(lines, 'details', others, known)
end

--- lines is an envelope as text: one line of what happened, then the value, or
--- what went wrong and what to do, then all else that is to be said.
---@param envelope table as abl.run answers
---@param heading string? in the place of how long it took
---@param began string? the time of day
---@return string[]
function M.lines(envelope, heading, began)
  local took_it = took(envelope) .. (began and ', begun at ' .. began or '')
  local ended = envelope.ok and (heading or 'ok  ' .. took_it) or 'failed  ' .. took_it
  local lines = { envelope.tool .. '  ' .. ended, '' }
  if given(envelope.error) then
    fault(lines, envelope.error)
  end
  if given(envelope.encoding) then -- of bytes that are no text
    text(lines, ('%s, in %s:'):format(envelope.content_type, envelope.encoding))
  end
  if type(envelope.value) == 'table' then
    layout.add(lines, envelope.value)
  elseif server.given(envelope.value) then
    text(lines, exact.text(envelope.value))
  end
  if given(envelope.error) and given(envelope.error.details) then
    refusal(lines, envelope.error.details)
  end
  for _, warning in ipairs(given(envelope.warnings) and envelope.warnings or {}) do
    text(lines, 'warning: ' .. warning)
  end
  section(lines, 'set', envelope.set, layout.add)
  section(lines, 'console', envelope.console, text)
  section(lines, 'attempts', envelope.attempts, attempts)
  section(lines, 'request', envelope.request, layout.add)
  if envelope.can_revert then
    vim.list_extend(lines, { '', ':AblRevert undoes it.' })
  end
  return lines
end

--- show has the split show an envelope.
---@param envelope table
---@param heading string?
---@param began string?
---@param room integer? see M.open
function M.show(envelope, heading, began, room)
  M.open(M.lines(envelope, heading, began), room)
end

--- leave closes the split; the last window there is shows what it did before.
function M.leave()
  for _, way in ipairs({ 'close', 'buffer #', 'bprevious', 'enew' }) do
    if pcall(vim.cmd, way) then
      return
    end
  end
end

--- buffer is that of the split, which it makes.
local function buffer()
  local bufnr = vim.fn.bufadd('abl://result')
  vim.fn.bufload(bufnr)
  vim.bo[bufnr].buftype = 'nofile'
  vim.bo[bufnr].swapfile = false
  vim.bo[bufnr].modifiable, vim.bo[bufnr].readonly = true, false -- whatever files are, by -M or -R
  vim.bo[bufnr].undolevels = -1 -- `u` would show what :AblRun there does not run
  vim.api.nvim_buf_set_keymap(bufnr, 'n', 'q', "<Cmd>lua require('abl.result').leave()<CR>", { noremap = true, silent = true })
  return bufnr
end

--- belongs has the split be about a file of a client, for the commands that are given there.
---@param client vim.lsp.Client
---@param uri string? nil for none
function M.belongs(client, uri)
  local bufnr = buffer()
  vim.b[bufnr].abl_root, vim.b[bufnr].abl_uri = server.root(client), uri
end

--- is_here says whether the cursor is in the split.
---@return boolean
function M.is_here()
  return vim.api.nvim_buf_get_name(0) == 'abl://result'
end

--- open shows lines in the split, the first of them at its top; the cursor stays in
--- the window where it is.
---@param lines string[]
---@param room integer? makes it as high as all lines, and so many more
function M.open(lines, room)
  waiting = ''
  local bufnr = buffer()
  vim.api.nvim_buf_set_lines(bufnr, 0, -1, false, lines)
  if vim.fn.bufwinid(bufnr) == -1 then
    local here, ignored = vim.api.nvim_get_current_win(), vim.o.eventignore
    vim.opt.eventignore:append({ 'BufEnter', 'BufLeave', 'WinEnter', 'WinLeave' }) -- a prompt of another plugin ends where it is left
    local there = pcall(vim.cmd, 'botright split')
    if there then
      vim.api.nvim_win_set_buf(0, bufnr)
      vim.api.nvim_set_current_win(here)
    end
    vim.o.eventignore = ignored
    if not there then -- a screen that is too small, the window of command lines
      return server.notify(lines[1] .. '; :sbuffer abl://result shows it', vim.log.levels.INFO)
    end
  end
  local win = vim.fn.bufwinid(bufnr)
  vim.api.nvim_win_set_cursor(win, { 1, 0 })
  local height = math.min(#lines + (room or 0), vim.o.lines - 5)
  if room and vim.api.nvim_win_get_height(win) < height then
    vim.api.nvim_win_set_height(win, height)
  end
end

local function flush()
  if waiting == '' then
    return
  end
  local bufnr, lines = buffer(), vim.split(waiting, '\n')
  waiting = ''
  lines[1] = vim.api.nvim_buf_get_lines(bufnr, -2, -1, false)[1] .. lines[1]
  vim.api.nvim_buf_set_lines(bufnr, -2, -1, false, lines)
  local win = vim.fn.bufwinid(bufnr)
  if win ~= -1 and win ~= vim.api.nvim_get_current_win() then
    vim.api.nvim_win_set_cursor(win, { vim.api.nvim_buf_line_count(bufnr), 0 })
  end
end

--- append adds to the end of the split, and shows it unless the person is there. What
--- comes in many small pieces is added in few: each costs as much as its line is long.
---@param words string
function M.append(words)
  if waiting == '' then
    vim.defer_fn(flush, 50)
  end
  waiting = waiting .. words
end

return M
