package analysis

import "context"

// References are all places of the workspace that name what the word at an
// offset of the file at path names, its declarations among them; sorted by path
// and place. A context that is done makes them fewer.
func (w Workspace) References(ctx context.Context, path string, offset int) []Reference {
	u, ok := w.askedAt(path, offset)
	if !ok {
		return nil
	}
	return sortedReferences(append(w.references(ctx, path, u.subject), w.numberReferences(u.subject)...))
}

// Highlights are those of its references that stand in the file itself.
func (w Workspace) Highlights(path string, offset int) []Reference {
	u, ok := w.askedAt(path, offset)
	if !ok {
		return nil
	}
	all := w.referencesIn(w.files.get(path), u.subject)
	if u.subject.path == path {
		all = append(all, w.numberReferences(u.subject)...)
	}
	return sortedReferences(all)
}
