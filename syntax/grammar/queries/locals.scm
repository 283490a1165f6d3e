(tools_section) @local.scope
(tool) @local.scope
(section) @local.scope

(tool name: (tool_name) @local.definition.function)
(parameter name: (identifier) @local.definition.parameter)
(step name: (step_name) @local.definition)
(assignment target: (path) @local.definition.var)

(call_expression function: (path) @local.reference)
(expression (path) @local.reference)
(before_clause tool: (tool_name) @local.reference)
