// Package foreign has the types that the readers of foreign tool files share: a tree of values with
// their places, and the tools that were found in it.
//
// Places are byte offsets in the text of the file. Reading never fails: faults of a file are
// returned as [Fault], together with the tools that could be read.
package foreign

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/syntax/yaml"
	"github.com/abl-lsp/abl-lsp/tool"
)

// File is the content of a foreign file.
type File struct {
	System string // toolbox, corail, service, nao; "" if it is of no known system
	Sure   bool   // it names its system, or says of a tool how it runs, be it wrongly
	Tools  []Tool
	Faults []Fault

	// Project holds the entries for abl.yaml, by table, such as sources and auth_services.
	Project tool.Object

	// Prompts and Toolsets are what the file declares besides tools; of duplicates the last ones.
	Prompts  []Prompt
	Toolsets []Toolset

	// Lost lists the parts of the file that belong to no tool and that ABL cannot express.
	Lost []Name

	// ToolsElsewhere lists the tools that the file uses and does not declare, such as the tools of
	// a Récif agent. Builtins holds the builtin tools among them, which need no declaration.
	ToolsElsewhere []Name
	Builtins       []Tool

	// Tree is the text as a tree, even if it is not YAML; Rows are the schemas of its
	// documents, nil for any content.
	Tree func() *yaml.Document
	Rows []*tool.Field

	entries map[*yaml.Origin]*entry // by what they were read from
	places  map[named][]int         // in Tools, and in each table of Project
}

// named is the key of a tool by its name, for which table is "", or of an entry of a table of
// Project.
type named struct{ table, name string }

// Metadata begins the text of a loss that is metadata of a cluster's resource, which another
// resource can have.
const Metadata = "metadata."

// Tool is one tool with its places in the file.
type Tool struct {
	tool.Tool
	Name   text.Span   // of its name where it is declared
	Span   text.Span   // of its whole declaration
	Params []text.Span // of the names of its parameters
	Lost   []Name      // what ABL cannot express

	// Pasted are the parameters that are pasted into a statement, which are not
	// among the others.
	Pasted []Name

	Sort     string // which sort of tool it is, as its system calls that
	Resource string // by which others name it; "" where they use its own name

	// Entry is the node from which the tool was read, if it is kept. Its origin is the same as long
	// as the text of the tool does not change.
	Entry *yaml.Node
}

// Prompt is a prompt with its places in the file.
type Prompt struct {
	tool.Prompt
	Name      text.Span   // of its name
	Span      text.Span   // of its whole declaration
	Arguments []text.Span // of the names of its arguments
	Faulty    bool        // it has errors
}

// Toolset is the name of tools and prompts that are served together.
type Toolset struct {
	Name           Name
	Tools, Prompts []string
}

// Name is a word with its place.
type Name struct {
	Text string
	Span text.Span
}

// Severity says how bad a fault is.
type Severity int

// The severities.
const (
	Error Severity = iota
	Warning
	Information
)

// Fault is a mistake at one place of a file. Its code is one of the stable diagnostic codes.
type Fault struct {
	Span     text.Span
	Severity Severity
	Code     string
	Message  string // a sentence

	// Word is the wrong word, and Known are the allowed words: a similar one is
	// suggested.
	Word  string
	Known []string
}

// Report adds a fault, unless the file has maxFaults already.
func (f *File) Report(s Severity, code string, at text.Span, format string, args ...any) {
	if len(f.Faults) < maxFaults {
		f.Faults = append(f.Faults, Fault{Span: at, Severity: s, Code: code, Message: fmt.Sprintf(format, args...)})
	}
}

// SuggestKnown sets the wrong word and the allowed words of the last fault.
func (f *File) SuggestKnown(word string, known []string) {
	if n := len(f.Faults); n > 0 && n < maxFaults {
		f.Faults[n-1].Word, f.Faults[n-1].Known = word, known
	}
}

// ReportUnknown reports each of keys as unknown; what begins the message and names the thing that
// has them. known are the keys that exist.
func (f *File) ReportUnknown(what string, keys []Name, known []string) {
	for _, key := range keys {
		f.Report(Warning, "unknown-property", key.Span, "%s has no `%s`.", what, key.Text)
		f.SuggestKnown(key.Text, known)
	}
}

// ReportWord reports that n, the value of key, is not one of the known words.
func (f *File) ReportWord(key string, n Node, known []string) {
	f.Report(Error, "invalid-value", n.Span, "`%s` cannot be `%s`; it is one of %s.", key, n.Text, strings.Join(known, ", "))
	f.SuggestKnown(n.Text, known)
}

// List returns the items of the list n[key]; none if it is missing. It reports a value that is no
// list; of names the items in that message.
func (f *File) List(n Node, key, of string) []Node {
	list := n.Get(key)
	if list.IsSet() && list.Kind != List {
		f.Report(Error, "invalid-value", list.Span, "`%s` wants a list of %s.", key, of)
	}
	return list.Items
}

const maxFaults = 200

// AddEntry adds an entry to one of the tables of Project. It replaces an earlier entry of the table
// with the same name.
func (f *File) AddEntry(table, name string, value tool.Object) {
	i := f.Project.Index(table)
	if i < 0 {
		i = len(f.Project)
		f.Project = append(f.Project, tool.Member{Name: table, Value: tool.Object{}})
	}
	entries, entry := f.Project[i].Value.(tool.Object), tool.Member{Name: name, Value: value}
	if at := f.places[named{table, name}]; len(at) > 0 {
		entries[at[0]] = entry
		return
	}
	f.place(named{table, name}, len(entries))
	f.Project[i].Value = append(entries, entry)
}

// AddTool adds a tool. A tool with the name of an earlier one is a fault and replaces it, unless
// the two are versions of one tool.
func (f *File) AddTool(t Tool) {
	name := named{name: t.Tool.Name}
	for _, i := range f.places[name] {
		if !tool.AreVersions(f.Tools[i].Version, t.Version) {
			f.Report(Error, "duplicate-tool", t.Name, "The tool `%s` is declared twice; rename one of the two.", tool.JoinVersion(t.Tool.Name, t.Version))
			f.Tools[i] = t
			return
		}
	}
	f.place(name, len(f.Tools))
	f.Tools = append(f.Tools, t)
}

// AddPrompt adds a prompt. It replaces an earlier one with the same name.
func (f *File) AddPrompt(p Prompt) {
	f.Prompts = slices.DeleteFunc(f.Prompts, func(q Prompt) bool { return q.Prompt.Name == p.Prompt.Name })
	f.Prompts = append(f.Prompts, p)
}

// AddToolset adds a toolset. It replaces an earlier one with the same name.
func (f *File) AddToolset(t Toolset) {
	f.Toolsets = slices.DeleteFunc(f.Toolsets, func(u Toolset) bool { return u.Name.Text == t.Name.Text })
	f.Toolsets = append(f.Toolsets, t)
}

func (f *File) place(name named, at int) {
	if f.places == nil { // there may be thousands of names
		f.places = map[named][]int{}
	}
	f.places[name] = append(f.places[name], at)
}

// InOrder sorts the tools by their places in the file. A tool that replaced another one may be out
// of order.
func (f *File) InOrder() {
	slices.SortStableFunc(f.Tools, func(a, b Tool) int { return cmp.Compare(a.Span.Start, b.Span.Start) })
}

// HasTool reports whether the file has a tool of that name.
func (f *File) HasTool(name string) bool { return len(f.places[named{name: name}]) > 0 }

// ToolNames returns the names of the tools.
func (f *File) ToolNames() []string {
	var names []string
	for _, t := range f.Tools {
		names = append(names, t.Tool.Name)
	}
	return names
}

// HasPrompt reports whether the file has a prompt of that name.
func (f *File) HasPrompt(name string) bool { return slices.Contains(f.PromptNames(), name) }

// PromptNames returns the names of the prompts.
func (f *File) PromptNames() []string {
	var names []string
	for _, p := range f.Prompts {
		names = append(names, p.Prompt.Name)
	}
	return names
}
