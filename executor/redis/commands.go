package redis

import (
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/template"
	"github.com/abl-lsp/abl-lsp/tool"
	"github.com/abl-lsp/abl-lsp/tool/exactjson"
)

// refused are the commands that are never sent: they turn the connection into a stream of messages or
// change who it belongs to, make the server reach another one, stop it or change its settings.
var refused = []string{
	"SUBSCRIBE", "PSUBSCRIBE", "SSUBSCRIBE", "UNSUBSCRIBE", "PUNSUBSCRIBE", "SUNSUBSCRIBE", "MONITOR", "SYNC", "PSYNC", "REPLCONF",
	"AUTH", "HELLO", "QUIT", "RESET", "CLIENT REPLY", "CLIENT TRACKING", "CLIENT KILL", "CLIENT PAUSE",
	"REPLICAOF", "SLAVEOF", "MIGRATE", "FAILOVER", "CLUSTER MEET", "CLUSTER REPLICATE", "CLUSTER RESET", "CLUSTER FAILOVER",
	"SHUTDOWN", "DEBUG", "MODULE", "CONFIG SET", "CONFIG REWRITE", "CONFIG RESETSTAT", "ACL SETUSER", "ACL DELUSER", "ACL LOAD", "ACL SAVE",
	"BGREWRITEAOF", "BGSAVE", "SAVE",
}

// fillCommands returns the commands of a call with its values, and a warning for each argument that
// was not used.
func fillCommands(call executor.Call) (commands [][]string, warnings []string, err error) {
	b, err := executor.SpecOf[*tool.Redis](call)
	if err != nil {
		return nil, nil, err
	}
	if len(b.Commands) == 0 {
		return nil, nil, executor.DefinitionError("commands", `commands is missing: give a list such as [["GET", "{{key}}"]]`)
	}
	f := filler{call: call}
	for _, words := range b.Commands {
		command, err := f.fill(words)
		if err != nil {
			return nil, nil, err
		}
		commands = append(commands, command)
	}
	for _, name := range call.Scope.Params {
		if _, given := call.Scope.Args[name]; given && !slices.Contains(f.used, name) {
			warnings = append(warnings, unusedWarning(name))
		}
	}
	return commands, warnings, nil
}

// filler fills the words of commands.
type filler struct {
	call executor.Call
	used []string // the arguments that were used
}

func (f *filler) fill(words []string) ([]string, error) {
	var out []string
	for _, word := range words {
		filled, err := f.fillWord(word)
		if err != nil {
			return nil, err
		}
		out = append(out, filled...)
	}
	if len(out) == 0 || out[0] == "" {
		return nil, executor.Errorf(executor.KindArguments, "refused-command", "commands: %q has no command", strings.Join(words, " "))
	}
	name, sub := strings.ToUpper(out[0]), ""
	if len(out) > 1 {
		sub = name + " " + strings.ToUpper(out[1])
	}
	for _, r := range []string{name, sub} {
		if slices.Contains(refused, r) {
			kind := executor.KindDefinition
			if words[0] != out[0] {
				kind = executor.KindArguments
			}
			return nil, executor.Errorf(kind, "refused-command", "commands: %s is never sent", r)
		}
	}
	return out, nil
}

// fillWord returns the words that a word becomes: one, or one for each item of a list that is the
// whole word.
func (f *filler) fillWord(word string) ([]string, error) {
	var list []any
	isList := false
	filled, err := f.call.Scope.Expand(word, func(v template.Value) (string, error) {
		if v.Source == template.Argument {
			f.addUsed(v.Name)
		}
		list, isList = v.Data.([]any)
		isList = isList || !v.Given && f.isArray(v.Name)
		return v.Text(), nil
	})
	if err != nil {
		return nil, executor.TemplateError("commands", err)
	}
	if !isList || !isOnePlaceholder(word) {
		return []string{filled}, nil
	}
	out := make([]string, len(list))
	for i, item := range list {
		if out[i], err = textOf(item); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// isArray reports whether a parameter is an array.
func (f *filler) isArray(name string) bool {
	return slices.ContainsFunc(f.call.Tool.Params, func(p tool.Param) bool {
		return p.Name == name && p.Type != nil && p.Type.Name == "array"
	})
}

func (f *filler) addUsed(name string) {
	if name == "" {
		f.used = append(f.used, f.call.Scope.Params...)
		return
	}
	f.used = append(f.used, name)
}

// isOnePlaceholder reports whether a word is a placeholder and nothing else.
func isOnePlaceholder(word string) bool {
	inner, ok := strings.CutPrefix(strings.TrimSpace(word), "{{")
	return ok && strings.Index(inner, "}}") == len(inner)-len("}}")
}

// textOf returns the word for an item of a list: a string as it is, and JSON for any other value.
func textOf(item any) (string, error) {
	if s, ok := item.(string); ok {
		return s, nil
	}
	raw, err := exactjson.Encode(item)
	return string(raw), err
}
