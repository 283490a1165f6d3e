; Code in the language that the tool's `runtime` names, above it or below.
(block
  (pair key: (key) @_runtime value: (_) @_language)
  (pair key: (key) @_code value: (pipe_block (block_text) @injection.content))
  (#any-of? @_runtime "runtime" "RUNTIME")
  (#match? @_language "javascript")
  (#any-of? @_code "code" "CODE")
  (#set! injection.language "javascript"))
(block
  (pair key: (key) @_code value: (pipe_block (block_text) @injection.content))
  (pair key: (key) @_runtime value: (_) @_language)
  (#any-of? @_runtime "runtime" "RUNTIME")
  (#match? @_language "javascript")
  (#any-of? @_code "code" "CODE")
  (#set! injection.language "javascript"))

(block
  (pair key: (key) @_runtime value: (_) @_language)
  (pair key: (key) @_code value: (pipe_block (block_text) @injection.content))
  (#any-of? @_runtime "runtime" "RUNTIME")
  (#match? @_language "python")
  (#any-of? @_code "code" "CODE")
  (#set! injection.language "python"))
(block
  (pair key: (key) @_code value: (pipe_block (block_text) @injection.content))
  (pair key: (key) @_runtime value: (_) @_language)
  (#any-of? @_runtime "runtime" "RUNTIME")
  (#match? @_language "python")
  (#any-of? @_code "code" "CODE")
  (#set! injection.language "python"))

(pair
  key: (key) @_key
  value: (pipe_block (block_text) @injection.content)
  (#any-of? @_key "body_template" "body" "body_schema" "soap_headers" "input_schema" "output_schema" "ADAPTIVE_CARD" "adaptive_card")
  (#set! injection.language "json"))

(pair
  key: (key) @_key
  value: (pipe_block (block_text) @injection.content)
  (#any-of? @_key "statement" "STATEMENT")
  (#set! injection.language "sql"))
(pair
  key: (key) @_key
  value: (text) @injection.content
  (#any-of? @_key "statement" "STATEMENT")
  (#set! injection.language "sql"))

(pair
  key: (key) @_key
  value: (pipe_block (block_text) @injection.content)
  (#any-of? @_key "MARKDOWN" "markdown")
  (#set! injection.language "markdown"))
(pair
  key: (key) @_key
  value: (pipe_block (block_text) @injection.content)
  (#any-of? @_key "HTML" "html")
  (#set! injection.language "html"))

; A quoted one would begin with its quote.
(pair
  key: (key) @_key
  value: (text) @injection.content
  (#any-of? @_key "extraction_pattern" "PATTERN" "pattern")
  (#set! injection.language "regex"))

((comment) @injection.content
  (#set! injection.language "comment"))
