package analysis

import (
	"context"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/cursor"
	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// Definition returns the places at which the name at an offset of the file at path is declared: the
// signature of a tool, the parameter in it, a step, a template, a variable under MEMORY or the
// place that sets it, the field that a tool returns, the line of abl.yaml that lists a server, or
// the file of a path that a run reads. A signature without a binding leads to the libraries that
// bind it. It returns nothing for a name that cannot be found.
func Definition(w model.Workspace, path string, offset int) []model.Location {
	if found := declarationLocations(w, path, offset); found != nil {
		return found
	}
	for _, l := range DocumentLinks(w, path) {
		if l.Span.Touches(offset) && w.Lines(l.Path) != nil { // it is there, and was read
			return []model.Location{{From: l.Span, Path: l.Path}}
		}
	}
	return nil
}

func declarationLocations(w model.Workspace, path string, offset int) []model.Location {
	c, ok := w.Cursor(path, offset)
	if !ok {
		if declared := declarations(w, path, offset); declared != nil {
			return declared
		}
		return expectedMemberLocations(w, path, offset)
	}
	t, ok := cursor.TargetAt(w, c)
	switch {
	case !ok:
		if declared := declarations(w, path, offset); declared != nil {
			return declared
		}
		if e, ok := cursor.ExportedAt(w, c); ok {
			return e.Places
		}
		return memberLocations(w, c)
	case t.File != nil:
		to := model.Resolve(path, t.File.Path)
		if f := w.File(to); f == nil || f.Absent != model.Present {
			return nil
		}
		return []model.Location{{From: t.Span, Path: to}}
	case t.Step != nil:
		return []model.Location{{From: t.Span, Path: path, Span: t.Step.NameSpan, Full: t.Step.Full()}}
	}
	if bound := bindingLocations(w, c, t); bound != nil {
		return bound
	}
	return []model.Location{targetLocation(t)}
}

// bindingLocations returns the declarations of libraries that bind the tool under the cursor.
func bindingLocations(w model.Workspace, c model.Cursor, t cursor.Target) []model.Location {
	if t.Param != nil || t.Tool.File != c.File || t.Span != t.Tool.NameSpan() {
		return nil
	}
	var bound []model.Location
	for _, library := range model.LibraryBindings(w, t.Tool) {
		bound = append(bound, targetLocation(cursor.Target{Span: t.Span, Tool: library}))
	}
	return bound
}

// targetLocation returns the declaration of a tool, or of a parameter of it.
func targetLocation(t cursor.Target) model.Location {
	l := model.Location{From: t.Span, Path: t.Tool.File.Path, Span: t.Tool.NameSpan(), Full: t.Tool.Span()}
	if t.Param != nil {
		l.Span = t.Tool.InFile(t.Param.NameNode()).Span()
		l.Full = t.Tool.InFile(t.Param.Node).Span()
	}
	return l
}

// declarations returns the places at which the word at an offset is declared, by its references.
func declarations(w model.Workspace, path string, offset int) []model.Location {
	if n, ok := cursor.NumberedParamAt(w, path, offset); ok {
		return []model.Location{{From: n.Span, Path: path, Span: n.Declared, Full: n.Declared}}
	}
	u, ok := cursor.OccurrenceAt(w, path, offset)
	if referred := schemaPartLocations(w, path, offset); referred != nil && (!ok || u.Symbol.Kind == model.SchemaPartSymbol) {
		return referred
	}
	if !ok {
		return foreignSecretAt(w, path, offset)
	}
	if u.Symbol.Kind == model.ToolSymbol && u.Access == model.Declares { // if there are two versions, the one at this place
		return []model.Location{{From: u.Span, Path: path, Span: u.Span, Full: u.Span}}
	}
	var out []model.Location
	for _, r := range declaringReferences(w, path, u.Symbol) {
		out = append(out, model.Location{From: u.Span, Path: r.Path, Span: r.Span, Full: r.Span})
	}
	return out
}

// declaringReferences returns the places that declare a symbol. For a variable without a
// declaration it returns those that set it, in the file at path if there are some.
func declaringReferences(w model.Workspace, path string, s model.Symbol) []model.Reference {
	if s.Kind == model.SecretSymbol {
		return slices.Concat(dotenvLocations(w, path, s.Name), secretsKeyLocations(w, s.Path))
	}
	all := model.ReferencesTo(context.Background(), w, path, s)
	for _, fits := range []func(model.Reference) bool{
		func(r model.Reference) bool { return r.Access == model.Declares },
		func(r model.Reference) bool { return r.Access == model.Writes && r.Path == path },
		func(r model.Reference) bool { return r.Access == model.Writes },
	} {
		var out []model.Reference
		for _, r := range all {
			if fits(r) {
				out = append(out, r)
			}
		}
		if len(out) > 0 {
			return out
		}
	}
	return nil
}

// dotenvLocations returns the line of the `.env` for the file at path that gives a secret.
func dotenvLocations(w model.Workspace, path, name string) []model.Reference {
	env := w.Dotenv(path)
	providers, known := model.SecretProviders(w, path)
	lines := w.Lines(env)
	if !known || lines == nil || !slices.Contains(providers, "dotenv") {
		return nil
	}
	for i := range lines.LineCount() {
		line := lines.LineText(i)
		if written := lines.Text()[line.Start:line.End]; strings.TrimSpace(written) == name {
			start := line.Start + strings.Index(written, name)
			return []model.Reference{{Path: env, Span: text.Span{Start: start, End: start + len(name)}, Access: model.Declares}}
		}
	}
	return nil
}

// secretsKeyLocations returns the line of abl.yaml with the providers of secrets.
func secretsKeyLocations(w model.Workspace, path string) []model.Reference {
	f := w.File(path)
	if f == nil || f.Doc == nil {
		return nil
	}
	at := model.SecretsKey.FindStringIndex(f.Doc.Text())
	if at == nil {
		return nil
	}
	return []model.Reference{{Path: path, Span: text.Span{Start: at[0], End: at[1]}, Access: model.Declares}}
}

// schemaPartLocations returns the part of a schema that the reference at an offset refers to.
func schemaPartLocations(w model.Workspace, path string, offset int) []model.Location {
	r, ok := model.SchemaReferenceAt(w.File(path), offset)
	if !ok {
		return nil
	}
	l := model.Location{From: r.Span, Path: path, Span: r.To.Value.Span, Full: r.To.Value.Span}
	if r.To.Key != nil {
		l.Span, l.Full.Start = r.To.Key.TextSpan(), r.To.Key.Span.Start
	}
	return []model.Location{l}
}
