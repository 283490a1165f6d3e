; Code in the language that the tool's `runtime` names.
(tool
  block: (block
    (pair
      key: (key) @_runtime
      value: (_) @_language)
    (pair
      key: (key) @_code
      value: (pipe_block (block_text) @injection.content)))
  (#eq? @_runtime "runtime")
  (#match? @_language "javascript")
  (#eq? @_code "code")
  (#set! injection.language "javascript"))

(tool
  block: (block
    (pair
      key: (key) @_runtime
      value: (_) @_language)
    (pair
      key: (key) @_code
      value: (pipe_block (block_text) @injection.content)))
  (#eq? @_runtime "runtime")
  (#match? @_language "python")
  (#eq? @_code "code")
  (#set! injection.language "python"))

(pair
  key: (key) @_key
  value: (pipe_block (block_text) @injection.content)
  (#any-of? @_key "body_template" "body_schema" "input_schema" "output_schema")
  (#set! injection.language "json"))

(pair
  key: (key) @_key
  value: (pipe_block (block_text) @injection.content)
  (#eq? @_key "statement")
  (#set! injection.language "sql"))

((comment) @injection.content
  (#set! injection.language "comment"))
