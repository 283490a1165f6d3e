package model

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/tool"
)

// InEnvironments is the workspace as tools see it in those environments of abl.yaml:
// of gives the name for the file at a path, "" for the default one.
func InEnvironments(w Workspace, of func(path string) string) Workspace {
	w.environment = of
	return w
}

func environmentOf(w Workspace, path string) string {
	if w.environment == nil {
		return ""
	}
	return w.environment(path)
}

// Base is what stands before an endpoint that is a path, with where it is from.
type Base struct {
	Url  string // "" where nothing says
	From string // in plain words
	Path string
	Span text.Span
}

// BaseOf is that of the tools of a file: of its shared defaults, else of abl.yaml.
func BaseOf(w Workspace, f *File) Base {
	for _, d := range slices.Backward(f.Defaults) {
		if p := SharedDefault(d.Node); p.Field != nil && p.Field.Name == "base_url" {
			line := f.Doc.Lines().Line(d.Span().Start) + 1
			return Base{strings.TrimSpace(p.Text()), fmt.Sprintf("`base_url` in line %d.", line), f.Path, d.Span()}
		}
	}
	in, _ := w.Project(f.Path)
	if in == nil || in.Project == nil {
		return Base{}
	}
	url, _ := in.Project.BaseURL(environmentOf(w, f.Path))
	return Base{strings.TrimSpace(url.Name), "`base_url` of " + filepath.Base(in.Path) + ".", in.Path, url.Span}
}

// Before is what a run puts before an endpoint, "" where that stands alone.
func (b Base) Before(endpoint string) string {
	switch {
	case b.Url == "" || endpoint == "" || tool.IsAbsolute(endpoint) || strings.ContainsAny(b.Url, "?#"):
		return ""
	case strings.HasPrefix(endpoint, "?"):
		return b.Url
	case strings.HasPrefix(endpoint, "/"):
		return strings.TrimRight(b.Url, "/")
	}
	return strings.TrimRight(b.Url, "/") + "/"
}
