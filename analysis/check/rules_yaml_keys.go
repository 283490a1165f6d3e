package check

import (
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/analysis/projectfile"
	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/syntax/yaml"
	"github.com/abl-lsp/abl-lsp/tool"
)

// yamlUnknown: the place has a schema field for each key. A key that begins with `x-`, or whose
// value is an anchor, may be an auxiliary one of the author's.
func yamlUnknown(out *findings, f File) {
	stopping := stoppingKeys(f)
	for v := range yamlValues(f) {
		if !hasFixedKeys(v) {
			continue
		}
		known := v.keys()
		for _, m := range v.OwnMembers() {
			own := strings.HasPrefix(m.Key.Text, "x-") || m.Value.Anchor != ""
			if projectfile.KeyField(v.Field, m.Key.Text) != nil || own || mayBeUnfinished(m) || len(*out) >= maxFindings {
				continue
			}
			if near := stopping[m.Key.Span]; near != "" {
				d := out.addUnknownKey(m.Key.Span, v.Field.Name, m.Key.Text, nil, "did you mean `"+near+"`?"+stoppedRuns(f, m.Key.Span))
				if !strings.Contains(near, ".") {
					offerKey(d, v.Node, m, []string{near})
				}
				continue
			}
			d := out.addUnknownKey(m.Key.Span, v.Field.Name, m.Key.Text, known, keysOf(known))
			offerKey(d, v.Node, m, known)
		}
	}
}

// offerKey offers the known name that is near to a key of a map, unless the map has that name
// already.
func offerKey(d *model.Diagnostic, in *yaml.Node, m yaml.Member, known []string) {
	isNear := func(o yaml.Member) bool { return o.Key.Text == model.Nearest(m.Key.Text, known) }
	if !slices.ContainsFunc(in.OwnMembers(), isNear) {
		offerNear(d, m.Key.TextSpan(), m.Key.Text, known)
	}
}

// stoppingKeys returns the places of the keys that stop every run, in an abl.yaml, each
// with the key that it likely means. It is nil for other files.
func stoppingKeys(f File) map[text.Span]string {
	if model.YAMLField(f.File) != projectfile.ProjectField() {
		return nil
	}
	near := map[text.Span]string{}
	for _, m := range projectfile.MisspeltGuards(f.YAML) {
		near[m.Span] = m.Near
	}
	return near
}

// stoppedRuns returns the end of a message: which runs the mistake at a place of an abl.yaml stops,
// those in the environment that contains it or else all.
func stoppedRuns(f File, at text.Span) string {
	in := ""
	for _, m := range f.YAML.Root().Get(projectfile.Environments).OwnMembers() {
		if m.Key.Span == at || m.Value.Span.Touches(at.Start) {
			in = " in `" + m.Key.Text + "`"
		}
	}
	return " No tool runs" + in + " until it is mended."
}

// hasFixedKeys reports whether a value is a map whose possible keys are all known.
func hasFixedKeys(v yamlValue) bool {
	return v.Kind == yaml.Map && v.Field.Type == tool.Block && !v.Field.Open
}

// keys returns the keys that a map of this kind may have.
func (v yamlValue) keys() []string {
	return fieldNames(projectfile.FieldsOf(v.Field, v.Node))
}

// yamlMisplaced: maps of this kind use the key.
func yamlMisplaced(out *findings, f File) {
	for v := range yamlValues(f) {
		kind, known := projectfile.KnownKind(v.Field, v.Node)
		if !known {
			continue
		}
		for _, m := range v.OwnMembers() {
			if field := projectfile.KeyField(v.Field, m.Key.Text); field != nil && !field.IsUsedBy(kind) {
				out.warn(m.Key.Span, "`%s` is of no use where `%s` is `%s`; it goes with `%s`.",
					m.Key.Text, v.Field.By, kind, strings.Join(field.With, "`, `"))
			}
		}
	}
}

// yamlDuplicate: a key appears once in its map.
func yamlDuplicate(out *findings, f File) {
	stopping := stoppingKeys(f)
	var visit func(n *yaml.Node)
	visit = func(n *yaml.Node) {
		if n.Alias != "" {
			return
		}
		for _, m := range n.OwnMembers() {
			if m.Duplicate {
				first := n.OwnMembers()[slices.IndexFunc(n.OwnMembers(), func(o yaml.Member) bool { return o.Key.Text == m.Key.Text })]
				whole := ""
				if stopping[m.Key.Span] != "" {
					whole = stoppedRuns(f, m.Key.Span)
				}
				d := out.warn(m.Key.Span, "`%s` stands here twice; keep one of them.%s", m.Key.Text, whole)
				d.Related = []model.Related{{Path: f.Path, Span: first.Key.Span, Message: "It stands here, too."}}
			}
			visit(m.Value)
		}
		for _, item := range n.Items {
			visit(item)
		}
	}
	for _, root := range f.YAML.Roots() {
		visit(root)
	}
	duplicateCase(out, f)
}

// duplicateCase: a tool has one case of each name, since cases are run by their names.
func duplicateCase(out *findings, f File) {
	if f.SavedCases == nil {
		return
	}
	for _, m := range f.YAML.Root().OwnMembers() {
		named := map[string]*yaml.Node{}
		for _, one := range m.Value.Items {
			name := one.Get("name")
			if !name.IsScalar() || name.Text == "" || name.Alias != "" {
				continue
			}
			if first := named[name.Text]; first != nil {
				d := out.warn(name.Span, "`%s` has two cases of this name, and can be called with neither.", m.Key.Text)
				d.Related = []model.Related{{Path: f.Path, Span: first.Span, Message: "It stands here, too."}}
				continue
			}
			named[name.Text] = name
		}
	}
}

// yamlMissing: a map has its required keys. An empty map is still being written, and one with
// unreadable lines is skipped.
func yamlMissing(out *findings, f File) {
	for v := range yamlValues(f) {
		if v.Kind != yaml.Map || len(v.Members) == 0 || v.Incomplete || v.Field.Type != tool.Block {
			continue
		}
		kind, known := projectfile.KnownKind(v.Field, v.Node)
		for i := range v.Field.Fields {
			field := &v.Field.Fields[i]
			needed := field.Required || known && field.IsNeededBy(kind)
			if !needed || !isUnset(v.Get(field.Name)) {
				continue
			}
			why := lackMessage(field)
			if !field.Required {
				why = "it needs one where `" + v.Field.By + "` is `" + kind + "`."
			}
			out.warn(v.keySpan(), "`%s` has no `%s`; %s", v.Field.Name, field.Name, why)
		}
	}
}

func isUnset(n *yaml.Node) bool {
	return n == nil || n.IsScalar() && n.Text == "" && !n.Incomplete
}
