package foreign

import (
	"slices"

	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/syntax/yaml"
	"github.com/abl-lsp/abl-lsp/tool"
)

// entry is what was read from one entry of a file, with the offset of that entry at that time.
type entry struct {
	key   string
	start int
	file  File
}

// Entry reads n, one entry of the file, by calling read, or takes the result from before, the
// previous version, if n has not changed. before may be nil. read adds to the file that it gets, and
// may depend only on n and key.
func (f *File) Entry(before *File, n Node, key string, read func(*File)) {
	if n.from == nil || n.from.Origin() == nil {
		read(f)
		return
	}
	origin := n.from.Origin()
	e := before.entry(origin, key)
	if e == nil {
		e = &entry{key: key, start: n.Span.Start}
		read(&e.file)
	}
	if f.entries == nil {
		f.entries = map[*yaml.Origin]*entry{}
	}
	f.entries[origin] = e
	f.include(&e.file, n.from, n.Span.Start-e.start)
}

func (f *File) entry(origin *yaml.Origin, key string) *entry {
	if f == nil {
		return nil
	}
	if e := f.entries[origin]; e != nil && e.key == key {
		return e
	}
	return nil
}

// include adds the content of other, which was read from one entry, with its places moved by that
// many bytes.
func (f *File) include(other *File, from *yaml.Node, by int) {
	f.Sure = f.Sure || other.Sure
	for _, fault := range other.Faults {
		if len(f.Faults) < maxFaults {
			fault.Span = fault.Span.Shift(by)
			f.Faults = append(f.Faults, fault)
		}
	}
	f.Lost = append(f.Lost, shifted(other.Lost, by)...)
	for _, table := range other.Project {
		for _, m := range table.Value.(tool.Object) {
			f.AddEntry(table.Name, m.Name, m.Value.(tool.Object))
		}
	}
	for _, p := range other.Prompts {
		p.Name, p.Span, p.Arguments = p.Name.Shift(by), p.Span.Shift(by), shiftedSpans(p.Arguments, by)
		f.AddPrompt(p)
	}
	for i := range other.Tools {
		t := other.Tools[i].shift(by)
		t.Entry = from
		f.AddTool(t)
	}
}

// shift returns the tool with its places moved.
func (t Tool) shift(by int) Tool {
	t.Name, t.Span = t.Name.Shift(by), t.Span.Shift(by)
	t.Params = shiftedSpans(t.Params, by)
	t.Lost, t.Pasted = shifted(t.Lost, by), shifted(t.Pasted, by)
	return t
}

func shiftedSpans(spans []text.Span, by int) []text.Span {
	spans = slices.Clone(spans)
	for i, at := range spans {
		spans[i] = at.Shift(by)
	}
	return spans
}

func shifted(names []Name, by int) []Name {
	names = slices.Clone(names)
	for i := range names {
		names[i].Span = names[i].Span.Shift(by)
	}
	return names
}
