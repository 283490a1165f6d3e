// Package completion offers what may be typed at a cursor by one function, [Complete], for ABL, its
// YAML files and foreign files.
package completion

import (
	"context"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/cursor"
	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// Item is one completion: something that may be inserted at the cursor.
type Item struct {
	Label         string
	Kind          ItemKind
	Detail        string // short, shown after the label
	Documentation string // Markdown
	// Edit is on the cursor's line and touches it. Further lines of its text
	// are indented relative to that line.
	Edit    text.Edit
	Snippet bool // the text has LSP's placeholders: ${1:name}
	// SnippetText is inserted instead if the client knows placeholders; "" for the same text.
	SnippetText     string
	AdditionalEdits []text.Edit // elsewhere in the file, made together with Edit
	Tool            *ToolName   // the tool whose documentation [ToolDocumentation] returns
	FilterText      string
	SortText        string // by rank, see [sortTexts]

	isLikely bool // it comes before items of other kinds
	rank     int  // among the items of its kind: 1 comes first, 0 last
}

// ItemKind is the kind of an item, which decides its icon.
type ItemKind int

// The kinds of items.
const (
	SectionItem ItemKind = iota
	PropertyItem
	ValueItem
	TypeItem
	ToolItem
	ParameterItem
	NamespaceItem
	FileItem
	FolderItem
	SnippetItem
	StepItem
	VariableItem
	MemberItem
	FunctionItem
	OperatorItem
	NameItem // a name that the author, or another file, declares
)

// Complete returns what may be inserted at an offset of the file at path; the likeliest has the
// first sort text. The search ends once ctx is done.
func Complete(ctx context.Context, w model.Workspace, path string, offset int, host cursor.Host) []Item {
	items := itemsAt(ctx, w, path, offset, host)
	for i := range items {
		if items[i].FilterText == "" {
			items[i].FilterText = items[i].Label
		}
	}
	sortTexts(w.File(path), offset, items)
	return items
}

func itemsAt(ctx context.Context, w model.Workspace, path string, offset int, host cursor.Host) []Item {
	if f := w.File(path); f != nil && (f.YAML != nil || f.Foreign != nil) {
		t := cursor.YAMLLine(w, f, offset)
		t.Ctx, t.Host = ctx, host
		return completeYAML(t)
	}
	if f := w.File(path); f.IsYAMLAgent() {
		return completeYAMLAgent(ctx, w, f, offset, host)
	}
	return completeABL(ctx, w, path, offset, host)
}

func completeABL(ctx context.Context, w model.Workspace, path string, offset int, host cursor.Host) []Item {
	c, ok := w.Cursor(path, offset)
	if !ok {
		return nil
	}
	t, ok := cursor.LineAt(w, c)
	if !ok {
		return nil
	}
	t.Ctx, t.Host = ctx, host
	return completeLine(t)
}

// fullWorkspace returns the workspace with the files that no editor has open.
func fullWorkspace(t cursor.Line) model.Workspace {
	if t.Host.FullWorkspace == nil {
		return t.Workspace
	}
	if w := t.Host.FullWorkspace(t.Ctx); w.Len() > 0 {
		return w
	}
	return t.Workspace
}

func completeLine(t cursor.Line) []Item {
	if items, ok := completeNewTool(t); ok {
		return items
	}
	if items, ok := completeInSignature(t); ok {
		return items
	}
	if items, ok := completeInPlaceholder(t); ok || t.Pipe {
		return items
	}
	if t.Key == "" && !typedHead.MatchString(t.Text()) {
		return completeKeys(t)
	}
	if t.InTools() && t.Parent.IsZero() && strings.EqualFold(t.Key, "file") {
		return completeInImport(t)
	}
	return completeValues(t)
}

// completeKeys completes the first word of a line.
func completeKeys(t cursor.Line) []Item {
	switch {
	case t.Column == 0 && !t.Dash:
		return completeSections(t)
	case !t.InTools():
		return completeSectionKeys(t)
	case isInExpressions(t) && typedAssignment.MatchString(t.Text()):
		return completeExpression(t, t.Text()[len(typedAssignment.FindString(t.Text())):])
	case strings.Trim(t.Text(), model.NameBytes) != "":
		return completeConsumers(t)
	case !t.Parent.IsZero() && t.Parent.Kind() != syntax.Add:
		return completeBelow(t)
	}
	return completeDeclarations(t)
}

// completeSections offers the keywords that the file may have at the cursor, first those that it
// does not have yet.
func completeSections(t cursor.Line) []Item {
	if strings.Trim(t.Text(), model.NameBytes+" ") != "" {
		return nil
	}
	var items, again []Item
	present := sectionsPresent(t)
	isTyped := t.Offset > t.Start
	for _, s := range model.Sections() {
		if !s.Fits(t.File.Kind) || present[s.Name] && s.Repeat != model.RepeatMerged && s.Repeat != model.RepeatMany {
			continue
		}
		item := Item{
			Label: s.Name, Kind: SectionItem, Detail: s.Repeat.String(), Documentation: s.Doc,
			Edit: t.Replace(t.Start, s.Name+colonAfter(t, s.Shape != model.BlockShape)),
		}
		if isTyped { // else in the order of the pages
			item.rank = usualRank(usualSections, s.Name)
		}
		if present[s.Name] {
			again = append(again, item)
		} else {
			items = append(items, item)
		}
	}
	return append(items, again...)
}

// sectionsPresent returns the sections of the file except the cursor's own. AGENT and SUPERVISOR
// exclude each other, so each of them counts as both.
func sectionsPresent(t cursor.Line) map[string]bool {
	present := map[string]bool{}
	for _, s := range t.File.Doc.Sections() {
		if info, ok := model.LookupSection(s.Name()); ok && s.Head.Offset != t.Start {
			present[info.Name] = true
		}
	}
	either := present["AGENT"] || present["SUPERVISOR"]
	present["AGENT"], present["SUPERVISOR"] = either, either
	return present
}

// colonAfter returns the text after an inserted key: nothing if its colon is there already.
func colonAfter(t cursor.Line, space bool) string {
	switch rest := t.File.Doc.Text()[t.WordEnd(t.Start):]; {
	case strings.HasPrefix(rest, ":"):
		return ""
	case space:
		return ": "
	default:
		return ":"
	}
}
