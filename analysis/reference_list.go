package analysis

import "context"

// References are all places of the workspace that name what the word at an
// offset of the file at path names, its declarations among them; sorted by path
// and place. A context that is done makes them fewer.
func References(w Workspace, ctx context.Context, path string, offset int) []Reference {
	u, ok := AskedAt(w, path, offset)
	if !ok {
		return nil
	}
	return SortedReferences(append(ReferencesTo(w, ctx, path, u.Subject), NumberReferences(w, u.Subject)...))
}

// Highlights are those of its references that stand in the file itself.
func Highlights(w Workspace, path string, offset int) []Reference {
	u, ok := AskedAt(w, path, offset)
	if !ok {
		return nil
	}
	all := ReferencesIn(w, w.Files.Get(path), u.Subject)
	if u.Subject.Path == path {
		all = append(all, NumberReferences(w, u.Subject)...)
	}
	return SortedReferences(all)
}
