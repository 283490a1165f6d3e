-- Plugin managers read this file before others can be required.
local files = dofile(vim.fn.fnamemodify(debug.getinfo(1, 'S').source:sub(2), ':p:h:h') .. '/lua/abl/files.lua')

-- A YAML file with tools of another system; other files stay YAML.
local function tools(_, bufnr)
  return files.has_line(bufnr, 'yaml') and 'yaml.ablproject' or nil
end

-- Neovim knows *.abl as another language (abel), so this filetype must override it. YAML files of
-- a project stay YAML, and get a second filetype.
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
