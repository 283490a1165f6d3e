-- The content blocks of an MCP server: texts, pictures, sounds, embedded resources, and links to
-- resources. Texts are shown; the others are opened by other programs.
local M = {}

local choose = require('abl.choose')
local server = require('abl.server')

local words = { image = 'picture', audio = 'sound' }

--- text_of returns the text of a block, nil if it has none.
local function text_of(block)
  if block.type == 'text' then
    return block.text
  end
  return block.type == 'resource' and block.resource.text or nil
end

--- bytes_of returns the bytes of a block in base64, and their type; nil if it has none.
local function bytes_of(block)
  if block.type == 'image' or block.type == 'audio' then
    return block.data, block.mimeType
  end
  local resource = block.type == 'resource' and block.resource or {}
  return server.has_value(resource.blob) and resource.blob or nil, resource.mimeType
end

--- describe returns what a block is, in a line.
local function describe(block)
  local data, media = bytes_of(block)
  if data then
    local name = words[block.type] or block.resource.uri or 'bytes'
    return ('%s %s, %d bytes'):format(name, media or '', math.floor(#data * 3 / 4))
  elseif block.type == 'resource_link' then
    return ('link %s: %s'):format(block.title or block.name or '', block.uri)
  end
  return block.type == 'resource' and block.resource.uri or tostring(block.type)
end

--- can_open returns whether another program, or the server, shows a block.
local function can_open(block)
  return bytes_of(block) ~= nil or block.type == 'resource_link'
end

--- replaces_value returns whether a value is only the blocks themselves, which say more when they are described.
---@param value any
---@param blocks table[]?
---@return boolean
function M.replaces_value(value, blocks)
  return server.has_value(blocks) and (vim.deep_equal(value, blocks) or #blocks == 1 and vim.deep_equal(value, blocks[1]))
end

--- lines returns the blocks as text.
---@param blocks table[]
---@return string[]
function M.lines(blocks)
  local lines, opens = {}, false
  for _, block in ipairs(blocks) do
    if block.type ~= 'text' then
      table.insert(lines, describe(block))
    end
    for _, line in ipairs(vim.split(text_of(block) or '', '\n', { plain = true })) do
      if text_of(block) then
        table.insert(lines, line)
      end
    end
    opens = opens or can_open(block)
  end
  return opens and vim.list_extend(lines, { '', ':AblOpen opens what is not a text.' }) or lines
end

--- save writes base64 as bytes into a new file, and returns its path.
local function save(data, media)
  local suffix = (media or ''):match('/([%w]+)') or 'bin'
  local path = vim.fn.tempname() .. '.' .. suffix
  if vim.base64 then
    local file = assert(io.open(path, 'wb'))
    file:write(vim.base64.decode(data))
    file:close()
  else
    vim.fn.system({ 'sh', '-c', 'base64 -d > "$0"', path }, data)
  end
  return path
end

--- open_block opens one block: bytes by the program of this machine, a link by the server.
local function open_block(block, last, show)
  local data, media = bytes_of(block)
  if data then
    local path = save(data, media)
    if vim.ui.open and vim.ui.open(path) then
      return
    end
    return server.notify('saved: ' .. path, vim.log.levels.INFO)
  end
  local params = vim.tbl_extend('force', last.params, { resource = block.uri, allowHosts = last.hosts, environment = last.environment })
  server.request(last.client, 'abl.readResource', params, show)
end

--- open opens a block of a result; the person chooses if there are several.
---@param blocks table[]?
---@param last table the run that gave the result
---@param show fun(envelope: table) shows what a link led to
function M.open(blocks, last, show)
  local all = vim.tbl_filter(can_open, server.has_value(blocks) and blocks or {})
  if #all == 0 then
    return server.notify('the last result has nothing to open')
  elseif #all == 1 then
    return open_block(all[1], last, show)
  end
  choose.select(all, { prompt = 'Open: ', format_item = describe }, function(block)
    if block then
      open_block(block, last, show)
    end
  end)
end

return M
