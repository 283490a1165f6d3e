; @indent.begin and @indent.branch are Neovim's names, @indent, @extend and
; @outdent those of Helix; Zed takes @indent, too.
[
  (block)
  (pipe_block)
  (list)
  (map)
  (parameters)
  (object_type)
  (arguments)
  (list_expression)
  (object_expression)
  (parenthesized_expression)
] @indent.begin @indent

; In Helix a line that opens a block is indented from the node that it begins.
[
  (section block: (block))
  (tools_section block: (block))
  (tool block: (block))
  (add block: (block))
  (step block: (block))
  (pair block: (block))
  (pair value: (pipe_block))
] @indent @extend

; Nothing stands below them yet.
[
  (section !value !block)
  (tools_section !value !block)
  (tool !block)
  (pair !value !block)
] @indent @extend

[
  ")"
  "]"
  "}"
] @indent.branch @outdent

(block_text) @indent.auto
(comment) @indent.ignore
