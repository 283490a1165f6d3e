-- Talks to the server by workspace/executeCommand, in every Neovim since 0.7.
local M = {}

local exact = require('abl.exact')

--- notify shows a message to the person.
---@param message string
---@param level integer? of vim.log.levels, an error by default
function M.notify(message, level)
  vim.notify('abl: ' .. message, level or vim.log.levels.ERROR)
end

--- has_value returns whether an answer has a field: null does not count.
---@param value any
---@return boolean
function M.has_value(value)
  return value ~= nil and value ~= vim.NIL and value ~= exact.null
end

--- clients returns the clients of our servers.
---@return vim.lsp.Client[]
function M.clients()
  return vim.tbl_filter(function(client)
    return client.name == 'abl'
  end, (vim.lsp.get_clients or vim.lsp.get_active_clients)())
end

--- root returns the folder of a client, '' for none.
---@param client vim.lsp.Client
---@return string
function M.root(client)
  return client.config.root_dir or ''
end

--- client returns the client of a buffer, by default of the current one. The result's split names
--- the folder of its client. A buffer that no server gets may use any client. A file whose server
--- has ended may only use that of a folder above it, because another folder may be trusted when its
--- own is not.
---@param bufnr integer?
---@return vim.lsp.Client?
function M.client(bufnr)
  bufnr = bufnr or vim.api.nvim_get_current_buf()
  local any, root = nil, vim.b[bufnr].abl_root
  local shown = root or require('abl.files').is_served(bufnr) and vim.api.nvim_buf_get_name(bufnr)
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

--- uri returns the URI of the current file: in the result's split, the file of the tool that ran.
---@return string
function M.uri()
  return vim.b.abl_uri or vim.uri_from_bufnr(0)
end

--- call calls a function of a client, which Neovim 0.11 changed to a method.
---@param client vim.lsp.Client
---@param method string
function M.call(client, method, ...)
  if vim.fn.has('nvim-0.11') == 1 then
    return client[method](client, ...)
  end
  return client[method](...)
end

--- running_client returns a client, or its successor if its server has ended.
---@param client vim.lsp.Client
---@return vim.lsp.Client
function M.running_client(client)
  if M.call(client, 'is_stopped') then
    for _, other in ipairs(M.clients()) do
      if M.root(other) == M.root(client) then
        return other
      end
    end
  end
  return client
end

-- The error of Neovim when it opens a file for an edit and there is a swap file.
local swap_error = 'Vim:E325: ATTENTION'
local swap_message = 'another Neovim has it open, or had it open when it ended (E325); :edit it here first'

--- request sends a command, and calls done with its result. An error is shown. It returns
--- a function that cancels the request.
---@param client vim.lsp.Client
---@param command string
---@param argument table
---@param done fun(result: any)
---@param failed fun(said: string?)? where there is an error; with the server's words, if it is of those
---@param token string? names what the server says meanwhile
---@return fun()?
function M.request(client, command, argument, done, failed, token)
  local params = { command = command, arguments = { argument }, workDoneToken = token }
  client = M.running_client(client)
  local sent, id = M.call(client, 'request', 'workspace/executeCommand', params, function(err, result)
    if err then
      local said = err.message:gsub(vim.pesc(swap_error), swap_message)
      M.notify(said)
      return failed and failed(said)
    end
    done(exact.with_order(result))
  end)
  if not sent then
    M.notify('the server has ended; :edit in the window of a file starts it again')
    return failed and failed()
  end
  return function()
    M.call(client, 'cancel_request', id)
  end
end

--- try sends a command, and calls done with the error's words, or with none and the result. No error is shown.
---@param client vim.lsp.Client
---@param command string
---@param argument table
---@param done fun(fault: string?, result: any)
function M.try(client, command, argument, done)
  client = M.running_client(client)
  local sent = M.call(client, 'request', 'workspace/executeCommand', { command = command, arguments = { argument } }, function(err, result)
    done(err and err.message, exact.with_order(result))
  end)
  if not sent then
    done('the server has ended')
  end
end

--- request_sync returns the list that a command answers, an empty one if there is none within two seconds.
---@param command string
---@param argument table
---@return table[]
function M.request_sync(command, argument)
  local client = M.client()
  local params = { command = command, arguments = { argument } }
  local answer = client and M.call(client, 'request_sync', 'workspace/executeCommand', params, 2000, 0) or {}
  return exact.with_order(answer.result or {})
end

--- completer returns a function that completes the names in the list of a command for the
--- current file.
---@param command string
---@return fun(begun: string): string[]
function M.completer(command)
  return function(begun)
    local names = {}
    for _, one in ipairs(M.request_sync(command, { uri = M.uri() })) do
      if vim.startswith(one.name, begun) and not vim.tbl_contains(names, one.name) then
        table.insert(names, one.name)
      end
    end
    return names
  end
end

--- is_ours returns whether one of our servers gets a buffer, or might by its name.
local function is_ours(bufnr, name)
  for _, client in ipairs(M.clients()) do
    if vim.lsp.buf_is_attached(bufnr, client.id) then
      return true
    end
  end
  return require('abl.files').may_serve(name)
end

--- reopen_renamed reads a buffer again if its name has changed since its servers got it, because
--- they know the old name. Neovim itself tells them since 0.8, but loses its state of a buffer
--- that had no name.
local function reopen_renamed(bufnr)
  local old, name = vim.b[bufnr].abl_name, vim.api.nvim_buf_get_name(bufnr)
  if not old or old == name or old ~= '' and vim.fn.has('nvim-0.8') == 1 or not is_ours(bufnr, name) then
    vim.b[bufnr].abl_name = name
    return
  end
  require('abl.refresh').request_after_changes(bufnr)
  vim.schedule(function()
    if not vim.api.nvim_buf_is_loaded(bufnr) or vim.bo[bufnr].modified then
      return -- the next :write reads it
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

--- remember_name stores the name by which the servers of a buffer know it.
---@param bufnr integer
function M.remember_name(bufnr)
  vim.b[bufnr].abl_name = vim.api.nvim_buf_get_name(bufnr)
end

--- notify_written tells the servers about a written file that they do not get as a document, for
--- example a `.env`. On Linux Neovim does not watch files.
---@param bufnr integer
function M.notify_written(bufnr)
  if vim.bo[bufnr].buftype ~= '' then
    return
  end
  reopen_renamed(bufnr)
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
