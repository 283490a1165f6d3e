package completion

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/cursor"
	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/dialect"
)

// completeInImport completes what follows `file:`, the path or the names.
func completeInImport(t cursor.Line) []Item {
	f := model.BracketContextOf(t.Text())
	switch i := t.File.ImportAround(t.Start); {
	case f.Innermost().Bracket == '[' && i != nil:
		exports, _ := model.Exports(t.Workspace, i.Target)
		p := bracketInsertion(t, f)
		for _, n := range i.Names {
			if !n.Span().Touches(t.Offset) {
				p.listed = append(p.listed, n.UnquotedText())
			}
		}
		return append(completeTools(t, exports, p), completeVersions(t, exports, p)...)
	case len(f.Levels) == 1:
		return completePaths(t, f, libraryFilter(t))
	}
	return nil
}

// completeVersions offers each version of tools that have several.
func completeVersions(t cursor.Line, tools []model.ScopedTool, p insertion) []Item {
	var items []Item
	for i, name := range (model.Scope{Tools: tools}).CallNames() {
		s := tools[i]
		if name == s.Name || s.Name == "" || slices.Contains(p.listed, name) || slices.Contains(p.listed, s.Name) {
			continue
		}
		p.listed = append(p.listed, name)
		items = append(items, newItem(t, p, Item{
			Label: name, Kind: ToolItem, Detail: string(s.Kind()), Tool: &ToolName{Path: s.File.Path, Name: s.Name},
		}))
	}
	return items
}

// libraryFilter returns a filter for files that have tools: ABL files by their names, foreign files
// by their content.
func libraryFilter(t cursor.Line) func(path string) bool {
	unread := maxPeeks
	return func(path string) bool {
		if !model.IsForeign(path) {
			return endsWithAny(path, []string{".tools.abl"})
		}
		if f := t.Workspace.File(path); f != nil {
			return f.Foreign != nil
		}
		if unread--; unread < 0 || t.Host.Read == nil {
			return false
		}
		source, absent := t.Host.Read(path)
		return absent == model.Present && len(source) <= maxPeek && dialect.Read(path, source).System != ""
	}
}

// The number and the size in bytes of the files that are read to find the foreign files with tools
// in a folder.
const (
	maxPeeks = 50
	maxPeek  = 256 << 10
)

// completePaths offers the subfolders of the folder that the path leads into so far, and the wanted
// files. The next segment of the path is another request.
func completePaths(t cursor.Line, f model.BracketContext, wants func(path string) bool) []Item {
	typed := t.Text()[f.From:]
	if t.Host.List == nil || f.Quote == 0 && strings.ContainsAny(typed, "\"' ") { // after the path
		return nil
	}
	p := bracketInsertion(t, f)
	dir := typed[:strings.LastIndexByte(typed, '/')+1]
	p.from += len(dir)
	var items []Item
	if strings.ReplaceAll(dir, "../", "") == "" {
		items = append(items, completePathItem(t, "../", FolderItem, p))
	}
	prefix := ""
	if dir == "" {
		prefix = "./"
	}
	for _, e := range t.Host.List(model.Resolve(t.File.Path, dir)) {
		path := filepath.Join(model.Resolve(t.File.Path, dir), e.Name)
		switch {
		case strings.HasPrefix(e.Name, "."):
		case e.IsDir:
			items = append(items, completePathItem(t, prefix+e.Name+"/", FolderItem, p))
		case path != t.File.Path && wants(path):
			items = append(items, completePathItem(t, prefix+e.Name, FileItem, p))
		}
	}
	if segment := typed[len(dir):]; dir == "" && segment != "" && segment[0] != '.' {
		for i := range items { // an editor compares with what is typed
			items[i].FilterText = strings.TrimPrefix(items[i].Label, "./")
		}
	}
	slices.SortStableFunc(items, func(a, b Item) int { return int(a.Kind) - int(b.Kind) })
	return items
}

// endingFilter returns a filter for files whose names have one of the endings.
func endingFilter(endings []string) func(path string) bool {
	return func(path string) bool { return endsWithAny(path, endings) }
}

func endsWithAny(name string, endings []string) bool {
	name = strings.ToLower(name)
	return slices.ContainsFunc(endings, func(ending string) bool { return strings.HasSuffix(name, ending) })
}

// completePathItem returns the item for a segment. A folder leaves the quotes open: the next
// segment follows.
func completePathItem(t cursor.Line, name string, kind ItemKind, p insertion) Item {
	opens := ""
	if p.quote == 0 && p.from == t.Value {
		opens, p.quote = `"`, '"'
	}
	if kind == FolderItem {
		p.quote = 0
	}
	item := newItem(t, p, Item{Label: name, Kind: kind})
	item.Edit.End = segmentEnd(t)
	text := strings.TrimLeft(item.Edit.NewText, " ")
	item.Edit.NewText = item.Edit.NewText[:len(item.Edit.NewText)-len(text)] + opens + text
	return item
}

// segmentEnd returns the end of the path's segment at the cursor: a segment is replaced as a whole.
func segmentEnd(t cursor.Line) int {
	rest := t.TextAfter()
	if i := strings.IndexAny(rest, "/\"' []#"); i >= 0 {
		rest = rest[:i]
	}
	return t.Offset + len(rest)
}
