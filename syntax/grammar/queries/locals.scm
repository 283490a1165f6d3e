(tools_section) @local.scope
(tool) @local.scope

(tool name: (tool_name) @local.definition.function)
(parameter name: (identifier) @local.definition.parameter)
