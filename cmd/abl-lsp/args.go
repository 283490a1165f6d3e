package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/tool"
)

// anyNumber means that a command takes any number of arguments.
const anyNumber = -1

// argumentCount returns a check that a command has between least and most arguments.
func argumentCount(least, most int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) < least:
			return fmt.Errorf("an argument is missing; the usage is %s", cmd.UseLine())
		case most != anyNumber && len(args) > most:
			return fmt.Errorf("unexpected argument %q; the usage is %s", args[most], cmd.UseLine())
		}
		return nil
	}
}

// unknownCommand returns an error that says that cmd has no subcommand args[0], and which
// ones have a similar name. It returns nil if there are no args.
func unknownCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	cmd.SuggestionsMinimumDistance = 2
	const short = 3 // changing two letters of so short a word gives any other word
	near := cmd.SuggestionsFor(args[0])
	if len(args[0]) <= short {
		near = nearestCommand(cmd, args[0])
	}
	if len(near) > 0 {
		return fmt.Errorf("there is no command %q; did you mean %s?", args[0], strings.Join(near, " or "))
	}
	return fmt.Errorf("there is no command %q; %s --help lists those there are", args[0], cmd.CommandPath())
}

// nearestCommand returns the subcommand that is one letter away from a name, if there is one.
func nearestCommand(cmd *cobra.Command, name string) []string {
	var names []string
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() {
			names = append(names, c.Name())
		}
	}
	if near := model.Nearest(name, names); near != "" {
		return []string{near}
	}
	return nil
}

// unknownHelpTopic returns an error if the person asked with --help for a subcommand that does not
// exist.
func unknownHelpTopic(cmd *cobra.Command) error {
	help := cmd.Flags().Lookup("help")
	if !cmd.HasSubCommands() || help == nil || !help.Changed {
		return nil
	}
	return cmd.ValidateArgs(cmd.Flags().Args())
}

// flagValues says what the flags of a type take.
var flagValues = map[string]string{
	"int":      "a whole number",
	"duration": "a duration such as `30s` or `5m`",
}

// flagError adds to an error about a flag which flag was meant, or how to list the flags of the
// command.
func flagError(cmd *cobra.Command, err error) error {
	if unknown, ok := errors.AsType[*pflag.NotExistError](err); ok {
		var names []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
		if near := model.Nearest(unknown.GetSpecifiedName(), names); near != "" {
			return fmt.Errorf("%w; did you mean --%s?", err, near)
		}
	}
	if invalid, ok := errors.AsType[*pflag.InvalidValueError](err); ok {
		if wanted := flagValues[invalid.GetFlag().Value.Type()]; wanted != "" {
			return fmt.Errorf("--%s takes %s, not `%s`", invalid.GetFlag().Name, wanted, invalid.GetValue())
		}
	}
	return fmt.Errorf("%w; %s --help lists those there are", err, cmd.CommandPath())
}

// refuseEmptyFlags returns an error if one of the flags is set to an empty text. A shell
// passes an empty text for a variable that is not set, and the call would mean something
// else.
func refuseEmptyFlags(cmd *cobra.Command, names ...string) error {
	for _, name := range names {
		if f := cmd.Flags().Lookup(name); f.Changed && f.Value.String() == "" {
			return fmt.Errorf("--%s is there without a value; leave it out where there is none", name)
		}
	}
	return nil
}

// parseArguments returns the arguments that --args and --arg give together, as JSON;
// --arg wins. It returns nil if neither flag is given.
func parseArguments(t *tool.Tool, whole string, pairs []string) (json.RawMessage, error) {
	if whole == "" && len(pairs) == 0 {
		return nil, nil
	}
	whole = cmp.Or(whole, "{}")
	if !json.Valid([]byte(whole)) {
		return nil, fmt.Errorf("--args is not JSON: %s", whole)
	}
	if len(pairs) == 0 {
		return json.RawMessage(whole), nil
	}
	args, given := map[string]json.RawMessage{}, map[string]bool{}
	if err := json.Unmarshal([]byte(whole), &args); err != nil {
		return nil, fmt.Errorf("--args must be an object where --arg is given, too")
	}
	for _, pair := range pairs {
		name, value, ok := strings.Cut(pair, "=")
		if !ok || name == "" {
			return nil, fmt.Errorf("--arg takes NAME=VALUE, not %q", pair)
		}
		if given[name] {
			return nil, fmt.Errorf("--arg is there twice for %s; write a list as JSON, like --arg '%s=[1, 2]'", name, name)
		}
		given[name] = true
		args[name] = parseWord(typeOf(t, name), value)
	}
	return json.Marshal(args)
}

// checkArgumentNames returns an error if a value of --arg names an argument that the tool does
// not declare. It is an answer, as for any wrong argument.
func checkArgumentNames(t *tool.Tool, pairs []string) error {
	names := t.ArgumentNames()
	if len(names) == 0 {
		names = []string{freeFormInput}
	}
	for _, pair := range pairs {
		name, _, _ := strings.Cut(pair, "=")
		if t.TakesMore() || slices.Contains(names, name) {
			continue
		}
		return executor.Errorf(executor.KindArguments, "unknown-argument", "%s has no argument `%s`; %s",
			t.QualifiedName(), name, model.DidYouMean(name, names, knownArguments(names)))
	}
	return nil
}

func knownArguments(names []string) string {
	if len(names) == 1 {
		return "its argument is `" + names[0] + "`"
	}
	return "its arguments are `" + strings.Join(names, "`, `") + "`"
}

// freeFormInput is the argument of a tool without parameters.
const freeFormInput = "input"

func typeOf(t *tool.Tool, name string) *tool.Type {
	for _, p := range t.Arguments() {
		if p.Name == name && p.Type != nil {
			return p.Type
		}
	}
	if len(t.ArgumentNames()) == 0 && t.InputSchema == nil {
		return &tool.Type{Name: "string"} // the free-form input
	}
	return tool.Any()
}

// isStringType reports whether the values of a type are JSON strings.
func isStringType(t *tool.Type) bool {
	switch t.Name {
	case "string", "date", "datetime":
		return len(t.Union) == 0
	}
	return false
}

// parseWord converts a word of the command line to a value of the declared type. A word that
// does not fit the type stays text, and the executor reports it.
func parseWord(t *tool.Type, word string) json.RawMessage {
	if raw := []byte(word); !isStringType(t) && json.Valid(raw) {
		return bytes.TrimSpace(raw)
	}
	text, _ := json.Marshal(word) // a string always marshals
	return text
}
