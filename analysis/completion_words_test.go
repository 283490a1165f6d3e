package analysis_test

import (
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/cursor"
	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/expression"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/tool"
	"github.com/abl-lsp/abl-lsp/tool/placeholder"
)

// completionWord is a word that completion should offer at its place.
type completionWord struct {
	kind     string // one of wordKinds
	span     text.Span
	endsLine bool // what follows on the line is typed after it
}

// The kinds of words, as docs/fidelity.md lists them.
const (
	sectionWord     = "section"
	toolKeyWord     = "key of a tool"
	stepKeyWord     = "key of a step"
	sectionKeyWord  = "key of another section"
	closedWord      = "word of a closed set"
	booleanWord     = "boolean"
	typeWord        = "type in a signature"
	operatorWord    = "operator"
	memberWord      = "member of a value"
	importedWord    = "imported tool"
	functionWord    = "function"
	conditionWord   = "variable in a condition"
	placeholderWord = "variable in a placeholder"
)

// wordKinds are all kinds, in the order of the page.
var wordKinds = []string{
	sectionWord, toolKeyWord, stepKeyWord, sectionKeyWord, closedWord, booleanWord, typeWord, operatorWord, functionWord,
	conditionWord, placeholderWord, memberWord, importedWord,
	nameWords[model.ToolRef], nameWords[model.ParameterRef], nameWords[model.ArgumentRef], nameWords[model.NamespaceRef],
	nameWords[model.StepRef], nameWords[model.TemplateRef], nameWords[model.ProjectEntryRef],
	nameWords[model.AgentRef], nameWords[model.ProfileRef], nameWords[model.SectionEntryRef],
}

// nameWords are the kinds of words that name something.
var nameWords = map[model.NameRefKind]string{
	model.ToolRef: "tool", model.ParameterRef: "parameter", model.ArgumentRef: "argument of a call", model.NamespaceRef: "namespace",
	model.StepRef: "step", model.TargetRef: "step", model.TemplateRef: "template", model.ProjectEntryRef: "entry of abl.yaml",
	model.AgentRef: "agent", model.RouteRef: "agent", model.ProfileRef: "behaviour profile", model.SectionEntryRef: "entry of a section",
}

// completionWords returns the words of a file that completion should offer: those of the language,
// and the names of what the workspace has.
func completionWords(w model.Workspace, f *model.File) []completionWord {
	reader := wordReader{workspace: w, file: f}
	for _, s := range f.Doc.Sections() {
		if s.Head.Kind() != syntax.Comment && s.Name() != "" {
			reader.addHead(s)
		}
		reader.addNames(s.Head)
		for _, e := range s.Entries {
			reader.addProperties(s, e)
			reader.addNodes(e)
			reader.addNames(e)
		}
	}
	for _, i := range f.Imports {
		for _, n := range i.Names {
			reader.add(importedWord, n.Span(), false)
		}
	}
	return reader.words
}

type wordReader struct {
	workspace model.Workspace
	file      *model.File
	words     []completionWord
}

// add adds a word of at least two letters.
func (r *wordReader) add(kind string, span text.Span, endsLine bool) {
	if span.Len() >= 2 {
		r.words = append(r.words, completionWord{kind, span, endsLine})
	}
}

func (r *wordReader) addHead(s syntax.Section) {
	_, known := model.LookupSection(s.Name())
	key := s.Head.Root().KeyNode()
	if known && !key.IsZero() && s.Name() == strings.ToUpper(s.Name()) {
		r.add(sectionWord, key.Span().Shift(s.Head.Offset), true)
	}
}

// addProperties adds the keys that the schema tables have, and the words of their closed sets.
func (r *wordReader) addProperties(s syntax.Section, e syntax.PositionedEntry) {
	for _, p := range knownProperties(r.file, s.Name(), e) {
		if p.IsAlias || slices.Contains(unoffered, p.Name()) {
			continue
		}
		kind := sectionKeyWord
		switch {
		case s.Name() == "TOOLS":
			kind = toolKeyWord
		case model.IsFlow(s.Name()):
			kind = stepKeyWord
		}
		r.add(kind, p.Key.Span().Shift(e.Offset), true)
		value := model.UnquotedWord(p.Value)
		value.Span = value.Span.Shift(e.Offset)
		switch {
		case p.Field.Type == tool.BooleanType && (value.Text == "true" || value.Text == "false"):
			r.add(booleanWord, value.Span, true)
		case slices.ContainsFunc(p.Field.Values, func(w tool.Word) bool { return w.Name == value.Text }):
			r.add(closedWord, value.Span, true)
		}
	}
}

// addNodes adds the words that the syntax tree tells: types, operators, functions, members.
func (r *wordReader) addNodes(e syntax.PositionedEntry) {
	for n := range e.Root().Preorder() {
		span := n.Span().Shift(e.Offset)
		switch n.Kind() {
		case syntax.TypeIdentifier:
			if _, ok := tool.LookupWord(slices.Concat(tool.ParamTypes(), tool.ReturnTypes()), n.Text()); ok {
				r.add(typeWord, span, false)
			}
		case syntax.Operator:
			if _, ok := model.LookupOperator(n.Text()); ok && strings.Trim(n.Text(), model.NameBytes) == "" {
				r.add(operatorWord, span, true)
			}
		case syntax.Path:
			if n.Field() != syntax.FieldFunction {
				r.addMembers(span)
				continue
			}
			_, inTool := r.file.ToolAround(span.Start)
			if f, ok := expression.LookupFunction(n.Text()); ok && f.Name == n.Text() && !inTool {
				span.Start += strings.LastIndexByte(n.Text(), '.') + 1
				r.add(functionWord, span, true)
			}
		}
	}
}

// addMembers adds what follows the dots of a path.
func (r *wordReader) addMembers(path text.Span) {
	source := r.file.Doc.Text()
	for i := path.Start; i < path.End; i++ {
		if source[i] != '.' {
			continue
		}
		end := i + 1
		for end < path.End && strings.IndexByte(model.NameBytes, source[end]) >= 0 && source[end] != '.' {
			end++
		}
		member := text.Span{Start: i + 1, End: end}
		if r.isKnownMember(text.Span{Start: path.Start, End: end}, source[path.Start:end]) {
			r.add(memberWord, member, false)
		}
	}
}

// isKnownMember reports whether the type of the path is known, or the file has the path elsewhere.
func (r *wordReader) isKnownMember(at text.Span, path string) bool {
	if t, ok := cursor.LineAt(r.workspace, r.file.Cursor(at.Start)); ok && t.TypeOf(path) != nil {
		return true
	}
	if _, ok := model.SystemVariable(path); ok {
		return true
	}
	for _, o := range r.file.NameRefsOf(model.VariableRef) {
		if o.Span.Start != at.Start && strings.HasPrefix(r.file.Doc.Text()[o.Span.Start:], path) {
			return true
		}
	}
	return false
}

// addNames adds the names of an entry that mean something in the workspace.
func (r *wordReader) addNames(e syntax.PositionedEntry) {
	for m := range r.file.NameRefs(e) {
		kind := nameWords[m.Kind]
		switch {
		case m.Access != model.Reads:
		case m.Kind == model.VariableRef:
			r.addVariable(m)
		case kind != "" && r.isKnown(m):
			r.add(kind, m.Span, false)
		}
	}
}

// isKnown reports whether the workspace has what a name means. No completion can know any other
// name.
func (r *wordReader) isKnown(m model.NameRef) bool {
	f, callable := r.file, r.workspace.Callable(r.file.Path)
	public := func(kind model.NameKind) bool {
		return slices.Contains(model.PublicNamesAround(r.workspace, f.Path, kind), m.Name)
	}
	switch m.Kind {
	case model.ToolRef:
		_, ok := callable.ToolByCallName(m.Name)
		return ok
	case model.ArgumentRef:
		called, ok := callable.ToolByCallName(m.Owner)
		return ok && called.Param(m.Name) != nil
	case model.ParameterRef:
		called, ok := f.ToolAround(m.Span.Start)
		return ok && called.Param(m.Name) != nil
	case model.StepRef, model.TargetRef:
		return r.isTarget(m)
	case model.TemplateRef:
		_, ok := f.Template(m.Name)
		return ok
	case model.AgentRef, model.RouteRef:
		return m.Name != f.AgentName().Text && public(model.AgentNameKind)
	case model.ProfileRef:
		return slices.Contains(model.ProfileNames(r.workspace, f.Path), m.Name)
	case model.ProjectEntryRef:
		in, _ := r.workspace.Project(f.Path)
		if in == nil || in.Project == nil {
			return false
		}
		table, _ := in.Project.Table(m.Owner)
		return slices.Contains(table.Names(), m.Name)
	case model.SectionEntryRef:
		return r.isDeclared(m) || m.Owner == "MESSAGES" && public(model.TextNameKind)
	}
	return true
}

// isTarget reports whether a name is a step of the flow around it, or a word that a transition has.
func (r *wordReader) isTarget(m model.NameRef) bool {
	flow := r.file.FlowAt(m.Span.Start)
	if flow != nil && slices.Contains(flow.Names(), m.Name) {
		return true
	}
	_, ok := tool.LookupWord(model.FlowTargetWords(&tool.Field{Name: "THEN"}), m.Name)
	return ok
}

// isDeclared reports whether a section of the file declares the name.
func (r *wordReader) isDeclared(m model.NameRef) bool {
	for _, o := range r.file.NameRefsOf(model.SectionEntryRef) {
		if o.Owner == m.Owner && o.Name == m.Name && o.Access == model.Declares {
			return true
		}
	}
	return false
}

// addVariable adds a variable, in a placeholder or in an expression, if the file names it elsewhere
// as well, or another file gives it a value.
func (r *wordReader) addVariable(m model.NameRef) {
	kind := conditionWord
	if i := strings.IndexByte(m.Name, '.'); i > 0 { // the variables of user
		m.Span.End = m.Span.Start + i
		m.Name = m.Name[:i]
	}
	source := r.file.Text()
	before := source[strings.LastIndexByte(source[:m.Span.Start], '\n')+1 : m.Span.Start]
	if strings.LastIndex(before, "{{") > strings.LastIndex(before, "}}") {
		kind = placeholderWord
	}
	for _, o := range r.file.NameRefsOf(model.VariableRef) {
		if placeholder.RootName(o.Name) == m.Name && o.Span.Start != m.Span.Start {
			r.add(kind, m.Span, false)
			return
		}
	}
	if slices.ContainsFunc(model.SharedVariables(r.workspace, r.file), func(v model.Variable) bool { return v.Name == m.Name }) {
		r.add(kind, m.Span, false)
	}
}
