-- Has what is reported of open files be asked for again. Neovim 0.10 and 0.11 do not do so
-- by themselves, and 0.12 does for files that nobody has open: an error would stay, or not
-- come, after the file that another one imports has changed.
local M = {}

local server = require('abl.server')

--- diagnostics takes what the server sends as workspace/diagnostic/refresh.
---@param ctx table
function M.diagnostics(ctx)
  local client = vim.lsp.get_client_by_id(ctx.client_id)
  for bufnr in pairs(client and client.attached_buffers or {}) do
    local params = { textDocument = { uri = vim.uri_from_bufnr(bufnr) } }
    server.call(client, 'request', 'textDocument/diagnostic', params, nil, bufnr)
  end
end

return M
