[
  (section)
  (tools_section)
  (tool)
  (add)
  (pair)
  (list_item)
  (pipe_block)
  (list)
  (map)
] @fold
