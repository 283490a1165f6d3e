package main

import (
	"encoding/binary"
	"errors"
)

// stripModule removes the custom sections of a WebAssembly module: names and debugging
// information, which make up half of CPython and slow its compilation.
func stripModule(module []byte) ([]byte, error) {
	const (
		header = 8 // magic number and version
		custom = 0
	)
	if len(module) < header || string(module[:4]) != "\x00asm" {
		return nil, errors.New("this is no WebAssembly")
	}
	out := append([]byte{}, module[:header]...)
	for rest := module[header:]; len(rest) > 0; {
		size, n := binary.Uvarint(rest[1:])
		end := 1 + n + int(size) // checked below
		if n <= 0 || end < 0 || end > len(rest) {
			return nil, errors.New("a section is cut short")
		}
		if rest[0] != custom {
			out = append(out, rest[:end]...)
		}
		rest = rest[end:]
	}
	return out, nil
}
