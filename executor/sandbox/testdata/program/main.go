// Command program is a program that calls sandbox.Main and does nothing else. The
// tests run code in it, and not in themselves: with the race detector WebAssembly
// takes minutes to compile.
package main

import (
	"os"

	"github.com/abl-lsp/abl-lsp/executor/sandbox"
)

func main() {
	code, _ := sandbox.Main(os.Stdin, os.Stdout, os.Stderr)
	os.Exit(code)
}
