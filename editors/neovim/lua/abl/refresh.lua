-- Requests the diagnostics of open files again. Neovim 0.10 and 0.11 do not do so by
-- themselves, and 0.12 does so only for files that are not open: diagnostics would be
-- outdated after an imported file has changed.
local M = {}

local server = require('abl.server')

local function request(client, bufnr)
  local params = { textDocument = { uri = vim.uri_from_bufnr(bufnr) } }
  server.call(client, 'request', 'textDocument/diagnostic', params, nil, bufnr)
end

--- request_all handles workspace/diagnostic/refresh from the server.
---@param ctx table
function M.request_all(ctx)
  local client = vim.lsp.get_client_by_id(ctx.client_id)
  for bufnr in pairs(client and client.attached_buffers or {}) do
    request(client, bufnr)
  end
end

--- request_after_changes requests diagnostics after each change of a buffer that has got its first
--- name: then Neovim 0.10 no longer requests them itself.
---@param bufnr integer
function M.request_after_changes(bufnr)
  if vim.fn.has('nvim-0.10') == 0 or vim.fn.has('nvim-0.11') == 1 then
    return
  end
  vim.api.nvim_create_autocmd('LspNotify', {
    group = vim.api.nvim_create_augroup('abl_changed_' .. bufnr, { clear = true }),
    buffer = bufnr,
    callback = function(event)
      local client, method = vim.lsp.get_client_by_id(event.data.client_id), event.data.method
      if client and client.name == 'abl' and (method == 'textDocument/didOpen' or method == 'textDocument/didChange') then
        request(client, bufnr)
      end
    end,
  })
end

return M
