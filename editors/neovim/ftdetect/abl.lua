-- Managers of plugins read this file before the others can be required.
local files = dofile(vim.fn.fnamemodify(debug.getinfo(1, 'S').source:sub(2), ':p:h:h') .. '/lua/abl/files.lua')

-- A YAML file with tools of another system: it stays YAML else.
local function tools(_, bufnr)
  return files.has(bufnr, 'yaml') and 'yaml.ablproject' or nil
end

-- Neovim knows *.abl as another language (abel), so the word here must win. What
-- belongs to a project in YAML stays YAML, and gets a word of its own beside it.
if vim.fn.has('nvim-0.8') == 1 then
  vim.filetype.add({
    extension = { abl = 'abl' },
    filename = { ['abl.yaml'] = 'yaml.ablproject', ['tools.yaml'] = tools, ['tools.yml'] = tools },
    pattern = { ['.*%.cases%.yaml'] = 'yaml.ablproject', ['.*%.tools?%.ya?ml'] = tools },
  })
else
  vim.cmd('autocmd BufRead,BufNewFile *.abl set filetype=abl')
  vim.cmd('autocmd BufRead,BufNewFile abl.yaml,*.cases.yaml set filetype=yaml.ablproject')
  vim.api.nvim_create_autocmd({ 'BufRead', 'BufNewFile' }, {
    pattern = { 'tools.yaml', 'tools.yml', '*.tool.yaml', '*.tool.yml', '*.tools.yaml', '*.tools.yml' },
    callback = function(event)
      vim.bo[event.buf].filetype = tools(nil, event.buf) or vim.bo[event.buf].filetype
    end,
  })
end
