// Package tree_sitter_abl binds the generated ABL parser to
// github.com/smacker/go-tree-sitter. It is the only package with C code.
package tree_sitter_abl

// #define ABL_SOURCES "79835957f2688acc"
// #cgo CFLAGS: -std=c11 -fPIC -I../../src
// #include "../../src/parser.c"
// #include "../../src/scanner.c"
import "C"

import (
	"unsafe"

	sitter "github.com/smacker/go-tree-sitter"
)

// Language returns the ABL grammar.
func Language() *sitter.Language {
	return sitter.NewLanguage(unsafe.Pointer(C.tree_sitter_abl()))
}
