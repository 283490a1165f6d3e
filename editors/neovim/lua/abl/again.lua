-- Has what is reported of open files be asked for again. Neovim 0.10 and 0.11 do not do so
-- by themselves, and 0.12 does for files that nobody has open: an error would stay, or not
-- come, after the file that another one imports has changed.
local M = {}

local server = require('abl.server')

local function ask(client, bufnr)
  local params = { textDocument = { uri = vim.uri_from_bufnr(bufnr) } }
  server.call(client, 'request', 'textDocument/diagnostic', params, nil, bufnr)
end

--- diagnostics takes what the server sends as workspace/diagnostic/refresh.
---@param ctx table
function M.diagnostics(ctx)
  local client = vim.lsp.get_client_by_id(ctx.client_id)
  for bufnr in pairs(client and client.attached_buffers or {}) do
    ask(client, bufnr)
  end
end

--- changed has it asked for with each change of a buffer that has got its first name:
--- with that Neovim 0.10 loses what it asks by, and does not get it back.
---@param bufnr integer
function M.changed(bufnr)
  if vim.fn.has('nvim-0.10') == 0 or vim.fn.has('nvim-0.11') == 1 then
    return
  end
  vim.api.nvim_create_autocmd('LspNotify', {
    group = vim.api.nvim_create_augroup('abl_changed_' .. bufnr, { clear = true }),
    buffer = bufnr,
    callback = function(event)
      local client, method = vim.lsp.get_client_by_id(event.data.client_id), event.data.method
      if client and client.name == 'abl' and (method == 'textDocument/didOpen' or method == 'textDocument/didChange') then
        ask(client, bufnr)
      end
    end,
  })
end

return M
