package lsp_test

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf16"

	"go.lsp.dev/protocol"

	"github.com/abl-lsp/abl-lsp/internal/marker"
)

// views returns the notes about what an editor shows of a text, and how one moves in it.
func (x fixture) views() map[string]func(marker.Note) string {
	return map[string]func(marker.Note) string{
		"fold": x.fold, "select": x.selection, "link": x.link, "linked": x.linked,
		"tokens": x.tokens, "inlay": x.inlay, "uses": x.uses,
	}
}

func orNothing(out []string, between string) string {
	if len(out) == 0 {
		return nothing
	}
	return strings.Join(out, between)
}

// firstAndLast returns the first and the last characters of a text.
func firstAndLast(s string) string {
	runes := []rune(strings.NewReplacer("\r", "␍", "\n", "⏎").Replace(s))
	if len(runes) <= 40 {
		return string(runes)
	}
	return string(runes[:18]) + " … " + string(runes[len(runes)-18:])
}

func (x fixture) fold(n marker.Note) string {
	var folds []protocol.FoldingRange
	x.ask(protocol.MethodTextDocumentFoldingRange, &protocol.FoldingRangeParams{TextDocument: x.at(n).TextDocument}, &folds)
	var out []string
	for _, f := range folds {
		if f.StartLine == x.at(n).Position.Line {
			hidden := x.source(n.Path, protocol.Range{
				Start: protocol.Position{Line: f.StartLine, Character: *f.StartCharacter},
				End:   protocol.Position{Line: f.EndLine, Character: *f.EndCharacter},
			})
			kind := strings.TrimRight(" "+string(f.Kind), " ")
			out = append(out, fmt.Sprintf("to %d%s: %s", f.EndLine+1, kind, firstAndLast(hidden)))
		}
	}
	return orNothing(out, " | ")
}

// selection asks for the ranges around the position and around the beginning of the file
// in one request.
func (x fixture) selection(n marker.Note) string {
	at := x.at(n)
	var found []protocol.SelectionRange
	x.ask(protocol.MethodTextDocumentSelectionRange, &protocol.SelectionRangeParams{
		TextDocument: at.TextDocument, Positions: []protocol.Position{{}, at.Position},
	}, &found)
	if len(found) != 2 {
		x.t.Fatalf("%d answers for two positions", len(found))
	}
	var out []string
	for r := &found[1]; r != nil; r = r.Parent {
		out = append(out, firstAndLast(x.source(n.Path, r.Range)))
	}
	return strings.Join(out, "\n")
}

func (x fixture) link(n marker.Note) string {
	var links []protocol.DocumentLink
	x.ask(protocol.MethodTextDocumentDocumentLink, &protocol.DocumentLinkParams{TextDocument: x.at(n).TextDocument}, &links)
	var out []string
	for _, l := range links {
		if l.Range.Start.Line != x.at(n).Position.Line {
			continue
		}
		target := strings.TrimPrefix(strings.TrimPrefix(l.Target.FsPath(), x.dir), "/")
		shown := fmt.Sprintf("%s → %s", x.source(n.Path, l.Range), target)
		if l.Tooltip != nil {
			shown += " " + *l.Tooltip
		}
		out = append(out, shown)
	}
	return orNothing(out, "\n")
}

func (x fixture) linked(n marker.Note) string {
	var ranges *protocol.LinkedEditingRanges
	x.ask(protocol.MethodTextDocumentLinkedEditingRange, &protocol.LinkedEditingRangeParams{TextDocumentPositionParams: x.at(n)}, &ranges)
	if ranges == nil {
		return nothing
	}
	var out []string
	for _, r := range ranges.Ranges {
		out = append(out, fmt.Sprintf("%s %s", x.notePosition(n.Path, r.Start), x.source(n.Path, r)))
	}
	return strings.Join(out, ", ")
}

// notePosition returns a position as the notes count it: in UTF-16, from 1.
func (x fixture) notePosition(path string, p protocol.Position) string {
	offset := x.offset(path, p)
	before := x.source(path, protocol.Range{Start: protocol.Position{Line: p.Line}, End: p})
	return fmt.Sprintf("%d:%d", strings.Count(x.text(path)[:offset], "\n")+1, len(utf16.Encode([]rune(before)))+1)
}

// tokens asks for the tokens of the file and for those of the line. Both must agree.
func (x fixture) tokens(n marker.Note) string {
	at := x.at(n)
	var all, line protocol.SemanticTokens
	x.ask(protocol.MethodTextDocumentSemanticTokensFull, &protocol.SemanticTokensParams{TextDocument: at.TextDocument}, &all)
	x.ask(protocol.MethodTextDocumentSemanticTokensRange, &protocol.SemanticTokensRangeParams{
		TextDocument: at.TextDocument,
		Range:        protocol.Range{Start: protocol.Position{Line: at.Position.Line}, End: protocol.Position{Line: at.Position.Line + 1}},
	}, &line)
	shown := orNothing(x.tokensIn(n, all.Data), " | ")
	if of := orNothing(x.tokensIn(n, line.Data), " | "); of != shown {
		x.t.Errorf("%s: the line's tokens are %s, those of the file there %s", x.Position(n), of, shown)
	}
	return shown
}

// tokensIn decodes the tokens on a note's line.
func (x fixture) tokensIn(n marker.Note, data []uint32) []string {
	options := x.capabilities.SemanticTokensProvider.(*protocol.SemanticTokensOptions)
	var out []string
	var p protocol.Position
	for ; len(data) >= 5; data = data[5:] {
		if data[0] > 0 {
			p = protocol.Position{Line: p.Line + data[0]}
		}
		p.Character += data[1]
		if p.Line != x.at(n).Position.Line {
			continue
		}
		end := protocol.Position{Line: p.Line, Character: p.Character + data[2]}
		shown := x.source(n.Path, protocol.Range{Start: p, End: end}) + ":" + options.Legend.TokenTypes[data[3]]
		for i, name := range options.Legend.TokenModifiers {
			if data[4]&(1<<i) != 0 {
				shown += "." + name
			}
		}
		out = append(out, shown)
	}
	return out
}

// inlay returns the line with its hints in it, followed by the details of each hint.
func (x fixture) inlay(n marker.Note) string {
	at := x.at(n)
	next := protocol.Position{Line: at.Position.Line + 1}
	line := strings.TrimRight(x.source(n.Path, protocol.Range{Start: protocol.Position{Line: at.Position.Line}, End: next}), "\r\n")
	start := x.offset(n.Path, protocol.Position{Line: at.Position.Line})
	var hints []protocol.InlayHint
	x.ask(protocol.MethodTextDocumentInlayHint, &protocol.InlayHintParams{
		TextDocument: at.TextDocument,
		Range:        protocol.Range{Start: protocol.Position{Line: at.Position.Line}, End: protocol.Position{Line: at.Position.Line, Character: uint32(x.units(line))}},
	}, &hints)
	if len(hints) == 0 {
		return nothing
	}
	shown, done := "", 0
	var tooltips []string
	for _, h := range hints {
		part := h.Label.(protocol.InlayHintLabelPartSlice)[0]
		to := x.offset(n.Path, h.Position) - start
		shown += line[done:to] + "«" + part.Value + "»"
		done = to
		from := ""
		if part.Location.URI != "" {
			from = fmt.Sprintf(" %s:%d", x.Rel(x.path(part.Location.URI)), part.Location.Range.Start.Line+1)
		}
		tooltips = append(tooltips, part.Tooltip.(*protocol.MarkupContent).Value+from)
	}
	return strings.Join(append([]string{strings.TrimSpace(shown + line[done:])}, tooltips...), "\n")
}

// uses resolves the lens that has no title yet.
func (x fixture) uses(n marker.Note) string {
	var lenses []protocol.CodeLens
	x.ask(protocol.MethodTextDocumentCodeLens, &protocol.CodeLensParams{TextDocument: x.at(n).TextDocument}, &lenses)
	for _, l := range lenses {
		if l.Range.Start.Line != x.at(n).Position.Line || l.Command.Title != "" {
			continue
		}
		x.ask(protocol.MethodCodeLensResolve, &l, &l)
		out := []string{l.Command.Title}
		var argument struct {
			Locations []protocol.Location `json:"locations"`
		}
		if err := protocol.Unmarshal(l.Command.Arguments[0], &argument); err != nil {
			x.t.Fatal(err)
		}
		for _, r := range argument.Locations {
			out = append(out, fmt.Sprintf("%s:%d", x.Rel(x.path(r.URI)), r.Range.Start.Line+1))
		}
		return strings.Join(out, " ")
	}
	return nothing
}

// options returns the options of the session. Lenses of references are shown only if the
// fixture tests them.
func (x fixture) options() string {
	uses := slices.ContainsFunc(x.Notes, func(n marker.Note) bool { return n.Kind == "uses" })
	return fmt.Sprintf(`{"trusted":true,"clientCommands":["abl.open","abl.references"],"codeLens":{"references":%t}}`, uses)
}
