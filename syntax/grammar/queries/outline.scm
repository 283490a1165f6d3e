; Zed's outline.
(section keyword: (keyword) @context value: [(text) (string)]? @name) @item
(tools_section keyword: (keyword) @name) @item
(tool name: (tool_name) @name) @item
(step name: (step_name) @name) @item
(add key: (key) @name) @item
