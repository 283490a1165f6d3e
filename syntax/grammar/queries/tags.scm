(tool
  name: (tool_name) @name) @definition.function

(step
  name: (step_name) @name) @definition.module

(section
  keyword: (keyword) @_keyword
  value: (_) @name
  (#any-of? @_keyword "AGENT" "SUPERVISOR" "BEHAVIOR_PROFILE")) @definition.class

(import
  names: (list (text) @name)) @reference.call

(pair
  key: (key) @_key
  value: (expression (path) @name)
  (#any-of? @_key "CALL" "call")) @reference.call

(pair
  key: (key) @_key
  value: (expression (call_expression function: (path) @name))
  (#any-of? @_key "CALL" "call")) @reference.call

(map_pair
  key: (key) @_key
  value: (expression (path) @name)
  (#any-of? @_key "CALL" "call")) @reference.call

(pair
  key: (key) @_key
  value: (list (text) @name)
  (#any-of? @_key "AVAILABLE_TOOLS" "available_tools")) @reference.call

(before_clause
  tool: (tool_name) @name) @reference.call
