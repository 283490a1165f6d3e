package analysis

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

// base is what stands before an endpoint that is a path, with where it is from.
type base struct {
	url  string // "" where nothing says
	from string // in plain words
	path string
	span text.Span
}

// baseOf is that of the tools of a file: of its shared defaults, else of abl.yaml.
func baseOf(w Workspace, f *File) base {
	for _, d := range slices.Backward(f.Defaults) {
		if p := SharedDefault(d.Node); p.Field != nil && p.Field.Name == "base_url" {
			line := f.Doc.Lines().Line(d.Span().Start) + 1
			return base{strings.TrimSpace(p.Text()), fmt.Sprintf("`base_url` in line %d.", line), f.Path, d.Span()}
		}
	}
	in, _ := w.Project(f.Path)
	if in == nil || in.Project == nil {
		return base{}
	}
	url, _ := in.Project.BaseURL(environmentOf(w, f.Path))
	return base{strings.TrimSpace(url.Name), "`base_url` of " + filepath.Base(in.Path) + ".", in.Path, url.Span}
}

// before is what a run puts before an endpoint, "" where that stands alone.
func (b base) before(endpoint string) string {
	switch {
	case b.url == "" || endpoint == "" || tool.IsAbsolute(endpoint) || strings.ContainsAny(b.url, "?#"):
		return ""
	case strings.HasPrefix(endpoint, "?"):
		return b.url
	case strings.HasPrefix(endpoint, "/"):
		return strings.TrimRight(b.url, "/")
	}
	return strings.TrimRight(b.url, "/") + "/"
}
