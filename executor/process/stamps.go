package process

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
)

// scriptExtensions are the file name extensions of programs that an interpreter runs.
var scriptExtensions = []string{".js", ".mjs", ".cjs", ".ts", ".mts", ".cts", ".py", ".rb", ".php", ".sh", ".jar"}

// maxUnmarkedProgram is the most bytes of a file that is taken for a program although neither its
// name nor its mode says so.
const maxUnmarkedProgram = 1 << 20

// Programs returns the files that words, a command line in the folder dir, names by their paths
// and that may run: the program, and arguments that have the name or the mode of a program or are
// small enough to be an unmarked one.
func Programs(dir string, words []string) []string {
	var all []string
	for _, f := range namedFiles(dir, words) {
		if f.isProgram || f.Mode()&0o111 != 0 || f.Size() <= maxUnmarkedProgram {
			all = append(all, f.path)
		}
	}
	return all
}

// Uncovered describes what else affects the command with these words: a program found on PATH, and
// the files that programs load. It returns nil if there are no words.
func Uncovered(words []string) []string {
	switch {
	case len(words) == 0:
		return nil
	case isLookedUpInPath(words[0]):
		return []string{fmt.Sprintf("%s (found on PATH) and what it loads", words[0])}
	}
	return []string{"what " + filepath.Base(words[0]) + " loads"}
}

// isLookedUpInPath reports whether a program is searched for on PATH.
func isLookedUpInPath(program string) bool {
	return filepath.Base(filepath.FromSlash(program)) == program
}

// Stamps returns the times and sizes of the programs that words, a command line in the folder dir,
// names by their paths. If they have changed, a process that was started earlier runs the old
// program.
func Stamps(dir string, words []string) []string {
	var all []string
	for _, f := range namedFiles(dir, words) {
		if f.isProgram {
			all = append(all, fmt.Sprint(f.ModTime().UnixNano(), " ", f.Size()))
		}
	}
	return all
}

// namedFile is a file that a command names by a path.
type namedFile struct {
	os.FileInfo
	path      string
	isProgram bool // it is the command's program, or has the name of a program
}

func namedFiles(dir string, words []string) (files []namedFile) {
	for i, word := range words {
		if word == "" || i == 0 && isLookedUpInPath(word) {
			continue
		}
		path := absolute(dir, word)
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
			files = append(files, namedFile{info, path, i == 0 || slices.Contains(scriptExtensions, filepath.Ext(path))})
		}
	}
	return files
}

func absolute(dir, word string) string {
	if filepath.IsAbs(word) {
		return word
	}
	return filepath.Join(dir, filepath.FromSlash(word))
}
