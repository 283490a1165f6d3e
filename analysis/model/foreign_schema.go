package model

import (
	"iter"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/dialect/schema"
	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/syntax/yaml"
)

// namesOfSchema returns the places in the JSON Schemas of a foreign tool that name one of its
// parameters: `required`, dependencies, and references to its schema.
func namesOfSchema(f *File, t PositionedTool) []ForeignPlaceholder {
	if f.Foreign.System != "service" && f.Foreign.System != "nao" {
		return nil
	}
	s := schemaNames{declared: t.Foreign.Params}
	for _, root := range f.YAMLTree().Roots() {
		s.walk(root, nil, t.Span())
	}
	return s.names
}

// schemaNames collects the places in JSON Schemas that name a parameter, for [namesOfSchema].
type schemaNames struct {
	declared []text.Span // the names of parameters, where they are declared
	names    []ForeignPlaceholder
}

// walk descends to the schema whose properties are the parameters. around is the schema in which
// references begin.
func (s *schemaNames) walk(n, around *yaml.Node, within text.Span) {
	if n.Alias != "" || n.Span.End < within.Start || n.Span.Start > within.End {
		return
	}
	if around != nil {
		s.addNames(n, around)
	}
	for _, item := range partsReaching(n.Items, within, func(item *yaml.Node) int { return item.Span.Start }) {
		s.walk(item, around, within)
	}
	for _, m := range partsReaching(n.OwnMembers(), within, func(m yaml.Member) int { return m.Key.Span.Start }) {
		below := around
		if below == nil && (m.Key.Text == "inputSchema" || m.Key.Text == "parameters") {
			below = m.Value
		}
		s.walk(m.Value, below, within)
	}
}

func (s *schemaNames) addNames(n, around *yaml.Node) {
	if s.declares(n) {
		s.addApplied(n)
	}
	if ref := n.Get("$ref"); ref != nil && ref.Kind == yaml.String {
		s.addReferred(around, ref)
	}
}

// declares reports whether the properties of a schema are the parameters.
func (s *schemaNames) declares(n *yaml.Node) bool {
	properties := n.Get("properties")
	return properties != nil && slices.ContainsFunc(properties.OwnMembers(), func(m yaml.Member) bool { return s.isDeclared(m.Key) })
}

func (s *schemaNames) isDeclared(key *yaml.Node) bool {
	return slices.ContainsFunc(s.declared, func(at text.Span) bool { return key.Span.Touches(at.Start) && key.Span.Touches(at.End) })
}

// The keys of a schema whose schemas apply to the same value: as they are, in a list, or by the
// names of members.
var (
	sameValue   = []string{"if", "then", "else", "not"}
	sameInList  = []string{"allOf", "anyOf", "oneOf"}
	sameByNames = []string{"dependentSchemas", "dependencies"}
)

// addApplied adds the names in a schema that applies to all arguments together.
func (s *schemaNames) addApplied(n *yaml.Node) {
	for _, m := range n.OwnMembers() {
		switch key := m.Key.Text; {
		case m.Value.Alias != "":
		case key == "required":
			s.addList(m.Value)
		case key == "properties" && !s.declares(n):
			s.addKeys(m.Value)
		case key == "dependentRequired", slices.Contains(sameByNames, key):
			s.addKeys(m.Value)
			for _, of := range m.Value.OwnMembers() {
				s.addList(of.Value)
				s.addApplied(of.Value)
			}
		case slices.Contains(sameValue, key):
			s.addApplied(m.Value)
		case slices.Contains(sameInList, key):
			for _, item := range m.Value.Items {
				s.addApplied(item)
			}
		}
	}
}

func (s *schemaNames) addList(n *yaml.Node) {
	if n.Alias != "" {
		return
	}
	for _, item := range n.Items {
		if item.Kind == yaml.String && item.Alias == "" {
			s.names = append(s.names, ForeignPlaceholder{Name: item.Text, Span: item.TextSpan()})
		}
	}
}

func (s *schemaNames) addKeys(n *yaml.Node) {
	for _, m := range n.OwnMembers() {
		s.names = append(s.names, ForeignPlaceholder{Name: m.Key.Text, Span: m.Key.TextSpan()})
	}
}

// addReferred adds the parameter that a reference leads to, or through.
func (s *schemaNames) addReferred(root, ref *yaml.Node) {
	for step, to := range followReference(root, ref) {
		if to.Key != nil && s.isDeclared(to.Key) {
			s.names = append(s.names, ForeignPlaceholder{Name: step.name, Span: step.span})
		}
	}
}

// refTarget is what one key in the path of a reference leads to: a key with its value, or an item
// of a list, for which Key is nil.
type refTarget struct{ Key, Value *yaml.Node }

// followReference returns the steps of a reference with their targets, up to the first step that
// leads nowhere.
func followReference(root, ref *yaml.Node) iter.Seq2[refStep, refTarget] {
	return func(yield func(refStep, refTarget) bool) {
		at := root
		for step := range refSteps(ref) {
			var to refTarget
			if item, ok := schema.ItemAt(at.Items, step.name); ok {
				to.Value = item
			} else if m := at.Member(step.name); m != nil {
				to = refTarget{m.Key, m.Value}
			}
			if to.Value == nil || !yield(step, to) {
				return
			}
			at = to.Value
		}
	}
}

// refStep is one key in the path of a reference.
type refStep struct {
	name string
	span text.Span
}

var refStepForm = lazyregexp.New(`/([^/]*)`)

// refSteps returns the keys in the path of a reference within its own schema. There are none if
// other characters than slashes are escaped.
func refSteps(ref *yaml.Node) iter.Seq[refStep] {
	return func(yield func(refStep) bool) {
		at := ref.TextSpan()
		wider := at.Len() - len(ref.Text)
		slash := 0 // how much more there is of each: JSON may write it `\/`
		if wider > 0 && wider == strings.Count(ref.Text, "/") {
			slash, wider = 1, 0
		}
		if !strings.HasPrefix(ref.Text, "#/") || wider != 0 {
			return
		}
		for i, m := range refStepForm.FindAllStringSubmatchIndex(ref.Text, -1) {
			if !yield(refStep{schema.StepOf(ref.Text[m[2]:m[3]]), text.Span{Start: m[2], End: m[3]}.Shift(at.Start + (i+1)*slash)}) {
				return
			}
		}
	}
}
