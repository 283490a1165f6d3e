-- All arguments of a call as one JSON buffer, with completion, hover and diagnostics by the server: `:w` or <CR> sends
-- them, `:q` gives up. Its name is that of a file beside the tool's file, but it is never written to disk. Secret arguments
-- are not in it: they are asked for after `:w`.
local M = {}

local exact = require('abl.exact')
local layout = require('abl.layout')
local secret = require('abl.secret')
local server = require('abl.server')

local highest = 15 -- lines of the split

--- An open buffer.
---@class abl.Editing
---@field name string of the buffer
---@field schema table JSON Schema of the tool's arguments
---@field secrets table the secret arguments that were given before
---@field send fun(args: table) is called with what was written
---@field quit fun(args: table?) is called with what was written until then, nil if that is no JSON
---@field windows integer[] in which the cursor was before, the last one last
---@field sent boolean? `:w` has been accepted

---@type table<integer, abl.Editing>
local open = {} -- by the number of the buffer

---@type table<string, string[]>
local drafts = {} -- lines that are no JSON, of buffers that were closed, by their names

--- name_of returns the name of the buffer for a tool of a file.
local function name_of(params)
  local file = vim.uri_to_fname(params.uri)
  local stem = vim.fn.fnamemodify(file, ':t'):match('^[^.]*')
  local tool = params.tool .. (params.version and '@' .. params.version or '')
  return ('%s/%s.%s.arguments.json'):format(vim.fn.fnamemodify(file, ':h'), stem, tool)
end

--- lines_of returns arguments as lines of JSON, in the order of the schema.
local function lines_of(args, schema)
  local properties = server.has_value(schema.properties) and schema.properties or {}
  local lines = {}
  layout.add(lines, exact.in_order(secret.without_secrets(args, schema), exact.keys(properties)))
  lines = vim.split(table.concat(lines, '\n'), '\n') -- a value as it was typed may have several lines
  return #lines > 1 and lines or { '{', '  ', '}' }
end

--- secrets_of returns those arguments that the buffer does not have.
local function secrets_of(args, schema)
  local secrets, others = {}, secret.without_secrets(args, schema)
  for name, value in pairs(args) do
    if others[name] == nil then
      secrets[name] = value
    end
  end
  return secrets
end

--- add_secrets adds the secret arguments that were given before to those in a buffer.
local function add_secrets(args, secrets)
  for name, value in pairs(secrets) do
    if args[name] == nil then
      args[name] = value
    end
  end
end

--- read returns the arguments in a buffer, nil and the fault if it is no object of JSON.
local function read(bufnr)
  local text = table.concat(vim.api.nvim_buf_get_lines(bufnr, 0, -1, false), '\n')
  local ok, fault = pcall(vim.fn.json_decode, text)
  if ok and text:match('^%s*{') then
    return exact.members(text)
  end
  return nil, ok and 'it is no object' or tostring(fault):gsub('^.-E%d+: ', ''):gsub('\n.*', '')
end

--- return_to makes the window current from which a buffer was opened.
local function return_to(one)
  for _, window in ipairs(one.windows) do
    if vim.api.nvim_win_is_valid(window) then
      vim.api.nvim_set_current_win(window)
    end
  end
end

--- end_editing closes a buffer.
local function end_editing(bufnr)
  local one = open[bufnr]
  open[bufnr] = nil
  if vim.api.nvim_buf_is_valid(bufnr) then
    vim.api.nvim_buf_delete(bufnr, { force = true })
  end
  return_to(one)
end

--- may_mention_secret returns whether a text has the name of a secret argument.
local function may_mention_secret(text, schema)
  for name, property in pairs(server.has_value(schema.properties) and schema.properties or {}) do
    if secret.may_contain(property, schema) and text:find(name, 1, true) then
      return true
    end
  end
  return false
end

--- read_last returns the arguments in a buffer that is closed; if they are no JSON, it keeps the text for the next time.
local function read_last(bufnr, one)
  local args, lines = read(bufnr), vim.api.nvim_buf_get_lines(bufnr, 0, -1, false)
  local text = table.concat(lines, '\n')
  if not args and text:find('%S') and not may_mention_secret(text, one.schema) then
    drafts[one.name] = lines
  end
  return args
end

--- abandon closes a buffer because another call of its tool takes its place.
local function abandon(bufnr)
  local one = open[bufnr]
  local args = read_last(bufnr, one)
  end_editing(bufnr)
  vim.schedule(function()
    one.quit(args)
  end)
end

--- find_open returns the buffer with a name in which arguments are edited, nil if there is none.
local function find_open(name)
  local bufnr = vim.fn.bufnr('^' .. vim.fn.escape(name, '[]*?\\{}, ') .. '$')
  return open[bufnr] and bufnr or nil
end

--- write sends the arguments in a buffer. It is called by `:w`.
local function write(bufnr)
  local one = open[bufnr]
  local args, fault = read(bufnr)
  if not one or one.sent then
    return
  elseif not args then
    vim.bo[bufnr].modified = true -- :wq does not close it
    return server.notify('not sent: ' .. fault)
  end
  one.sent, vim.bo[bufnr].modified = true, false
  add_secrets(args, one.secrets)
  vim.schedule(function() -- :wq closes the window first
    require('abl.form').ask_secrets(one.schema, args, function()
      end_editing(bufnr)
      one.send(args)
    end, function()
      one.sent = nil
      if not vim.api.nvim_buf_is_valid(bufnr) then
        one.quit(args)
      end
    end)
  end)
end

--- give_up is called when a buffer is closed.
local function give_up(bufnr)
  local one = open[bufnr]
  if one and not one.sent then
    local args = read_last(bufnr, one)
    open[bufnr] = nil
    vim.schedule(function()
      return_to(one)
      one.quit(args)
    end)
  end
end

--- attach gives a buffer to the server, and sets what leads back to it.
local function attach(bufnr, client)
  local function on(event, done)
    vim.api.nvim_create_autocmd(event, {
      buffer = bufnr,
      callback = function()
        done(bufnr)
      end,
    })
  end
  on('BufWriteCmd', write)
  on('BufUnload', give_up)
  on('QuitPre', function()
    vim.bo[bufnr].modified = false -- :q closes it, whatever has been typed
  end)
  local keys = { noremap = true, silent = true }
  vim.api.nvim_buf_set_keymap(bufnr, 'n', '<CR>', '<Cmd>write<CR>', keys)
  vim.api.nvim_buf_set_keymap(bufnr, 'n', 'ZZ', '<Cmd>write<CR>', keys)
  client = server.running_client(client)
  pcall(vim.lsp.buf_attach_client, bufnr, client.id)
  if vim.fn.has('nvim-0.9') == 1 and vim.fn.has('nvim-0.12') == 0 then -- these fail if the buffer is gone before the answer
    vim.schedule(function()
      pcall(vim.lsp.semantic_tokens.stop, bufnr, client.id)
    end)
  end
  vim.bo[bufnr].omnifunc = 'v:lua.vim.lsp.omnifunc'
end

--- open_buffer shows a new buffer in a split.
local function open_buffer(name, lines)
  vim.cmd('botright split')
  local bufnr = vim.api.nvim_create_buf(false, false)
  vim.api.nvim_win_set_buf(0, bufnr)
  vim.api.nvim_buf_set_name(bufnr, name)
  vim.bo[bufnr].buftype, vim.bo[bufnr].bufhidden, vim.bo[bufnr].swapfile = 'acwrite', 'wipe', false
  vim.api.nvim_buf_set_lines(bufnr, 0, -1, false, lines)
  vim.bo[bufnr].filetype = 'json'
  vim.bo[bufnr].expandtab, vim.bo[bufnr].shiftwidth, vim.bo[bufnr].modified = true, 2, false
  vim.api.nvim_win_set_height(0, math.min(#lines + 2, highest))
  vim.api.nvim_win_set_cursor(0, { math.min(2, #lines), #(lines[2] or lines[1]) })
  return bufnr
end

local does = { Preview = 'shows what it would send' } -- otherwise it runs

--- edit lets the person edit all arguments of a call.
---@param schema table
---@param args table what the buffer has at first
---@param call table an abl.Call
---@param send fun(args: table)
---@param quit fun(args: table?)
function M.edit(schema, args, call, send, quit)
  local windows = { vim.fn.win_getid(vim.fn.winnr('#')), vim.api.nvim_get_current_win() } -- the first one is that of CTRL-W p
  local name = name_of(call.params)
  local before = find_open(name)
  if before then
    abandon(before)
  end
  local bufnr = open_buffer(name, drafts[name] or lines_of(args, schema))
  drafts[name] = nil
  open[bufnr] = { name = name, schema = schema, secrets = secrets_of(args, schema), send = send, quit = quit, windows = windows }
  attach(bufnr, call.client)
  local help = ('%s: <CR> or :w %s, :q gives up'):format(call.params.tool, does[call.word] or 'runs it with these arguments')
  if vim.fn.has('nvim-0.8') == 1 then
    vim.wo.winbar = help:gsub('%%', '%%%%')
  end
  server.notify(help, vim.log.levels.INFO)
end

--- forget_draft forgets the text of a tool that is no JSON: newer arguments have been sent.
---@param params table of the call
function M.forget_draft(params)
  drafts[name_of(params)] = nil
end

--- typed returns the arguments in the open buffer of a tool, nil if there is none, or if they are no JSON.
---@param params table of the call
---@return table?
function M.typed(params)
  local bufnr = find_open(name_of(params))
  return bufnr and read(bufnr) or nil
end

--- write_here sends the arguments in the current buffer, if it is one of them.
---@return boolean
function M.write_here()
  local here = open[vim.api.nvim_get_current_buf()] ~= nil
  if here then
    vim.cmd('write')
  end
  return here
end

return M
