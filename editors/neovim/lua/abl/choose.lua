-- Has the person choose, by vim.ui.select.
local M = {}

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

--- select gives done what is chosen and its number, or nil.
---@param items table
---@param options table those of vim.ui.select
---@param done fun(choice: any, i: integer?)
function M.select(items, options, done)
  local chosen = false
  local answered = M.escape(vim.ui.select, items, options, function(...)
    chosen = true
    vim.cmd('redraw') -- else what comes next stands behind the menu
    done(...)
  end)
  if not answered and not chosen then
    vim.cmd('redraw')
    done(nil)
  end
end

return M
