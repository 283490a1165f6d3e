package foreign

import (
	"slices"

	"github.com/abl-lsp/abl-lsp/syntax/yaml"
	"github.com/abl-lsp/abl-lsp/tool"
)

// entry is what one entry of a file gave, with the places that it had then.
type entry struct {
	key   string
	start int
	file  File
}

// Entry reads one entry of a file, or takes over what the version before has of it,
// where that reads the same. read gets a file of its own, and looks at nothing but the
// entry and what key says.
func (f *File) Entry(before *File, n Node, key string, read func(*File)) {
	if n.from == nil {
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
		f.entries = map[*yaml.Node]*entry{}
	}
	f.entries[origin] = e
	f.include(&e.file, n.from, n.Span.Start-e.start)
}

func (f *File) entry(origin *yaml.Node, key string) *entry {
	if f == nil {
		return nil
	}
	if e := f.entries[origin]; e != nil && e.key == key {
		return e
	}
	return nil
}

// include takes in what another file has of an entry, moved by so many bytes.
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
	for i := range other.Tools {
		t := other.Tools[i].shift(by)
		t.Entry = from
		f.AddTool(t)
	}
}

// shift is a tool that stands elsewhere.
func (t Tool) shift(by int) Tool {
	t.Name, t.Span = t.Name.Shift(by), t.Span.Shift(by)
	t.Params = slices.Clone(t.Params)
	for i, at := range t.Params {
		t.Params[i] = at.Shift(by)
	}
	t.Lost, t.Pasted = shifted(t.Lost, by), shifted(t.Pasted, by)
	return t
}

func shifted(names []Name, by int) []Name {
	names = slices.Clone(names)
	for i := range names {
		names[i].Span = names[i].Span.Shift(by)
	}
	return names
}
