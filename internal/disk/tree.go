package disk

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"slices"
)

// Tree lists the files below folders repeatedly. A folder that has not changed since
// the last time costs one stat. The zero Tree is ready to use.
type Tree struct {
	Limit    int               // how many files and folders are listed; 0: maxWorkspaceEntries
	OnListed func(entries int) // is told how many are listed so far; may be nil

	folders   map[string]folderList
	truncated bool
}

// IsTruncated reports whether there was more below the roots than was listed last.
func (t *Tree) IsTruncated() bool { return t.truncated }

// folderList is the content of a folder when it had the stamp.
type folderList struct {
	stamp          Stamp
	folders, files []string // paths
}

// Files returns the wanted files below the roots, each once, as [FindFiles] finds them.
// Folders that cannot be listed are left out. If ctx ends first, it returns the files that
// were found until then.
func (t *Tree) Files(ctx context.Context, roots []string, wanted func(path string) bool) []string {
	seen := make(map[string]folderList, len(t.folders))
	var paths []string
	queue := slices.Clone(roots)
	limit, listed := cmp.Or(t.Limit, maxWorkspaceEntries), 0
	for t.truncated = false; len(queue) > 0 && ctx.Err() == nil; {
		if t.truncated = listed >= limit; t.truncated {
			break
		}
		folder := filepath.Clean(queue[0])
		queue = queue[1:]
		if _, twice := seen[folder]; twice { // a root within another
			continue
		}
		l := t.folderListOf(folder)
		seen[folder] = l
		queue = append(queue, l.folders...)
		if listed += len(l.folders) + len(l.files) + 1; t.OnListed != nil {
			t.OnListed(listed)
		}
		for _, path := range l.files {
			if wanted(path) {
				paths = append(paths, path)
			}
		}
	}
	t.folders = seen
	slices.Sort(paths)
	return paths
}

func (t *Tree) folderListOf(folder string) folderList {
	now := StampOf(folder)
	if then, known := t.folders[folder]; known && then.stamp.IsUnchanged(now) {
		return then
	}
	entries, _ := os.ReadDir(folder)
	l := folderList{stamp: now}
	for _, e := range entries {
		switch path := filepath.Join(folder, e.Name()); {
		case e.IsDir() && !isSkippedFolder(e.Name()):
			l.folders = append(l.folders, path)
		case isFile(folder, e):
			l.files = append(l.files, path)
		}
	}
	return l
}
