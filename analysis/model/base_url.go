package model

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/tool"
)

// WithEnvironments returns the workspace as tools see it in those environments of abl.yaml: of gives
// the name for the file at a path, "" for the default one.
func WithEnvironments(w Workspace, of func(path string) string) Workspace {
	w.environment = of
	return w
}

func environmentOf(w Workspace, path string) string {
	if w.environment == nil {
		return ""
	}
	return w.environment(path)
}

// BaseURL is what is before an endpoint that is a path, with where it is from.
type BaseURL struct {
	URL  string // "" where nothing says
	From string // in plain words
	Path string
	Span text.Span
}

// BaseURLOf is that of the tools of a file: of its shared defaults, else of abl.yaml.
func BaseURLOf(w Workspace, f *File) BaseURL {
	for _, d := range slices.Backward(f.Defaults) {
		if p := SharedDefault(d.Node); p.Field != nil && p.Field.Name == "base_url" {
			line := f.Doc.Lines().Line(d.Span().Start) + 1
			return BaseURL{strings.TrimSpace(p.Text()), fmt.Sprintf("`base_url` in line %d.", line), f.Path, d.Span()}
		}
	}
	in, _ := w.Project(f.Path)
	if in == nil || in.Project == nil {
		return BaseURL{}
	}
	url, _ := in.Project.BaseURL(environmentOf(w, f.Path))
	return BaseURL{strings.TrimSpace(url.Name), "`base_url` of " + filepath.Base(in.Path) + ".", in.Path, url.Span}
}

// PrefixFor returns what a run puts before an endpoint, "" where that is alone.
func (b BaseURL) PrefixFor(endpoint string) string {
	switch {
	case b.URL == "" || endpoint == "" || tool.IsAbsolute(endpoint) || strings.ContainsAny(b.URL, "?#"):
		return ""
	case strings.HasPrefix(endpoint, "?"):
		return b.URL
	case strings.HasPrefix(endpoint, "/"):
		return strings.TrimRight(b.URL, "/")
	}
	return strings.TrimRight(b.URL, "/") + "/"
}
