package analysis

import (
	"cmp"
	"context"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// WorkspaceSymbol is a declaration that a search found.
type WorkspaceSymbol struct {
	Name      string
	Kind      SymbolKind
	Container string // the agent or the section around it
	Path      string
	Span      text.Span // of its name
}

// MaxSymbols is how many declarations a search finds at most.
const MaxSymbols = 200

// WorkspaceSymbols searches the agents, tools, steps, fields, templates and other declarations of
// all files for names that have the letters of the query in its order; the best first, [MaxSymbols]
// at most. An empty query finds everything. It returns nothing if the context is cancelled.
func WorkspaceSymbols(ctx context.Context, w model.Workspace, query string) []WorkspaceSymbol {
	type scored struct {
		WorkspaceSymbol
		score int
	}
	var found []scored
	for _, path := range w.Paths() {
		if ctx.Err() != nil {
			return nil
		}
		for _, s := range declarationsOf(w, path) {
			if score, ok := fuzzyScore(query, s.Name); ok {
				found = append(found, scored{s, score})
			}
		}
	}
	slices.SortStableFunc(found, func(a, b scored) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(len(a.Name), len(b.Name)))
	})
	out := make([]WorkspaceSymbol, min(len(found), MaxSymbols))
	for i := range out {
		out[i] = found[i].WorkspaceSymbol
	}
	return out
}

// declarationsOf returns the declarations of a file.
func declarationsOf(w model.Workspace, path string) []WorkspaceSymbol {
	if f := w.File(path); f.YAML != nil {
		return yamlDeclarations(f)
	}
	var out []WorkspaceSymbol
	for _, s := range DocumentSymbols(w, path) {
		if s.Kind == ToolSymbol || s.Kind == BlockSymbol { // of a foreign file, which has no sections
			out = append(out, WorkspaceSymbol{s.Name, s.Kind, filepath.Base(path), path, s.NameSpan})
			continue
		}
		switch s.Name {
		case "AGENT", "SUPERVISOR", "BEHAVIOR_PROFILE", "agent", "supervisor":
			out = append(out, WorkspaceSymbol{s.Detail, SectionSymbol, s.Name, path, s.NameSpan})
		}
		out = append(out, declaredBelow(path, s)...)
	}
	return out
}

func declaredBelow(path string, s Symbol) []WorkspaceSymbol {
	var out []WorkspaceSymbol
	for _, c := range s.Children {
		switch c.Kind {
		case ToolSymbol, BlockSymbol:
			out = append(out, WorkspaceSymbol{c.Name, c.Kind, s.Name, path, c.NameSpan})
			if c.Kind == BlockSymbol {
				out = append(out, declaredBelow(path, c)...)
			}
		}
	}
	return out
}

// fuzzyScore reports whether a name has the letters of a query in their order, and how well: best
// if they are the name, or the beginning of it or of one of its words; else letters that follow one
// another, or begin a word, count more.
func fuzzyScore(query, name string) (score int, ok bool) {
	before, run, rest := '_', 0, query
	for _, c := range name {
		want, size := utf8.DecodeRuneInString(rest)
		if size == 0 {
			break
		}
		if unicode.ToLower(want) == unicode.ToLower(c) {
			rest = rest[size:]
			run++
			score += run
			if beginsWord(before, c) {
				score += 4
			}
		} else {
			run = 0
		}
		before = c
	}
	return score + wholeQueryScore(strings.ToLower(query), strings.ToLower(name)), strings.TrimSpace(rest) == ""
}

// wholeQueryScore returns the additional score of a name that has the query in one piece.
func wholeQueryScore(query, name string) int {
	const much = 1 << 20 // more than all letters of a name
	switch at := strings.Index(name, query); {
	case at < 0 || query == "":
		return 0
	case query == name:
		return 3 * much
	case at == 0:
		return 2 * much
	case strings.ContainsAny(name[at-1:at], "_-."):
		return much
	}
	return 0
}

// beginsWord reports whether a letter begins a word of a name.
func beginsWord(before, c rune) bool {
	return before == '_' || before == '-' || before == '.' || unicode.IsLower(before) && unicode.IsUpper(c)
}
