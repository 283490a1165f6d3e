package analysis

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/cursor"
	"github.com/abl-lsp/abl-lsp/analysis/describe"
	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/tool"
)

// InlayHint is a piece of text that an editor shows at a place where the file does not have it.
type InlayHint struct {
	Offset  int
	Label   string
	Tooltip string // where it comes from
	Kind    InlayKind

	Path   string // where it comes from, "" if there is no such place
	Span   text.Span
	Insert string // the text that writes the hint into the file at the offset, "" for none
}

// InlayKind is the kind of a hint.
type InlayKind int

// The kinds of hints.
const (
	DefaultHint   InlayKind = iota // a shared default that applies to a tool
	URLHint                        // the URL before a relative endpoint
	ParameterHint                  // the parameter to which a value is passed
	TypeHint                       // a type that is not written
)

// maxHint is how many characters of a value a hint shows.
const maxHint = 40

// InlayHints returns the hints of the given kinds in the file at path within a span, in order.
func InlayHints(w model.Workspace, path string, within text.Span, kinds ...InlayKind) []InlayHint {
	f := w.File(path)
	if f == nil || f.Doc == nil || f.Kind == model.YAML {
		return nil
	}
	if f.IsYAMLAgent() {
		return hintsInYAML(w, f, within, kinds)
	}
	return hintsOf(w, f, within, kinds)
}

func hintsOf(w model.Workspace, f *model.File, within text.Span, kinds []InlayKind) []InlayHint {
	h := hintCollector{w: w, f: f}
	for _, t := range f.Tools {
		if span := t.Span(); span.Start <= within.End && within.Start <= span.End {
			h.addTool(t)
		}
	}
	for c := range f.Calls() {
		if span := c.Span(); span.Start <= within.End && within.Start <= span.End {
			h.addCall(c)
		}
	}
	h.addSet(within)
	unwanted := func(i InlayHint) bool {
		return i.Offset < within.Start || within.End < i.Offset || !slices.Contains(kinds, i.Kind)
	}
	h.hints = slices.DeleteFunc(h.hints, unwanted)
	slices.SortStableFunc(h.hints, func(a, b InlayHint) int { return cmp.Compare(a.Offset, b.Offset) })
	return h.hints
}

// hintCollector collects the hints of a file.
type hintCollector struct {
	w     model.Workspace
	f     *model.File
	hints []InlayHint
	part  *model.Part                 // the part that was asked about last
	scope map[string]model.ScopedTool // what that part can call
}

func (h *hintCollector) addHint(i InlayHint) { h.hints = append(h.hints, i) }

func (h *hintCollector) addTool(t model.PositionedTool) {
	end, complete := signatureEnd(t.Node)
	if !complete {
		return
	}
	if t.Node.ChildOf(syntax.Arrow).IsZero() && !t.InMapForm() {
		h.addHint(InlayHint{
			Offset: t.Offset + end, Label: "-> object", Kind: TypeHint, Insert: " -> object",
			Tooltip: "A signature without an arrow returns an object.",
		})
	}
	for _, d := range h.f.Defaults {
		h.addShared(t, t.Offset+end, d)
	}
	h.addTimeout(t, t.Offset+end)
	h.addURL(t)
}

// addTimeout adds the hint with the timeout that the agent gives its tools, if a tool has none of
// its own.
func (h *hintCollector) addTimeout(t model.PositionedTool, at int) {
	p, offset, ok := timeoutHint(h.f)
	_, own := t.Property("timeout")
	_, hinted := model.FindProperty(t.PropertiesOfAnyKind(), "hints", "timeout")
	if !ok || own || hinted || !tool.Takes(t.Kind(), "timeout") {
		return
	}
	span := p.Node.Span().Shift(offset)
	h.addHint(InlayHint{
		Offset: at, Label: "timeout: " + describe.OneLine(p.Text(), maxHint), Kind: DefaultHint, Path: h.f.Path, Span: span,
		Tooltip: fmt.Sprintf("From `tool_timeout` in line %d.", model.LineOf(h.f, span)),
	})
}

// timeoutHint returns the property of EXECUTION with that timeout.
func timeoutHint(f *model.File) (p model.Property, offset int, ok bool) {
	for s := range f.Doc.Sections().Named("EXECUTION") {
		for e := range s.HeadAndEntries() {
			if p, ok := model.FindProperty(model.SectionProperties(f.Kind, "EXECUTION", e.Root()), "tool_timeout"); ok && !p.IsEmpty() {
				return p, e.Offset, true
			}
		}
	}
	return model.Property{}, 0, false
}

// signatureEnd returns the end of a signature, or of the name of a tool in map form. complete is
// false if the brackets are not closed.
func signatureEnd(n syntax.Node) (end int, complete bool) {
	for c := range n.Children() {
		switch {
		case c.Kind() == syntax.Invalid:
			return 0, false
		case c.Field() != syntax.FieldBlock && c.Kind() != syntax.Comment:
			end = c.Span().End
		}
	}
	return end, model.InMapForm(n) || strings.HasSuffix(n.Child(syntax.FieldParameters).Text(), ")")
}

// addShared adds the hint of a default that a tool takes over. The base URL is shown before the
// endpoint instead.
func (h *hintCollector) addShared(t model.PositionedTool, at int, d model.PositionedNode) {
	p := model.SharedDefault(d.Node)
	if p.Field == nil || p.Field.Name == "base_url" || !tool.Takes(t.Kind(), p.Field.Name) {
		return
	}
	value := describe.OneLine(p.Text(), maxHint)
	own, says := t.Property(p.Field.Name)
	switch {
	case p.Field.Type == tool.MapType:
		value = describe.OneLine(strings.Join(addedKeys(p, own), ", "), maxHint)
	case says:
		return
	}
	if value != "" {
		h.addHint(InlayHint{
			Offset: at, Label: p.Field.Name + ": " + value, Kind: DefaultHint, Path: h.f.Path, Span: d.Span(),
			Tooltip: fmt.Sprintf("From the shared defaults in line %d.", model.LineOf(h.f, d.Span())),
		})
	}
}

// addedKeys returns the keys of a shared map that the tool's own map does not have.
func addedKeys(shared, own model.Property) []string {
	var names []string
	for _, p := range shared.Properties() {
		same := func(o model.Property) bool { return strings.EqualFold(o.WrittenName(), p.WrittenName()) }
		if own.Node.IsZero() || !slices.ContainsFunc(own.Properties(), same) {
			names = append(names, p.WrittenName())
		}
	}
	return names
}

// addURL adds the hint before an endpoint that is a path.
func (h *hintCollector) addURL(t model.PositionedTool) {
	endpoint, ok := t.Property("endpoint")
	_, sourced := t.Property("source")
	if !ok || sourced || !tool.Takes(t.Kind(), "base_url") {
		return
	}
	path, base := model.UnquotedWord(endpoint.Value), model.BaseURLOf(h.w, h.f)
	before := base.PrefixFor(path.Text)
	if before == "" {
		return
	}
	h.addHint(InlayHint{
		Offset: t.Offset + path.Span.Start, Label: describe.OneLine(before, maxHint), Kind: URLHint, Path: base.Path, Span: base.Span,
		Tooltip: "`" + before + path.Text + "`: " + base.From,
	})
}

// addCall adds the hints of the arguments of a call that have no name, and of the type that it
// returns.
func (h *hintCollector) addCall(c model.Call) {
	if part := h.f.PartAt(c.ToolSpan.Start); h.part != part {
		h.part, h.scope = part, h.w.Callable(h.f.Path).SeenFrom(h.f, part.Offset).CallIndex()
	}
	t, ok := h.scope[c.Tool]
	if !ok {
		return
	}
	positional := 0
	for _, a := range c.Args {
		if a.Name != "" || positional >= len(t.Params) {
			continue
		}
		p := &t.Params[positional]
		positional++
		if p.Name != "" && !hasName(a.Value, p.Name) {
			h.addHint(InlayHint{
				Offset: a.Span.Start, Label: p.Name + ":", Kind: ParameterHint, Tooltip: "`" + describe.ParamText(p) + "`",
				Path: t.File.Path, Span: t.InFile(p.NameNode()).Span(),
			})
		}
	}
	h.addResult(c, t)
}

// hasName reports whether a value is a variable of that name, or a field of that name.
func hasName(value syntax.Node, name string) bool {
	path := value.Text()
	return path[strings.LastIndexByte(path, '.')+1:] == name
}

// addResult adds the hint after the variable that gets the result of a call.
func (h *hintCollector) addResult(c model.Call, t model.ScopedTool) {
	if t.Returns == nil {
		return
	}
	for n := range c.BlockChildren() {
		if v := model.UnquotedWord(n.Value()); strings.EqualFold(n.Key(), "AS") && v.Text != "" {
			h.addHint(InlayHint{
				Offset: c.Offset + v.Span.End, Label: ": " + describe.OneLine(t.Returns.String(), maxHint), Kind: TypeHint,
				Tooltip: "What `" + t.Name + "` returns: `" + t.Returns.String() + "`.", Path: t.File.Path, Span: t.NameSpan(),
			})
		}
	}
}

// addSet adds the hints after variables that get their values from a path.
func (h *hintCollector) addSet(within text.Span) {
	for _, v := range h.f.AllVariables() {
		if v.From == "" || v.Span.End < within.Start || within.End < v.Span.Start {
			continue
		}
		t, ok := cursor.LineAt(h.w, h.f.Cursor(v.Span.Start))
		if !ok {
			continue
		}
		if of := t.TypeOfVariable(v); of != nil {
			at, colon := v.Span.End, ": "
			if strings.HasPrefix(h.f.Doc.Text()[at:], ":") { // the name is a key
				at, colon = at+1, ""
			}
			h.addHint(InlayHint{
				Offset: at, Label: colon + describe.OneLine(of.String(), maxHint), Kind: TypeHint,
				Tooltip: "The type of `" + v.From + "`: `" + of.String() + "`.",
			})
		}
	}
}
