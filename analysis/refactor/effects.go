package refactor

import (
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/edit"
	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/tool"
)

// noEffectsName is the name of the refactoring in the list.
const noEffectsName = "effects"

// addNoEffectsHint declares that a tool changes nothing, so that no confirmation is asked before it
// runs.
func addNoEffectsHint(s selection) []Refactoring {
	t, ok := s.tool()
	if !ok || s.file.Kind == model.Profile {
		return nil
	}
	lowered := model.LowerTool(s.w, s.file.Path, model.ScopedTool{PositionedTool: t, File: s.file}).Tool
	if mutates := lowered.Mutates(); mutates != nil && !*mutates {
		return nil
	}
	r := Refactoring{Title: "Say that `" + t.Name + "` changes nothing (`side_effects: false`)"}
	edit, ok := noEffectsEdits(s.file, t)
	switch {
	case changesDespiteHints(lowered):
		r.Disabled = "`" + t.Name + "` says by `mutation` or `effect` what it changes"
	case gateIfHarmless(lowered) == tool.Blocked:
		r.Disabled = "`" + t.Name + "` never runs, whatever it changes"
	case gateIfHarmless(lowered) == tool.Confirm:
		r.Disabled = "`" + t.Name + "` would be asked about all the same, for its `risk_level` or its `confirmation`"
	case !ok:
		r.Disabled = "the `hints` of `" + t.Name + "` have no place for it"
	}
	r.edits = ownFileEdits(edit)
	return []Refactoring{r}
}

// changesDespiteHints reports whether a tool changes something though its hints declare that it
// does not.
func changesDespiteHints(t tool.Tool) bool {
	t.Hints.SideEffects = tool.Flag("false")
	return t.MayMutate()
}

// gateIfHarmless returns what is asked before a tool runs if its hints declare that it changes
// nothing.
func gateIfHarmless(t tool.Tool) tool.Gate {
	t.Hints.SideEffects = tool.Flag("false")
	return t.Gate()
}

// noEffectsEdits returns the edit that sets the hint; ok is false if there is no place for it.
func noEffectsEdits(f *model.File, t model.PositionedTool) (replace text.Edit, ok bool) {
	if value, ok := sideEffects(t.ToolDecl); ok {
		return text.Edit{Span: value.Span().Shift(t.Offset), NewText: "false"}, !value.IsZero()
	}
	hints, ok := t.Property("hints")
	if !ok {
		return edit.AppendLines(f, t, "hints:", "\t"+noEffectsHint), true
	}
	if block := hints.Block(); !block.IsZero() {
		last := edit.LastOf(block)
		end := last.Span().Start + len(strings.TrimRight(last.Text(), " \t\r\n"))
		return text.Insertion(end+t.Offset, "\n"+edit.IndentIn(last)+noEffectsHint), true
	}
	if strings.TrimSpace(hints.Value.Text()) == "" {
		return appendBlock(f, t, hints, noEffectsHint), true
	}
	inside, ok := strings.CutSuffix(hints.Value.Text(), "}")
	if !ok {
		return text.Edit{}, false
	}
	inside = strings.TrimRight(inside, " \t\r\n")
	return text.Insertion(hints.Value.Span().Start+len(inside)+t.Offset, pairSeparator(inside)+noEffectsHint), true
}

// appendBlock returns the edit that makes a line the block of a property which has none.
func appendBlock(f *model.File, t model.PositionedTool, p model.Property, line string) text.Edit {
	at := f.Doc.Lines().LineText(f.Doc.Lines().Line(p.Key.Span().End + t.Offset)).End
	indent, step := edit.BodyIndent(f, t)
	return text.Insertion(at, "\n"+indent+step+line)
}

// pairSeparator returns the text between the beginning of a map in braces and one more pair.
func pairSeparator(inside string) string {
	switch inside[len(inside)-1] {
	case '{':
		return ""
	case ',':
		return " "
	}
	return ", "
}

const noEffectsHint = "side_effects: false"

// sideEffects returns the value by which the tool declares its effects, below `hints` or flat; ok
// is false if it declares none.
func sideEffects(d *model.ToolDecl) (value syntax.Node, ok bool) {
	for _, p := range d.PropertiesOfAnyKind() {
		if len(p.FlatPath) > 0 && p.FlatPath[len(p.FlatPath)-1] == "side_effects" {
			return p.Value, true
		}
	}
	hints, _ := d.Property("hints")
	for _, p := range hints.Properties() {
		if p.Name() == "side_effects" {
			return p.Value, true
		}
	}
	return syntax.Node{}, false
}

// NoEffectsHint returns the refactoring by which a tool of the file at path declares that it
// changes nothing; ok is false if the tool cannot declare that.
func NoEffectsHint(w model.Workspace, path, name string) (r Refactoring, ok bool) {
	t, ok := w.Scope(path).ToolByCallName(name)
	if !ok {
		return r, false
	}
	at := t.NameSpan()
	for _, r := range Refactorings(w, t.File.Path, text.Span{Start: at.Start, End: at.Start}, func(k RefactorKind) bool { return k == RewriteKind }) {
		if r.Name == noEffectsName {
			return r, true
		}
	}
	return r, false
}
