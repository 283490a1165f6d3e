// Package disk reads the files of a workspace for the language server and the command
// line. It never reads a device, a pipe or an endless file.
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

// Read is a [model.Reader]: it returns the text of the file at path, and [model.Present]
// or the reason why it cannot be read. If the file is too large to be parsed, it returns
// just enough of it to show that.
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

// IsFolder reports whether a path is an existing folder.
func IsFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// ListFolder is a [model.Lister]: it returns the entries of a folder, sorted by name. It
// returns none if the folder cannot be read.
func ListFolder(dir string) []model.DirEntry {
	entries, _ := os.ReadDir(dir)
	var out []model.DirEntry
	for _, e := range entries {
		out = append(out, model.DirEntry{Name: e.Name(), IsDir: e.IsDir()})
	}
	return out
}

// FindFiles lists the wanted files below root, sorted. It skips node_modules, folders that
// begin with a dot, and links; but root itself may be a link, and links to files in a skipped
// folder next to them are followed, because clusters mount files in this way. At a folder that
// cannot be read it stops, and returns the error with the files that it has found.
func FindFiles(root string, wanted func(path string) bool) ([]string, error) {
	var paths []string
	err := walk(root, func(path string, d fs.DirEntry, err error) error {
		if err == nil && isFile(filepath.Dir(path), d) && wanted(path) {
			paths = append(paths, path)
		}
		return err
	})
	slices.Sort(paths)
	return paths, err
}

// FindFolders lists the folders in which [FindFiles] looks, as far as they can be read: root itself, if
// it is a folder, and those below.
func FindFolders(root string) (paths []string) {
	_ = walk(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil && d != nil && d.IsDir():
			return fs.SkipDir
		case err == nil && d.IsDir():
			paths = append(paths, path)
		}
		return nil
	})
	return paths
}

// isFile reports whether an entry of a folder is a regular file, or a link to one in a skipped folder
// within the folder.
func isFile(folder string, d fs.DirEntry) bool {
	if d.Type()&fs.ModeSymlink == 0 {
		return d.Type().IsRegular()
	}
	path := filepath.Join(folder, d.Name())
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	target, err := filepath.EvalSymlinks(path)
	actual, realErr := filepath.EvalSymlinks(folder)
	if err != nil || realErr != nil {
		return false
	}
	within, err := filepath.Rel(actual, target)
	first, _, isBelow := strings.Cut(within, string(filepath.Separator))
	return err == nil && filepath.IsLocal(within) && isBelow && isSkippedFolder(first)
}

// walk is [filepath.WalkDir] without the folders that [FindFiles] skips. root may be a link.
func walk(root string, visit fs.WalkDirFunc) error {
	root = filepath.Clean(root) + string(filepath.Separator)
	return filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && path != root && isSkippedFolder(d.Name()) {
			return fs.SkipDir
		}
		return visit(path, d, err)
	})
}

// isSkippedFolder reports whether folders of a name are skipped.
func isSkippedFolder(name string) bool { return name == "node_modules" || strings.HasPrefix(name, ".") }
