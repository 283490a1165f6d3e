package process

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
)

// code is how the names of programs end that others read.
var code = []string{".js", ".mjs", ".cjs", ".ts", ".mts", ".cts", ".py", ".rb", ".php", ".sh", ".jar"}

// Stamps are when the program of a command was written, and what of its arguments is a
// program, and how long they are: a process that began before knows nothing of what they
// say now. What it merely reads is no affair of these.
func Stamps(dir string, words []string) []string {
	var all []string
	for i, word := range words {
		if i > 0 && !slices.Contains(code, filepath.Ext(word)) {
			continue
		}
		if !filepath.IsAbs(word) {
			word = filepath.Join(dir, word)
		}
		if f, err := os.Stat(word); err == nil && f.Mode().IsRegular() {
			all = append(all, fmt.Sprint(f.ModTime().UnixNano(), " ", f.Size()))
		}
	}
	return all
}
