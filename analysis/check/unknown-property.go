package check

import (
	"iter"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/edit"
	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/tool"
)

// unknownProperty: a key is one that its place has. Maps whose keys are the author's, or
// unpublished, have any key; so has `parameters:`, whose keys may be fields of an object. A
// property of another kind of tool is misplaced, not unknown.
var unknownProperty = Check{
	Code: "unknown-property",
	Form: true,
	YAML: yamlUnknown,
	Entry: func(out *findings, e Entry) {
		if !e.InTools() {
			for _, m := range e.Maps {
				for i := range m.Properties {
					unknownKey(out, e, m, i)
				}
			}
			return
		}
		switch e.Root.Kind() {
		case syntax.Add:
			unknownInAdd(out, e)
		case syntax.Import:
			if e.Kind == model.Profile {
				unknownInProfile(out, e.Root.KeyNode())
			}
		case syntax.Tool:
			if e.Kind == model.Profile {
				out.warn(e.Tools[0].NameNode().Span(), "In a behaviour profile tools stand below `ADD:`, one step deeper.")
			}
		case syntax.Pair:
			unknownDefault(out, e)
		}
		for i := range e.Tools {
			t := &e.Tools[i]
			for _, p := range t.Properties() {
				unknownInTool(out, t, p)
			}
			for _, m := range t.ActionMaps() {
				for i := range m.Properties {
					unknownKey(out, e, m, i)
				}
			}
		}
	},
}

func unknownInAdd(out *findings, e Entry) {
	if e.Kind != model.Profile {
		out.warn(e.Root.KeyNode().Span(), "`ADD` belongs into a behaviour profile; here tools stand directly below `TOOLS:`.")
	}
	for c := range e.Root.BlockChildren() {
		if c.Kind() == syntax.Pair {
			out.warn(c.KeyNode().Span(), "`%s` is nothing that `ADD:` has: tools alone stand below it.", c.Key())
		}
	}
}

func unknownInProfile(out *findings, key syntax.Node) {
	name, known := syntax.Unquote(key.Text()), []string{"HIDE", "ADD"}
	d := out.warn(key.Span(), "`%s` is nothing that `TOOLS:` of a behaviour profile has: %s", name,
		model.DidYouMean(name, known, "write `HIDE` or `ADD`."))
	offerRename(d, key, known)
}

// unknownDefault looks at a pair directly under TOOLS.
func unknownDefault(out *findings, e Entry) {
	p := model.SharedDefault(e.Root)
	known := append(fieldNames(tool.SharedDefaults()), "file")
	hide := strings.EqualFold(p.Name(), "HIDE")
	switch {
	case hide && e.Kind == model.Profile:
	case e.Kind == model.Profile:
		unknownInProfile(out, p.Key)
	case p.Field != nil:
		unknownBelow(out, p)
	case hide:
		out.warn(p.Key.Span(), "`HIDE` belongs into a behaviour profile.")
	case isToolField(p.Name()):
		out.warn(p.Key.Span(), "`%s` is a property of a tool: indent it deeper than the signature above.", p.Name())
	case !p.Block().IsZero() && model.Nearest(p.Name(), known) == "":
		out.warn(p.Key.Span(), "`%s` is no tool, since it has no signature: write `%s(parameter: type) -> type`.", p.Name(), p.Name())
	default:
		d := out.warn(p.Key.Span(), "`%s` is no shared default; %s", p.Name(),
			model.DidYouMean(p.Name(), known, "known are `"+strings.Join(known[:len(known)-1], "`, `")+"`."))
		offerRename(d, p.Key, known)
	}
}

// isToolField reports whether tools have a property of that name.
func isToolField(name string) bool {
	_, _, common := tool.Lookup(tool.CommonFields(), name)
	return common || tool.BindingOnly(name) != nil
}

func unknownInTool(out *findings, t *model.ToolDecl, p model.Property) {
	kind := t.Kind()
	if p.Field != nil {
		unknownBelow(out, p)
		return
	}
	fields := model.ToolFields(kind)
	_, _, shared := tool.Lookup(tool.SharedDefaults(), p.Name())
	near := model.Nearest(p.Name(), toolNames(kind))
	block, inner := nearestInBlocks(fields, p.Name())
	switch home := blockOf(fields, p.Name()); {
	case isFormless(p) || tool.BindingOnly(p.Name()) != nil:
	case near != "":
		d := out.warn(p.Key.Span(), "`%s` is no property of a tool; did you mean `%s`?", p.Name(), near)
		offerRename(d, p.Key, []string{near})
	case home != "":
		d := out.warn(p.Key.Span(), "`%s` is no property of a tool itself; it stands below `%s:`.", p.Name(), home)
		if fix, ok := edit.NestOne(t.Properties(), p, home); ok && onlyOneOf(t, fields, home) {
			d.Fixes = append(d.Fixes, fix)
		}
	case shared:
		out.warn(p.Key.Span(), "`%s` is no property of a tool; it stands directly below `TOOLS:`, before the first tool.", p.Name())
	case inner != "":
		out.warn(p.Key.Span(), "`%s` is no property of a tool; did you mean `%s`, which stands below `%s:`?", p.Name(), inner, block)
	default:
		out.warn(p.Key.Span(), "`%s` is no property of a tool and does nothing; delete it.", p.Name())
	}
}

// onlyOneOf reports whether a single key of a tool belongs into a block. Several would make a block
// each.
func onlyOneOf(t *model.ToolDecl, fields []tool.Field, home string) bool {
	found := 0
	for _, p := range t.Properties() {
		if p.Field == nil && blockOf(fields, p.Name()) == home {
			found++
		}
	}
	return found == 1
}

// toolNames returns the properties that a tool of a kind can have; for a tool without a kind, those
// of all kinds.
func toolNames(kind tool.Kind) []string {
	if kind != "" {
		return fieldNames(model.ToolFields(kind))
	}
	all := fieldNames(tool.CommonFields())
	for _, k := range tool.Kinds() {
		all = append(all, fieldNames(tool.Fields(tool.Kind(k.Name)))...)
	}
	return all
}

// unknownBelow looks at the keys below a known property, as deep as the schema table goes.
func unknownBelow(out *findings, p model.Property) {
	if p.ValueField.Name == "RESULT_SECRETS" {
		unknownOptions(out, p)
		return
	}
	if p.ValueField.Step {
		unknownInStep(out, p)
		return
	}
	if p.ValueField.Name == "parameters" || p.ValueField.Type != tool.Block && p.ValueField.Type != tool.BlockList && p.ValueField.Type != tool.MapType {
		return
	}
	if p.ValueField.Type == tool.MapType && p.ValueField.Fields == nil {
		return // the keys are the author's
	}
	props := p.Properties()
	if p.ValueField.Type != tool.Block { // where a list is wrong as a whole
		for _, item := range p.Items() {
			props = append(props, item.Properties()...)
		}
	}
	for _, inner := range props {
		switch {
		case inner.ValueField != nil:
			unknownBelow(out, inner)
		case inner.IsAuthorName || isFormless(inner):
		default:
			known := fieldNames(p.ValueField.Fields)
			d := out.addUnknownKey(inner.Key.Span(), p.Name(), inner.Name(), known, keysOf(known))
			offerRename(d, inner.Key, known)
		}
	}
}

// addUnknownKey reports a key that its place does not have.
func (f *findings) addUnknownKey(at text.Span, place, key string, known []string, otherwise string) *model.Diagnostic {
	return f.warn(at, "`%s` has no `%s`; %s", place, key, model.DidYouMean(key, known, otherwise))
}

// keysOf returns the end of a message: the keys that a place has.
func keysOf(known []string) string { return "it has `" + strings.Join(known, "`, `") + "`." }

// The options in brackets after `path -> key` in RESULT_SECRETS.
var (
	secretOptions    = []string{"consumers", "ttl", "single_use"}
	optionsOfMapping = lazyregexp.New(`\(([^()"']*)\)$`)
	optionName       = lazyregexp.New(`(?:^|,)[ \t]*(\w+):`)
)

func unknownOptions(out *findings, secrets model.Property) {
	for option := range optionsOf(secrets, optionName) {
		name, at := option[0].text, option[0].span
		if slices.Contains(secretOptions, strings.ToLower(name)) {
			continue
		}
		d := out.warn(at, "A secret has no `%s`; %s", name,
			model.DidYouMean(name, secretOptions, "it has `"+strings.Join(secretOptions, "`, `")+"`."))
		offerNear(d, at, name, secretOptions)
	}
}

// patternGroup is a matched group of a pattern with its place in the file.
type patternGroup struct {
	text string
	span text.Span
}

// optionsOf returns the groups of each match of a pattern in the brackets of RESULT_SECRETS.
func optionsOf(secrets model.Property, pattern *lazyregexp.Regexp) iter.Seq[[]patternGroup] {
	return func(yield func([]patternGroup) bool) {
		for _, p := range secrets.Properties() {
			s := p.Value.Text()
			in := optionsOfMapping.FindStringSubmatchIndex(s)
			if in == nil {
				continue
			}
			for _, m := range pattern.FindAllStringSubmatchIndex(s[in[2]:in[3]], maxFindings) {
				var found []patternGroup
				for i := 2; i < len(m); i += 2 {
					at := text.Span{Start: m[i], End: m[i+1]}.Shift(in[2])
					found = append(found, patternGroup{s[at.Start:at.End], at.Shift(p.Value.Span().Start)})
				}
				if !yield(found) {
					return
				}
			}
		}
	}
}

// isFormless reports whether a line has no key though it must have one, which is reported as a
// syntax error.
func isFormless(p model.Property) bool {
	return p.Node.Kind() == syntax.Assignment || p.Node.Kind() == syntax.Mapping
}

// blockOf returns the block that has the key.
func blockOf(fields []tool.Field, name string) string {
	for _, f := range fields {
		if _, _, ok := tool.Lookup(f.Fields, name); ok && f.Type == tool.Block {
			return f.Name
		}
	}
	return ""
}

// nearestInBlocks returns the block with a key that is near to the name, and that key.
func nearestInBlocks(fields []tool.Field, name string) (block, key string) {
	for _, f := range fields {
		if f.Type != tool.Block {
			continue
		}
		if near := model.Nearest(name, fieldNames(f.Fields)); near != "" {
			return f.Name, near
		}
	}
	return "", ""
}

// fieldNames returns the documented spellings of fields.
func fieldNames(fields []tool.Field) []string {
	var out []string
	for _, f := range fields {
		if !f.Undocumented && f.Elsewhere == "" {
			out = append(append(out, f.Name), f.Synonyms...)
		}
	}
	return out
}
