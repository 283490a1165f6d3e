// Package abl writes tools as formatted ABL text. Reading that text gives the same tools again.
// What ABL cannot express is listed, and never dropped silently.
package abl

import (
	"fmt"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/dialect/literal"
	"github.com/abl-lsp/abl-lsp/dialect/schema"
	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
	"github.com/abl-lsp/abl-lsp/tool"
	"github.com/abl-lsp/abl-lsp/tool/exactjson"
)

// Entry is a tool to write, with notes on what was lost when it was read.
type Entry struct {
	Tool  tool.Tool
	Notes []string
}

// Library returns the text of a tool library. The notes of an entry become comments above its tool.
// A tool with the name of an earlier one gets an underscore
// after its name, unless the two are versions of one tool.
func Library(entries []Entry) string {
	var b strings.Builder
	b.WriteString("TOOLS:\n")
	versions := map[string][]string{} // by name
	for i, e := range entries {
		if i > 0 {
			b.WriteByte('\n')
		}
		another := func(version string) bool { return !tool.AreVersions(version, e.Tool.Version) }
		for slices.ContainsFunc(versions[Name(e.Tool.Name)], another) {
			e.Tool.Name += "_"
		}
		versions[Name(e.Tool.Name)] = append(versions[Name(e.Tool.Name)], e.Tool.Version)
		text, lost := Tool(e.Tool)
		for _, note := range append(slices.Clip(e.Notes), lost...) {
			b.WriteString("  # " + strings.TrimSpace(white.ReplaceAllString(note, " ")) + "\n")
		}
		b.WriteString(text)
	}
	return b.String()
}

var white = lazyregexp.New(`[\s\p{C}]+`)

var nonWord = lazyregexp.New(`\W+`)

// Name returns s as a valid name in ABL, with underscores for other characters and before a leading
// digit.
func Name(s string) string {
	name := nonWord.ReplaceAllString(s, "_")
	if name == "" || name[0] >= '0' && name[0] <= '9' {
		name = "_" + name
	}
	return name
}

// toolName matches a valid name of a tool; the name of a connector's tool contains a dot.
var toolName = lazyregexp.New(`^[A-Za-z_]\w*(\.\w+)?$`)

// Tool returns the declaration of a tool for a TOOLS section, and what ABL cannot express of it.
func Tool(t tool.Tool) (source string, lost []string) {
	w := writer{}
	if custom, ok := t.Spec.(*tool.Custom); ok { // no table has its properties
		for _, line := range custom.PropertyLines() {
			w.reportLoss("Left out: %s", line)
		}
		t.Kind, t.Spec = "", nil
	}
	w.renameForABL(&t)
	props := blockProperties(t)
	w.mergeLibraryDefaults(&t, props)
	w.writeLine(1, signature(t))
	for _, row := range rowsOf(t.Kind) {
		switch row.Name {
		case "type":
			if t.Kind != "" {
				w.writeLine(2, "type: "+string(t.Kind))
			}
		case "parameters":
			w.writeParams(2, t.Params)
		default:
			w.writeProperty(2, row, props[row.Name])
		}
	}
	return w.b.String(), w.lost
}

// rowsOf returns the properties in the order in which they are written: what the tool is for, what
// runs it, and all others.
func rowsOf(kind tool.Kind) []tool.Field {
	common := tool.CommonFields()
	return slices.Concat(common[:2], tool.Fields(kind), common[2:])
}

// renameForABL gives the tool and its parameters valid names in ABL, in placeholders as well.
func (w *writer) renameForABL(t *tool.Tool) {
	if !toolName.MatchString(t.Name) {
		w.reportLoss("The tool was called %s.", t.Name)
		t.Name = Name(t.Name)
	}
	t.Params = slices.Clone(t.Params)
	usedNames, renamed := map[string]bool{}, map[string]string{}
	var pairs []string
	for i := range t.Params {
		p := &t.Params[i]
		was := p.Name
		p.Name = Name(was)
		for usedNames[p.Name] {
			p.Name += "_"
		}
		usedNames[p.Name] = true
		if p.Name != was {
			w.reportLoss("The parameter %s was called %s.", p.Name, was)
			renamed[was] = p.Name
			w.keepSentName(t, *p, was)
			pairs = append(pairs, "{"+was+"}", "{"+p.Name+"}", "{."+was+"}", "{."+p.Name+"}")
		}
	}
	w.placeholders = strings.NewReplacer(pairs...)
	t.InputSchema = schema.RenameProperties(t.InputSchema, renamed)
}

// keepSentName makes the tool send the renamed parameter p under its old name, was, if it was sent
// by name, or reports that it does not.
func (w *writer) keepSentName(t *tool.Tool, p tool.Param, was string) {
	switch t.Kind {
	case tool.KindSQL, tool.KindBuiltin, tool.KindRedis: // their names go nowhere
		return
	case tool.KindCLI: // the flag is of either name
		if strings.ReplaceAll(p.Name, "_", "-") == strings.ReplaceAll(was, "_", "-") {
			return
		}
	}
	s, ok := t.Spec.(*tool.HTTP)
	if !ok {
		w.reportLoss("What runs the tool is given %s, and no %s any more.", p.Name, was)
		return
	}
	if strings.Contains(string(exactjson.EncodeOrNil(s)), "{"+was+"}") {
		return
	}
	copied := *s
	switch strings.ToUpper(s.Method) {
	case "", "GET", "DELETE":
		copied.QueryParams = append(slices.Clone(s.QueryParams), tool.Pair{Key: was, Value: "{{" + was + "}}"})
	default:
		w.reportLoss("The body has %s, where it had %s; a body_template can name it.", p.Name, was)
	}
	t.Spec = &copied
}

// signature returns the first line of a declaration.
func signature(t tool.Tool) string {
	params := make([]string, len(t.Params))
	for i, p := range t.Params {
		params[i] = paramText(p)
	}
	returns := "object"
	if t.Returns != nil {
		returns = t.Returns.String()
	}
	return t.Name + "(" + strings.Join(params, ", ") + ") -> " + returns
}

// paramText writes a parameter of a signature. The block of the parameter has the fields of an
// object if they have descriptions.
func paramText(p tool.Param) string {
	s := p.Name
	if p.Optional && p.Default == nil {
		s += "?"
	}
	s += ": " + typeText(withoutBlockFields(p.Type))
	if p.Default != nil {
		s += " = " + ablInline(literal.Parse(p.Default))
	}
	return s
}

func typeText(t *tool.Type) string {
	if t == nil {
		return "any"
	}
	return t.String()
}

// reportLoss records a thing that ABL cannot express.
func (w *writer) reportLoss(format string, args ...any) {
	w.lost = append(w.lost, fmt.Sprintf(format, args...))
}
