-- What a Neovim makes of the grammar and its queries, without any plugin.
--
--   nvim --headless -u NONE -i NONE -n -l neovim.lua
--
-- started by editors_test.go. ABL_RUNTIME is a folder with parser/abl.so and
-- queries/abl, ABL_SAMPLE is sample.abl beside this file, ABL_CORPUS is a folder.
local runtime, sample, corpus = vim.env.ABL_RUNTIME, vim.env.ABL_SAMPLE, vim.env.ABL_CORPUS

local function equal(what, got, want)
  if not vim.deep_equal(got, want) then
    error(('%s: got %s, want %s'):format(what, vim.inspect(got), vim.inspect(want)), 2)
  end
end

local function open(file)
  vim.cmd('edit ' .. vim.fn.fnameescape(file))
  equal('filetype', vim.bo.filetype, 'abl')
  vim.treesitter.start()
  local parser = vim.treesitter.get_parser(0)
  parser:parse(true)
  return parser
end

--- shown are the names by which the first of a text in the sample is shown, the
--- last one on top.
local function shown(text)
  for row, line in ipairs(vim.api.nvim_buf_get_lines(0, 0, -1, false)) do
    local column = line:find(text, 1, true)
    if column then
      return vim.tbl_map(function(c)
        return c.capture
      end, vim.treesitter.get_captures_at_pos(0, row - 1, column - 1))
    end
  end
  error('no ' .. text, 2)
end

--- injected are the texts that are read as another language.
local function injected(parser, language)
  local child = parser:children()[language]
  local texts = {}
  for _, ranges in pairs(child and child:included_regions() or {}) do
    local parts = {}
    for _, r in ipairs(ranges) do
      local text = vim.api.nvim_buf_get_text(0, r[1], r[2], r[4], r[5], {})
      table.insert(parts, vim.trim(table.concat(text, ' '):gsub('%s+', ' ')))
    end
    table.insert(texts, table.concat(parts, '…'))
  end
  return texts
end

vim.opt.runtimepath:prepend(runtime)
vim.cmd('filetype on')
vim.filetype.add({ extension = { abl = 'abl' } })
-- The other languages are not at hand: this parser stands in for theirs, so
-- that what they would be given can be seen.
for _, language in ipairs({ 'javascript', 'python', 'json', 'sql', 'regex', 'comment' }) do
  vim.treesitter.language.add(language, { path = runtime .. '/parser/abl.so', symbol_name = 'abl' })
end

for name in vim.fs.dir(runtime .. '/queries/abl') do
  local kind = name:match('^(.*)%.scm$')
  if kind then
    assert(vim.treesitter.query.get('abl', kind), name)
  end
end

local parser = open(sample)
for text, want in pairs({
  ['AGENT'] = 'keyword',
  ['Night_Desk'] = 'type',
  ['"Help'] = 'string',
  ['{{UPPER'] = 'punctuation.special',
  ['UPPER'] = 'function.builtin',
  ['guest'] = 'variable',
  ['# well'] = 'comment',
  ['nights('] = 'function',
  ['from:'] = 'variable.parameter',
  ['date,'] = 'type.builtin',
  ['n: number'] = 'property',
  ['description'] = 'property',
  ['ask:'] = 'label',
  ['REASONING'] = 'keyword',
  ['false'] = 'boolean',
  ['>='] = 'operator',
  ['3'] = 'number',
  ['AND'] = 'keyword.operator',
  ['user.vip'] = 'variable.builtin',
  ['book(day ='] = 'function.call',
  ['day = today'] = 'variable.parameter',
  ['"Stay'] = 'string',
  ['stay_on'] = 'label',
}) do
  local captures = shown(text)
  equal(text, captures[#captures], want)
end

for language, want in pairs({
  javascript = { 'const day = 864e5; return { n: day };' },
  python = { 'return sum(xs) / len(xs)' },
  json = { '{ "day": "…" }' },
  sql = { 'SELECT * FROM rooms WHERE id = :id' },
  regex = { '[0-9]{5}' },
  comment = { '# well' },
}) do
  equal(language, injected(parser, language), want)
end

vim.wo.foldmethod = 'expr'
vim.wo.foldexpr = 'v:lua.vim.treesitter.foldexpr()'
vim.cmd('normal! zx')
local levels = {}
for line = 1, vim.fn.line('$') do
  table.insert(levels, vim.fn.foldlevel(line))
end
equal('folds', table.concat(levels), '00' .. '1' .. '2222333' .. '22332' .. '223333' .. '22333' .. '122' .. '112222' .. '33333')

local files = vim.fn.globpath(corpus, '**/*.abl', false, true)
assert(#files > 40, 'no corpus')
for _, file in ipairs(files) do
  for _, tree in pairs(open(file):trees()) do
    assert(not tree:root():has_error(), file)
  end
  vim.cmd('bwipeout!')
end
io.stdout:write(('ok    %d files\n'):format(#files))
vim.cmd('qall!')
