package refactor

import (
	"fmt"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/edit"
	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/tool"
)

// toolLines returns the lines of a tool with its own comments: those right above it, and the deeper
// ones right below. ok is false if the tool is no line of TOOLS.
func toolLines(f *model.File, t model.PositionedTool) (span text.Span, ok bool) {
	lines := f.Doc.Lines()
	for _, s := range f.Doc.Sections() {
		i := slices.IndexFunc(s.Entries, func(e syntax.PositionedEntry) bool { return e.Offset == t.Offset && e.Kind() == syntax.Tool })
		if i < 0 {
			continue
		}
		size := len(strings.TrimRight(s.Entries[i].Text(), " \t\r\n"))
		first, last := lines.Line(t.Offset), lines.Line(t.Offset+size)
		depth := len(model.IndentAt(f, t.Offset))
		above := func(e syntax.PositionedEntry) bool {
			return e.Kind() == syntax.Comment && lines.Line(e.Offset) == first-1 && len(model.IndentAt(f, e.Offset)) <= depth
		}
		for k := i - 1; k >= 0 && above(s.Entries[k]); k-- {
			first--
		}
		below := func(e syntax.PositionedEntry) bool {
			return e.Kind() == syntax.Comment && lines.Line(e.Offset) == last+1 && len(model.IndentAt(f, e.Offset)) > depth
		}
		for k := i + 1; k < len(s.Entries) && below(s.Entries[k]); k++ {
			last++
		}
		return text.Span{Start: lines.LineStart(first), End: lines.LineText(last).End}, true
	}
	return text.Span{}, false
}

// movedToolText returns the text of t for the file at path to, with that indentation: paths in it
// lead to the same files as before, and the shared defaults of t's file are written into it. It
// fails if t is not a line of TOOLS, and as [ownDefaults] does.
func movedToolText(t model.ScopedTool, to, indent string) (string, error) {
	span, ok := toolLines(t.File, t.PositionedTool)
	if !ok {
		return "", fmt.Errorf("`%s` stands in no TOOLS of its own", t.Name)
	}
	edits, err := ownDefaults(t)
	if err != nil {
		return "", err
	}
	for _, p := range model.PathUses(t.File) {
		inside := span.Start <= p.Span.Start && p.Span.End <= span.End
		if written := model.RelativeLike(p.Path, to, model.Resolve(t.File.Path, p.Path)); inside && written != "" && model.Resolve(to, p.Path) != model.Resolve(to, written) {
			edits = append(edits, text.Edit{Span: p.Span, NewText: p.Quoted(written)})
		}
	}
	for i := range edits {
		edits[i].Span = edits[i].Shift(-span.Start)
	}
	out, err := text.Apply(t.File.Doc.Text()[span.Start:span.End], edits...)
	return reindent(out, model.IndentAt(t.File, t.Offset), indent), err
}

// reindent moves lines from one indentation to another.
func reindent(s, from, to string) string {
	lines := strings.Split(s, "\n")
	for i, line := range lines {
		if rest, ok := strings.CutPrefix(line, from); ok && strings.TrimSpace(rest) != "" {
			lines[i] = to + rest
		}
	}
	return strings.Join(lines, "\n")
}

// ownDefaults returns the edits that write into t what it gets from the shared defaults of its
// file. It fails, with a reason to show, if a base URL or a header cannot be written there.
func ownDefaults(t model.ScopedTool) ([]text.Edit, error) {
	var edits []text.Edit
	var lines []string
	seen := map[string]bool{}
	for _, d := range slices.Backward(t.File.Defaults) {
		p := model.SharedDefault(d.Node)
		if p.Field == nil || seen[p.Field.Name] || !tool.Takes(t.Kind(), p.Field.Name) {
			continue
		}
		seen[p.Field.Name] = true
		own, has := t.Property(p.Field.Name)
		switch {
		case p.Field.Name == "base_url":
			edit, err := withBase(t, p)
			if err != nil {
				return nil, err
			}
			edits = append(edits, edit...)
		case has && p.Field.Name == "headers":
			more, err := moreHeaders(t, own, p)
			if err != nil {
				return nil, err
			}
			edits = append(edits, more...)
		case !has:
			lines = append(lines, linesOf(t.File, d)...)
		}
	}
	if len(lines) > 0 {
		edits = append(edits, edit.AppendLines(t.File, t.PositionedTool, lines...))
	}
	return edits, nil
}

// linesOf returns the lines of a node without the indentation of the first.
func linesOf(f *model.File, n model.PositionedNode) []string {
	indent := model.IndentAt(f, n.Span().Start)
	lines := strings.Split(strings.TrimRight(n.Text(), " \t\r\n"), "\n")
	for i := range lines {
		lines[i] = strings.TrimPrefix(lines[i], indent)
	}
	return lines
}

// withBase returns the edits that write the base URL p before the endpoint of t; none if t needs
// none. It fails if the endpoint has several lines, or t has request variants.
func withBase(t model.ScopedTool, p model.Property) ([]text.Edit, error) {
	endpoint, ok := t.Property("endpoint")
	if !ok {
		return nil, nil
	}
	before := model.BaseURL{URL: strings.TrimSpace(p.Text())}.PrefixFor(strings.TrimSpace(endpoint.Text()))
	_, variants := t.Property("request_variants")
	switch {
	case before == "" && !variants:
		return nil, nil
	case variants || endpoint.Value.Kind() == syntax.PipeBlock || endpoint.Value.IsZero():
		return nil, fmt.Errorf("`%s` has its base URL from the shared defaults: give it whole URLs first", t.Name)
	}
	at := model.UnquotedWord(endpoint.Value).Span.Shift(t.Offset).Start
	return []text.Edit{{Span: text.Span{Start: at, End: at}, NewText: before}}, nil
}

// moreHeaders returns the edits that add those headers of shared to t that own, its own headers,
// does not have. It fails if there are some and own is not a block.
func moreHeaders(t model.ScopedTool, own, shared model.Property) ([]text.Edit, error) {
	has := map[string]bool{}
	var last model.Property
	for _, h := range own.Properties() {
		has[strings.ToLower(h.WrittenName())], last = true, h
	}
	var lines []string
	for _, h := range shared.Properties() {
		if !has[strings.ToLower(h.WrittenName())] {
			lines = append(lines, strings.TrimSpace(h.Node.Text()))
		}
	}
	if len(lines) == 0 {
		return nil, nil
	}
	if own.Block().IsZero() || last.Node.IsZero() {
		return nil, fmt.Errorf("`%s` has headers of its own beside shared ones: write them below `headers:` first", t.Name)
	}
	n := t.InFile(last.Node)
	at := n.Span().Start + len(strings.TrimRight(n.Text(), " \t\r\n"))
	indent := "\n" + model.IndentAt(t.File, n.Span().Start)
	return []text.Edit{{Span: text.Span{Start: at, End: at}, NewText: indent + strings.Join(lines, indent)}}, nil
}
