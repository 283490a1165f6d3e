package expression

import "github.com/abl-lsp/abl-lsp/internal/lazyregexp"

// UnknownNameError is the error of [Check] for a name that is neither a variable nor a function.
type UnknownNameError struct{ Name string }

func (u *UnknownNameError) Error() string { return "unknown name " + u.Name }

// unknownName matches the evaluator's message for an unknown name.
var unknownName = lazyregexp.New(`^unknown name (\S+)`)
