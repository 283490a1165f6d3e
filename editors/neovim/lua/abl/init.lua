-- Starts abl-lsp for ABL files, in every Neovim since 0.7:
--
--   require('abl').setup({ init_options = { trusted = true } })
--
-- The options are those of vim.lsp.config and override lsp/abl.lua.
local M = {}

local clients = {} -- root folder -> client id, for a Neovim without such a list

local function defaults()
  return dofile(vim.api.nvim_get_runtime_file('lsp/abl.lua', false)[1])
end

--- root returns the nearest folder above a file that contains a marker, or nil.
local function root(file, markers)
  local dir = vim.fn.fnamemodify(file, ':p:h')
  local upwards = vim.fn.escape(dir, ' ,;') .. ';'
  for _, marker in ipairs(markers) do
    local hit = vim.fn.findfile(marker, upwards)
    if hit == '' then
      hit = vim.fn.finddir(marker, upwards)
    end
    if hit ~= '' then
      return (vim.fn.fnamemodify(hit, ':p'):gsub('/$', ''):match('^(.*)/'))
    end
  end
end

--- attach starts the client for a buffer, or uses that of its root.
local function attach(bufnr, options)
  local config = vim.tbl_extend('force', { name = 'abl' }, options)
  config.root_dir = root(vim.api.nvim_buf_get_name(bufnr), options.root_markers)
  if vim.lsp.start then
    vim.lsp.start(config, { bufnr = bufnr })
    return
  end
  local key = config.root_dir or ''
  local id = clients[key]
  if not id or not vim.lsp.get_client_by_id(id) then
    id = vim.lsp.start_client(config)
    clients[key] = id
  end
  if not id then -- Neovim has shown why
    return
  end
  vim.lsp.buf_attach_client(bufnr, id)
  local options = vim.bo[bufnr] -- later versions set these options themselves
  options.omnifunc, options.tagfunc, options.formatexpr = 'v:lua.vim.lsp.omnifunc', 'v:lua.vim.lsp.tagfunc', 'v:lua.vim.lsp.formatexpr()'
end

--- setup starts the server for files that are opened from now on.
---@param options table? those of vim.lsp.config
function M.setup(options)
  options = options or {}
  require('abl.commands').create()
  if vim.lsp.config then
    vim.lsp.config('abl', options)
    vim.lsp.enable('abl')
    return
  end
  options = vim.tbl_deep_extend('force', defaults(), options)
  M.options = options
  vim.api.nvim_create_autocmd('FileType', {
    group = vim.api.nvim_create_augroup('abl', { clear = true }),
    pattern = options.filetypes,
    callback = function(event)
      if require('abl.files').is_served(event.buf) then
        attach(event.buf, options)
      end
    end,
  })
end

return M
