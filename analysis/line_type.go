package analysis

import (
	"context"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/tool"
)

// typeOf is the type of a path, nil where nothing declares one.
func (t typed) typeOf(path string) *tool.Type {
	parts := pathParts.FindAllString(path, -1)
	if len(parts) == 0 {
		return nil
	}
	at := t.typeOfName(parts[0])
	for _, part := range parts[1:] {
		at = memberType(at, part)
	}
	return at
}

func (t typed) typeOfName(name string) *tool.Type {
	if t.scope != nil {
		return t.ofScope(name)
	}
	switch name {
	case "result":
		if called, ok := t.calledHere(); ok {
			return called.Returns
		}
		return nil
	case "error":
		return &errorType
	}
	if t.inTools() {
		if decl, ok := t.tool(); ok {
			if param := decl.Param(name); param != nil {
				return param.Type
			}
		}
	}
	if v, ok := t.file.variable(name); ok {
		return t.typeOfVariable(v)
	}
	return nil
}

// typeOfVariable is the type of what a call brought, or of the path that a variable
// is set to.
func (t typed) typeOfVariable(v Variable) *tool.Type {
	if v.Tool != "" {
		if s, ok := t.w.Callable(t.file.Path).Called(v.Tool); ok {
			return s.Returns
		}
	}
	at, ok := lineAt(t.w, t.file.cursor(v.Span.Start))
	if v.From == "" || !ok || t.through >= maxThrough || HeadOf(v.From) == v.Name {
		return nil
	}
	at.through = t.through + 1
	return at.typeOf(strings.TrimPrefix(v.From, "session."))
}

// maxThrough is how many variables are looked through for a type: they may get their
// values from each other.
const maxThrough = 8

// calledHere is the tool whose result `result` is at the line: the tool that the
// line belongs to, or the one that the nearest CALL around it names.
func (t typed) calledHere() (s ScopedTool, ok bool) {
	if t.inTools() {
		decl, ok := t.tool()
		return ScopedTool{PlacedTool: decl, File: t.file}, ok
	}
	name := ""
	for _, n := range slices.Backward(t.around()) {
		if name == "" {
			name = calledIn(keyedNodes(n))
		}
	}
	if name == "" && t.section != nil {
		var before []syntax.Node
		for _, e := range t.section.Entries {
			if e.Offset < t.start {
				before = append(before, e.Root())
			}
		}
		name = calledIn(before)
	}
	return t.w.Callable(t.file.Path).Called(name)
}

func keyedNodes(n syntax.Node) []syntax.Node {
	return slices.Collect(keyed(n, false))
}

// calledIn is the tool of the last CALL among lines.
func calledIn(lines []syntax.Node) string {
	for _, n := range slices.Backward(lines) {
		if strings.EqualFold(n.Key(), "CALL") {
			return newCall(n).Tool
		}
	}
	return ""
}

// rows are the rows of the keys beside the line.
func (t typed) rows() rows {
	if s, ok := t.spot(); ok && t.dash {
		return s.items
	} else if ok {
		return s.keys
	}
	if t.inBinding() {
		return rows{fields: t.bindingRows()}
	}
	if path := t.path(); len(path) > 0 {
		return path[len(path)-1].below
	}
	if decl, ok := t.tool(); ok {
		return rows{fields: anyFields(decl.Kind())}
	}
	if t.inTools() && t.above.IsZero() {
		return rows{fields: tool.SharedDefaults()}
	}
	return rows{}
}

// bindingRows are the rows of that binding: its type, and what that type has.
func (t typed) bindingRows() []tool.Field {
	kind := tool.Kind("")
	for c := range t.above.Entries() {
		if strings.EqualFold(c.Key(), "type") {
			kind = tool.Kind(bare(c.Value()).text)
		}
	}
	return tool.StepFields(t.path()[0].Name(), kind)
}

// inBinding reports whether the line stands directly below a `verify` or `revert`
// that is a binding of its own.
func (t typed) inBinding() bool {
	path := t.path()
	return t.inTools() && len(path) == 1 && (path[0].Name() == "verify" || path[0].Name() == "revert")
}

// memberSchema is the row of a key, nil for none, and the rows of the keys below it.
func memberSchema(r rows, key string) (f *tool.Field, below rows) {
	row, _ := tool.Find(r.fields, key)
	switch {
	case row == nil && r.open && r.each != nil:
		return nil, rows{fields: r.each.Fields, open: r.each.Open, each: r.each.Each}
	case row == nil:
		return nil, rows{}
	}
	return row, rows{fields: row.Fields, open: row.Open || row.Type == tool.MapType, each: row.Each}
}

// inTools reports whether the line stands in a TOOLS section.
func (t typed) inTools() bool { return inTools(t.cursor) && t.column > 0 }

// Beyond is what completion asks for beyond the workspace. Each may be nil.
type Beyond struct {
	List Lister // the folders that paths lead into
	Read Reader // the files in them

	// Whole is the workspace with the files that nobody has opened. It is asked
	// for only where names of other files may stand; the zero Workspace for none.
	Whole func(context.Context) Workspace
}
