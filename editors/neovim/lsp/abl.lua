-- The server's settings, as vim.lsp.config (Neovim 0.11 and later) reads them.

-- Corrections of the capabilities that Neovim announces. It can create files for an edit,
-- lua/abl/refresh.lua requests diagnostics again, and Neovim loses diagnostics of related files
-- in the answer for another file.
local able = {
  workspace = { workspaceEdit = { documentChanges = true }, diagnostics = { refreshSupport = true } },
  textDocument = { diagnostic = vim.fn.has('nvim-0.10') == 1 and { relatedDocumentSupport = false } or nil },
}

return {
  cmd = { 'abl-lsp', 'serve' },
  filetypes = { 'abl', 'yaml.ablproject', 'yaml', 'json', 'typescript', 'javascript' }, -- of the last four only few files: see lua/abl/files.lua
  root_markers = { 'abl.yaml', 'project.json', '.git' },
  root_dir = function(bufnr, start)
    if require('abl.files').is_served(bufnr) then
      start() -- in the folder of the markers
    end
  end,
  capabilities = vim.tbl_deep_extend('force', vim.lsp.protocol.make_client_capabilities(), able),
  init_options = { exactNumbers = true, keyOrder = true }, -- see lua/abl/exact.lua
  on_exit = vim.schedule_wrap(function(_, _, id)
    require('abl.run').server_ended(id)
  end),
  handlers = {
    ['abl/runOutput'] = function(_, said)
      require('abl.run').output(said)
    end,
    ['workspace/diagnostic/refresh'] = function(err, result, ctx, ...)
      require('abl.refresh').request_all(ctx)
      local rest = vim.lsp.handlers['workspace/diagnostic/refresh']
      return rest and rest(err, result, ctx, ...) or vim.NIL
    end,
    ['window/showMessageRequest'] = function(...)
      return require('abl.needs').ask_for_server(vim.lsp.handlers['window/showMessageRequest'], ...)
    end,
    ['$/progress'] = function(err, said, ...)
      require('abl.run').progress(said)
      return vim.lsp.handlers['$/progress'](err, said, ...)
    end,
  },
}
