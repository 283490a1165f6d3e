package process

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
)

// code is how the names of programs end that others read.
var code = []string{".js", ".mjs", ".cjs", ".ts", ".mts", ".cts", ".py", ".rb", ".php", ".sh", ".jar"}

// maxRead is how large a file may be that is taken for a program though neither its name
// nor its mode says so.
const maxRead = 1 << 20

// Programs are the files that a command names by paths and that may run: its program, and
// those of its arguments that are called or marked as programs, or are small enough to be
// one that is not.
func Programs(dir string, words []string) []string {
	return namedFiles(dir, words, func(path string, f os.FileInfo) bool {
		return isCode(path) || f.Mode()&0o111 != 0 || f.Size() <= maxRead
	})
}

// Uncovered says what else decides what a command does: a program found on PATH, and what
// programs load.
func Uncovered(words []string) []string {
	switch {
	case len(words) == 0:
		return nil
	case byName(words[0]):
		return []string{fmt.Sprintf("%s (found on PATH) and what it loads", words[0])}
	}
	return []string{"what " + filepath.Base(words[0]) + " loads"}
}

// byName reports whether a program is looked for on PATH.
func byName(program string) bool { return filepath.Base(filepath.FromSlash(program)) == program }

// Stamps are when the programs of a command were written, and how long they are: a process
// that began before knows nothing of what they say now. What a program merely reads is no
// affair of these.
func Stamps(dir string, words []string) []string {
	var all []string
	namedFiles(dir, words, func(path string, f os.FileInfo) bool {
		if len(words) > 0 && path == absolute(dir, words[0]) || isCode(path) {
			all = append(all, fmt.Sprint(f.ModTime().UnixNano(), " ", f.Size()))
		}
		return false
	})
	return all
}

func isCode(path string) bool { return slices.Contains(code, filepath.Ext(path)) }

// namedFiles are the files that the words of a command name by paths: the program, and of
// its arguments those that are wanted.
func namedFiles(dir string, words []string, wanted func(path string, f os.FileInfo) bool) (paths []string) {
	for i, word := range words {
		if word == "" || i == 0 && byName(word) {
			continue
		}
		path := absolute(dir, word)
		f, err := os.Stat(path)
		if err == nil && f.Mode().IsRegular() && (wanted(path, f) || i == 0) {
			paths = append(paths, path)
		}
	}
	return paths
}

func absolute(dir, word string) string {
	if filepath.IsAbs(word) {
		return word
	}
	return filepath.Join(dir, filepath.FromSlash(word))
}
