-- Saved cases: lists those of a file, runs one or all, and saves the last run as
-- one. What fails stands in the quickfix list, at the line that expects it.
local M = {}

local choose = require('abl.choose')
local place = require('abl.place')
local server = require('abl.server')
local run = require('abl.run')

local function label(case)
  local tags = server.given(case.tags) and #case.tags > 0 and '  #' .. table.concat(case.tags, ' #') or ''
  return ('%s: %s%s'):format(case.tool, case.name, tags)
end

--- of_file gives done the client and the cases of the current file.
local function of_file(done)
  local client = server.client()
  if client then
    local uri = server.uri()
    server.request(client, 'abl.cases', { uri = uri }, function(cases)
      if #cases == 0 then
        local where = '; those of an imported tool are beside its own file' -- more would not stand in one line
        return server.notify('no saved cases here' .. (run.last() and where or '; :AblSaveCase saves the last run as one'), vim.log.levels.INFO)
      end
      done(client, cases)
    end)
  end
end

--- entry is a row of the quickfix list.
local function entry(case, failure)
  local place = failure or case
  local text = label(case) .. ': ' .. (failure and failure.message or 'not called')
  if failure and failure.expected ~= '' then
    text = ('%s (expected %s, got %s)'):format(text, failure.expected, failure.actual)
  end
  return {
    filename = vim.uri_to_fname(place.uri),
    lnum = place.range.start.line + 1,
    col = place.range.start.character + 1,
    text = (text:gsub('\n', ' ')),
    type = 'E',
  }
end

--- failed appends what is wrong with a case.
local function failed(rows, case, answer)
  for _, failure in ipairs(answer.failures) do
    table.insert(rows, entry(case, failure))
  end
  local fault = server.given(answer.result) and answer.result.error
  if #answer.failures == 0 and server.given(fault) then
    local where = { message = fault.message, expected = '', uri = case.uri, range = case.range }
    table.insert(rows, entry(case, where))
  elseif #answer.failures == 0 then
    table.insert(rows, entry(case))
  end
end

local title = 'abl test' -- of the quickfix list

--- list has the quickfix list show what fails. Where nothing does it leaves that of the
--- person alone, and takes its own away.
local function list(rows)
  if #rows == 0 and vim.fn.getqflist({ title = 0 }).title ~= title then
    return
  end
  vim.fn.setqflist({}, ' ', { title = title, items = rows })
  if #rows == 0 then
    pcall(vim.cmd, 'cclose') -- which cannot be where there is no other window
    return
  end
  local here = vim.api.nvim_get_current_win()
  vim.cmd('botright copen')
  vim.api.nvim_set_current_win(here)
end

local function report(counts, rows, left)
  if vim.tbl_isempty(counts) then
    return
  end
  list(rows)
  local words = {}
  for _, status in ipairs({ 'passed', 'failed', 'errored', 'skipped' }) do
    if counts[status] then
      table.insert(words, counts[status] .. ' ' .. status)
    end
  end
  if left > 0 then
    table.insert(words, left .. ' not run')
  end
  local level = #rows > 0 and 'ERROR' or left > 0 and 'WARN' or 'INFO'
  server.notify(table.concat(words, ', '), vim.log.levels[level])
end

--- run_all runs one case after the other. Where the person says no to what one asks, the
--- others ask nothing any more, and those that lack something fail; where one is cancelled,
--- none runs after it.
local function run_all(client, cases)
  local counts, rows, left = {}, {}, 0
  local function step(i)
    local case = cases[i]
    if not case then
      return report(counts, rows, left)
    end
    local params = { uri = case.uri, tool = case.tool, case = case.name }
    run.test(client, params, #cases == 1, function(answer)
      counts[answer.status] = (counts[answer.status] or 0) + 1
      if answer.status == 'failed' or answer.status == 'errored' then
        failed(rows, case, answer)
      end
      step(i + 1)
    end, function(over, fault)
      if over then
        return report(counts, rows, left + #cases - i + 1)
      elseif fault then
        counts.errored = (counts.errored or 0) + 1
        table.insert(rows, entry(case, { message = fault, expected = '', uri = case.uri, range = case.range }))
      else
        left = left + 1
      end
      step(i + 1)
    end, left > 0)
  end
  step(1)
end

--- run runs the case that a call names, and shows its result as well.
---@param client vim.lsp.Client
---@param params table
function M.run(client, params)
  place.named(client, params, function(case)
    if not case then
      return run.run(client, params) -- the server says what is wrong
    elseif case.skip ~= '' then
      return server.notify(('%s is skipped: %s'):format(label(case), case.skip), vim.log.levels.WARN)
    end
    run_all(client, { case })
  end)
end

--- test runs all cases of the current file, or those with a name.
---@param name string?
function M.test(name)
  of_file(function(client, cases)
    if name then
      cases = vim.tbl_filter(function(case)
        return case.name == name
      end, cases)
    end
    if #cases == 0 then
      return server.notify('no case ' .. name .. ' here')
    end
    run_all(client, cases)
  end)
end

--- pick lists the cases, and runs the one that is chosen.
function M.pick()
  of_file(function(client, cases)
    choose.select(cases, { prompt = 'Run a saved case: ', format_item = label }, function(case)
      if case then
        run_all(client, { case })
      end
    end)
  end)
end

--- save makes a case of the last run, which expects that it ends as it did.
---@param name string? the server makes one where there is none
function M.save(name)
  local last = run.last()
  if not last then
    return server.notify('nothing has been run yet')
  end
  local fault = last.envelope.error
  if server.given(fault) and fault.code == 'cancelled' then
    return server.notify(last.params.tool .. ' was cancelled: run it to its end, and then save it')
  end
  local params = vim.deepcopy(last.params)
  place.named(last.client, params, function(case)
    params.args, params.session = place.over(params, case, 'args'), place.over(params, case, 'session')
    params.environment = params.environment or case and case.environment
    params.name, params.case = name or '', nil
    params.expect = { ok = last.envelope.ok }
    server.request(last.client, 'abl.saveCase', params, function(saved)
      local where = ('%s:%d'):format(vim.fn.fnamemodify(vim.uri_to_fname(saved.uri), ':~:.'), saved.range.start.line + 1)
      server.notify('saved in ' .. where .. '; write that file to keep it', vim.log.levels.INFO)
    end)
  end)
end

return M
