package lsp

import (
	"path/filepath"

	"go.lsp.dev/uri"
)

// pathOf returns the path of a file, by which the server knows documents. What
// is no file, such as an untitled document, goes by its URI.
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
