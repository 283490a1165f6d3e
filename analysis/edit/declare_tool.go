package edit

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/tool"
	"github.com/abl-lsp/abl-lsp/tool/placeholder"
)

// DeclareTool returns the fix that declares a tool called name as a call with the arguments args
// needs it, after the last tool of f. offset is that of the call: if f has no TOOLS section, one is
// added before the section of the call. ok is false if nothing can be added, or no tool can have
// the name.
func DeclareTool(f *model.File, name string, offset int, args []model.Argument) (fix model.Fix, ok bool) {
	at, indent, before, after, ok := toolPlace(f, offset)
	if !ok || model.CheckName(model.Symbol{Kind: model.ToolSymbol}, name) != nil {
		return model.Fix{}, false
	}
	signature := name + "(" + signatureText(f, args) + ") -> object"
	if platforms, ok := tool.LookupPlatformTool(name); ok {
		signature = platforms.Signature()
	}
	lines := indent + signature + "\n" + indent + IndentStepOf(f) + `description: "` + sentence(name) + `"`
	fix = model.ReplaceFix("Declare the tool `"+name+"`", text.Span{Start: at, End: at}, before+lines+after)
	fix.Best = false // what it does is a guess
	return fix, true
}

// toolPlace returns the offset at which a tool can be added, its indentation, and the text to
// insert before and after it. If f has no TOOLS section, before begins one, above the section at
// offset. ok is false if a TOOLS section has a value on its line.
func toolPlace(f *model.File, offset int) (at int, indent, before, after string, ok bool) {
	var last syntax.PositionedEntry
	for _, s := range f.Doc.Sections() {
		if s.Head.Kind() != syntax.ToolsSection {
			continue
		}
		last = s.Head
		if !s.Head.Root().Value().IsZero() {
			return 0, "", "", "", false
		}
		if n := len(s.Entries); n > 0 {
			last = s.Entries[n-1]
		}
	}
	switch {
	case last.Entry == nil:
		at = f.Cursor(offset).Section.Head.Offset
		return at, IndentStepOf(f), "TOOLS:\n", "\n\n", true
	case last.Kind() == syntax.ToolsSection:
		return lineEnd(f, last), IndentStepOf(f), "\n", "", true
	}
	return lineEnd(f, last), model.IndentAt(f, last.Offset), "\n\n", "", true
}

// lineEnd returns the end of the last line of an entry that is not blank.
func lineEnd(f *model.File, e syntax.PositionedEntry) int {
	at := e.Offset + len(strings.TrimRight(e.Text(), " \t\r\n"))
	return f.Doc.Lines().LineText(f.Doc.Lines().Line(at)).End
}

// signatureText returns the parameters that fit the arguments.
func signatureText(f *model.File, args []model.Argument) string {
	var params []string
	taken := map[string]bool{}
	for _, a := range args {
		name := nameOfArgument(a)
		for base, n := name, 2; taken[name]; n++ {
			name = fmt.Sprintf("%s_%d", base, n)
		}
		taken[name] = true
		params = append(params, name+": "+ArgumentType(f, name, a.Value))
	}
	return strings.Join(params, ", ")
}

// nameOfArgument returns the name in the call, that of the variable whose value is given, or a
// neutral one.
func nameOfArgument(a model.Argument) string {
	name := placeholder.RootName(a.Name)
	if a.Name == "" {
		path := strings.Trim(a.Value.UnquotedText(), ` "'`)
		name = path[strings.LastIndexByte(path, '.')+1:]
	}
	if model.CheckName(model.Symbol{Kind: model.ParameterSymbol}, name) != nil {
		return "value"
	}
	return name
}

// sentence returns a name as words, the first with a capital.
func sentence(name string) string {
	s := NameAsWords(name)
	first, size := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(first)) + s[size:]
}

// NameAsWords returns a name as words.
func NameAsWords(name string) string {
	return strings.Join(strings.FieldsFunc(name, func(r rune) bool { return r == '_' || r == '.' }), " ")
}
