package model

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/tool"
)

// WithEnvironments returns the workspace in which tools are read in some environments of abl.yaml:
// of returns the name of the environment for the file at a path, "" for the default one.
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

// BaseURL is the URL before endpoints that are paths, with the place that declares it.
type BaseURL struct {
	URL  string // "" if none is declared
	From string // where it is declared, in plain words
	Path string
	Span text.Span
}

// BaseURLOf returns the base URL for the tools of a file: that of its shared defaults, else that of
// abl.yaml.
func BaseURLOf(w Workspace, f *File) BaseURL {
	for _, d := range slices.Backward(f.Defaults) {
		if p := SharedDefault(d.Node); p.Field != nil && p.Field.Name == "base_url" {
			line := f.Positions().Line(d.Span()) + 1
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

// PrefixFor returns what a run puts before an endpoint; "" if the endpoint is a whole URL.
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
