package builtin

import (
	"encoding/json"
	"fmt"

	"github.com/abl-lsp/abl-lsp/executor"
)

// textArgument returns the argument called name as text. given is false if the argument is absent
// or null. An argument that is no text is an error.
func textArgument(call executor.Call, name string) (value string, given bool, err error) {
	v, ok := call.Scope.Args[name]
	if !ok || v == nil {
		return "", false, nil
	}
	value, isText := v.(string)
	if !isText {
		return "", true, argumentError(name, "must be a text")
	}
	return value, true, nil
}

// requiredText returns a text argument, or an error if it is absent or empty.
func requiredText(call executor.Call, name string) (string, error) {
	value, given, err := textArgument(call, name)
	if err == nil && (!given || value == "") {
		return "", argumentError(name, "is missing")
	}
	return value, err
}

// wholeNumber returns the argument called name, a whole number from least to most. It returns
// usual if the argument is absent or null, and an error for any other value.
func wholeNumber(call executor.Call, name string, usual, least, most int) (int, error) {
	v, ok := call.Scope.Args[name]
	if !ok || v == nil {
		return usual, nil
	}
	n, isNumber := v.(json.Number)
	f, err := n.Float64()
	if !isNumber || err != nil || f != float64(int(f)) || f < float64(least) || f > float64(most) {
		return 0, argumentError(name, "must be a whole number from %d to %d", least, most)
	}
	return int(f), nil
}

func argumentError(name, format string, args ...any) *executor.Error {
	return executor.Errorf(executor.KindArguments, "argument", "%s: %s", name, fmt.Sprintf(format, args...))
}
