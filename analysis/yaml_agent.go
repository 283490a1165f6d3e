package analysis

import (
	"cmp"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/analysis/section"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// What follows is for agents in YAML. What is known of such an agent is known of the ABL text that
// means the same; these functions show it in the order and in the words of the YAML.

// writtenOnce returns what is at places of files, in the order in which their authors see them. The
// ABL text of an agent in YAML may have a name twice that the YAML has once.
func writtenOnce[T any](w model.Workspace, all []T, at func(T) namePlace) []T {
	written := func(one T) namePlace {
		p := at(one)
		return namePlace{p.path, w.File(p.path).WrittenSpan(p.span)}
	}
	slices.SortStableFunc(all, func(a, b T) int {
		first, second := written(a), written(b)
		return cmp.Or(strings.Compare(first.path, second.path), cmp.Compare(first.span.Start, second.span.Start))
	})
	return slices.CompactFunc(all, func(a, b T) bool { return written(a) == written(b) })
}

// symbolsInYAML returns the outline of the agent's ABL text as one of its YAML: by position, and
// with the keys of the YAML instead of the sections' keywords.
func symbolsInYAML(f *model.File, symbols []Symbol) []Symbol {
	for i := range symbols {
		s := &symbols[i]
		s.Span, s.NameSpan = f.WrittenSpan(s.Span), f.WrittenSpan(s.NameSpan)
		if s.Kind == SectionSymbol {
			s.Name = strings.ToLower(s.Name)
		}
		if key := section.YAMLName(s.Detail); s.Kind == ItemSymbol && key != "" {
			s.Detail = key
		}
		s.Children = symbolsInYAML(f, s.Children)
		s.Span = union(s.Span, s.NameSpan)
		for _, c := range s.Children {
			s.Span = union(s.Span, f.WrittenSpan(c.Span))
		}
		s.Span, s.NameSpan = f.InFile(s.Span), f.InFile(s.NameSpan)
	}
	slices.SortStableFunc(symbols, func(a, b Symbol) int { return cmp.Compare(a.Span.Start, b.Span.Start) })
	return symbols
}

// foldsInYAML returns the folds of the YAML.
func foldsInYAML(f *model.File) []Fold {
	folds := foldsOf(f.Written())
	for i := range folds {
		folds[i].Span = f.InFile(folds[i].Span)
	}
	return folds
}

// selectionsInYAML returns the selections in the YAML.
func selectionsInYAML(f *model.File, offset int) []text.Span {
	spans := selectionsOf(f.Written(), f.WrittenOffset(offset))
	for i := range spans {
		spans[i] = f.InFile(spans[i])
	}
	return spans
}

// tokensInYAML returns the tokens in the values; an editor knows the keys of YAML itself.
func tokensInYAML(f *model.File, within text.Span) []Token {
	within = f.WrittenSpan(within)
	var tokens []Token
	for _, t := range tokensOf(f, text.Span{End: len(f.Doc.Text())}) {
		t.Span = f.WrittenSpan(t.Span)
		source := f.Written().Doc.Text()[t.Span.Start:t.Span.End]
		if !isKey(f, t.Span) && !t.Span.Empty() && !strings.Contains(source, "\n") && t.Span.Start < within.End && within.Start < t.Span.End && t.Type != CommentToken {
			tokens = append(tokens, t)
		}
	}
	slices.SortStableFunc(tokens, func(a, b Token) int { return cmp.Compare(a.Span.Start, b.Span.Start) })
	end := 0
	tokens = slices.DeleteFunc(tokens, func(t Token) bool {
		if t.Span.Start < end {
			return true
		}
		end = t.Span.End
		return false
	})
	for i := range tokens {
		tokens[i].Span = f.InFile(tokens[i].Span)
	}
	return tokens
}

// isKey reports whether a place of the YAML is a key. A colon follows the name of an argument, too.
func isKey(f *model.File, written text.Span) bool {
	rest := strings.TrimLeft(f.Written().Doc.Text()[written.End:], `"'`)
	if !strings.HasPrefix(rest, ":") {
		return false
	}
	m := f.Written().YAMLTree().CursorAt(written.Start).Member
	return m != nil && m.Key.Span.Contains(written.Start)
}

// hintsInYAML returns the hints. What they would write into the text is ABL.
func hintsInYAML(w model.Workspace, f *model.File, within text.Span, kinds []InlayKind) []InlayHint {
	within = f.WrittenSpan(within)
	var hints []InlayHint
	for _, h := range hintsOf(w, f, text.Span{End: len(f.Doc.Text())}, kinds) {
		at := f.WrittenOffset(h.Offset)
		if at < within.Start || at > within.End {
			continue
		}
		h.Offset, h.Insert = f.InFile(text.Span{Start: at, End: at}).Start, ""
		hints = append(hints, h)
	}
	slices.SortStableFunc(hints, func(a, b InlayHint) int { return cmp.Compare(a.Offset, b.Offset) })
	return hints
}
