-- The environment of abl.yaml in which tools run: choosing it, and keeping it when a run is
-- repeated.
local M = {}

local choose = require('abl.choose')
local server = require('abl.server')

--- list calls done with the environments of a file's project.
local function list(client, uri, done)
  server.request(client, 'abl.environments', { uri = uri }, done)
end

--- use makes tools run in an environment from now on, and says in which one those of a file
--- run: the settings may have another one for its folder.
local function use(client, uri, name)
  server.configure(client, { environment = name })
  list(client, uri, function(them)
    for _, one in ipairs(them) do
      if one.current and one.name == name then
        server.notify('tools run in the environment ' .. name .. ' now', vim.log.levels.INFO)
      elseif one.current then
        server.notify(('tools of this file run in %s: the setting environments says so'):format(one.name))
      end
    end
  end)
end

local function label(one)
  return one.name .. (one.protected and ' (protected)' or '') .. (one.current and ' *' or '')
end

--- choose chooses the environment of abl.yaml in which tools run from now on.
---@param name string? the person is asked where there is none
function M.choose(name)
  local client = server.client()
  if not client then
    return
  end
  local uri = server.uri()
  list(client, uri, function(them)
    local names = vim.tbl_map(function(one)
      return one.name
    end, them)
    if #them == 0 then
      return server.notify('no abl.yaml here has environments')
    elseif name and not vim.tbl_contains(names, name) then
      return server.notify(('no environment %s; there are %s'):format(name, table.concat(names, ', ')))
    elseif name then
      return use(client, uri, name)
    end
    choose.select(them, { prompt = 'Environment: ', format_item = label }, function(one)
      if one then
        use(client, uri, one.name)
      end
    end)
  end)
end

--- confirm_repeat calls done when a call may be repeated. If it ran in no environment, which an
--- empty name says, and tools now run in one, the person is asked.
---@param client vim.lsp.Client
---@param params table of abl.run
---@param done fun()
---@param word string? what is done with it
function M.confirm_repeat(client, params, done, word)
  word = word or 'Run'
  if params.environment ~= '' then
    return done()
  end
  list(client, params.uri, function(them)
    for _, one in ipairs(them) do
      if one.current then
        local prompt = ('%s %s in %s? It ran in no environment before.'):format(word, params.tool, one.name)
        return choose.select({ word, 'Cancel' }, { prompt = prompt }, function(choice)
          if choice == word then
            params.environment = one.name -- the one in the question
            done()
          end
        end)
      end
    end
    params.environment = nil
    done()
  end)
end

return M
