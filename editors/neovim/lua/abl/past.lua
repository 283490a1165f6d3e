-- A run of the journal, as a person reads it.
local M = {}

local exact = require('abl.exact')
local server = require('abl.server')
local has_value = server.has_value

local room = 80 -- for the arguments in a line, in characters

--- local_time returns a time of the journal, which is in UTC, in local time.
---@param time string
---@return string
function M.local_time(time)
  local names, at = { 'year', 'month', 'day', 'hour', 'min', 'sec' }, { isdst = false }
  for i, part in ipairs({ time:match('^(%d+)-(%d+)-(%d+)T(%d+):(%d+):(%d+)') }) do
    at[names[i]] = tonumber(part)
  end
  local there = os.time(at)
  local utc = os.date('!*t', there)
  utc.isdst = false
  return os.date('%Y-%m-%d %H:%M:%S', there + there - os.time(utc))
end

--- milliseconds returns a duration of an answer as a number.
---@param value any
---@return number
function M.milliseconds(value)
  return has_value(value) and tonumber(exact.encode(value)) or 0
end

--- duration returns milliseconds as text: `120 ms`, `14.7 s` or `2 min 5 s`.
---@param ms number
---@return string
function M.duration(ms)
  if ms < 999.5 then
    return ('%.0f ms'):format(ms)
  elseif ms < 59950 then
    return ('%.1f s'):format(ms / 1000)
  end
  local seconds = math.floor(ms / 1000 + 0.5)
  return ('%d min %d s'):format(seconds / 60, seconds % 60)
end

--- ending says how a run ended. A run that was refused, was cancelled or only asked has not failed.
---@param past table as abl.history has it
---@return string
function M.ending(past)
  return has_value(past.outcome) and past.outcome or past.ok == true and 'ok' or 'failed'
end

--- shorten cuts a text that is too long for a line.
local function shorten(text)
  return vim.fn.strchars(text) > room and vim.fn.strcharpart(text, 0, room - 1) .. '…' or text
end

--- label returns a run of the journal as one line: when it began, its tool, how it ended, where, how long it took, and its
--- arguments in short.
---@param past table
---@return string
function M.label(past)
  local tool = past.tool .. (has_value(past.reverts) and ' (undo)' or '')
  local ended = M.ending(past)
  for _, place in ipairs({ { ' in ', past.environment }, { ' on ', past.host } }) do
    ended = ended .. (has_value(place[2]) and place[2] ~= '' and table.concat(place) or '')
  end
  local took = has_value(past.duration_ms) and M.duration(M.milliseconds(past.duration_ms)) or nil
  local parts = { M.local_time(past.time), tool, ended }
  vim.list_extend(parts, { took })
  table.insert(parts, shorten(exact.encode(past.args or vim.empty_dict())))
  return table.concat(parts, '  ')
end

--- call returns the call of a run, without the arguments in which something was masked.
---@param past table
---@return table params of abl.run
function M.call(past)
  local args = vim.empty_dict()
  local whole = not (has_value(past.cut) and has_value(past.cut.args)) and has_value(past.args)
  for name, value in pairs(whole and past.args or {}) do
    if not vim.inspect(value):find('••••', 1, true) then
      args[name] = value
    end
  end
  return { uri = past.uri, tool = past.tool, version = past.version, args = args }
end

local unknown = 'It still runs, or what ran it has ended before it. It may have done what it was to do.'

--- envelope returns what the journal has of a run, as a result.
---@param past table
---@return table
function M.envelope(past)
  local cut = has_value(past.cut) and has_value(past.cut.value)
  return {
    run = past.run, ok = past.ok == true, ending = M.ending(past), tool = past.tool, value = past.value, duration_ms = past.duration_ms,
    error = has_value(past.ok) and past.error or { kind = 'unknown', message = unknown },
    warnings = cut and { 'The value was too long to keep whole.' } or nil,
    can_revert = false, environment = past.environment,
  }
end

return M
