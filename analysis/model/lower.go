package model

import (
	"slices"
	"strings"
	"time"

	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/tool"
)

// LoweredTool is a tool as it would run, with its declaration.
type LoweredTool struct {
	Tool     tool.Tool
	Declared ScopedTool

	// Libraries are the library tools that bind a tool which an agent or a profile declares without a
	// binding. If there is one, Tool runs as it says. If there are several, which differ, Tool has no
	// binding.
	Libraries []ScopedTool

	// ToolTimeout is the timeout that the EXECUTION of the asking agent sets for tools without one of
	// their own; 0 for none.
	ToolTimeout time.Duration

	// Diagnostics are the values that could not be read, in the declaring file. Other things may be
	// wrong with the tool as well: package check finds those.
	Diagnostics []Diagnostic
}

// Lower returns the tool that a caller means by a name in the file at path, as it would run:
// imports are followed, shared defaults applied, aliases and older spellings made canonical,
// parameters enriched. It reads as much as it can, even if the file or the tool has faults. ok is
// false if no tool has that name.
func Lower(w Workspace, path, name string) (l LoweredTool, ok bool) {
	t, ok := w.Scope(path).ToolByCallName(name)
	if !ok {
		return LoweredTool{}, false
	}
	return LowerTool(w, path, t), true
}

// LowerAll lowers all tools that the file at path can name, each version of a name once.
func LowerAll(w Workspace, path string) []LoweredTool {
	var all []LoweredTool
	seen := map[string]bool{}
	scope := w.Scope(path)
	for i, name := range scope.CallNames() {
		t := scope.Tools[i]
		if !seen[name] && (IsToolName(t.Name) || t.IsForeign()) {
			seen[name] = true
			all = append(all, LowerTool(w, path, t))
		}
	}
	return all
}

// toolName matches a word, or two with a dot between them: newer builds of the platform name the
// tools of connectors so.
var toolName = lazyregexp.New(`^[A-Za-z_]\w*(\.\w+)?$`)

// IsToolName reports whether a tool may have that name.
func IsToolName(name string) bool { return toolName.MatchString(name) }

// LowerTool returns t as it would run, as [Lower] does. path is that of the file that names t.
func LowerTool(w Workspace, path string, t ScopedTool) LoweredTool {
	if t.IsForeign() {
		return lowerForeign(w, path, t)
	}
	l := LoweredTool{Declared: t, ToolTimeout: toolTimeout(w, path)}
	defaults, own := t.File.sharedDefaults(), t.values()
	lowered, errs := tool.Decode(tool.WithDefaults(own, valuesOf(defaults)))
	lowered.Name = t.Name
	lowered.Returns = t.returns()
	lowered.Origin = t.origin()
	if code, ok := lowered.Spec.(*tool.Sandbox); ok {
		code.Lines = t.codeLines()
	}
	params, wrong := t.lowerParams()
	lowered.Params, errs = params, append(errs, wrong...)
	l.Tool = lowered
	if l.Libraries = LibraryBindings(w, t); len(l.Libraries) == 1 {
		l.applyBinding(own, l.Libraries[0])
	}
	at := locator{}
	for _, e := range errs[:min(len(errs), maxFaults)] {
		l.Diagnostics = append(l.Diagnostics, t.diagnose(at, e, defaults))
	}
	for _, f := range schemaFaults(t.ToolDecl) {
		l.Diagnostics = append(l.Diagnostics, Diagnostic{Span: t.InFile(f.Node).Span(), Severity: Error, Code: "invalid-value", Message: f.Message})
	}
	return l
}

// origin returns the place of the tool's declaration.
func (t ScopedTool) origin() tool.Origin {
	line := t.File.Positions().Line(t.NameSpan()) + 1
	return tool.Origin{System: "abl", File: t.File.Path, Line: line, InYAML: t.File.IsYAMLAgent()}
}

// returns returns the type of the result. A signature without an arrow returns an object.
func (d *ToolDecl) returns() *tool.Type {
	if d.Node.ChildOf(syntax.Arrow).IsZero() && !d.InMapForm() {
		return &tool.Type{Name: "object"}
	}
	return d.Returns
}

// values returns the tool's own properties for tool.Decode, by canonical name.
func (d *ToolDecl) values() map[string]any {
	values := valuesOf(d.Properties())
	delete(values, "parameters")
	delete(values, "returns")
	for _, p := range d.Properties() {
		if len(p.FlatPath) < 2 {
			continue
		}
		outer, inner := p.FlatPath[0], p.FlatPath[1]
		block, isBlock := values[outer].(tool.Object)
		v := p.value()
		if v == nil || values[outer] != nil && !isBlock || block.Has(inner) {
			continue
		}
		values[outer] = append(slices.Clip(block), tool.Member{Name: inner, Value: v})
	}
	return values
}

// valuesOf returns the values of the properties that have a field. If there are two with one name,
// the last one counts.
func valuesOf(props []Property) map[string]any {
	values := map[string]any{}
	for _, p := range props {
		if p.Field == nil || p.FlatPath != nil {
			continue
		}
		if v := p.value(); v != nil {
			values[p.Field.Name] = v
		}
	}
	return values
}

// SharedDefault returns a pair directly under TOOLS as a property, with the field of its key.
func SharedDefault(n syntax.Node) Property {
	return KeySchema{Fields: tool.SharedDefaults()}.Property(n)
}

func (f *File) sharedDefaults() []Property {
	props := make([]Property, len(f.Defaults))
	for i, d := range f.Defaults {
		props[i] = SharedDefault(d.Node)
	}
	return props
}

// toolTimeout reads the timeout in the EXECUTION of the file at path. Foreign files have none.
func toolTimeout(w Workspace, path string) time.Duration {
	var timeout time.Duration
	if f := w.File(path); f == nil || f.Foreign != nil {
		return 0
	}
	read := func(n syntax.Node) {
		ms, ok := tool.Number(n.Value().UnquotedText()).Float()
		if ok && ms > 0 && strings.EqualFold(n.Key(), "tool_timeout") {
			timeout = time.Duration(min(ms, maxTimeout) * float64(time.Millisecond))
		}
	}
	for s := range w.File(path).Doc.Sections().Named("EXECUTION") {
		for c := range KeyedNodes(s.Head.Root(), false) {
			read(c)
		}
		for _, e := range s.Entries {
			read(e.Root())
		}
	}
	return timeout
}

// maxTimeout is about thirty years in milliseconds, which a Duration can hold.
const maxTimeout = 1e12

// Marshal is json.Marshal without the HTML escapes.

// Inputs returns the parameters as `parameters:` enriches them. complete is false if a key there is
// no parameter: then it is unknown what else is enriched.
func (d *ToolDecl) Inputs() (params []tool.Param, complete bool) {
	if d.IsForeign() {
		return d.Foreign.Tool.Params, true
	}
	params, _ = d.lowerParams()
	for name := range d.parameterEntries() {
		if d.Param(name) == nil {
			return params, false
		}
	}
	return params, true
}

// lowerParams returns the parameters, and the errors in them and in those that are pasted into a
// statement.
func (d *ToolDecl) lowerParams() (params []tool.Param, errs []tool.FieldError) {
	entries := d.parameterEntries()
	if len(d.Params) > 0 {
		params = make([]tool.Param, len(d.Params))
	}
	for i := range d.Params {
		var wrong []tool.FieldError
		params[i], wrong = lowerParam(&d.Params[i], entries[d.Params[i].Name])
		errs = append(errs, wrong...)
	}
	return params, append(errs, templateFaults(d)...)
}

// templateFaults returns the errors in the keys of template parameters.
func templateFaults(d *ToolDecl) (errs []tool.FieldError) {
	pasted, _ := d.Property("template_parameters")
	for _, one := range pasted.Properties() {
		_, wrong := tool.TemplateParam(one.Name(), valuesOf(one.Properties()))
		for _, e := range wrong {
			e.Path = append([]string{"template_parameters", one.Name()}, e.Path...)
			errs = append(errs, e)
		}
	}
	return errs
}

// Default is a default with its parameter.
type Default struct {
	tool.Param
	At       syntax.Node
	Enriched bool // it is under `parameters:`, where it need not fit the type
	Pasted   bool // its parameter is pasted into a statement
}

// Defaults returns the defaults in the signature, in `parameters:` and in `template_parameters:`.
func (d *ToolDecl) Defaults() (all []Default) {
	entries := d.parameterEntries()
	for i := range d.Params {
		of := &d.Params[i]
		signed := of.Node.Child(syntax.FieldDefault)
		if at := entries[of.Name].defaultNode(signed); !at.IsZero() {
			p, _ := lowerParam(of, entries[of.Name])
			all = append(all, Default{Param: p, At: at, Enriched: at != signed})
		}
	}
	pasted, _ := d.Property("template_parameters")
	for _, one := range pasted.Properties() {
		p, _ := tool.TemplateParam(one.Name(), valuesOf(one.Properties()))
		if at := one.defaultNode(syntax.Node{}); !at.IsZero() {
			all = append(all, Default{Param: p, At: at, Pasted: true})
		}
	}
	return all
}

// defaultNode returns the default of a parameter: the one in its entry, else signed, which is that
// of the signature.
func (p Property) defaultNode(signed syntax.Node) syntax.Node {
	at := signed
	for _, key := range p.Properties() {
		if key.Field != nil && key.Name() == "default" && key.Value.Kind() != syntax.Map { // that may be a field
			at = key.Value
		}
	}
	return at
}

// parameterEntries returns the entries of the tool's `parameters:` block by name.
func (d *ToolDecl) parameterEntries() map[string]Property {
	block, ok := d.Property("parameters")
	if !ok {
		return nil
	}
	entries := map[string]Property{}
	for _, p := range block.Properties() {
		entries[p.Name()] = p
	}
	return entries
}

// TemplateParams returns the parameters that are pasted into the tool's statement.
func TemplateParams(w Workspace, s ScopedTool) []tool.Param {
	if _, pasted := s.Property("template_parameters"); !pasted && !s.IsForeign() && !s.NeedsLibrary() {
		return nil // without reading the rest of the tool
	}
	sql, ok := LowerTool(w, s.File.Path, s).Tool.Spec.(*tool.SQL)
	if !ok {
		return nil
	}
	return sql.Templates()
}
