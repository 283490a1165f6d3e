; Later patterns win.

(comment) @comment

(keyword) @keyword
(key) @property
(map_pair key: (key) @property)
(path) @variable

(string) @string
(pipe_block "|" @punctuation.special)
(block_text) @string
(text) @string.special
(number) @number
(boolean) @boolean
(null) @constant.builtin

; TOOLS
(tool name: (tool_name) @function)
(import key: (key) @keyword.import)
(import path: (string) @string.special.path)
(import names: (list (text) @function))
(add key: (key) @keyword)
(parameter name: (identifier) @variable.parameter)
(type_field name: (identifier) @property)
(type_identifier) @type
((type_identifier) @type.builtin
  (#any-of? @type.builtin "string" "number" "boolean" "date" "datetime" "object" "array" "integer" "float" "map"))

; The document's own name
(section
  keyword: (keyword) @_keyword
  value: (text) @type.definition
  (#any-of? @_keyword "AGENT" "SUPERVISOR" "BEHAVIOR_PROFILE"))

; Flow control, in upper case by convention
((key) @keyword
  (#match? @keyword "^[A-Z][A-Z_]+$"))

["(" ")" "[" "]" "{" "}"] @punctuation.bracket
[":" ","] @punctuation.delimiter
["-"] @punctuation.special
["->" "=" "?"] @operator

(invalid) @error
