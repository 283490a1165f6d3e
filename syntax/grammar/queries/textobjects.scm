; .outer and .inner are Neovim's names, .around and .inside those of Helix and
; Zed.
(tool) @function.outer @function.around
(tool block: (block) @function.inner @function.inside)
(step) @function.outer @function.around
(step block: (block) @function.inner @function.inside)

(section) @class.outer @class.around
(section block: (block) @class.inner @class.inside)
(tools_section) @class.outer @class.around
(tools_section block: (block) @class.inner @class.inside)

(parameter) @parameter.inner @parameter.inside
(comment) @comment.outer @comment.around
