-- What the sessions of the tests share: waiting, comparing, and sending requests.
local M = {}

function M.note(text)
  io.stdout:write(text, '\n')
end

function M.wait(what, condition)
  if not vim.wait(20000, condition, 10) then
    error(('waited in vain for %s; the split: %s; the messages: %s'):format(what, M.result_text(), vim.fn.execute('messages')), 2)
  end
end

function M.equal(what, got, want)
  if not vim.deep_equal(got, want) then
    error(('%s: got %s, want %s'):format(what, vim.inspect(got), vim.inspect(want)), 2)
  end
end

function M.contains(what, text, part)
  if not text:find(part, 1, true) then
    error(('%s: no %q in %q'):format(what, part, text), 2)
  end
end

function M.client()
  local all = (vim.lsp.get_clients or vim.lsp.get_active_clients)()
  return all[1]
end

function M.request(method, params, handler)
  local c = M.client()
  if vim.fn.has('nvim-0.11') == 1 then
    return c:request(method, params, handler, vim.api.nvim_get_current_buf())
  end
  return c.request(method, params, handler, vim.api.nvim_get_current_buf())
end

--- ask sends a request and waits for its result.
function M.ask(method, params)
  local answered, failure, result = false, nil, nil
  M.request(method, params, function(err, res)
    answered, failure, result = true, err, res
  end)
  M.wait('an answer to ' .. method, function()
    return answered
  end)
  M.equal('error of ' .. method, failure, nil)
  return result
end

--- find moves the cursor to a text of the current buffer; returns line and
--- column, from 0.
function M.find(text, offset)
  for i, line in ipairs(vim.api.nvim_buf_get_lines(0, 0, -1, false)) do
    local column = line:find(text, 1, true)
    if column then
      column = column - 1 + (offset or 0)
      vim.api.nvim_win_set_cursor(0, { i, column })
      return i - 1, column
    end
  end
  error('no ' .. text .. ' in ' .. vim.api.nvim_buf_get_name(0), 2)
end

--- choose sets which entry of the next menus is chosen, by a part of its text.
function M.choose(text)
  vim.ui.select = function(items, options, done)
    for i, item in ipairs(items) do
      local label = options.format_item and options.format_item(item) or item
      if label:find(text, 1, true) then
        return done(item, i)
      end
    end
    error('no ' .. text .. ' among ' .. vim.inspect(items))
  end
end

--- arguments waits for the buffer with the arguments of a tool, and returns its text.
function M.arguments(tool)
  M.wait('the arguments of ' .. tool, function()
    return vim.endswith(vim.api.nvim_buf_get_name(0), '.' .. tool .. '.arguments.json')
  end)
  return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n')
end

--- write_arguments sends other arguments from that buffer.
function M.write_arguments(tool, json)
  M.arguments(tool)
  vim.api.nvim_buf_set_lines(0, 0, -1, false, vim.split(json, '\n'))
  vim.cmd('write')
end

function M.signal(name)
  return vim.fn.filereadable(vim.env.ABL_SIGNALS .. '/' .. name) == 1
end

function M.result_text()
  local bufnr = vim.fn.bufnr('abl://result')
  return bufnr > 0 and table.concat(vim.api.nvim_buf_get_lines(bufnr, 0, -1, false), '\n') or ''
end

--- see waits until the split shows a text.
function M.see(part)
  M.wait(part, function()
    return M.result_text():find(part, 1, true)
  end)
end

--- in_file calls done in a new file of tools, and deletes it afterwards.
function M.in_file(file, lines, done)
  local before = vim.api.nvim_get_current_buf()
  vim.fn.writefile(lines, file)
  vim.cmd('edit ' .. vim.fn.fnameescape(file))
  M.wait('the client', function()
    return vim.lsp.buf_is_attached(0, M.client().id)
  end)
  require('abl.result').open({})
  done()
  vim.cmd('buffer ' .. before .. ' | bwipeout! ' .. vim.fn.fnameescape(file))
  vim.fn.delete(file)
end

--- stop ends the servers, which write into the folder of the test until then. One that
--- is just starting is listed later.
local function stop()
  local stopped = {}
  vim.wait(5000, function()
    local all = (vim.lsp.get_clients or vim.lsp.get_active_clients)()
    for _, c in pairs(all) do
      if not stopped[c.id] then
        stopped[c.id] = true
        c.stop(vim.fn.has('nvim-0.11') == 1 and c or nil)
      end
    end
    return vim.tbl_isempty(all)
  end, 10)
end

--- run runs one step after the other, and ends Neovim.
function M.run(steps)
  for _, step in ipairs(steps) do
    local ok, err = xpcall(step[2], debug.traceback)
    M.note((ok and 'ok    ' or 'FAIL  ') .. step[1])
    if not ok then
      M.note(err)
      vim.cmd('cquit')
    end
  end
  stop()
  vim.cmd('qall!')
end

return M
