(tool
  name: (tool_name) @name) @definition.function

(section
  keyword: (keyword) @_keyword
  value: (_) @name
  (#any-of? @_keyword "AGENT" "SUPERVISOR" "BEHAVIOR_PROFILE")) @definition.class

(import
  names: (list (text) @name)) @reference.call

(pair
  key: (key) @_key
  value: (text) @name
  (#eq? @_key "CALL")) @reference.call
