package lsp

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"go.lsp.dev/protocol"

	"github.com/abl-lsp/abl-lsp/analysis"
	"github.com/abl-lsp/abl-lsp/analysis/model"
)

// The commands of lenses that lead elsewhere. They are the client's own:
// arguments[0] of the first is {"uri"}, of the second {"uri", "position",
// "locations"}.
const (
	openCommand       = "abl.open"
	referencesCommand = "abl.references"
)

func codeLens(ctx context.Context, s *server, at *snapshot, params *protocol.CodeLensParams) ([]protocol.CodeLens, error) {
	d := at.documents[pathOf(params.TextDocument.URI)]
	if d == nil {
		return nil, nil
	}
	all, err := s.diagnostics.lensesOf(ctx, at, d)
	if err == nil && ctx.Err() == nil {
		s.diagnostics.lenses.replace(d.path, contentID(all))
	}
	return all, err
}

func (p *publisher) lensesOf(ctx context.Context, at *snapshot, d *document) ([]protocol.CodeLens, error) {
	found := p.checkAll(ctx, at, d.path)
	lenses := analysis.CodeLenses(at.workspace, d.path, func(t model.PlacedTool) int {
		return len(model.Broken(found, t))
	})
	var all []protocol.CodeLens
	for _, lens := range lenses {
		if !at.settings.CodeLens.wants(lens.Kind) {
			continue
		}
		command, err := lensCommand(at, d, lens)
		if err != nil {
			return nil, err
		}
		all = append(all, protocol.CodeLens{Range: at.converter(d).rangeOf(lens.Span), Command: command})
	}
	if at.settings.CodeLens.References {
		return withReferencesLenses(at, d, all)
	}
	return all, nil
}

// wants reports whether lenses of a kind are shown.
func (s lensSettings) wants(kind analysis.LensKind) bool {
	return map[analysis.LensKind]bool{
		analysis.RunLens: s.Run, analysis.CaseLens: s.Cases, analysis.PreviewLens: s.Preview, analysis.ImportLens: s.Imports,
		analysis.ProjectLens: s.Imports,
	}[kind]
}

// sentIDs are the ids of the lenses or hints that the client has, by path.
type sentIDs struct {
	mu  sync.Mutex // guards ids
	ids map[string]string
}

// replace keeps the id that the client gets, and reports whether it had another one.
func (l *sentIDs) replace(path, id string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ids == nil {
		l.ids = map[string]string{}
	}
	last, known := l.ids[path]
	l.ids[path] = id
	return known && last != id
}

func (l *sentIDs) has(path string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	_, known := l.ids[path]
	return known
}

func (l *sentIDs) forget(path string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.ids, path)
}

// staleLenses reports whether a change elsewhere has altered the lenses of a
// document that the client shows.
func (p *publisher) staleLenses(ctx context.Context, at *snapshot, path string) bool {
	d := at.documents[path]
	switch {
	case d == nil:
		p.lenses.forget(path)
		return false
	case !at.support.refreshLenses || !p.lenses.has(path):
		return false
	}
	lenses, err := p.lensesOf(ctx, at, d)
	return err == nil && ctx.Err() == nil && p.lenses.replace(path, contentID(lenses))
}

// lensCommand returns the title and the command of a lens. A command of the client does
// nothing if the client does not have it.
func lensCommand(at *snapshot, d *document, lens analysis.Lens) (protocol.Command, error) {
	command := protocol.Command{Title: lens.Title}
	var argument any
	switch lens.Kind {
	case analysis.RunLens, analysis.CaseLens:
		command.Command, argument = runCommand, toolArgument(at, d, lens)
	case analysis.PreviewLens:
		command.Command, argument = previewCommand, toolArgument(at, d, lens)
	case analysis.ProjectLens:
		return command, nil
	case analysis.ImportLens:
		if !slices.Contains(at.settings.ClientCommands, openCommand) {
			return command, nil
		}
		command.Command, argument = openCommand, map[string]any{"uri": at.uriOf(lens.Path)}
	}
	raw, err := protocol.Marshal(argument)
	if err != nil {
		return command, fmt.Errorf("lens %q: %w", lens.Title, err)
	}
	command.Arguments = []protocol.LSPAny{raw}
	return command, nil
}

// toolArgument names the tool by the document, or by the file whose cases it has.
func toolArgument(at *snapshot, d *document, lens analysis.Lens) any {
	of := d.uri
	if lens.Path != "" {
		of = at.uriOf(lens.Path)
	}
	return struct {
		URI  string `json:"uri"`
		Tool string `json:"tool"`
		Case string `json:"case,omitempty"`
	}{string(of), lens.Tool, lens.Case}
}
