package check

import (
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/tool"
)

// duplicateProperty: a key appears once in its map, and a step, a field, a rule and a template is
// declared once, over all sections of that name. Actions may be repeated, and assignments and
// mappings are done one after the other.
var duplicateProperty = Check{
	Code: "duplicate-property",
	Form: true,
	YAML: yamlDuplicate,
	Entry: func(out *findings, e Entry) {
		for _, m := range e.Maps {
			if !m.Single && !declaresParameters(m) {
				duplicatesInMap(out, m)
			}
			for _, p := range m.Properties {
				duplicatesInList(out, p)
			}
			duplicateRoutes(out, m)
		}
	},
	File: func(out *findings, f File) {
		var merged map[string]firstKeys
		var part *model.Part
		for _, s := range f.Doc.Sections() {
			if in := f.PartAt(s.Head.Offset); in != part {
				part, merged = in, map[string]firstKeys{}
			}
			name := s.Name()
			if info, ok := model.LookupSection(name); ok {
				name = info.Name
			}
			if merged[name] == nil || !isDeclaring(name) && !s.ContinuesFlow {
				merged[name] = firstKeys{}
			}
			duplicatesInSection(out, f, s, name, merged[name])
		}
		repeatedIntents(out, f)
		for i := range *out {
			for j := range (*out)[i].Related {
				(*out)[i].Related[j].Path = f.Path
			}
		}
	},
}

// declaresParameters reports whether the keys are the parameters of a tool without a
// signature: duplicate-parameter reports these.
func declaresParameters(m model.Map) bool {
	return m.Field != nil && m.Field.Name == "parameters" && model.InMapForm(m.Node.Parent().Parent())
}

// isDeclaring reports whether a section of that name may appear several times, since each one adds
// to what the others declare.
func isDeclaring(section string) bool {
	return section == "GATHER" || section == "GUARDRAILS" || section == "TEMPLATES"
}

// firstKeys are the first keys of each meaning.
type firstKeys map[string]text.Span

func (s firstKeys) addKey(out *findings, meaning string, key model.PositionedNode, what string) {
	s.addName(out, meaning, syntax.Unquote(key.Text()), key.Span(), what)
}

func (s firstKeys) addName(out *findings, meaning, name string, at text.Span, what string) {
	s.addOrReport(out, model.Warning, meaning, name, at, what)
}

// addRefused is like addName for what the platform refuses.
func (s firstKeys) addRefused(out *findings, meaning, name string, at text.Span, what string) {
	s.addOrReport(out, model.Error, meaning, name, at, what)
}

func (s firstKeys) addOrReport(out *findings, severity model.Severity, meaning, name string, at text.Span, what string) {
	first, again := s[meaning]
	if !again {
		s[meaning] = at
		return
	}
	if len(*out) >= maxFindings {
		return
	}
	d := out.add(severity, at, "`%s` %s; delete one of the two.", name, what)
	d.Related = append(d.Related, model.Related{Span: first, Message: "The first one."})
}

// laterItemLines returns for each line in an item of m whether it is not the first one of its item.
// If items may be keys, such a line is no key of m but belongs to its item. The map is nil if m is
// an item itself, or has no keys of the author's.
func laterItemLines(m model.Map) map[syntax.Node]bool {
	if m.Item || !m.Open {
		return nil
	}
	lines := map[syntax.Node]bool{}
	for item := range m.Node.BlockChildren() {
		if item.Kind() != syntax.ListItem {
			continue
		}
		first := true
		for c := range item.BlockChildren() {
			lines[c] = !first
			first = false
		}
	}
	return lines
}

func duplicatesInMap(out *findings, m model.Map) {
	if len(m.Properties) < 2 || m.Field != nil && strings.EqualFold(m.Field.Name, "set") {
		return
	}
	if m.Field != nil && m.Field.Name == "steps" && !m.Item {
		return // steps, see duplicatesInSection
	}
	keys, skip := make(firstKeys, len(m.Properties)), laterItemLines(m)
	flatAndInBlock(out, m)
	for _, p := range m.Properties {
		if skip[p.Node] || isFormless(p) || p.Key.IsZero() || p.Field != nil && p.Field.Repeats && !isBranchEnd(m, p) || isSubtype(p) {
			continue
		}
		keys.addKey(out, meaningOf(p), model.PositionedNode{Node: p.Key}, "stands twice in `"+m.Name+"`")
	}
}

// flatAndInBlock finds what a tool declares both directly and in the block that has it: `confirm`
// and `confirmation: require`.
func flatAndInBlock(out *findings, m model.Map) {
	for _, p := range m.Properties {
		if p.FlatPath == nil {
			continue
		}
		inner, ok := inBlock(m.Properties, p.FlatPath)
		if !ok || len(*out) >= maxFindings {
			continue
		}
		d := out.warn(p.Key.Span(), "`%s` says the same as `%s` below `%s:`; delete one of the two.", p.WrittenName(), inner.WrittenName(), p.FlatPath[0])
		d.Related = append(d.Related, model.Related{Span: inner.Key.Span(), Message: "The other one."})
	}
}

// inBlock returns the property path[1] in the block of the property path[0]. The second result is
// false if there is none.
func inBlock(props []model.Property, path []string) (model.Property, bool) {
	for _, block := range props {
		if block.FlatPath != nil || block.Name() != path[0] {
			continue
		}
		for _, inner := range block.Properties() {
			if inner.Name() == path[1] {
				return inner, true
			}
		}
	}
	return model.Property{}, false
}

// isBranchEnd reports whether a key is the transition of a branch, which has only one.
func isBranchEnd(m model.Map, p model.Property) bool {
	isBranch := m.Item || m.Field != nil && slices.Contains([]string{"IF", "CONDITION", "WHEN", "ELSE"}, m.Field.Name)
	return isBranch && p.Field.Name == "THEN"
}

// meaningOf returns a text that is equal for two keys if they mean the same: names of the author's
// differ by casing, properties do not.
func meaningOf(p model.Property) string {
	if p.IsAuthorName {
		return "=" + p.WrittenName()
	}
	return strings.ToLower(p.Name())
}

// isSubtype reports whether p is an error handler with a SUBTYPE, which is for some errors of its
// type only.
func isSubtype(p model.Property) bool {
	if p.ValueField == nil {
		return false
	}
	if field, _ := tool.Find(p.ValueField.Fields, "SUBTYPE"); field == nil {
		return false
	}
	for _, inner := range p.Properties() {
		if strings.HasPrefix(inner.Name(), "SUBTYPE") {
			return true
		}
	}
	return false
}

// duplicatesInList finds a field that a step collects twice.
func duplicatesInList(out *findings, p model.Property) {
	if p.ValueField == nil || p.ValueField.Name != "GATHER" && p.ValueField.Name != "FIELDS" || !p.ValueField.Named {
		return
	}
	keys := firstKeys{}
	for _, item := range p.Items() {
		if name := item.NameNode(); !name.IsZero() {
			keys.addKey(out, syntax.Unquote(name.Text()), model.PositionedNode{Node: name}, "is collected twice")
		}
	}
}

func duplicatesInSection(out *findings, f File, s syntax.Section, name string, keys firstKeys) {
	field := model.SectionField(f.SectionKind(s), name)
	if name == "TOOLS" {
		field = &tool.Field{Type: tool.Block, Fields: slices.Concat(tool.SharedDefaults(), []tool.Field{{Name: "HIDE"}})}
	}
	if field == nil || field.Type != tool.Block && field.Type != tool.MapType && !field.Named {
		return
	}
	for _, e := range s.Entries {
		if n := e.Root(); (name == "INTENTS" || field.Named) && n.Kind() == syntax.ListItem {
			if declared := (model.Item{Node: n}).NameNode(); !declared.IsZero() {
				keys.addKey(out, "="+syntax.Unquote(declared.Text()), model.PositionedNode{Node: declared, Offset: e.Offset}, "is declared twice")
			}
		}
		if p, ok := sectionKey(field, e.Root()); ok {
			keys.addKey(out, p.meaning, model.PositionedNode{Node: p.key, Offset: e.Offset}, p.what)
		}
	}
	if flow := f.FlowAt(s.Head.Offset); field.Blocks && flow != nil {
		for i := range flow.Steps {
			step := &flow.Steps[i]
			if step.Form == model.BlockStep && s.HasEntryAt(step.Offset) {
				keys.addName(out, "="+step.Name, step.Name, step.NameSpan, "is declared twice")
			}
		}
	}
}

// keyOfSection is the key of one line of a section. Two keys with equal meaning are duplicates;
// what is the predicate of the message that reports the second one.
type keyOfSection struct {
	key           syntax.Node
	meaning, what string
}

func sectionKey(field *tool.Field, n syntax.Node) (k keyOfSection, ok bool) {
	if n.Kind() != syntax.Pair && n.Kind() != syntax.Step {
		return k, false
	}
	k.key = n.KeyNode()
	name := syntax.Unquote(k.key.Text())
	known, _ := tool.Find(field.Fields, name)
	switch {
	case name == "", known != nil && known.Repeats:
		return k, false
	case known != nil:
		k.meaning, k.what = strings.ToLower(known.Name), "stands twice in this section"
	case field.Each != nil && field.Each.Repeats, field.Blocks: // these are steps, and may also be elsewhere
		return k, false
	case field.Open || field.Type == tool.MapType:
		k.meaning, k.what = "="+name, "is declared twice"
	default:
		return k, false // unknown
	}
	return k, !hasSubtype(field, n)
}

func hasSubtype(field *tool.Field, n syntax.Node) bool {
	if field.Each == nil {
		return false
	}
	if sub, _ := tool.Find(field.Each.Fields, "SUBTYPE"); sub == nil {
		return false
	}
	for c := range n.BlockChildren() {
		if strings.HasPrefix(strings.ToUpper(c.Key()), "SUBTYPE") {
			return true
		}
	}
	return false
}
