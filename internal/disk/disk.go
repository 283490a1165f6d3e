// Package disk reads the files of a workspace for those who may: the language
// server and the command line. It never follows a read into a device, a pipe or
// an endless file.
package disk

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/syntax"
)

// Read is an [model.Reader]. Of a file that is too large to be parsed it
// gives just enough to see that.
func Read(path string) (string, model.Absence) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", model.NotFound
	case err != nil:
		return "", model.Unreadable
	case info.IsDir():
		return "", model.IsFolder
	case !info.Mode().IsRegular():
		return "", model.Unreadable
	}
	f, err := os.Open(path)
	if err != nil {
		return "", model.Unreadable
	}
	defer f.Close()
	source, err := io.ReadAll(io.LimitReader(f, syntax.MaxBytes+1))
	if err != nil {
		return "", model.Unreadable
	}
	return string(source), model.Present
}

// IsFolder reports whether a path is a folder that is there.
func IsFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// ListFolder is an [model.Lister]: what a folder holds, by name. Of a folder
// that cannot be read it gives nothing.
func ListFolder(dir string) []model.DirEntry {
	entries, _ := os.ReadDir(dir)
	var out []model.DirEntry
	for _, e := range entries {
		out = append(out, model.DirEntry{Name: e.Name(), IsDir: e.IsDir()})
	}
	return out
}

// FindFiles lists the wanted files below a folder, sorted. It does not go into
// node_modules and folders that begin with a dot, nor follow links; but the
// folder itself may be one.
func FindFiles(root string, wanted func(path string) bool) ([]string, error) {
	var paths []string
	err := walk(root, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() && wanted(path) {
			paths = append(paths, path)
		}
		return err
	})
	slices.Sort(paths)
	return paths, err
}

// walk calls visit with a folder and what is below it, as [filepath.WalkDir] does.
func walk(root string, visit fs.WalkDirFunc) error {
	root = filepath.Clean(root) + string(filepath.Separator)
	return filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && path != root && isSkippedFolder(d.Name()) {
			return fs.SkipDir
		}
		return visit(path, d, err)
	})
}

// isSkippedFolder reports whether nobody looks into folders of a name.
func isSkippedFolder(name string) bool { return name == "node_modules" || strings.HasPrefix(name, ".") }
