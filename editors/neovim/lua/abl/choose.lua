-- Has the person choose or type, by vim.ui.
local M = {}

local escape = '\27'
local interrupted = 'Keyboard interrupt' -- what Neovim's own menu makes of CTRL-C

--- escape calls a function that asks the person something: CTRL-C is an answer, and no
--- error.
---@param ask function
---@return boolean whether there is another answer
---@return any
function M.escape(ask, ...)
  local ok, answer = pcall(ask, ...)
  if not ok and not tostring(answer):find(interrupted, 1, true) then
    error(answer, 0)
  end
  return ok, answer
end

local again = 100 -- milliseconds until it is looked once more whether the person types
local rest = 1000 -- milliseconds without a key, after which nobody goes on typing
local pressed = 0 -- when the last key was

vim.on_key(function()
  pressed = vim.loop.now()
end)

--- elsewhere says whether the person types something else: text, a command, the answer to
--- what another plugin asks in a window of its own, or what has followed since a time.
---@param since integer by vim.loop.now()
---@return boolean
function M.elsewhere(since)
  local mode = vim.api.nvim_get_mode().mode
  if mode ~= 'n' and mode ~= 'nt' or vim.fn.getcmdwintype() ~= '' then
    return true
  end
  local floats = vim.api.nvim_win_get_config(0).relative ~= ''
  return floats and vim.bo.buftype ~= '' or pressed > since and vim.loop.now() - pressed < rest
end

--- free calls done once the person types nothing else, whose keys a question would take
--- for its answer.
---@param since integer when the person began what asks, by vim.loop.now()
---@param done fun()
---@param waits fun(mode: string)? is called as long as it waits
function M.free(since, done, waits)
  if not M.elsewhere(since) then
    return done()
  end
  if waits then
    waits(vim.api.nvim_get_mode().mode)
  end
  vim.defer_fn(function()
    M.free(since, done, waits)
  end, again)
end

local function select(items, options, done)
  local chosen, height = false, vim.o.cmdheight
  if height == 0 then -- Neovim's own menu loses its first line there, which is the question
    vim.o.cmdheight = 1
    vim.cmd('redraw')
  end
  local answered = M.escape(vim.ui.select, items, options, function(...)
    chosen = true
    vim.cmd('redraw') -- else what comes next stands behind the menu
    done(...)
  end)
  if not answered and not chosen then
    vim.cmd('redraw')
    done(nil)
  end
  vim.o.cmdheight = height
end

--- select gives done what is chosen and its number, or nil, once the person types nothing
--- else: the list may have been waited for.
---@param items table
---@param options table those of vim.ui.select
---@param done fun(choice: any, i: integer?)
function M.select(items, options, done)
  M.free(vim.loop.now(), function()
    select(items, options, done)
  end)
end

--- typed has a text typed, and gives it to done, or nil. That of Neovim 0.7 takes an
--- empty one for Escape.
local function typed(options, done)
  if vim.fn.has('nvim-0.8') == 1 or not debug.getinfo(vim.ui.input, 'S').source:find('vim/ui.lua', 1, true) then
    return vim.ui.input(options, done)
  end
  local ok, text = pcall(vim.fn.input, { prompt = options.prompt, default = options.default or '', cancelreturn = escape })
  done(ok and text ~= escape and text or nil)
end

--- input has a text typed, and gives it to done, or nil. Neovim writes its history of what
--- is typed into a file, which is no place for what a tool is given: personal data, say.
---@param options table those of vim.ui.input
---@param done fun(text: string?)
function M.input(options, done)
  local before = vim.fn.histnr('@')
  typed(options, function(text)
    if vim.fn.histnr('@') ~= before then -- with what was given up too
      vim.fn.histdel('@', -1)
    end
    done(text)
  end)
end

--- unseen has a secret typed, and gives it to done, or nil.
---@param options table its prompt
---@param done fun(text: string?)
function M.unseen(options, done)
  local ok, text = pcall(vim.fn.inputsecret, { prompt = options.prompt, cancelreturn = escape })
  vim.api.nvim_echo({ { '' } }, false, {}) -- stars in the last line say how long it is
  done(ok and text ~= escape and text or nil)
end

return M
