// Package disk reads the files that documents import into a workspace. What is
// open in an editor is the caller's: it is never read here, and stays as it is.
package disk

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/abl-lsp/abl-lsp/analysis"
	"github.com/abl-lsp/abl-lsp/syntax"
)

// Files are the files that were read, and when. The zero value has read none.
// It is not safe for concurrent use.
type Files struct {
	read map[string]stamp
}

// stamp tells one content of a file from the next. That of a file that could
// not be read is zero.
type stamp struct {
	modified time.Time
	size     int64
}

// Complete reads all that the files at paths import, directly or not, and the
// workspace does not know yet. What is not allowed is not looked at.
func (f *Files) Complete(w analysis.Workspace, paths []string, allowed func(path string) bool) analysis.Workspace {
	for _, path := range paths {
		for wanted := w.Wanted(path); len(wanted) > 0; wanted = w.Wanted(path) {
			for _, path := range wanted {
				w = f.add(w, path, allowed)
			}
		}
	}
	return w
}

// Refresh forgets what has changed on disk since it was read, and what could
// not be read, so that Complete reads it again.
func (f *Files) Refresh(w analysis.Workspace, open func(path string) bool) analysis.Workspace {
	return f.Forget(w, open, func(path string) bool {
		then := f.read[path]
		return then == stamp{} || stampOf(path) != then
	})
}

// Forget forgets the files that are stale, and all that are open.
func (f *Files) Forget(w analysis.Workspace, open, stale func(path string) bool) analysis.Workspace {
	for path := range f.read {
		switch {
		case open(path):
			delete(f.read, path)
		case stale(path):
			delete(f.read, path)
			w = w.Without(path)
		}
	}
	return w
}

func (f *Files) add(w analysis.Workspace, path string, allowed func(string) bool) analysis.Workspace {
	if f.read == nil {
		f.read = map[string]stamp{}
	}
	if filepath.IsAbs(path) && !allowed(path) {
		f.read[path] = stamp{}
		return w.WithMissing(path, analysis.Forbidden)
	}
	text, seen, err := readFile(path)
	f.read[path] = seen
	if err != nil {
		return w.WithMissing(path, absence(err))
	}
	return w.With(path, syntax.Parse(text))
}

var (
	errFolder     = errors.New("a folder")
	errNotRegular = errors.New("no regular file")
)

// readFile reads no more of a file than a Document takes, and nothing that is
// no regular file: reading a pipe could wait for ever.
func readFile(path string) (string, stamp, error) {
	if !filepath.IsAbs(path) { // imported by a document that is no file
		return "", stamp{}, fs.ErrNotExist
	}
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return "", stamp{}, err
	case info.IsDir():
		return "", stamp{}, errFolder
	case !info.Mode().IsRegular():
		return "", stamp{}, errNotRegular
	}
	file, err := os.Open(path)
	if err != nil {
		return "", stamp{}, err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, syntax.MaxBytes+1))
	return string(text), stamp{info.ModTime(), info.Size()}, err
}

func stampOf(path string) stamp {
	info, err := os.Stat(path)
	if err != nil {
		return stamp{}
	}
	return stamp{info.ModTime(), info.Size()}
}

func absence(err error) analysis.Absence {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return analysis.NotFound
	case errors.Is(err, errFolder):
		return analysis.IsFolder
	default:
		return analysis.Unreadable
	}
}
