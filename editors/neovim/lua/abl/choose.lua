-- Asks the person to choose or type, by vim.ui.
local M = {}

local escape = '\27'
local interrupted = 'Keyboard interrupt' -- the error of Neovim's own menu at CTRL-C

--- catch_interrupt calls a function that asks the person something: CTRL-C is an answer, not
--- an error.
---@param ask function
---@return boolean whether there is another answer
---@return any
function M.catch_interrupt(ask, ...)
  local ok, answer = pcall(ask, ...)
  if not ok and not tostring(answer):find(interrupted, 1, true) then
    error(answer, 0)
  end
  return ok, answer
end

local poll = 100 -- milliseconds until the next check whether the person types
local pause = 1000 -- milliseconds without a key after which the person has stopped typing
local last_key = 0 -- the time of the last key

vim.on_key(function()
  last_key = vim.loop.now()
end)

--- is_busy returns whether the person types something else: text, a command, the answer to
--- another plugin's window, or keys since a time.
---@param since integer by vim.loop.now()
---@return boolean
function M.is_busy(since)
  local mode = vim.api.nvim_get_mode().mode
  if mode ~= 'n' and mode ~= 'nt' or vim.fn.getcmdwintype() ~= '' then
    return true
  end
  local floats = vim.api.nvim_win_get_config(0).relative ~= ''
  return floats and vim.bo.buftype ~= '' or last_key > since and vim.loop.now() - last_key < pause
end

--- when_free calls done when the person types nothing else: otherwise a question would take
--- these keys as its answer.
---@param since integer when the person began what asks, by vim.loop.now()
---@param done fun()
---@param waits fun(mode: string)? is called as long as it waits
function M.when_free(since, done, waits)
  if not M.is_busy(since) then
    return done()
  end
  if waits then
    waits(vim.api.nvim_get_mode().mode)
  end
  vim.defer_fn(function()
    M.when_free(since, done, waits)
  end, poll)
end

local function select(items, options, done)
  local chosen, height = false, vim.o.cmdheight
  if height == 0 then -- otherwise Neovim's own menu loses its first line, the question
    vim.o.cmdheight = 1
    vim.cmd('redraw')
  end
  local answered = M.catch_interrupt(vim.ui.select, items, options, function(...)
    chosen = true
    vim.cmd('redraw') -- otherwise the next text appears after the menu
    done(...)
  end)
  if not answered and not chosen then
    vim.cmd('redraw')
    done(nil)
  end
  vim.o.cmdheight = height
end

--- select calls done with the choice and its number, or nil. It asks when the person types
--- nothing else, because the list may have taken time.
---@param items table
---@param options table those of vim.ui.select
---@param done fun(choice: any, i: integer?)
function M.select(items, options, done)
  M.when_free(vim.loop.now(), function()
    select(items, options, done)
  end)
end

--- input_text asks for a text, and calls done with it, or nil. vim.ui.input of Neovim 0.7
--- cannot tell an empty text from Escape.
local function input_text(options, done)
  if vim.fn.has('nvim-0.8') == 1 or not debug.getinfo(vim.ui.input, 'S').source:find('vim/ui.lua', 1, true) then
    return vim.ui.input(options, done)
  end
  local ok, text = pcall(vim.fn.input, { prompt = options.prompt, default = options.default or '', cancelreturn = escape })
  done(ok and text ~= escape and text or nil)
end

--- input asks for a text, and calls done with it, or nil. Neovim writes its input history into a
--- file, where the arguments of a tool, for example personal data, must not be.
---@param options table those of vim.ui.input
---@param done fun(text: string?)
function M.input(options, done)
  local before = vim.fn.histnr('@')
  input_text(options, function(text)
    if vim.fn.histnr('@') ~= before then -- also if the input was cancelled
      vim.fn.histdel('@', -1)
    end
    done(text)
  end)
end

--- input_secret asks for a secret without showing it, and calls done with it, or nil.
---@param options table its prompt
---@param done fun(text: string?)
function M.input_secret(options, done)
  local ok, text = pcall(vim.fn.inputsecret, { prompt = options.prompt, cancelreturn = escape })
  vim.api.nvim_echo({ { '' } }, false, {}) -- stars in the last line would show its length
  done(ok and text ~= escape and text or nil)
end

return M
