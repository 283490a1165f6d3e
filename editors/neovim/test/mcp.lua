-- Runs tools of the protocol's reference server, as neovim_test.go starts it: one asks the person, others
-- answer with a picture and with a link.
local h = dofile(vim.env.ABL_PLUGIN .. '/test/helpers.lua')
local see = h.see
local folder = vim.fn.fnamemodify(vim.env.ABL_AGENT, ':h') .. '/reference'
local reply = {} -- what is typed or chosen, by the first word of the question
local opened

local function open()
  vim.opt.rtp:prepend(vim.env.ABL_PLUGIN)
  vim.opt.swapfile = false
  vim.cmd('filetype plugin on')
  vim.ui.select = function(items, options, done)
    done(items[reply[options.prompt:match('^%S+')]])
  end
  vim.ui.input = function(options, done)
    done(reply[options.prompt:match('^%S+')])
  end
  vim.ui.open = function(path)
    opened = path
    return true
  end
  require('abl').setup({ cmd = { vim.env.ABL_SERVER, 'serve' }, init_options = { trusted = true } })
  vim.fn.mkdir(folder, 'p')
  vim.fn.writefile({ 'servers: {everything: {transport: stdio, command: ' .. vim.env.ABL_EVERYTHING .. '}}' }, folder .. '/abl.yaml')
  local lines = { 'TOOLS:' }
  for _, tool in ipairs({ { 'introduce()', 'trigger-elicitation-request' }, { 'picture()', 'get-tiny-image' }, { 'links(count: number)', 'get-resource-links' } }) do
    vim.list_extend(lines, {
      '  ' .. tool[1] .. ' -> object', '    type: mcp', '    server: "everything"', '    server_tool: "' .. tool[2] .. '"', '    hints:', '      side_effects: false',
    })
  end
  vim.fn.writefile(lines, folder .. '/server.tools.abl')
  vim.cmd('edit ' .. vim.fn.fnameescape(folder .. '/server.tools.abl'))
  h.wait('the client', function()
    return h.client() ~= nil and vim.lsp.buf_is_attached(0, h.client().id) and h.client().initialized ~= false
  end)
end

local function question()
  reply = { everything = 1, name = 'Ada 🧭' }
  vim.cmd('AblRun introduce')
  see('Ada 🧭')
  require('abl.result').open({})
  reply = { everything = 3 } -- declines
  vim.cmd('AblRun introduce')
  see('declined')
end

local function picture()
  vim.cmd('AblRun picture')
  see('picture image/png, ')
  vim.cmd('AblOpen')
  h.contains('the picture', table.concat(vim.fn.readfile(opened, 'b'), '\n'):sub(1, 8), 'PNG')
end

local function link()
  reply = { count = '1' }
  vim.cmd('AblRun links')
  see('link ')
  vim.cmd('AblOpen')
  see('demo://resource/dynamic/blob/1 text/plain, ')
end

h.run({
  { 'open', open },
  { 'a question', question },
  { 'a picture', picture },
  { 'a link', link },
})
