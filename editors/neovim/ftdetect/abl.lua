-- Whether a YAML file holds tools of another system, which the server knows: by the
-- first of its lines.
local function tools(_, bufnr)
  for _, line in ipairs(vim.api.nvim_buf_get_lines(bufnr, 0, 200, false)) do
    for _, begin in ipairs({ '^tools:', '^sources:', '^authServices:', '^toolsets:', '^kind: tools?%s*$', '^apiVersion: agents%.recif%.dev/' }) do
      if line:find(begin) then
        return 'yaml.ablproject'
      end
    end
  end
end

-- Neovim knows *.abl as another language (abel), so the word here must win. What
-- belongs to a project in YAML stays YAML, and gets a word of its own beside it.
if vim.fn.has('nvim-0.8') == 1 then
  vim.filetype.add({
    extension = { abl = 'abl' },
    filename = { ['abl.yaml'] = 'yaml.ablproject', ['tools.yaml'] = tools },
    pattern = { ['.*%.cases%.yaml'] = 'yaml.ablproject', ['.*%.tools?%.ya?ml'] = tools },
  })
else
  vim.cmd('autocmd BufRead,BufNewFile *.abl set filetype=abl')
  vim.cmd('autocmd BufRead,BufNewFile abl.yaml,*.cases.yaml set filetype=yaml.ablproject')
  vim.api.nvim_create_autocmd({ 'BufRead', 'BufNewFile' }, {
    pattern = { 'tools.yaml', '*.tool.yaml', '*.tools.yaml' },
    callback = function(event)
      vim.bo[event.buf].filetype = tools(nil, event.buf) or vim.bo[event.buf].filetype
    end,
  })
end
