package lsp

import (
	"path/filepath"

	"go.lsp.dev/uri"
)

// pathOf returns the path by which the server identifies a file. A document that is not a
// file, such as an untitled one, is identified by its URI.
func pathOf(u uri.URI) string {
	if !u.IsFile() {
		return string(u)
	}
	return filepath.Clean(u.FsPath())
}

// uriOf is the inverse of pathOf.
func uriOf(path string) uri.URI {
	// A scheme of one letter is a drive.
	if u, err := uri.ParseStrict(path); err == nil && len(u.Scheme()) > 1 && !filepath.IsAbs(path) {
		return u
	}
	return uri.File(path)
}
