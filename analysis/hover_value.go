package analysis

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/cursor"
	"github.com/abl-lsp/abl-lsp/analysis/describe"
	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/analysis/projectfile"
	"github.com/abl-lsp/abl-lsp/analysis/section"
	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/yaml"
	"github.com/abl-lsp/abl-lsp/tool"
)

// hoverTypeField describes a field of an object type in a signature.
func hoverTypeField(_ model.Workspace, c model.Cursor) (Hover, bool) {
	n := c.Node()
	field := n.Parent()
	if field.Kind() != syntax.TypeField || n.Field() != syntax.FieldName {
		return Hover{}, false
	}
	title := "**" + n.Text() + "**"
	if of := field.Child(syntax.FieldType); !of.IsZero() {
		title += " · " + describe.CodeSpan(describe.OneLine(of.Text(), describe.MaxSignature))
	}
	owner := ""
	if decl, ok := c.File.ToolAround(c.Offset); ok {
		owner = "A field of what `" + decl.Name + "` returns."
		for up := field; !up.IsZero(); up = up.Parent() {
			if up.Kind() == syntax.Parameter {
				owner = "A field of a parameter of `" + decl.Name + "`."
			}
		}
	}
	return Hover{n.Span(), describe.Paragraphs(title, owner)}, true
}

// hoverBoolean describes `true` or `false` as the value of a property.
func hoverBoolean(_ model.Workspace, c model.Cursor) (Hover, bool) {
	path := cursor.PropertiesAround(c)
	if len(path) == 0 {
		return Hover{}, false
	}
	p := path[len(path)-1]
	if p.Field == nil || p.Field.Type != tool.BooleanType {
		return Hover{}, false
	}
	at := model.UnquotedWord(p.Value)
	span := at.Span.Shift(c.Entry.Offset)
	isBoolean := at.Text == "true" || at.Text == "false"
	name := p.Field.Name
	if written := section.YAMLName(name); c.File.IsYAMLAgent() && written != "" {
		name = written
	}
	return Hover{span, describe.ValueMarkdown(name, tool.Word{Name: at.Text, Doc: p.Field.Doc})}, isBoolean && span.Touches(c.Offset)
}

// configNamed matches a name of the configuration in a placeholder.
var configNamed = lazyregexp.New(`\b(?:config|env)\.([A-Za-z_]\w*)`)

// hoverConfig says where abl.yaml sets a variable that a placeholder names. It never shows the value.
func hoverConfig(w model.Workspace, c model.Cursor) (Hover, bool) {
	lines := c.File.Doc.Lines()
	source := lines.Text()
	at, ok := cursor.GroupAt(configNamed, source, lines.LineText(lines.Line(c.Offset)), 1, c.Offset)
	if !ok || !inBraces(c, at.Start) {
		return Hover{}, false
	}
	name := source[at.Start:at.End]
	return Hover{at, describe.Paragraphs("**"+name+"** · variable of the environment", configMarkdown(w, c.File.Path, name))}, true
}

// configMarkdown says which levels of abl.yaml set a variable.
func configMarkdown(w model.Workspace, path, name string) string {
	in, _ := w.Project(path)
	if in == nil || in.YAML == nil {
		return "Nothing that is known here sets it."
	}
	file := "`" + filepath.Base(in.Path) + "`"
	var places []string
	if sets(in.YAML.Root(), name) {
		places = append(places, "for all environments")
	}
	for _, m := range in.YAML.Root().Get(projectfile.Environments).OwnMembers() {
		if sets(m.Value, name) {
			places = append(places, "for `"+m.Key.Text+"`")
		}
	}
	if len(places) == 0 {
		return file + " does not set it."
	}
	return file + " sets it " + strings.Join(places, ", ") + "."
}

// sets reports whether a level of abl.yaml has a variable.
func sets(level *yaml.Node, name string) bool {
	return slices.ContainsFunc(level.Get("variables").OwnMembers(), func(m yaml.Member) bool { return m.Key.Text == name })
}

// memoryEvent matches an event of MEMORY: its kind, the name that it is about, and the moment.
var memoryEvent = lazyregexp.New(`^(?i)(session|tool|agent|entity|step):([^\s:]+)(?::([^\s:]+))?$`)

// hoverEvent describes an event on which memory is recalled.
func hoverEvent(_ model.Workspace, c model.Cursor) (Hover, bool) {
	path := cursor.PropertiesAround(c)
	if len(path) == 0 || c.Section == nil || c.Section.Name() != "MEMORY" || !strings.EqualFold(path[len(path)-1].Name(), "ON") {
		return Hover{}, false
	}
	at := model.UnquotedWord(path[len(path)-1].Value)
	span := at.Span.Shift(c.Entry.Offset)
	doc := eventDoc(at.Text)
	return Hover{span, describe.Paragraphs("**"+at.Text+"** · event", doc)}, doc != "" && span.Touches(c.Offset)
}

// eventDoc says when an event happens; "" if it is none.
func eventDoc(event string) string {
	m := memoryEvent.FindStringSubmatch(event)
	if m == nil {
		return ""
	}
	kind, name, moment := strings.ToLower(m[1]), m[2], strings.ToLower(m[3])
	which := "`" + name + "`"
	if name == "*" {
		which = "any " + kind
	}
	switch {
	case kind == "session":
		return "Happens at the " + strings.ToLower(name) + " of a session."
	case kind == "step" && strings.EqualFold(name, "enter"):
		return "Happens when the step `" + m[3] + "` begins."
	case kind == "step":
		return "Happens when the step `" + m[3] + "` ends."
	case kind == "entity":
		return "Happens when a value of " + which + " was found in what the user says."
	case kind == "tool":
		return "Happens after a call of " + which + "."
	}
	return "Happens " + moment + " the agent " + which + " has its turn."
}
