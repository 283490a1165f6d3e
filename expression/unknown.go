package expression

import "regexp"

// Unknown is the error of [Check] for a name that is neither a variable nor a function.
type Unknown struct{ Name string }

func (u *Unknown) Error() string { return "unknown name " + u.Name }

// unknownName is how the evaluator says it.
var unknownName = regexp.MustCompile(`^unknown name (\S+)`)
