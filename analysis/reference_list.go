package analysis

import "context"

// References are all places of the workspace that name what the word at an
// offset of the file at path names, its declarations among them; sorted by path
// and place. A context that is done makes them fewer.
func References(w Workspace, ctx context.Context, path string, offset int) []Reference {
	u, ok := askedAt(w, path, offset)
	if !ok {
		return nil
	}
	return sortedReferences(append(referencesTo(w, ctx, path, u.subject), numberReferences(w, u.subject)...))
}

// Highlights are those of its references that stand in the file itself.
func Highlights(w Workspace, path string, offset int) []Reference {
	u, ok := askedAt(w, path, offset)
	if !ok {
		return nil
	}
	all := referencesIn(w, w.files.get(path), u.subject)
	if u.subject.path == path {
		all = append(all, numberReferences(w, u.subject)...)
	}
	return sortedReferences(all)
}
