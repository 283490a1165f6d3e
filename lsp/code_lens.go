package lsp

import (
	"context"
	"slices"
	"sync"

	"go.lsp.dev/protocol"

	"github.com/abl-lsp/abl-lsp/analysis"
	"github.com/abl-lsp/abl-lsp/analysis/model"
)

// The commands of lenses that open another place. The client implements them:
// arguments[0] of the first is {"uri"}, of the second {"uri", "position", "locations"}.
const (
	openCommand       = "abl.open"
	referencesCommand = "abl.references"
)

func codeLens(ctx context.Context, s *server, snap *snapshot, params *protocol.CodeLensParams) ([]protocol.CodeLens, error) {
	d := snap.documents[pathOf(params.TextDocument.URI)]
	if d == nil {
		return nil, nil
	}
	all, err := s.diagnostics.codeLenses(ctx, snap, d)
	if err == nil && ctx.Err() == nil {
		s.diagnostics.lenses.replaceID(d.path, contentID(all))
	}
	return all, err
}

// codeLenses returns the lenses of a document that the settings enable.
func (p *publisher) codeLenses(ctx context.Context, snap *snapshot, d *document) ([]protocol.CodeLens, error) {
	found := p.checkAll(ctx, snap, d.path)
	lenses := analysis.CodeLenses(snap.workspace, d.path, func(t model.PositionedTool) int {
		return len(model.ErrorsInTool(found, t))
	})
	var all []protocol.CodeLens
	for _, lens := range lenses {
		if !snap.settings.CodeLens.shows(lens.Kind) {
			continue
		}
		command, err := lensCommand(snap, d, lens)
		if err != nil {
			return nil, err
		}
		all = append(all, protocol.CodeLens{Range: snap.converter(d).rangeOf(lens.Span), Command: command})
	}
	if snap.settings.CodeLens.References {
		var err error
		if all, err = withReferencesLenses(snap, d, all); err != nil {
			return nil, err
		}
	}
	separateStarts(all)
	return all, nil
}

// separateStarts makes each lens of a line begin after the one before it, because Neovim
// 0.12 sorts the lenses of a line by their start, and mixes those that have the same one.
func separateStarts(lenses []protocol.CodeLens) {
	next := map[uint32]uint32{} // the first free character of each line
	for i := range lenses {
		span := &lenses[i].Range
		span.Start.Character = max(span.Start.Character, next[span.Start.Line])
		next[span.Start.Line] = span.Start.Character + 1
		if span.End.Line == span.Start.Line {
			span.End.Character = max(span.End.Character, span.Start.Character)
		}
	}
}

// shows reports whether lenses of a kind are shown.
func (s lensSettings) shows(kind analysis.LensKind) bool {
	return map[analysis.LensKind]bool{
		analysis.RunLens: s.Run, analysis.CaseLens: s.Cases, analysis.PreviewLens: s.Preview, analysis.ImportLens: s.Imports,
		analysis.ProjectLens: s.Imports,
	}[kind]
}

// sentIDs are the ids of the lenses or hints that the client has, by path.
type sentIDs struct{ byPath sync.Map }

// replaceID records id as the one that the client gets for the document at path, and
// reports whether the client had another one. It is false if the client had none.
func (l *sentIDs) replaceID(path, id string) bool {
	last, known := l.byPath.Swap(path, id)
	return known && last != id
}

// hasID reports whether the client has lenses or hints of the document at a path.
func (l *sentIDs) hasID(path string) bool {
	_, known := l.byPath.Load(path)
	return known
}

// staleLenses reports whether a change in another file has altered the lenses that the
// client shows of a document.
func (p *publisher) staleLenses(ctx context.Context, snap *snapshot, d *document) bool {
	if !snap.capabilities.Workspace.CodeLens.RefreshSupport || !p.lenses.hasID(d.path) {
		return false
	}
	lenses, err := p.codeLenses(ctx, snap, d)
	return err == nil && ctx.Err() == nil && p.lenses.replaceID(d.path, contentID(lenses))
}

// lensCommand returns the title and the command of a lens. The lens has only a title if
// its command must be implemented by the client, and this client does not implement it.
func lensCommand(snap *snapshot, d *document, lens analysis.Lens) (protocol.Command, error) {
	switch lens.Kind {
	case analysis.RunLens, analysis.CaseLens:
		return newCommand(lens.Title, runCommand, toolArgument(snap, d, lens))
	case analysis.PreviewLens:
		return newCommand(lens.Title, previewCommand, toolArgument(snap, d, lens))
	case analysis.ImportLens:
		if slices.Contains(snap.settings.ClientCommands, openCommand) {
			return newCommand(lens.Title, openCommand, map[string]any{"uri": snap.uriOf(lens.Path)})
		}
	}
	return protocol.Command{Title: lens.Title}, nil
}

// toolArgument returns the argument of a lens's command: the names of the lens's tool and
// case, and the URI of their file. The file is lens.Path, or d if that is "".
func toolArgument(snap *snapshot, d *document, lens analysis.Lens) any {
	of := d.uri
	if lens.Path != "" {
		of = snap.uriOf(lens.Path)
	}
	return struct {
		URI  string `json:"uri"`
		Tool string `json:"tool"`
		Case string `json:"case,omitempty"`
	}{string(of), lens.Tool, lens.Case}
}
