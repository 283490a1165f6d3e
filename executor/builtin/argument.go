package builtin

import (
	"encoding/json"
	"fmt"

	"github.com/abl-lsp/abl-lsp/executor"
)

// text is an argument; given says whether there is one.
func text(call executor.Call, name string) (value string, given bool, err error) {
	v, ok := call.Scope.Args[name]
	if !ok || v == nil {
		return "", false, nil
	}
	value, isText := v.(string)
	if !isText {
		return "", true, argument(name, "must be a text")
	}
	return value, true, nil
}

// needed is an argument that must not be left out.
func needed(call executor.Call, name string) (string, error) {
	value, given, err := text(call, name)
	if err == nil && (!given || value == "") {
		return "", argument(name, "is missing")
	}
	return value, err
}

// whole is a whole number within bounds; usual where none is given.
func whole(call executor.Call, name string, usual, least, most int) (int, error) {
	v, ok := call.Scope.Args[name]
	if !ok || v == nil {
		return usual, nil
	}
	n, isNumber := v.(json.Number)
	f, err := n.Float64()
	if !isNumber || err != nil || f != float64(int(f)) || f < float64(least) || f > float64(most) {
		return 0, argument(name, "must be a whole number from %d to %d", least, most)
	}
	return int(f), nil
}

func argument(name, format string, args ...any) *executor.Error {
	return executor.Errorf(executor.KindArguments, "argument", "%s: %s", name, fmt.Sprintf(format, args...))
}
