-- Tests only the settings of docs/editors.md: neovim_test.go starts it with them as
-- init.lua.
local h = dofile(vim.env.ABL_PLUGIN .. '/test/helpers.lua')

local function see_the_mistake()
  vim.cmd('edit ' .. vim.fn.fnameescape(vim.env.ABL_AGENT))
  h.equal('filetype', vim.bo.filetype, 'abl')
  h.wait('the mistake', function()
    for _, d in ipairs(vim.diagnostic.get(0)) do
      if d.code == 'invalid-value' then
        return true
      end
    end
  end)
end

local function commands()
  for name in pairs(require('abl.commands').all) do
    h.equal(name, vim.fn.exists(':' .. name), 2)
  end
  h.equal('the lens', type(vim.lsp.commands['abl.run']), 'function')
end

h.run({
  { 'see the mistake', see_the_mistake },
  { 'the commands are there', commands },
})
