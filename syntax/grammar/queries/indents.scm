; @indent.begin and @indent.branch are Neovim's names, @indent and @outdent
; those of Helix; Zed takes @indent, too.
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

[
  ")"
  "]"
  "}"
] @indent.branch @outdent

(block_text) @indent.auto
(comment) @indent.ignore
