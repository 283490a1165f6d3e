-- Builds the tree-sitter parser from the grammar in the same repository, and installs it with
-- its queries where Neovim finds them.
local M = {}

local server = require('abl.server')

--- grammar_folder returns the folder of the grammar.
local function grammar_folder()
  local here = vim.fn.resolve(debug.getinfo(1, 'S').source:sub(2)) -- the plugin may be linked
  return vim.fn.fnamemodify(here, ':p:h:h:h:h:h') .. '/syntax/grammar'
end

local function copy_queries(from, to)
  vim.fn.mkdir(to, 'p')
  for _, file in ipairs(vim.fn.glob(from .. '/*.scm', false, true)) do
    vim.fn.writefile(vim.fn.readfile(file, 'b'), to .. '/' .. vim.fn.fnamemodify(file, ':t'), 'b')
  end
end

--- install builds the parser, and highlights the current buffer with it.
function M.install()
  if vim.fn.has('nvim-0.10') == 0 then
    return server.notify('highlighting by tree-sitter needs Neovim 0.10')
  end
  local source = grammar_folder()
  if vim.fn.isdirectory(source .. '/src') == 0 then
    return server.notify('no grammar in ' .. source .. ': the plugin must lie in the repository of abl-lsp')
  end
  local site = vim.fn.stdpath('data') .. '/site'
  vim.fn.mkdir(site .. '/parser', 'p')
  local command = vim.split(vim.env.CC or 'cc', '%s+', { trimempty = true })
  local compiler = command[1] or '$CC'
  if vim.fn.executable(compiler) == 0 then
    return server.notify(compiler .. ' is not to be found: install a C compiler, or name one in $CC')
  end
  local out = vim.fn.system(vim.list_extend(command, {
    '-O2', '-shared', '-fPIC', '-o', site .. '/parser/abl.so', '-I' .. source .. '/src',
    source .. '/src/parser.c', source .. '/src/scanner.c',
  }))
  if vim.v.shell_error ~= 0 then
    return server.notify(compiler .. ' cannot build the parser: ' .. out)
  end
  copy_queries(source .. '/queries', site .. '/queries/abl')
  vim.o.runtimepath = vim.o.runtimepath -- makes Neovim read it again: the folder may be new
  server.notify('built ' .. site .. '/parser/abl.so', vim.log.levels.INFO)
  M.highlight(0)
end

--- highlight highlights a buffer by tree-sitter, if there is a parser.
---@param bufnr integer
function M.highlight(bufnr)
  local there = #vim.api.nvim_get_runtime_file('parser/abl.*', false) > 0
  if not there or vim.fn.has('nvim-0.10') == 0 then
    return
  end
  if not pcall(vim.treesitter.start, bufnr, 'abl') then -- an error would also prevent the start of the server
    vim.notify_once('abl: the tree-sitter parser is of no use here; :checkhealth abl says why', vim.log.levels.WARN)
  end
end

--- fault returns why the parser or its queries cannot be used, nil if they can.
---@return string?
function M.fault()
  local ok, fault = pcall(function()
    vim.treesitter.get_string_parser('', 'abl')
    vim.treesitter.query.get('abl', 'highlights')
  end)
  return not ok and tostring(fault) or nil
end

return M
