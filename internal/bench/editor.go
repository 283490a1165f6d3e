package main

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"time"

	"github.com/abl-lsp/abl-lsp/internal/benchtext"
)

// language is a language with a server, and a text in it that has a description every
// ten lines.
type language struct {
	id, file     string
	text         func(lines int) string
	line, column int // where the first description begins
	server       func() *exec.Cmd
	figures      figures
}

func (b *bench) ablLanguage() language {
	return language{
		id: "abl", file: "open.tools.abl", text: benchtext.Library, line: 4, column: 19, figures: b.ownFigures,
		server: func() *exec.Cmd { return b.command(b.program, "serve") },
	}
}

func (b *bench) tomlLanguage() language {
	return language{
		id: "toml", file: "open.toml", text: benchtext.TOML, line: 1, column: 16, figures: b.figuresOf("tombi"),
		server: func() *exec.Cmd { return b.command(b.tombi, "lsp") },
	}
}

// start starts the language's server in an empty folder.
func (l language) start(folder string) (s *server, initialized time.Duration, err error) {
	if s, err = startServer(l.server()); err != nil {
		return nil, 0, err
	}
	initialized, err = s.initialize(folder, false)
	return s, initialized, err
}

// measureEditor measures what a person notices who edits one file.
func (b *bench) measureEditor(l language) error {
	if err := b.measureStart(l); err != nil {
		return err
	}
	if err := b.measureOpen(l, 10000); err != nil {
		return err
	}
	for _, lines := range []int{1000, 10000} {
		if err := b.measureKeystrokes(l, lines); err != nil {
			return err
		}
	}
	return nil
}

// measureStart measures from the start of the process to the answer to initialize.
func (b *bench) measureStart(l language) error {
	var all []time.Duration
	for range 11 {
		s, initialized, err := l.start(b.folder)
		if err != nil {
			return err
		}
		all = append(all, initialized)
		if _, err := s.close(); err != nil {
			return err
		}
	}
	l.figures.setTime("start_ms", quantile(all, 0.5))
	return nil
}

// measureOpen measures from didOpen to the last diagnostics of a text, and the memory
// of a server that has done no more than that.
func (b *bench) measureOpen(l language, lines int) error {
	var first, last []time.Duration
	var peaks []int64
	text := l.text(lines)
	uri := fileURI(filepath.Join(b.folder, l.file))
	for range 5 {
		s, _, err := l.start(b.folder)
		if err != nil {
			return err
		}
		time.Sleep(300 * time.Millisecond) // what the start leaves to do
		begin := time.Now()
		if err := s.open(uri, l.id, text); err != nil {
			return err
		}
		end, err := s.settle(uri)
		if err != nil {
			return err
		}
		first = append(first, s.publications(uri)[0].at.Sub(begin))
		last = append(last, end.Sub(begin))
		peak, err := s.close()
		if err != nil {
			return err
		}
		peaks = append(peaks, peak)
	}
	l.figures.setTime("open_ms", quantile(last, 0.5))
	l.figures.setTime("open_first_ms", quantile(first, 0.5))
	l.figures.setMemory("open_mib", quantile(peaks, 0.5))
	return nil
}

// typingPaces returns how fast the letters of the measurement are typed.
func typingPaces() []time.Duration {
	return []time.Duration{150 * time.Millisecond, 50 * time.Millisecond, 10 * time.Millisecond}
}

// measureKeystrokes types a hundred letters at each pace into the middle of a text, and
// measures for each how long the diagnostics of its version, or a later one, take.
func (b *bench) measureKeystrokes(l language, lines int) error {
	s, _, err := l.start(b.folder)
	if err != nil {
		return err
	}
	uri := fileURI(filepath.Join(b.folder, l.file))
	if err := s.open(uri, l.id, l.text(lines)); err != nil {
		return err
	}
	if _, err := s.settle(uri); err != nil {
		return err
	}
	typist := typist{server: s, uri: uri, version: 1, line: lines/20*10 + l.line, column: l.column}
	for _, pace := range typingPaces() {
		took, err := typist.typeLetters(100, pace)
		if err != nil {
			return err
		}
		name := fmt.Sprintf("keystroke_%d_every_%d", lines, pace.Milliseconds())
		l.figures.setTime(name+"_p50_ms", quantile(took, 0.5))
		l.figures.setTime(name+"_p99_ms", quantile(took, 0.99))
	}
	peak, err := s.close()
	if lines == 10000 {
		l.figures.setMemory("typed_mib", peak)
	}
	return err
}

// typist types into one place of a document.
type typist struct {
	server       *server
	uri          string
	version      int
	line, column int
}

// typeLetters types letters at a pace, and deletes every second one. It returns the time
// until the diagnostics of each.
func (t *typist) typeLetters(count int, pace time.Duration) ([]time.Duration, error) {
	first := t.version + 1
	sent := make([]time.Time, 0, count)
	tick := time.NewTicker(pace)
	defer tick.Stop()
	for i := range count {
		<-tick.C
		e := edit{t.line, t.column, t.column, "x"}
		if i%2 == 1 {
			e = edit{t.line, t.column, t.column + 1, ""}
		}
		t.version++
		at, err := t.server.change(t.uri, t.version, e)
		if err != nil {
			return nil, err
		}
		sent = append(sent, at)
	}
	published, err := t.server.publishedSince(t.uri, t.version, first)
	if err != nil {
		return nil, err
	}
	took := make([]time.Duration, count)
	for i := range sent {
		k := slices.IndexFunc(published, func(p publication) bool { return p.version >= first+i })
		took[i] = published[k].at.Sub(sent[i])
	}
	return took, nil
}

// publishedSince waits for the diagnostics of a version. It returns the publications of the
// versions from first up to this one.
func (s *server) publishedSince(uri string, version, first int) ([]publication, error) {
	var all []publication
	err := s.await(fmt.Sprintf("version %d of %s", version, uri), func() bool {
		all = all[:0]
		for _, p := range s.published {
			if p.uri == uri && p.version >= first {
				all = append(all, p)
			}
		}
		return len(all) > 0 && all[len(all)-1].version >= version
	})
	return all, err
}
