// Command bench measures the program as an editor and a shell see it.
package main

import (
	"flag"
	"fmt"
	"iter"
	"os"
	"path/filepath"

	"github.com/abl-lsp/abl-lsp/internal/benchtext"
)

func main() {
	write := flag.String("write", "", "write a `workspace` (files, importers or chain) into the folder that follows, and measure nothing")
	size := flag.Int("size", 2000, "the number of files, importers or imports that -write makes")
	flag.Parse()
	if err := writeWorkspace(*write, *size, flag.Arg(0)); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// writeWorkspace writes one of the workspaces of benchtext into a folder.
func writeWorkspace(name string, size int, folder string) error {
	workspaces := map[string]func(int) iter.Seq2[string, string]{
		"files": benchtext.Workspace, "importers": benchtext.Importers, "chain": benchtext.Chain,
	}
	workspace, ok := workspaces[name]
	if !ok || folder == "" {
		return fmt.Errorf("-write %q %q: want files, importers or chain, and a folder", name, folder)
	}
	for path, text := range workspace(size) {
		path = filepath.Join(folder, filepath.FromSlash(path))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}
