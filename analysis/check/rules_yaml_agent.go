package check

import (
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/analysis/projectfile"
	"github.com/abl-lsp/abl-lsp/analysis/section"
	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/syntax/yaml"
	"github.com/abl-lsp/abl-lsp/tool"
)

// agentValue is a value of an agent in YAML that the schema table knows.
type agentValue struct {
	yamlValue
	isItem bool // of a list, which has the key
}

// eachAgentValue yields the values of an agent in YAML, except those in sound units. What is in a value
// of another kind than its field's is dropped with it.
func (r *run) eachAgentValue(yield func(agentValue) bool) {
	f := r.agent.Source
	r.eachValueOfAgent(agentValue{yamlValue{f.YAML.Root(), model.YAMLField(f), nil}, false}, yield)
}

func (r *run) eachValueOfAgent(v agentValue, yield func(agentValue) bool) bool {
	switch {
	case v.Alias != "" || r.isSound(v.Node):
		return true
	case !yield(v):
		return false
	case !projectfile.HasShape(v.Field, v.Node):
		return true
	}
	for _, m := range v.OwnMembers() {
		field := projectfile.KeyField(v.Field, m.Key.Text)
		if field != nil && !r.eachValueOfAgent(agentValue{yamlValue{m.Value, field, m.Key}, false}, yield) {
			return false
		}
	}
	if len(v.Items) == 0 {
		return true
	}
	field := projectfile.ItemField(v.Field)
	for _, item := range v.Items {
		if field != nil && !r.eachValueOfAgent(agentValue{yamlValue{item, field, v.Key}, true}, yield) {
			return false
		}
	}
	return true
}

// place returns where something about the whole value is reported: at its key, or at the first line
// of the item.
func (v agentValue) place(f File) text.Span {
	if v.isItem || v.Key == nil {
		return headOf(f, v.Node)
	}
	return v.Key.Span
}

// yamlAgentDuplicate: the reader refuses a file with one key twice in a map.
func yamlAgentDuplicate(out *findings, f File) {
	yamlDuplicate(out, f)
	for i := range *out {
		(*out)[i].Severity = model.Error
	}
}

// yamlAgentSections: the file names its agent, and says what the agent is for.
func yamlAgentSections(out *findings, f File) {
	root := f.YAML.Root()
	if root.Kind != yaml.Map {
		return
	}
	isNamed := func(key string) bool {
		n := root.Get(key)
		if n != nil && n.Kind == yaml.Map {
			n = n.Get("name")
		}
		return n.IsScalar() && n.Kind != yaml.Null && strings.TrimSpace(n.Text) != ""
	}
	if !isNamed("agent") && !isNamed("supervisor") {
		out.err(headOf(f, root), "An agent has a name: add `agent: Name` or `supervisor: Name`.")
	}
	if root.Get("goal") == nil && root.Get("identity").Get("role") == nil && !root.Incomplete {
		out.info(headOf(f, root), "The pages ask for a `goal` in every agent, or for a `role` in its `identity`.")
	}
}

// yamlAgentRemoved: keys that the platform took away, and refuses.
func yamlAgentRemoved(out *findings, f File) {
	for _, v := range f.run.agentValues() {
		for _, m := range v.OwnMembers() {
			field := projectfile.KeyField(v.Field, m.Key.Text)
			if field == nil || !field.Undocumented || field.Deprecated == "" || m.Value.Kind == yaml.Null {
				continue
			}
			// Beside a handler's name the platform still reads the older key.
			if by := v.Get("on_return"); field.Name == "on_return_map" && (by == nil || by.Kind == yaml.String) {
				continue
			}
			out.err(m.Key.Span, "`%s` was removed; %s", m.Key.Text, field.Deprecated)
		}
	}
}

// yamlAgentUnknown: a key that its place does not have is ignored.
func yamlAgentUnknown(out *findings, f File) {
	for _, v := range f.run.agentValues() {
		if v.Kind != yaml.Map || v.Field.Type != tool.Block || v.Field.Open || !projectfile.HasShape(v.Field, v.Node) {
			continue
		}
		for _, m := range v.OwnMembers() {
			if projectfile.KeyField(v.Field, m.Key.Text) != nil || mayBeUnfinished(m) || len(*out) >= maxFindings {
				continue
			}
			known := v.keys()
			d := out.info(m.Key.Span, "%s", ignoredMessage(v, m.Key.Text, known))
			if isSevereTypo(v, m.Key.Text) {
				d.Severity = model.Warning
			}
			offerKey(d, v.Node, m, known)
			if len(d.Fixes) == 0 {
				offerDeletion(d, f.File, m)
			}
		}
	}
}

// isSevereTypo reports whether an unknown key leaves the agent without its name, or is in
// `conversation`, whose keys are closed.
func isSevereTypo(v agentValue, key string) bool {
	if v.Key == nil {
		return v.Get("agent") == nil && v.Get("supervisor") == nil && model.Nearest(key, []string{"agent", "supervisor"}) != ""
	}
	return section.IsInConversation(v.Field)
}

// ignoredMessage says that a key is ignored, and what may be meant.
func ignoredMessage(v agentValue, key string, known []string) string {
	where := "here"
	if v.Key != nil {
		where = "in `" + v.Key.Text + "`"
	}
	said := "The platform ignores `" + key + "` " + where
	if near := model.Nearest(key, known); near != "" {
		return said + "; did you mean `" + near + "`?"
	}
	if only := section.OnlyInABL(v.Field, key); only != nil {
		return said + ": only agents in ABL have it, as `" + only.Name + "`."
	}
	return said + "."
}

// yamlAgentMissing: a map has its required keys.
func yamlAgentMissing(out *findings, f File) {
	for _, v := range f.run.agentValues() {
		if v.Kind != yaml.Map || v.Key == nil || len(v.Members) == 0 || v.Incomplete || !projectfile.HasShape(v.Field, v.Node) {
			continue
		}
		fields := projectfile.FieldsOf(v.Field, v.Node)
		for i := range fields {
			field := &fields[i]
			if field.Name == "check" && bringsOwnCheck(v.Node) {
				continue
			}
			m := memberOf(v.Node, field)
			if !field.Required || hasValue(m) || !isLacking(v.Node, fields, i) {
				continue
			}
			severity := model.Warning
			if field.Refused {
				severity = model.Error
			}
			at := v.place(f)
			if m != nil && v.isItem {
				at = m.Key.Span
			}
			d := out.add(severity, at, "`%s` has no `%s`; %s", v.Key.Text, field.Name, lackMessage(field))
			if value, ok := initialValue(field); ok && m == nil {
				offerYAMLKey(d, f.File, v.Node, field.Name, value)
			}
		}
		v.unnamedResult(f, out)
	}
}

// isLacking reports whether the map lacks the field at an index, which is not set. Of two fields of
// which one is enough, the first one is lacking if both are.
func isLacking(in *yaml.Node, fields []tool.Field, i int) bool {
	unless := fields[i].Unless
	if unless == "" {
		return true
	}
	either, _ := tool.Find(fields, unless)
	isFirst := either == nil || !either.Required || i < slices.IndexFunc(fields, func(o tool.Field) bool { return o.Name == either.Name })
	return in.Get(unless) == nil && isFirst
}

// bringsOwnCheck reports whether a guardrail has the name of a template of the platform, which
// brings its own check.
func bringsOwnCheck(n *yaml.Node) bool {
	return slices.Contains(section.BuiltInGuardrails(), n.Get("name").StringValue())
}

// unnamedResult: a call in an action handler names its result.
func (v agentValue) unnamedResult(f File, out *findings) {
	names, _ := tool.Find(v.Field.Fields, "result_key")
	spec := v.Get("call_spec")
	if spec == nil {
		spec = v.Get("callSpec")
	}
	if names == nil || v.Get("call") == nil && spec == nil || spec.Get("as") != nil {
		return
	}
	for _, key := range []string{"result_key", "resultKey", "call_as", "callAs"} {
		if v.Get(key) != nil {
			return
		}
	}
	d := out.err(v.place(f), "A call in an action handler names its result: add `call_as: name`.")
	offerYAMLKey(d, f.File, v.Node, "call_as", "result")
}

// memberOf returns the member of a map with a key in any of its spellings; nil if there is none.
func memberOf(n *yaml.Node, field *tool.Field) *yaml.Member {
	m := n.Member(field.Name)
	for i := 0; m == nil && i < len(field.Synonyms); i++ {
		m = n.Member(field.Synonyms[i])
	}
	return m
}

// hasValue reports whether a member is there and has a value, or one that cannot be read yet.
func hasValue(m *yaml.Member) bool {
	return m != nil && !isUnset(m.Value) && (m.Value.Kind != yaml.Null || m.Value.Incomplete)
}

// yamlAgentInvalid: the value of a key has a kind that the key takes, since the platform drops any
// other, and is one of the words of a closed set.
func yamlAgentInvalid(out *findings, f File) {
	event := eventTwin()
	for _, v := range f.run.agentValues() {
		switch {
		case v.Key == nil && v.Kind != yaml.Map && v.Kind != yaml.Null:
			out.err(headOf(f, v.Node), "An agent is a map: it has keys at the left edge.")
		case v.IsEmpty(), v.Kind == yaml.Null, v.Key == nil, v.Incomplete:
		case v.isItem && v.IsScalar() && v.Key.Text == "context_for_human":
			d := out.warn(v.Span, "The platform drops a bare name here: write `- name: %s`.", v.Text)
			offerNamedItem(d, f.File, v.Node)
		case !projectfile.HasShape(v.Field, v.Node):
			d := out.warn(headOf(f, v.Node), "`%s` is %s, and this is %s: the platform drops it.", v.Key.Text, v.shapes(), v.Kind)
			if v.Field.Refused && section.IsInConversation(v.Field) {
				d.Severity = model.Error
			}
		case v.IsScalar() && v.Field.Type != tool.Expr && !strings.Contains(v.Text, "{{") && !v.hasWordInAnyCase() && v.Field.Twin != event:
			v.wrongAgentScalar(out)
		}
	}
}

// wrongAgentScalar reports a single value that its field does not take. The platform refuses numbers
// and booleans of another type in `conversation`.
func (v agentValue) wrongAgentScalar(out *findings) {
	if v.Kind == yaml.Int || v.Kind == yaml.Float {
		number := *v.Node
		number.Text = projectfile.NumberInJSON(number.Text)
		v.Node = &number
	}
	before := len(*out)
	v.wrongScalar(out)
	ofType := v.Field.Type == tool.NumberType || v.Field.Type == tool.BooleanType
	for i := before; i < len(*out) && ofType && section.IsInConversation(v.Field); i++ {
		(*out)[i].Severity = model.Error
	}
}

// shapes says which shapes a value may have.
func (v agentValue) shapes() string {
	switch field := v.Field; {
	case v.isItem && field.Type == tool.Block:
		return "a list of maps"
	case field.Type == tool.Block && field.Items != nil:
		return "a list or a map"
	case field.Type == tool.Block && field.OneLine:
		return "a text or a map"
	case field.OnlyText:
		return "a text"
	default:
		return shapeNames[field.Type]
	}
}

// hasWordInAnyCase reports whether the casing of a word does not matter, and it is one of the set.
func (v agentValue) hasWordInAnyCase() bool {
	_, ok := tool.LookupWord(v.Field.Values, v.Text)
	return ok && v.Field.AnyCase
}

// eventTwin returns the row of a recall event, which is checked as in ABL.
func eventTwin() *tool.Field {
	memory, _ := tool.Find(section.YAMLAgent().Fields, "memory")
	recall, _ := tool.Find(memory.Fields, "recall")
	event, _ := tool.Find(recall.Fields, "event")
	return event.Twin
}

// yamlAgentLoss: the reader takes the binding of a tool from its block only.
func yamlAgentLoss(out *findings, f File) {
	list := f.YAML.Root().Get("tools")
	if list == nil {
		return
	}
	for _, item := range list.Items {
		for _, key := range []string{"endpoint", "method"} {
			if m := item.Member(key); m != nil {
				out.info(m.Key.Span, "The platform's reader takes `%s` from `http_binding` only; Run takes it from here, too.", key)
			}
		}
	}
}
