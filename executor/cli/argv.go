package cli

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/template"
	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
	"github.com/abl-lsp/abl-lsp/tool"
)

// maxWords is the most bytes that a command line may have. Some systems limit one word to about as
// much.
const maxWords = 100_000

// builder builds the words of a command line.
type builder struct {
	call  executor.Call
	spec  *tool.CLI
	words []string
	used  []string // the arguments that env uses
}

// addArguments adds the words of `command`, and an option for each other argument in the order of
// the signature. It returns an error if the command line becomes too long.
func (b *builder) addArguments() error {
	if err := b.addCommand(); err != nil {
		return err
	}
	for _, name := range b.call.Scope.Params {
		v, given := b.call.Scope.Args[name]
		if !given || name == tool.Subcommand || slices.Contains(b.used, name) {
			continue
		}
		if err := b.addArgument(name, v); err != nil {
			return err
		}
	}
	for _, m := range b.call.SessionValues {
		if err := b.addOption(m.Name, m.Value); err != nil {
			return err
		}
	}
	size := 0
	for _, word := range b.words {
		size += len(word) + 1
	}
	if size > maxWords {
		return executor.Errorf(executor.KindLimit, "arguments-size", "the command line has %d bytes, %d are the limit", size, maxWords)
	}
	return nil
}

// addArgument adds an argument as an option. The free-form input of a tool without
// parameters is added as one word.
func (b *builder) addArgument(name string, v any) error {
	text, isText := v.(string)
	if name != tool.FreeForm || !isText || len(b.call.Tool.ArgumentNames()) > 0 {
		return b.addOption(name, v)
	}
	if err := checkWord(name, text); err != nil {
		return err
	}
	b.words = append(b.words, text)
	return nil
}

func (b *builder) addCommand() error {
	allowed := make([]string, len(b.spec.AllowedCommands))
	for i, text := range b.spec.AllowedCommands {
		var err error
		if allowed[i], err = fillWithoutArguments(b.call, "allowed_commands", text); err != nil {
			return err
		}
	}
	if len(allowed) > 0 && !b.call.Scope.Declared(tool.Subcommand) {
		return executor.DefinitionError("allowed-commands", "allowed_commands says how the argument `%s` may begin, and the signature has none", tool.Subcommand).
			WithHint("Add a parameter: %s: string.", tool.Subcommand)
	}
	v, given := b.call.Scope.Args[tool.Subcommand]
	text, isText := v.(string)
	switch {
	case given && !isText:
		return argumentError(tool.Subcommand, "must be a text, not %s", shortValue(v))
	case len(allowed) == 0 && !given:
		return nil
	}
	words := strings.FieldsFunc(text, func(r rune) bool { return r == ' ' })
	for _, word := range words {
		if err := checkWord(tool.Subcommand, word); err != nil {
			return err
		}
	}
	if len(allowed) > 0 && (len(words) == 0 || !slices.Contains(allowed, words[0])) {
		return argumentError(tool.Subcommand, "must begin with one of %s, not %s", strings.Join(allowed, ", "), shortValue(firstOf(words)))
	}
	b.words = append(b.words, words...)
	return nil
}

func firstOf(words []string) string {
	if len(words) == 0 {
		return ""
	}
	return words[0]
}

// optionName matches the names that become one option word and cannot be mistaken for another.
var optionName = lazyregexp.New(`^[\pL\pN][\pL\pN_.-]*$`)

// addOption adds an argument as an option: --name value, --name for true, nothing for false.
// A list repeats the option.
func (b *builder) addOption(name string, v any) error {
	if !optionName.MatchString(name) {
		return executor.DefinitionError("option", "the parameter %q cannot be an option: its name is not of letters, digits, _, - and dots", name)
	}
	option := optionOf(name)
	for _, other := range b.call.Scope.Params {
		if other != name && optionOf(other) == option {
			return executor.DefinitionError("option", "the parameters %s and %s are both the option %s; rename one of them", name, other, option)
		}
	}
	items, isList := v.([]any)
	if !isList {
		return b.addValue(name, option, v)
	}
	for i, item := range items {
		if err := b.addValue(fmt.Sprintf("%s[%d]", name, i), option, item); err != nil {
			return err
		}
	}
	return nil
}

func optionOf(name string) string { return "--" + strings.ReplaceAll(name, "_", "-") }

func (b *builder) addValue(path, option string, v any) error {
	switch v := v.(type) {
	case nil:
		return nil
	case bool:
		if v {
			b.words = append(b.words, option)
		}
		return nil
	case json.Number:
		return b.addPair(path, option, v.String())
	case string:
		return b.addPair(path, option, v)
	}
	return argumentError(path, "an object or a list inside a list cannot be a word of a command line; give its parts as arguments of their own")
}

func (b *builder) addPair(path, option, word string) error {
	if err := checkWord(path, word); err != nil {
		return err
	}
	b.words = append(b.words, option, word)
	return nil
}

// environment returns the tool's environment variables.
func (b *builder) environment() (map[string]string, error) {
	env := make(map[string]string, len(b.spec.Env))
	for name, text := range b.spec.Env {
		property := "env." + name
		if name == "" || strings.ContainsAny(name, "=\x00") {
			return nil, executor.DefinitionError("env", "env: %q is no name of a variable", name)
		}
		value, err := b.call.Scope.Expand(text, func(v template.Value) (string, error) { return b.variableText(property, v) })
		if err != nil {
			return nil, executor.TemplateError(property, err)
		}
		if strings.ContainsRune(value, 0) {
			return nil, executor.DefinitionError("env", "%s: a zero byte cannot stand in a variable", property)
		}
		env[name] = value
	}
	return env, nil
}

// variableText returns the text of a value in an environment variable. An argument that
// is used there is not added as an option.
func (b *builder) variableText(property string, v template.Value) (string, error) {
	text := v.Text()
	switch v.Source {
	case template.Argument:
		if v.Name == "" {
			b.used = append(b.used, b.call.Scope.Params...)
			return text, nil
		}
		b.used = append(b.used, v.Name)
		return text, checkShellSafe(v.Name, text)
	case template.Session:
		return text, checkShellSafe(property, text)
	}
	return text, nil
}

// checkWord returns an error if a word may not be part of a command line.
func checkWord(path, word string) error {
	if strings.HasPrefix(word, "-") {
		return argumentError(path, "%s begins with -, so that the program would take it for an option", shortValue(word))
	}
	return checkShellSafe(path, word)
}

// shellMetacharacters have a meaning in shells. No shell is used here, but a program
// may pass its words to one.
const shellMetacharacters = ";|`$(){}&<>"

// checkShellSafe returns an error for a text with characters that a shell would interpret. Corail
// removes such characters, and so runs another command than the requested one.
func checkShellSafe(path, text string) error {
	for _, r := range text {
		if unicode.IsControl(r) && r != '\t' || unicode.In(r, unicode.Zl, unicode.Zp) || strings.ContainsRune(shellMetacharacters, r) {
			return argumentError(path, "%q cannot be handed to a program", r)
		}
	}
	return nil
}

func argumentError(path, format string, args ...any) *executor.Error {
	return executor.Errorf(executor.KindArguments, "argument", "%s: %s", path, fmt.Sprintf(format, args...))
}

// shortValue returns a value as shortened JSON for a message.
func shortValue(v any) string {
	raw, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	const most = 80
	return executor.Shorten(string(raw), most)
}
