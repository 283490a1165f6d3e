package model

import (
	"fmt"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/agentyaml"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// YAMLAgent is what a File keeps of an agent in YAML besides the agent in ABL that means the same.
// All that is known of the agent is known of its ABL text. That text and the YAML share one space
// of offsets, see [text.SourceMap].
type YAMLAgent struct {
	*agentyaml.Agent
	Map    *text.SourceMap
	Source *File // the file as YAML, with offsets of its own
}

// newYAMLAgent reads an agent in YAML.
func newYAMLAgent(path string, doc *syntax.Document, before *File) *File {
	var old *File
	if before.IsYAMLAgent() {
		old = before.Written()
	}
	source := &File{Summary: &Summary{Path: path, Kind: YAML}, Doc: doc, YAML: reparseYAML(old, doc)}
	addSummary(source)
	var agent *agentyaml.Agent
	var generated *syntax.Document
	if old != nil {
		agent = agentyaml.Generate(source.YAML, before.Agent.Agent)
		generated = before.Doc.Apply(text.Difference(before.Doc.Text(), agent.ABL))
	} else {
		agent = agentyaml.Generate(source.YAML, nil)
		generated = syntax.Parse(agent.ABL)
	}
	agent.ABL = generated.Text() // equal; one copy of it is kept
	kind := Agent
	if firstSection(generated) == "SUPERVISOR" {
		kind = Supervisor
	}
	f := readFile(path, kind, generated, before)
	f.Agent = &YAMLAgent{Agent: agent, Map: text.NewSourceMap(len(agent.ABL), doc.Lines(), agent.Pieces), Source: source}
	return f
}

// IsAgentSource reports whether f is the YAML of an agent, as [File.Written] returns it.
func IsAgentSource(f *File) bool {
	return f.YAML != nil && f.Project == nil && f.SavedCases == nil && !IsArguments(f.Path)
}

// IsNamedAgent reports whether a file that a person names is an agent in YAML, though the ending of
// its name does not say so: its first key is `agent` or `supervisor`.
func IsNamedAgent(path, source string) bool {
	name := strings.ToLower(path)
	if IsABL(path) || IsProjectFile(path) || IsCases(path) || !strings.HasSuffix(name, ".yaml") && !strings.HasSuffix(name, ".yml") {
		return false
	}
	first := FirstLine(source)
	key := lowerKeyOf(source[first.Start:first.End])
	return key == "agent" || key == "supervisor"
}

// NewNamedAgent returns the handle of a file that is a named agent, see [IsNamedAgent].
func NewNamedAgent(path, source string) *Handle {
	return handleOf(newYAMLAgent(path, syntax.Parse(source), nil))
}

// IsYAMLAgent reports whether the file is an agent in the YAML dialect, whatever its name.
func (f *File) IsYAMLAgent() bool { return f != nil && f.Agent != nil }

// Written returns the file as its author writes it: of an agent in YAML its YAML, else the file
// itself.
func (f *File) Written() *File {
	if f.IsYAMLAgent() {
		return f.Agent.Source
	}
	return f
}

// Text returns what the author writes.
func (f *File) Text() string { return f.Written().Doc.Text() }

// Edited returns what the author writes after edits of the file.
func (f *File) Edited(edits ...text.Edit) (string, error) {
	if f.IsYAMLAgent() {
		edits = slices.Clone(edits)
		for i, e := range edits {
			in, ok := f.Agent.Map.EditInSource(e)
			if !ok {
				return "", fmt.Errorf("the YAML does not have the text of bytes %d to %d", e.Start, e.End)
			}
			edits[i] = in
		}
	}
	return text.Apply(f.Text(), edits...)
}

// Positions returns the positions of the offsets in the file.
func (f *File) Positions() text.Positions {
	if f.IsYAMLAgent() {
		return f.Agent.Map.Positions()
	}
	return f.Doc.Lines().Positions()
}

// InFile returns the span in the file of one in what the author writes.
func (f *File) InFile(written text.Span) text.Span {
	if f.IsYAMLAgent() {
		return f.Agent.Map.InSource(written)
	}
	return written
}

// WrittenSpan returns the span in what the author writes of one in the file.
func (f *File) WrittenSpan(s text.Span) text.Span {
	if f.IsYAMLAgent() {
		return f.Agent.Map.SourceSpan(s)
	}
	return s
}

// EditsInYAML returns the edits of a file's ABL text, and of other files, as edits of its YAML, with
// spans there; ok is false if one of them cannot be made there.
func EditsInYAML(f *File, edits []FileEdit) (out []FileEdit, ok bool) {
	for _, e := range edits {
		if e.Path == f.Path || e.Path == "" {
			if e.Edit, ok = f.Agent.Map.EditInSource(e.Edit); !ok || strings.ContainsAny(e.NewText, "\r\n") {
				return nil, false
			}
		}
		out = append(out, e)
	}
	return out, true
}

// WrittenOffset returns the offset in what the author writes of one in the file.
func (f *File) WrittenOffset(offset int) int {
	return f.WrittenSpan(text.Span{Start: offset, End: offset}).Start
}

// InFile returns findings with spans in what the author writes as findings of the file.
func InFile(f *File, found []Diagnostic) []Diagnostic { return withSpans(f, found, f.InFile) }

// InWritten returns findings of the file with spans in what the author writes.
func InWritten(f *File, found []Diagnostic) []Diagnostic { return withSpans(f, found, f.WrittenSpan) }

// withSpans returns findings with all spans in the file changed.
func withSpans(f *File, found []Diagnostic, change func(text.Span) text.Span) []Diagnostic {
	if !f.IsYAMLAgent() {
		return found
	}
	found = slices.Clone(found)
	for i := range found {
		d := &found[i]
		d.Span = change(d.Span)
		d.Related, d.Fixes = slices.Clone(d.Related), slices.Clone(d.Fixes)
		for j := range d.Related {
			if r := &d.Related[j]; r.Path == f.Path {
				r.Span = change(r.Span)
			}
		}
		for j := range d.Fixes {
			fix := &d.Fixes[j]
			fix.Edits = slices.Clone(fix.Edits)
			for k := range fix.Edits {
				if e := &fix.Edits[k]; e.Path == "" || e.Path == f.Path {
					e.Span = change(e.Span)
				}
			}
		}
	}
	return found
}
