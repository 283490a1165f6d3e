; Later patterns win.

(comment) @comment

; Lines
(keyword) @keyword
(key) @property
(map_pair key: (key) @property)
(path) @variable

; Values
(string) @string
(pipe_block "|" @punctuation.special)
(block_text) @string
(text) @string.special
(number) @number
(boolean) @boolean
(null) @constant.builtin

; Flow control and actions, in upper case by convention
((key) @keyword
  (#match? @keyword "^[A-Z][A-Z_ ]+$"))

; Keys of the author's own
(assignment target: (path) @variable)
(mapping source: (path) @variable)
(mapping source: (string) value: (text) @label)

; The document's own name
(section
  keyword: (keyword) @keyword
  value: (text) @type
  (#any-of? @keyword "AGENT" "SUPERVISOR" "BEHAVIOR_PROFILE"))

; FLOW
(step name: (step_name) @label)
((pair
  key: (key) @property
  value: (text) @label)
  (#eq? @property "entry_point"))
((pair
  key: (key) @keyword
  value: (text) @label)
  (#any-of? @keyword "THEN" "GOTO" "TRANSITION" "ON_EXHAUSTED" "BACKTRACK_TO" "ON_SUCCESS" "ON_TIMEOUT" "ON_CANCEL" "ON_FAIL" "ON_FAILURE")
  (#not-match? @label " "))
((pair
  key: (key) @keyword
  value: (text) @constant.builtin)
  (#any-of? @keyword "THEN" "ON_FAIL")
  (#any-of? @constant.builtin "COMPLETE" "ESCALATE" "CONTINUE" "RETRY_STEP" "BACKTRACK" "BLOCK"))

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

; CONSTRAINTS
(before_clause ["BEFORE" "calling"] @keyword)
(before_clause tool: (tool_name) @function)

; Expressions
(operator) @operator
((operator) @keyword.operator
  (#match? @keyword.operator "^[A-Za-z]"))
(object_pair key: (key) @property)
(member_expression property: (identifier) @property)
(named_argument name: (identifier) @variable.parameter)
(regex) @string.regexp
(filter_expression function: (identifier) @function.builtin)
(call_expression function: (path) @function.call)
(interpolation (call_expression function: (path) @function.builtin))
((call_expression function: (path) @function.builtin)
  (#any-of? @function.builtin
    "ADD" "SUB" "MUL" "DIV" "ROUND" "ABS" "MIN" "MAX" "UPPER" "LOWER" "TRIM" "SUBSTRING" "REPLACE" "SPLIT" "JOIN"
    "PAD_START" "PAD_END" "REPEAT" "REGEX_REPLACE" "REGEX_EXTRACT" "MATCH_SCORE" "MATCHES" "MATCH_RESULT" "MASK"
    "FORMAT_CURRENCY" "FORMAT_DATE" "ORDINAL" "IS_ARRAY" "IS_NUMBER" "IS_STRING" "TO_NUMBER" "TO_STRING" "LENGTH"
    "ARRAY_FIND" "ARRAY_FIND_INDEX" "OBJECT_KEYS" "OBJECT_VALUES" "OBJECT_MERGE" "COALESCE" "FIRST_NON_EMPTY" "IF"
    "NOW" "UNIQUE_ID" "size" "has"))
((path) @variable.builtin
  (#match? @variable.builtin "^(input|result|error|human|intent|user|session|channel|recent_input|input_transcript|secrets|config|env)([.]|$)"))
((pair
  key: (key) @keyword
  value: (expression (path) @function.call))
  (#eq? @keyword "CALL"))
((map_pair
  key: (key) @keyword
  value: (expression (path) @function.call))
  (#eq? @keyword "CALL"))

; Placeholders
(interpolation ["{{" "}}"] @punctuation.special)
(block_helper keyword: (keyword) @keyword)

["(" ")" "[" "]" "{" "}"] @punctuation.bracket
[":" ","] @punctuation.delimiter
["-"] @punctuation.special
["->" "=" "?"] @operator

(invalid) @error
