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
	c, ok := w.Cursor(path, offset)
	if !ok {
		if declared := declarations(w, path, offset); declared != nil {
			return declared
		}
		return expectedAt(w, path, offset)
	}
	t, ok := TargetAt(w, c)
	switch {
	case !ok:
		if declared := declarations(w, path, offset); declared != nil {
			return declared
		}
		if e, ok := ExportedAt(w, c); ok {
			return e.Places
		}
		return memberAt(w, c)
	case t.File != nil:
		to := Resolve(path, t.File.Path)
		if f := w.Files.Get(to); f == nil || f.Absent != Present {
			return nil
		}
		return []Location{{From: t.Span, Path: to}}
	case t.Step != nil:
		return []Location{{From: t.Span, Path: path, Span: t.Step.NameSpan, Full: t.Step.Full()}}
	}
	if bound := bindingLocations(w, c, t); bound != nil {
		return bound
	}
	return []Location{targetLocation(t)}
}

// bindingLocations are the declarations of libraries that bind the tool whose own
// declaration the cursor is on.
func bindingLocations(w Workspace, c Cursor, t WordTarget) []Location {
	if t.Param != nil || t.Tool.File != c.File || t.Span != t.Tool.NameSpan() {
		return nil
	}
	var bound []Location
	for _, library := range LibraryBindings(w, t.Tool) {
		bound = append(bound, targetLocation(WordTarget{Span: t.Span, Tool: library}))
	}
	return bound
}

// targetLocation is the declaration of a tool, or of a parameter of it.
func targetLocation(t WordTarget) Location {
	l := Location{From: t.Span, Path: t.Tool.File.Path, Span: t.Tool.NameSpan(), Full: t.Tool.Span()}
	if t.Param != nil {
		l.Span = t.Tool.At(t.Param.NameNode()).Span()
		l.Full = t.Tool.At(t.Param.Node).Span()
	}
	return l
}

// declarations are where the word at an offset is declared, by its references.
func declarations(w Workspace, path string, offset int) []Location {
	if n, ok := NumberedAt(w, path, offset); ok {
		return []Location{{From: n.Span, Path: path, Span: n.Declared, Full: n.Declared}}
	}
	u, ok := UseAt(w, path, offset)
	if referred := referredAt(w, path, offset); referred != nil && (!ok || u.Subject.Kind == PartSubject) {
		return referred
	}
	if !ok {
		return foreignSecretAt(w, path, offset)
	}
	if u.Subject.Kind == ToolSubject && u.Access == Declares { // of two versions the one that is here
		return []Location{{From: u.Span, Path: path, Span: u.Span, Full: u.Span}}
	}
	var out []Location
	for _, r := range declaringReferences(w, path, u.Subject) {
		out = append(out, Location{From: u.Span, Path: r.Path, Span: r.Span, Full: r.Span})
	}
	return out
}

// declaringReferences are the places that declare a subject; of a variable that nothing
// declares those that set it, in the file at path if there are some.
func declaringReferences(w Workspace, path string, s Subject) []Reference {
	if s.Kind == SecretSubject {
		return slices.Concat(variableAt(w, path, s.Name), secretsAt(w, s.Path))
	}
	all := ReferencesTo(w, context.Background(), path, s)
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
	providers, known := SecretProviders(w, path)
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
	f := w.Files.Get(path)
	if f == nil || f.Doc == nil {
		return nil
	}
	at := SecretsKey.FindStringIndex(f.Doc.Text())
	if at == nil {
		return nil
	}
	return []Reference{{Path: path, Span: text.Span{Start: at[0], End: at[1]}, Access: Declares}}
}

// referredAt is the part of a schema to which a reference at an offset leads.
func referredAt(w Workspace, path string, offset int) []Location {
	r, ok := SchemaReferenceAt(w.Files.Get(path), offset)
	if !ok {
		return nil
	}
	l := Location{From: r.Span, Path: path, Span: r.To.Value.Span, Full: r.To.Value.Span}
	if r.To.Key != nil {
		l.Span, l.Full.Start = r.To.Key.Inner(), r.To.Key.Span.Start
	}
	return []Location{l}
}
