package refactor

import (
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/tool"
	"github.com/abl-lsp/abl-lsp/tool/exactjson"
)

// checkToolsUnchanged returns an error that says which tool changes, and why, after edits that move
// tools between the files at from and a file that can name it: the one at path, or one that imports
// a changed one.
func checkToolsUnchanged(w model.Workspace, path string, from []string, edits []model.FileEdit) error {
	after := w
	byPath := map[string][]text.Edit{}
	for _, e := range edits {
		byPath[e.Path] = append(byPath[e.Path], e.Edit)
	}
	affected := []string{path}
	for _, p := range slices.Sorted(maps.Keys(byPath)) {
		source := ""
		if f := w.File(p); f != nil && f.Doc != nil {
			source = f.Doc.Text()
		}
		changed, err := text.Apply(source, byPath[p]...)
		if err != nil {
			return err
		}
		after = after.With(p, syntax.Parse(changed))
		affected = append(affected, w.Importers(p)...)
	}
	for _, p := range affected {
		f := w.File(p)
		if _, gets := byPath[p]; f == nil || f.Doc == nil || f.Kind == model.YAML || gets && p != path {
			continue
		}
		before, now := resolvedTools(w, p), resolvedTools(after, p)
		for _, name := range slices.Concat(slices.Sorted(maps.Keys(before)), slices.Sorted(maps.Keys(now))) {
			switch was, known := before[name]; {
			case !known:
				return fmt.Errorf("%s would get `%s` as well, for it imports the whole library", filepath.Base(p), name)
			case !was.same(now[name]):
				return describeChange(after, p, was, now[name], from)
			}
		}
	}
	return nil
}

// resolvedTool is a tool as it runs, independent of its file.
type resolvedTool struct {
	name     string
	declared string // the declaring file
	project  string // the abl.yaml that applies to it
	json     json.RawMessage
	faults   int
}

func (t resolvedTool) same(o resolvedTool) bool {
	return t.name == o.name && t.project == o.project && string(t.json) == string(o.json) && t.faults == o.faults
}

// resolvedTools returns the tools that a file can name.
func resolvedTools(w model.Workspace, path string) map[string]resolvedTool {
	out := map[string]resolvedTool{}
	for _, l := range model.LowerAll(w, path) {
		from := l.Declared.File.Path
		l.Tool.InputSchema = absoluteSchemaPath(from, l.Tool.InputSchema)
		l.Tool.OutputSchema = absoluteSchemaPath(from, l.Tool.OutputSchema)
		switch spec := l.Tool.Spec.(type) {
		case *tool.HTTP:
			spec.Endpoint, spec.BaseURL = model.BaseURL{URL: spec.BaseURL}.PrefixFor(spec.Endpoint)+spec.Endpoint, ""
		case *tool.AsyncWebhook:
			spec.Endpoint, spec.BaseURL = model.BaseURL{URL: spec.BaseURL}.PrefixFor(spec.Endpoint)+spec.Endpoint, ""
		case *tool.Module:
			spec.Module = model.Resolve(from, spec.Module)
		}
		out[l.Tool.Name] = resolvedTool{l.Tool.Name, from, model.ProjectPath(w, from), exactjson.EncodeOrNil(l.Tool), len(l.Diagnostics)}
	}
	return out
}

// absoluteSchemaPath returns a schema whose path, if it is one, does not depend on the file that
// names it.
func absoluteSchemaPath(from string, schema json.RawMessage) json.RawMessage {
	var path string
	if json.Unmarshal(schema, &path) != nil {
		return schema
	}
	return exactjson.EncodeOrNil(model.Resolve(from, path))
}

// describeChange returns an error that says why a tool that the file at path names would change.
func describeChange(w model.Workspace, path string, was, now resolvedTool, from []string) error {
	file, name := filepath.Base(path), was.name
	if now.name == "" {
		return fmt.Errorf("%s would not have `%s` any more", file, name)
	}
	for _, t := range []resolvedTool{was, now} {
		if !slices.Contains(from, t.declared) {
			return fmt.Errorf("%s has a tool `%s` too, and the other one would count in %s", filepath.Base(t.declared), name, file)
		}
	}
	if was.project != "" && was.project != now.project {
		return fmt.Errorf("`%s` runs with `%s`, which does not apply to %s", name, model.Relative(path, was.project), filepath.Base(now.declared))
	}
	if was.project != now.project {
		return fmt.Errorf("`%s` would run with `%s`, which does not apply to %s", name, model.Relative(path, now.project), filepath.Base(was.declared))
	}
	what := ""
	if names := otherProperties(was.json, now.json); len(names) > 0 {
		what = "`" + strings.Join(names, "`, `") + "` of "
	}
	because := ""
	if len(w.File(now.declared).Defaults) > 0 {
		because = ", by the shared defaults there"
	}
	return fmt.Errorf("%s`%s` would not be the same in %s%s", what, name, filepath.Base(now.declared), because)
}

// otherProperties returns the properties in which two tools differ.
func otherProperties(a, b json.RawMessage) []string {
	var was, now map[string]json.RawMessage
	_, _ = json.Unmarshal(a, &was), json.Unmarshal(b, &now) // it is null for no tool
	all := slices.AppendSeq(slices.Collect(maps.Keys(was)), maps.Keys(now))
	slices.Sort(all)
	var names []string
	for _, name := range slices.Compact(all) {
		switch {
		case string(was[name]) == string(now[name]):
		case name == "spec":
			names = append(names, otherProperties(was[name], now[name])...)
		default:
			names = append(names, name)
		}
	}
	return names
}
