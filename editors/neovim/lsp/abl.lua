-- The server's settings, as vim.lsp.config (Neovim 0.11 and later) reads them.

-- Neovim makes files where an edit asks for it, but does not say that it takes such
-- edits, without which the server offers none.
local edits = { workspace = { workspaceEdit = { documentChanges = true } } }

return {
  cmd = { 'abl-lsp', 'serve' },
  filetypes = { 'abl', 'yaml.ablproject', 'json', 'typescript', 'javascript' }, -- of the last three few files: see lua/abl/files.lua
  root_markers = { 'abl.yaml', 'project.json', '.git' },
  root_dir = function(bufnr, start)
    if require('abl.files').mine(bufnr) then
      start() -- in the folder of the markers
    end
  end,
  capabilities = vim.tbl_deep_extend('force', vim.lsp.protocol.make_client_capabilities(), edits),
  init_options = { exactNumbers = true }, -- see lua/abl/exact.lua
  on_exit = vim.schedule_wrap(function(_, _, id)
    require('abl.run').ended(id)
  end),
  handlers = {
    ['abl/runOutput'] = function(_, said)
      require('abl.run').output(said)
    end,
    ['window/showMessageRequest'] = function(...)
      require('abl.needs').asked()
      return vim.lsp.handlers['window/showMessageRequest'](...)
    end,
    ['$/progress'] = function(err, said, ...)
      require('abl.run').progress(said)
      return vim.lsp.handlers['$/progress'](err, said, ...)
    end,
  },
}
