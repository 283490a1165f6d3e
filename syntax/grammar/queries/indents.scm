[
  (block)
  (pipe_block)
  (list)
  (map)
  (parameters)
  (object_type)
] @indent.begin

[
  ")"
  "]"
  "}"
] @indent.branch

(block_text) @indent.auto
(comment) @indent.ignore
