-- Talks to the server by workspace/executeCommand, in every Neovim since 0.7.
local M = {}

local exact = require('abl.exact')

--- notify says something to the person.
---@param message string
---@param level integer? of vim.log.levels, an error by default
function M.notify(message, level)
  vim.notify('abl: ' .. message, level or vim.log.levels.ERROR)
end

--- given says whether an answer has a field: null is none.
---@param value any
---@return boolean
function M.given(value)
  return value ~= nil and value ~= vim.NIL and value ~= exact.null
end

--- clients are those of our servers.
---@return vim.lsp.Client[]
function M.clients()
  return vim.tbl_filter(function(client)
    return client.name == 'abl'
  end, (vim.lsp.get_clients or vim.lsp.get_active_clients)())
end

--- root is the folder of a client, '' for none.
---@param client vim.lsp.Client
---@return string
function M.root(client)
  return client.config.root_dir or ''
end

--- client finds the client of a buffer, by default the current one: the result's split
--- names the folder of its own. For what no server is shown it may be that of any buffer;
--- a file whose own has ended has none but one of a folder above it, since another folder
--- may be trusted, and its own not.
---@param bufnr integer?
---@return vim.lsp.Client?
function M.client(bufnr)
  bufnr = bufnr or vim.api.nvim_get_current_buf()
  local any, root = nil, vim.b[bufnr].abl_root
  local shown = root or require('abl.files').mine(bufnr) and vim.api.nvim_buf_get_name(bufnr)
  for _, client in ipairs(M.clients()) do
    if M.root(client) == root or vim.lsp.buf_is_attached(bufnr, client.id) then
      return client
    elseif not shown or M.root(client) ~= '' and vim.startswith(shown, M.root(client) .. '/') then
      any = client
    end
  end
  if not any then
    M.notify('no server runs here: :edit in the window of a file starts one, else :checkhealth abl says what is missing')
  end
  return any
end

--- uri is that of the current file: in the result's split the one whose tool ran.
---@return string
function M.uri()
  return vim.b.abl_uri or vim.uri_from_bufnr(0)
end

--- call calls a method of a client, which Neovim 0.11 made ones that take it.
---@param client vim.lsp.Client
---@param method string
function M.call(client, method, ...)
  if vim.fn.has('nvim-0.11') == 1 then
    return client[method](client, ...)
  end
  return client[method](...)
end

--- living is a client, or where its server has ended the one that has its place.
---@param client vim.lsp.Client
---@return vim.lsp.Client
function M.living(client)
  if M.call(client, 'is_stopped') then
    for _, other in ipairs(M.clients()) do
      if M.root(other) == M.root(client) then
        return other
      end
    end
  end
  return client
end

-- What Neovim says where it opens a file for an edit, and a swap file of it is there.
local held = 'Vim:E325: ATTENTION'
local known = 'another Neovim has it open, or had it open when it ended (E325); :edit it here first'

--- request sends a command, and gives its result to done. An error is shown. It answers
--- with a function that cancels it.
---@param client vim.lsp.Client
---@param command string
---@param argument table
---@param done fun(result: any)
---@param failed fun(said: string?)? where there is an error; with the server's words, if it is of those
---@param token string? names what the server says meanwhile
---@return fun()?
function M.request(client, command, argument, done, failed, token)
  local params = { command = command, arguments = { argument }, workDoneToken = token }
  client = M.living(client)
  local sent, id = M.call(client, 'request', 'workspace/executeCommand', params, function(err, result)
    if err then
      local said = err.message:gsub(vim.pesc(held), known)
      M.notify(said)
      return failed and failed(said)
    end
    done(result)
  end)
  if not sent then
    M.notify('the server has ended; :edit in the window of a file starts it again')
    return failed and failed()
  end
  return function()
    M.call(client, 'cancel_request', id)
  end
end

--- names are those that a command which lists something of the current file answers with,
--- for the completion of what begins with some letters.
---@param command string
---@return fun(begun: string): string[]
function M.names(command)
  return function(begun)
    local client, names = M.client(), {}
    local params = { command = command, arguments = { { uri = M.uri() } } }
    local answer = client and M.call(client, 'request_sync', 'workspace/executeCommand', params, 2000, 0) or {}
    for _, one in ipairs(answer.result or {}) do
      if vim.startswith(one.name, begun) and not vim.tbl_contains(names, one.name) then
        table.insert(names, one.name)
      end
    end
    return names
  end
end

--- ours says whether a buffer is shown to one of our servers, or might be by its name.
local function ours(bufnr, name)
  for _, client in ipairs(M.clients()) do
    if vim.lsp.buf_is_attached(bufnr, client.id) then
      return true
    end
  end
  return require('abl.files').may(name)
end

--- named has a buffer of ours read again that has another name than when it was shown to its
--- servers: they know it by the old one. Neovim itself tells them since 0.8, but loses what
--- it does for a buffer where that had none.
local function named(bufnr)
  local old, name = vim.b[bufnr].abl_name, vim.api.nvim_buf_get_name(bufnr)
  if not old or old == name or old ~= '' and vim.fn.has('nvim-0.8') == 1 or not ours(bufnr, name) then
    vim.b[bufnr].abl_name = name
    return
  end
  require('abl.again').changed(bufnr)
  vim.schedule(function()
    if not vim.api.nvim_buf_is_loaded(bufnr) or vim.bo[bufnr].modified then
      return -- the next :write has it read
    end
    for _, client in ipairs(M.clients()) do
      if vim.lsp.buf_is_attached(bufnr, client.id) then
        M.call(client, 'notify', 'textDocument/didClose', { textDocument = { uri = vim.uri_from_fname(old) } })
      end
    end
    vim.api.nvim_buf_call(bufnr, function()
      vim.cmd('silent edit')
    end)
    vim.b[bufnr].abl_name = name
  end)
end

--- shown keeps the name by which a buffer is shown to its servers.
---@param bufnr integer
function M.shown(bufnr)
  vim.b[bufnr].abl_name = vim.api.nvim_buf_get_name(bufnr)
end

--- written tells the servers of a file that was written and is not shown to them: a
--- `.env`, say. On Linux Neovim watches no files for them.
---@param bufnr integer
function M.written(bufnr)
  if vim.bo[bufnr].buftype ~= '' then
    return
  end
  named(bufnr)
  local change = { uri = vim.uri_from_bufnr(bufnr), type = 2 }
  for _, client in ipairs(M.clients()) do
    if not vim.lsp.buf_is_attached(bufnr, client.id) then
      M.call(client, 'notify', 'workspace/didChangeWatchedFiles', { changes = { change } })
    end
  end
end

--- configure changes settings of a running server.
---@param client vim.lsp.Client
---@param changes table
function M.configure(client, changes)
  M.call(client, 'notify', 'workspace/didChangeConfiguration', { settings = { abl = changes } })
end

return M
