package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf16"

	"go.lsp.dev/protocol"

	"github.com/abl-lsp/abl-lsp/syntax"
)

// typedFile is a file of the corpus in an editor, with a cursor.
type typedFile struct {
	t            *testing.T
	server       *server
	doc          *document
	line, column int // of the cursor, in UTF-16
	closes       string
}

// replayServers are the servers of projects, by folder. Each knows the project's files.
type replayServers map[string]*server

// open opens a file of the corpus with other lines.
func (all replayServers) open(t *testing.T, path string, lines []string) *typedFile {
	t.Helper()
	s := all.of(t, path)
	d := &document{Document: syntax.Parse(strings.Join(lines, "\n")), uri: uriOf(path), path: path, version: 1, openNumber: 1}
	s.session.update(func(next *snapshot) {
		for open := range next.documents {
			next.forgetDocument(open)
		}
		next.typingDelay = nil
		next.setDocument(d)
	})
	return &typedFile{t: t, server: s, doc: d}
}

func (all replayServers) of(t *testing.T, path string) *server {
	t.Helper()
	folder := filepath.Dir(path)
	for filepath.Base(filepath.Dir(folder)) != "corpus" {
		folder = filepath.Dir(folder)
	}
	if s := all[folder]; s != nil {
		return s
	}
	s := newServer(Options{In: strings.NewReader(""), Out: io.Discard})
	below, err := s.files.index.update(t.Context(), []string{folder}, func(ctx context.Context) (context.Context, *indexProgress) {
		return ctx, &indexProgress{end: func() {}}
	})
	if err != nil {
		t.Fatal(err)
	}
	s.session.update(func(next *snapshot) {
		next.folders = []string{folder}
		next.workspace = next.workspace.WithUnopened(next.folders, below)
	})
	all[folder] = s
	return s
}

func (e *typedFile) text() string    { return e.doc.Text() }
func (e *typedFile) lines() []string { return strings.Split(e.text(), "\n") }

// diagnostics returns the diagnostics that the client shows.
func (e *typedFile) diagnostics() []protocol.Diagnostic {
	return e.server.diagnostics.documentReport(e.t.Context(), e.server.session.load(), e.doc).items
}

// replace replaces columns of the cursor's line and puts the cursor after the text.
func (e *typedFile) replace(start, end int, text string) {
	e.t.Helper()
	position := func(column int) map[string]int { return map[string]int{"line": e.line, "character": column} }
	changes, err := json.Marshal([]any{map[string]any{"range": map[string]any{"start": position(start), "end": position(end)}, "text": text}})
	if err != nil {
		e.t.Fatal(err)
	}
	params := &didChangeParams{ContentChanges: changes}
	params.TextDocument.URI = e.doc.uri
	params.TextDocument.Version = protocol.LSPAny(fmt.Sprint(e.doc.version + 1))
	if e.doc, err = e.server.applyChange(params); err != nil {
		e.t.Fatal(err)
	}
	if _, after, ok := strings.Cut(text, "\n"); ok {
		e.line, e.column = e.line+1, len(after)
	} else {
		e.column = start + len(utf16.Encode([]rune(text)))
	}
}

func (e *typedFile) typeText(text string) { e.replace(e.column, e.column, text) }

// enter ends the line. The next line has the same indentation, or a deeper one after a
// line that opens a block.
func (e *typedFile) enter() {
	above := e.lines()[e.line]
	indent := above[:indentOf(above)]
	if strings.HasSuffix(above, ":") || strings.HasSuffix(above, "|") {
		indent += "  "
	}
	e.closes = ""
	e.column = len(utf16.Encode([]rune(above)))
	e.typeText("\n" + indent)
}

// typeClosing types a letter as in an editor that closes brackets and quotes by itself,
// and skips those that it has closed.
func (e *typedFile) typeClosing(letter string) {
	rest := e.closes
	if rest != "" && strings.HasPrefix(rest, letter) {
		e.closes, e.column = rest[1:], e.column+1
		return
	}
	closing := map[string]string{`"`: `"`, "(": ")", "[": "]", "{": "}"}[letter]
	if closing == "" {
		e.typeText(letter)
		return
	}
	column := e.column
	e.typeText(letter + closing)
	e.closes, e.column = closing+rest, column+1
}
