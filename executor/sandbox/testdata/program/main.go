// Command program only calls sandbox.Main. The tests run code in this program instead of the test
// binary, because with the race detector WebAssembly takes minutes to compile.
package main

import (
	"os"

	"github.com/abl-lsp/abl-lsp/executor/sandbox"
)

func main() {
	code, _ := sandbox.Main(os.Stdin, os.Stdout, os.Stderr)
	os.Exit(code)
}
