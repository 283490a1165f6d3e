-- Shows the progress of a run, and its result, in a split that the next run reuses; q
-- closes it.
local M = {}

local content = require('abl.content')
local exact = require('abl.exact')
local layout = require('abl.layout')
local past_run = require('abl.past')
local server = require('abl.server')

local pending = '' -- words for the split that are not shown yet

--- add_text appends a text of several lines.
local function add_text(lines, words)
  vim.list_extend(lines, vim.split((words:gsub('\n$', '')), '\n'))
end

local function has_content(value)
  return server.has_value(value) and value ~= '' and not (type(value) == 'table' and vim.tbl_isempty(value))
end

--- add_section appends a heading, and the lines that fill writes, if there is a value.
local function add_section(lines, name, value, fill)
  if has_content(value) then
    vim.list_extend(lines, { '', name .. ':' })
    fill(lines, value)
  end
end

local function duration(one)
  return past_run.duration(past_run.milliseconds(one.duration_ms))
end

--- add_attempts adds a line for each attempt: its result and its duration.
local function add_attempts(lines, all)
  for i, one in ipairs(all) do
    local what = has_content(one.error) and one.error or has_content(one.status) and one.status ~= 0 and tostring(one.status) or 'ok'
    add_text(lines, ('%d  %s  %s'):format(i, what, duration(one)))
  end
end

local function add_fault(lines, error)
  add_text(lines, error.message)
  if has_content(error.hint) then
    add_text(lines, error.hint)
  end
end

--- add_details adds other details of a failure; a stack keeps its lines.
local function add_details(lines, details)
  for _, name in ipairs(exact.keys(details)) do
    local value = details[name]
    if type(value) == 'string' and value:find('\n', 1, true) then
      add_text(lines, name .. ':\n' .. value)
    else
      layout.add(lines, value, name .. ': ')
    end
  end
end

--- add_refusal adds the answer of the other side, and the details that the message lacks.
local function add_refusal(lines, details)
  local others = vim.tbl_extend('force', {}, details)
  others.body, others.host, others.status = nil, nil, nil
  add_section(lines, 'answer', details.body, add_text)
  add_section(lines, 'details', others, add_details)
end

--- lines returns an envelope as text: one line about the outcome, then the value, or the error
--- and what to do, then everything else.
---@param envelope table as abl.run answers
---@param heading string? in the place of how long it took
---@param began string? the time of day
---@return string[]
function M.lines(envelope, heading, began)
  local took_it = duration(envelope) .. (began and ', begun at ' .. began or '')
  local ended = envelope.ok and (heading or 'ok  ' .. took_it) or (envelope.ending or 'failed') .. '  ' .. took_it
  local lines = { envelope.tool .. '  ' .. ended, '' }
  if has_content(envelope.error) then
    add_fault(lines, envelope.error)
  end
  if has_content(envelope.encoding) then -- bytes that are not text
    add_text(lines, ('%s, in %s:'):format(envelope.content_type, envelope.encoding))
  end
  if has_content(envelope.content) then -- of an MCP server
    vim.list_extend(lines, content.lines(envelope.content))
  end
  if content.replaces_value(envelope.value, envelope.content) then
    envelope = vim.tbl_extend('force', envelope, { value = vim.NIL })
  end
  if type(envelope.value) == 'table' then
    layout.add(lines, envelope.value)
  elseif server.has_value(envelope.value) then
    add_text(lines, exact.to_text(envelope.value))
  end
  if has_content(envelope.error) and has_content(envelope.error.details) then
    add_refusal(lines, envelope.error.details)
  end
  for _, warning in ipairs(has_content(envelope.warnings) and envelope.warnings or {}) do
    add_text(lines, 'warning: ' .. warning)
  end
  add_section(lines, 'set', envelope.set, layout.add)
  add_section(lines, 'console', envelope.console, add_text)
  add_section(lines, 'attempts', envelope.attempts, add_attempts)
  add_section(lines, 'request', envelope.request, layout.add)
  if envelope.can_revert then
    vim.list_extend(lines, { '', ':AblRevert undoes it.' })
  end
  return lines
end

--- show shows an envelope in the split.
---@param envelope table
---@param heading string?
---@param began string?
---@param room integer? see M.open
function M.show(envelope, heading, began, room)
  M.blocks = envelope.content
  M.open(M.lines(envelope, heading, began), room)
end

--- close closes the split; if it is the last window, the window shows its earlier buffer.
function M.close()
  for _, way in ipairs({ 'close', 'buffer #', 'bprevious', 'enew' }) do
    if pcall(vim.cmd, way) then
      return
    end
  end
end

--- get_buffer returns the buffer of the split, and creates it if needed.
local function get_buffer()
  local bufnr = vim.fn.bufadd('abl://result')
  vim.fn.bufload(bufnr)
  vim.bo[bufnr].buftype = 'nofile'
  vim.bo[bufnr].swapfile = false
  vim.bo[bufnr].modifiable, vim.bo[bufnr].readonly = true, false -- also with -M or -R
  vim.bo[bufnr].undolevels = -1 -- `u` would show another call than that of :AblRun
  vim.api.nvim_buf_set_keymap(bufnr, 'n', 'q', "<Cmd>lua require('abl.result').close()<CR>", { noremap = true, silent = true })
  return bufnr
end

--- set_file sets the file and the client of the split, for commands that are given there.
---@param client vim.lsp.Client
---@param uri string? nil for none
function M.set_file(client, uri)
  local bufnr = get_buffer()
  vim.b[bufnr].abl_root, vim.b[bufnr].abl_uri = server.root(client), uri
end

--- is_here returns whether the cursor is in the split.
---@return boolean
function M.is_here()
  return vim.api.nvim_buf_get_name(0) == 'abl://result'
end

--- open shows lines in the split, from the first one; the cursor stays in the window where
--- it is.
---@param lines string[]
---@param room integer? makes it as high as all lines, and so many more
function M.open(lines, room)
  pending = ''
  local bufnr = get_buffer()
  vim.api.nvim_buf_set_lines(bufnr, 0, -1, false, lines)
  if vim.fn.bufwinid(bufnr) == -1 then
    local here, ignored = vim.api.nvim_get_current_win(), vim.o.eventignore
    vim.opt.eventignore:append({ 'BufEnter', 'BufLeave', 'WinEnter', 'WinLeave' }) -- leaving it would end another plugin's prompt
    local there = pcall(vim.cmd, 'botright split')
    if there then
      vim.api.nvim_win_set_buf(0, bufnr)
      vim.api.nvim_set_current_win(here)
    end
    vim.o.eventignore = ignored
    if not there then -- the screen is too small, or it is the command-line window
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
  if pending == '' then
    return
  end
  local bufnr, lines = get_buffer(), vim.split(pending, '\n')
  pending = ''
  lines[1] = vim.api.nvim_buf_get_lines(bufnr, -2, -1, false)[1] .. lines[1]
  vim.api.nvim_buf_set_lines(bufnr, -2, -1, false, lines)
  local win = vim.fn.bufwinid(bufnr)
  if win ~= -1 and win ~= vim.api.nvim_get_current_win() then
    vim.api.nvim_win_set_cursor(win, { vim.api.nvim_buf_line_count(bufnr), 0 })
  end
end

--- append adds words to the end of the split, and shows them unless the cursor is in the split.
--- Many small pieces are added together, because each costs as much as its line is long.
---@param words string
function M.append(words)
  if pending == '' then
    vim.defer_fn(flush, 50)
  end
  pending = pending .. words
end

return M
