-- Saved cases: lists those of a file, runs one or all, and saves the last run as one.
-- Failures are in the quickfix list, at the line of the expectation.
local M = {}

local choose = require('abl.choose')
local cursor = require('abl.cursor')
local needs = require('abl.needs')
local server = require('abl.server')
local run = require('abl.run')

local function label_of(case)
  local tags = server.has_value(case.tags) and #case.tags > 0 and '  #' .. table.concat(case.tags, ' #') or ''
  return ('%s: %s%s'):format(case.tool, case.name, tags)
end

--- with_cases calls done with the client and the cases of the current file.
local function with_cases(done)
  local client = server.client()
  if client then
    local uri = server.uri()
    server.request(client, 'abl.cases', { uri = uri }, function(cases)
      if #cases == 0 then
        local where = '; those of an imported tool are beside its own file' -- more would not fit in one line
        return server.notify('no saved cases here' .. (run.last() and where or '; :AblSaveCase saves the last run as one'), vim.log.levels.INFO)
      end
      done(client, cases)
    end)
  end
end

--- quickfix_row returns a row of the quickfix list.
local function quickfix_row(case, failure)
  local place = failure or case
  local text = label_of(case) .. ': ' .. (failure and failure.message or 'not called') -- which says what was compared
  return {
    filename = vim.uri_to_fname(place.uri),
    lnum = place.range.start.line + 1,
    col = place.range.start.character + 1,
    text = (text:gsub('\n', ' ')),
    type = 'E',
  }
end

--- add_failures appends the failures of a case.
local function add_failures(rows, case, answer)
  for _, failure in ipairs(answer.failures) do
    table.insert(rows, quickfix_row(case, failure))
  end
  local fault = server.has_value(answer.result) and answer.result.error
  if #answer.failures == 0 and server.has_value(fault) then
    table.insert(rows, quickfix_row(case, { message = fault.message, uri = case.uri, range = case.range }))
  elseif #answer.failures == 0 then
    table.insert(rows, quickfix_row(case))
  end
end

local title = 'abl test' -- the title of the quickfix list

--- show_quickfix shows failures in the quickfix list. Without failures it leaves a list of the
--- person unchanged, and closes its own.
local function show_quickfix(rows)
  if #rows == 0 and vim.fn.getqflist({ title = 0 }).title ~= title then
    return
  end
  vim.fn.setqflist({}, ' ', { title = title, items = rows })
  if #rows == 0 then
    pcall(vim.cmd, 'cclose') -- fails if there is no other window
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
  show_quickfix(rows)
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

--- run_all runs one case after the other. If the person says no to a question, the other cases
--- ask nothing, and those that need something are not run. If one is cancelled, no case runs
--- after it. A host that is allowed for one is allowed for those after it. At the end the person may type secrets
--- again with which cases were refused, and these cases run again.
local function run_all(client, cases)
  local counts, rows, left, hosts, refused, question = {}, {}, 0, nil, {}, nil
  local function step(i)
    local case = cases[i]
    if not case then
      report(counts, rows, left)
      return needs.ask_to_retype(question, function()
        run_all(client, refused)
      end)
    end
    local params = { uri = case.uri, tool = case.tool, case = case.name, allowHosts = hosts }
    run.test(client, params, #cases == 1, function(answer, asked)
      counts[answer.status] = (counts[answer.status] or 0) + 1
      hosts = asked.allowHosts
      if answer.status == 'failed' or answer.status == 'errored' then
        add_failures(rows, case, answer)
        local wrong = server.has_value(answer.result) and needs.retype_question(answer.result, asked) or nil
        question = question or wrong
        if wrong then
          table.insert(refused, case)
        end
      end
      step(i + 1)
    end, function(over, fault)
      if over then
        return report(counts, rows, left + #cases - i + 1)
      elseif fault then
        counts.errored = (counts.errored or 0) + 1
        table.insert(rows, quickfix_row(case, { message = fault, uri = case.uri, range = case.range }))
      else
        left = left + 1
      end
      step(i + 1)
    end, left > 0)
  end
  step(1)
end

--- run runs the case that a call names, and shows its result.
---@param client vim.lsp.Client
---@param params table
function M.run(client, params)
  cursor.find_named_case(client, params, function(case)
    if not case then
      return run.run(client, params) -- the server reports the error
    elseif case.skip ~= '' then
      return server.notify(('%s is skipped: %s'):format(label_of(case), case.skip), vim.log.levels.WARN)
    end
    run_all(client, { case })
  end)
end

--- test runs all cases of the current file, or those with a name.
---@param name string?
function M.test(name)
  with_cases(function(client, cases)
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

--- pick lists the cases, and runs the chosen one.
function M.pick()
  with_cases(function(client, cases)
    choose.select(cases, { prompt = 'Run a saved case: ', format_item = label_of }, function(case)
      if case then
        run_all(client, { case })
      end
    end)
  end)
end

--- save makes a case from the last run, which expects the same success or failure.
---@param name string? the server makes one where there is none
function M.save(name)
  local last = run.last()
  if not last then
    return server.notify('nothing has been run yet')
  end
  local fault = last.envelope.error
  if server.has_value(fault) and fault.code == 'cancelled' then
    return server.notify(last.params.tool .. ' was cancelled: run it to its end, and then save it')
  end
  local params = vim.deepcopy(last.params)
  cursor.find_named_case(last.client, params, function(case)
    params.args, params.session = cursor.merge_case(params, case, 'args'), cursor.merge_case(params, case, 'session')
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
