package expression

import "github.com/abl-lsp/abl-lsp/internal/lazyregexp"

// UnknownNameError is the error of [Check] for a name that is neither a variable nor a function.
type UnknownNameError struct{ Name string }

func (u *UnknownNameError) Error() string { return "unknown name " + u.Name }

// unknownName is how the evaluator says it.
var unknownName = lazyregexp.New(`^unknown name (\S+)`)
