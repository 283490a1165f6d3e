-- The server's settings, as vim.lsp.config (Neovim 0.11 and later) reads them.
return {
  cmd = { 'abl-lsp', 'serve' },
  filetypes = { 'abl', 'yaml.ablproject' },
  root_markers = { 'abl.yaml', 'project.json', '.git' },
}
