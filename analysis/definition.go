package analysis

import (
	"context"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// Definition is where the name at an offset of the file at path is declared: the
// signature of a tool, the parameter in it, a step, a template, a variable under
// MEMORY or where it is set, the field that a tool returns, the line of abl.yaml that
// lists a server, or the file that a path names, where somebody reads it. A signature
// without a binding leads on to the libraries that bind it.
// Names that cannot be found lead nowhere.
func Definition(w Workspace, path string, offset int) []Location {
	if found := declaredAt(w, path, offset); found != nil {
		return found
	}
	for _, l := range DocumentLinks(w, path) {
		if l.Span.Touches(offset) && w.Lines(l.Path) != nil { // it is there, and was read
			return []Location{{From: l.Span, Path: l.Path}}
		}
	}
	return nil
}

func declaredAt(w Workspace, path string, offset int) []Location {
	c, ok := w.cursor(path, offset)
	if !ok {
		if declared := declarations(w, path, offset); declared != nil {
			return declared
		}
		return expectedAt(w, path, offset)
	}
	t, ok := targetAt(w, c)
	switch {
	case !ok:
		if declared := declarations(w, path, offset); declared != nil {
			return declared
		}
		if e, ok := exportedAt(w, c); ok {
			return e.places
		}
		return memberAt(w, c)
	case t.file != nil:
		to := Resolve(path, t.file.Path)
		if f := w.files.get(to); f == nil || f.Absent != Present {
			return nil
		}
		return []Location{{From: t.span, Path: to}}
	case t.step != nil:
		return []Location{{From: t.span, Path: path, Span: t.step.NameSpan, Full: t.step.full()}}
	}
	if bound := bindingLocations(w, c, t); bound != nil {
		return bound
	}
	return []Location{targetLocation(t)}
}

// bindingLocations are the declarations of libraries that bind the tool whose own
// declaration the cursor is on.
func bindingLocations(w Workspace, c cursor, t target) []Location {
	if t.param != nil || t.tool.File != c.file || t.span != t.tool.NameSpan() {
		return nil
	}
	var bound []Location
	for _, library := range LibraryBindings(w, t.tool) {
		bound = append(bound, targetLocation(target{span: t.span, tool: library}))
	}
	return bound
}

// targetLocation is the declaration of a tool, or of a parameter of it.
func targetLocation(t target) Location {
	l := Location{From: t.span, Path: t.tool.File.Path, Span: t.tool.NameSpan(), Full: t.tool.Span()}
	if t.param != nil {
		l.Span = t.tool.At(t.param.NameNode()).Span()
		l.Full = t.tool.At(t.param.Node).Span()
	}
	return l
}

// declarations are where the word at an offset is declared, by its references.
func declarations(w Workspace, path string, offset int) []Location {
	if n, ok := numberedAt(w, path, offset); ok {
		return []Location{{From: n.span, Path: path, Span: n.declared, Full: n.declared}}
	}
	u, ok := useAt(w, path, offset)
	if referred := referredAt(w, path, offset); referred != nil && (!ok || u.subject.kind == PartSubject) {
		return referred
	}
	if !ok {
		return foreignSecretAt(w, path, offset)
	}
	if u.subject.kind == ToolSubject && u.access == Declares { // of two versions the one that is here
		return []Location{{From: u.span, Path: path, Span: u.span, Full: u.span}}
	}
	var out []Location
	for _, r := range declaringReferences(w, path, u.subject) {
		out = append(out, Location{From: u.span, Path: r.Path, Span: r.Span, Full: r.Span})
	}
	return out
}

// declaringReferences are the places that declare a subject; of a variable that nothing
// declares those that set it, in the file at path if there are some.
func declaringReferences(w Workspace, path string, s subject) []Reference {
	if s.kind == SecretSubject {
		return slices.Concat(variableAt(w, path, s.name), secretsAt(w, s.path))
	}
	all := referencesTo(w, context.Background(), path, s)
	for _, fits := range []func(Reference) bool{
		func(r Reference) bool { return r.Access == Declares },
		func(r Reference) bool { return r.Access == Writes && r.Path == path },
		func(r Reference) bool { return r.Access == Writes },
	} {
		var out []Reference
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

// variableAt is where the `.env` that counts for the file at path gives a secret.
func variableAt(w Workspace, path, name string) []Reference {
	env := w.Dotenv(path)
	providers, known := secretProviders(w, path)
	lines := w.Lines(env)
	if !known || lines == nil || !slices.Contains(providers, "dotenv") {
		return nil
	}
	for i := range lines.LineCount() {
		line := lines.LineText(i)
		if written := lines.Text()[line.Start:line.End]; strings.TrimSpace(written) == name {
			start := line.Start + strings.Index(written, name)
			return []Reference{{Path: env, Span: text.Span{Start: start, End: start + len(name)}, Access: Declares}}
		}
	}
	return nil
}

// secretsAt is where abl.yaml says who has the secrets.
func secretsAt(w Workspace, path string) []Reference {
	f := w.files.get(path)
	if f == nil || f.Doc == nil {
		return nil
	}
	at := secretsKey.FindStringIndex(f.Doc.Text())
	if at == nil {
		return nil
	}
	return []Reference{{Path: path, Span: text.Span{Start: at[0], End: at[1]}, Access: Declares}}
}

// referredAt is the part of a schema to which a reference at an offset leads.
func referredAt(w Workspace, path string, offset int) []Location {
	r, ok := schemaReferenceAt(w.files.get(path), offset)
	if !ok {
		return nil
	}
	l := Location{From: r.span, Path: path, Span: r.to.value.Span, Full: r.to.value.Span}
	if r.to.key != nil {
		l.Span, l.Full.Start = r.to.key.Inner(), r.to.key.Span.Start
	}
	return []Location{l}
}
