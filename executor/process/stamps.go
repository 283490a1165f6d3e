package process

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
)

// code is how the names of programs end that others read.
var code = []string{".js", ".mjs", ".cjs", ".ts", ".mts", ".cts", ".py", ".rb", ".php", ".sh", ".jar"}

// Programs are the files that a command runs, as far as it names them by paths: its
// program, and what of its arguments is one. What it merely reads is none.
func Programs(dir string, words []string) []string {
	var all []string
	for i, word := range words {
		if i == 0 && byName(word) || i > 0 && !slices.Contains(code, filepath.Ext(word)) {
			continue
		}
		if !filepath.IsAbs(word) {
			word = filepath.Join(dir, filepath.FromSlash(word))
		}
		if f, err := os.Stat(word); err == nil && f.Mode().IsRegular() {
			all = append(all, word)
		}
	}
	return all
}

// Uncovered says what of a command [Programs] does not name: a program found on PATH, and
// what programs load.
func Uncovered(words []string) []string {
	if len(words) > 0 && byName(words[0]) {
		return []string{fmt.Sprintf("%s (found on PATH) and what it loads", words[0])}
	}
	return nil
}

// byName reports whether a program is looked for on PATH.
func byName(program string) bool { return filepath.Base(filepath.FromSlash(program)) == program }

// Stamps are when the programs of a command were written, and how long they are: a process
// that began before knows nothing of what they say now.
func Stamps(dir string, words []string) []string {
	var all []string
	for _, path := range Programs(dir, words) {
		if f, err := os.Stat(path); err == nil {
			all = append(all, fmt.Sprint(f.ModTime().UnixNano(), " ", f.Size()))
		}
	}
	return all
}
