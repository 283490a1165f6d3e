-- Shows the result of a run in a split that the next run takes over.
local M = {}

--- render appends a decoded JSON value to lines, two spaces a level.
local function render(lines, value, indent, prefix, suffix)
  local pad = ('  '):rep(indent)
  local list = type(value) == 'table' and (vim.tbl_islist or vim.islist)(value)
  if type(value) ~= 'table' or vim.tbl_isempty(value) then
    table.insert(lines, pad .. prefix .. vim.fn.json_encode(value) .. suffix)
    return
  end
  table.insert(lines, pad .. prefix .. (list and '[' or '{'))
  local keys = vim.tbl_keys(value)
  table.sort(keys)
  for i, key in ipairs(keys) do
    local name = list and '' or vim.fn.json_encode(key) .. ': '
    render(lines, value[key], indent + 1, name, i < #keys and ',' or '')
  end
  table.insert(lines, pad .. (list and ']' or '}') .. suffix)
end

--- lines is an envelope as text: one line of what happened, then the value,
--- or what went wrong and what to do.
function M.lines(envelope)
  local lines = {
    ('%s  %s  %d ms'):format(envelope.tool, envelope.ok and 'ok' or 'failed', envelope.duration_ms or 0),
    '',
  }
  local fault = envelope.error
  if type(fault) == 'table' then
    vim.list_extend(lines, vim.split(fault.message, '\n'))
    if type(fault.hint) == 'string' and fault.hint ~= '' then
      vim.list_extend(lines, vim.split(fault.hint, '\n'))
    end
  end
  if envelope.value ~= nil and envelope.value ~= vim.NIL then
    render(lines, envelope.value, 0, '', '')
  end
  for _, warning in ipairs(type(envelope.warnings) == 'table' and envelope.warnings or {}) do
    table.insert(lines, 'warning: ' .. warning)
  end
  if envelope.can_revert then
    table.insert(lines, '')
    table.insert(lines, ':AblRevert undoes it.')
  end
  return lines
end

function M.show(envelope)
  local name = 'abl://result'
  local bufnr = vim.fn.bufadd(name)
  vim.fn.bufload(bufnr)
  vim.bo[bufnr].buftype = 'nofile'
  vim.bo[bufnr].swapfile = false
  vim.api.nvim_buf_set_lines(bufnr, 0, -1, false, M.lines(envelope))
  if vim.fn.bufwinid(bufnr) == -1 then
    local here = vim.api.nvim_get_current_win()
    vim.cmd('botright split')
    vim.api.nvim_win_set_buf(0, bufnr)
    vim.api.nvim_set_current_win(here)
  end
end

return M
