package model

import (
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/tool"
)

// Fault is a value that its property cannot have. The node is one of the tool's entry.
type Fault struct {
	Node    syntax.Node
	Message string
	Near    string // a permitted word that is nearly the value, or ""
}

// Faults returns the values among the tool's own properties that cannot be read. Keys under
// `parameters:` that may be fields of an object are left out.
func (d *ToolDecl) Faults() []Fault {
	_, errs := tool.Decode(d.values())
	_, wrong := d.lowerParams()
	errs = append(errs, wrong...)
	faults := append(addOverriddenFaults(d, faultsOf(d.Properties(), errs)), schemaFaults(d)...)
	if p, ok := d.Property("parameters"); ok && isSingle(p.Value) {
		faults = append(faults, Fault{Node: p.Value, Message: p.faultMessage(p.Value, tool.FieldError{})})
	}
	return faults
}

// addOverriddenFaults adds the faults of properties that a later key of the same name overrides, in
// the tool and in its blocks.
func addOverriddenFaults(d *ToolDecl, faults []Fault) []Fault {
	for p, again := range duplicateProperties(d.Properties()) {
		switch {
		case len(faults) >= maxFaults:
			return faults
		case again:
			faults = append(faults, faultsOfProperty(d, p)...)
		case p.Field.Type == tool.Block:
			for q, again := range duplicateProperties(p.Properties()) {
				if again && len(faults) < maxFaults {
					faults = append(faults, faultsOfProperty(d, q, p.Name())...)
				}
			}
		}
	}
	return faults
}

// duplicateProperties returns each property that the schema table knows, and whether a later one
// has the same name.
func duplicateProperties(props []Property) iter.Seq2[Property, bool] {
	last := map[string]int{}
	for i, p := range props {
		last[p.Name()] = i
	}
	return func(yield func(Property, bool) bool) {
		for i, p := range props {
			if p.Field != nil && p.FlatPath == nil && !yield(p, last[p.Name()] != i) {
				return
			}
		}
	}
}

// faultsOfProperty returns the faults of one property as if it were alone in the tool, or in the
// given block of the tool.
func faultsOfProperty(d *ToolDecl, p Property, block ...string) []Fault {
	value := p.value()
	if value == nil {
		return nil
	}
	values := map[string]any{p.Field.Name: value}
	for _, name := range block {
		values = map[string]any{name: tool.Object{{Name: p.Field.Name, Value: value}}}
	}
	if kind := d.Kind(); kind != "" && values["type"] == nil {
		values["type"] = string(kind)
	}
	_, errs := tool.Decode(values)
	var own []tool.FieldError
	for _, e := range errs {
		if len(e.Path) > len(block) {
			e.Path = e.Path[len(block):]
			own = append(own, e)
		}
	}
	return faultsOf([]Property{p}, own)
}

func isSingle(n syntax.Node) bool {
	switch n.Kind() {
	case syntax.String, syntax.Text, syntax.Number, syntax.Boolean, syntax.PipeBlock:
		return true
	}
	return false
}

// DefaultFaults returns the faults of a shared default. A default may be any property that an http
// tool may have.
func DefaultFaults(p Property) []Fault {
	values := valuesOf([]Property{p})
	values["type"] = string(tool.KindHTTP)
	_, errs := tool.Decode(values)
	return faultsOf([]Property{p}, errs)
}

// maxFaults is how many faults of one tool are reported.
const maxFaults = 100

func faultsOf(props []Property, errs []tool.FieldError) []Fault {
	var faults []Fault
	at := locator{}
	for _, e := range errs[:min(len(errs), maxFaults)] {
		if p, n, ok := at.locate(props, e.Path); ok {
			faults = append(faults, Fault{n, p.faultMessage(n, e), p.nearestWord(n)})
		}
	}
	return faults
}

// diagnose makes a diagnostic of a decoding error, at its place in the tool itself or in the
// defaults of its file.
func (t ScopedTool) diagnose(at locator, e tool.FieldError, defaults []Property) Diagnostic {
	d := Diagnostic{Span: t.NameSpan(), Severity: Error, Code: "invalid-value", Message: e.Error()}
	if p, n, ok := at.locate(t.Properties(), e.Path); ok {
		d.Span, d.Message = t.InFile(n).Span(), p.faultMessage(n, e)
		return d
	}
	for i := range defaults {
		if p, n, ok := at.locate(defaults[i:i+1], e.Path); ok {
			d.Span, d.Message = t.File.Defaults[i].InFile(n).Span(), p.faultMessage(n, e)
		}
	}
	return d
}

// locator finds places of errors. It remembers the items of lists, since a list may be long and
// have many errors.
type locator map[syntax.Node][]Item

func (l locator) items(p Property) []Item {
	items, ok := l[p.Node]
	if !ok {
		items = p.Items()
		l[p.Node] = items
	}
	return items
}

// locate returns the nearest property on path, a path of canonical names and indices, and the node
// of the value there. ok is false if no property is on the path.
func (l locator) locate(props []Property, path []string) (p Property, n syntax.Node, ok bool) {
	for _, p := range slices.Backward(props) {
		rest, ok := p.pathAfter(path)
		if !ok {
			continue
		}
		if len(rest) == 0 {
			return p, p.faultNode(), true
		}
		if inner, n, ok := l.locate(p.Properties(), rest); ok {
			return inner, n, true
		}
		items := l.items(p)
		i, err := strconv.Atoi(rest[0])
		switch {
		case err != nil || i >= len(items):
			return p, p.faultNode(), true
		case len(rest) == 1:
			return p, items[i].Value(), true
		}
		if inner, n, ok := l.locate(items[i].Properties(), rest[1:]); ok {
			return inner, n, true
		}
		return p, items[i].Node, true
	}
	return Property{}, syntax.Node{}, false
}

// pathAfter returns what follows p's own part of a path; ok is false if the path does not begin
// with p.
func (p Property) pathAfter(path []string) (rest []string, ok bool) {
	own := []string{p.Name()}
	if p.FlatPath != nil {
		own = p.FlatPath
	}
	if len(path) < len(own) || !slices.Equal(path[:len(own)], own) {
		return nil, false
	}
	return path[len(own):], true
}

// faultNode returns the node at which a fault of p's value is reported.
func (p Property) faultNode() syntax.Node {
	if p.Value.IsZero() {
		return p.Key
	}
	return p.Value
}

// faultMessage returns the message about the value of p at n.
func (p Property) faultMessage(n syntax.Node, e tool.FieldError) string {
	name := "`" + p.WrittenName() + "`"
	if p.Field == nil {
		return name + " wants a single value."
	}
	got := QuoteShort(n.UnquotedText())
	switch {
	case len(p.Field.Values) > 0:
		names := tool.WordNames(p.Field.Values)
		return name + " cannot be " + got + "; " + DidYouMean(n.UnquotedText(), names, "it is one of "+QuotedNames(names)+".")
	case p.Field.Type == tool.NumberType:
		return name + " wants a number, not " + got + "."
	case p.Field.Type == tool.BooleanType:
		return name + " wants `true` or `false`, not " + got + "."
	case p.Field.Type == tool.ListType:
		return name + " wants a list, such as `[a, b]`."
	case p.Field.Type == tool.MapType:
		return name + " wants `name: value` in the lines below, or `{name: value}`."
	case p.Field.Type == tool.Block && len(p.Field.Fields) > 0:
		return name + " wants its properties in the lines below: " + QuotedNames(fieldNames(p.Field.Fields)) + "."
	case p.Field.Type == tool.Block:
		return name + " wants names in the lines below."
	case p.Field.Type == tool.BlockList:
		return name + " wants a list: `- ` and properties in the lines below."
	}
	return name + " cannot be read: " + e.Msg + "."
}

// nearestWord returns the word of a closed set, or the boolean, that is nearly the value of p; ""
// for none.
func (p Property) nearestWord(n syntax.Node) string {
	switch {
	case p.Field == nil:
		return ""
	case p.Field.Type == tool.BooleanType:
		return Nearest(n.UnquotedText(), []string{"true", "false"})
	}
	return Nearest(n.UnquotedText(), tool.WordNames(p.Field.Values))
}

// QuoteShort returns a value, quoted for a message, cut if it is long.
func QuoteShort(s string) string {
	const most = 40
	s, _, more := strings.Cut(s, "\n")
	if r := []rune(s); len(r) > most {
		s, more = string(r[:most]), true
	}
	if more {
		s += "…"
	}
	return "`" + s + "`"
}

func fieldNames(fields []tool.Field) []string {
	var names []string
	for _, f := range fields {
		if !f.Undocumented {
			names = append(names, f.Name)
		}
	}
	return names
}

// QuotedNames returns names in backticks, separated by commas.
func QuotedNames(names []string) string { return "`" + strings.Join(names, "`, `") + "`" }
