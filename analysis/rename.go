package analysis

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"regexp"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/cursor"
	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
	"github.com/abl-lsp/abl-lsp/internal/parallel"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// ErrNoName says that there is no name at the place, or none of a kind that can be changed.
var ErrNoName = errors.New("there is no name here that can be changed: tools, parameters, steps, templates, variables, agents, behaviour profiles, return handlers, what abl.yaml lists, parts of schemas and anchors can")

// PrepareRename returns the name at an offset of the file at path, and its span. It fails with a
// reason to show if the name cannot be renamed, and with [ErrNoName] if there is none.
func PrepareRename(w model.Workspace, path string, offset int) (span text.Span, name string, err error) {
	u, err := renamableAt(w, path, offset)
	return u.Span, serviceIn(w, path, u.Span, u.Symbol) + u.Symbol.Name, err
}

// renamableAt returns the occurrence at an offset of the file at path. It fails with [ErrNoName] if
// there is none, else with the reason why the name cannot be renamed.
func renamableAt(w model.Workspace, path string, offset int) (model.Occurrence, error) {
	u, ok := cursor.OccurrenceAt(w, path, offset)
	switch {
	case !ok:
		return model.Occurrence{}, ErrNoName
	case u.Symbol.Kind == model.VariableSymbol && strings.Contains(u.Symbol.Name, "."):
		return model.Occurrence{}, ErrNoName
	case u.Symbol.Kind == model.SectionEntrySymbol && u.Symbol.Owner == model.ResourceOwner:
		return model.Occurrence{}, fmt.Errorf("`%s` is the name of a resource, which the cluster and files elsewhere use as well: change it by hand", u.Symbol.Name)
	case u.Symbol.Kind == model.SectionEntrySymbol && u.Symbol.Owner != "RETURN_HANDLERS" && u.Symbol.Owner != model.ActionHandlers:
		return model.Occurrence{}, fmt.Errorf("`%s` is a name of `%s:`, which texts and the platform may use as well: change it by hand", u.Symbol.Name, u.Symbol.Owner)
	case u.Symbol.Kind == model.FileSymbol:
		return model.Occurrence{}, errors.New("this is the path of a file: rename the file")
	case u.Symbol.Kind == model.SecretSymbol:
		return model.Occurrence{}, fmt.Errorf("`%s` is a secret: its name is changed where it is kept", u.Symbol.Name)
	case model.WhyNotRenamable(w, u.Symbol) != "":
		return model.Occurrence{}, fmt.Errorf("`%s` is declared in %s, %s", u.Symbol.Name, shortPath(u.Symbol.Path), model.WhyNotRenamable(w, u.Symbol))
	case u.Symbol.Kind == model.ProjectEntrySymbol && u.Symbol.Path == "":
		return model.Occurrence{}, fmt.Errorf("no abl.yaml lists the %s `%s`", model.TableNoun(u.Symbol.Owner), u.Symbol.Name)
	case u.Symbol.Kind == model.ProjectEntrySymbol && model.HasUnchangeableNames(w, u.Symbol):
		return model.Occurrence{}, fmt.Errorf("abl.yaml cannot be read as a whole, or takes names of `%s:` from elsewhere in it", u.Symbol.Owner)
	}
	return u, checkDeclaredOnce(w, path, u.Symbol)
}

// checkDeclaredOnce returns an error for an agent or a profile, which is identified by its name
// alone, unless exactly one file declares it.
func checkDeclaredOnce(w model.Workspace, path string, s model.Symbol) error {
	if s.Kind != model.AgentSymbol && s.Kind != model.ProfileSymbol {
		return nil
	}
	var declared []model.Reference
	for _, r := range model.ReferencesTo(context.Background(), w, path, s) {
		if r.Access == model.Declares {
			declared = append(declared, r)
		}
	}
	switch len(declared) {
	case 0:
		return fmt.Errorf("no file declares the %s `%s`", s.Noun(), s.Name)
	case 1:
		return nil
	}
	return fmt.Errorf("more than one %s is called `%s`: in %s, and in %s", s.Noun(), s.Name, placeNote(w, declared[0]), placeNote(w, declared[1]))
}

// Rename returns the edits that change the name at an offset of the file at path to to, wherever it
// is in the workspace. It fails, with a reason to show, if a place may or may not mean the same
// name, or would mean something else with the new one.
func Rename(ctx context.Context, w model.Workspace, path string, offset int, to string) ([]model.FileEdit, error) {
	u, err := renamableAt(w, path, offset)
	if err != nil {
		return nil, err
	}
	from := u.Symbol
	to = strings.TrimPrefix(to, serviceIn(w, path, u.Span, from))
	if from.Name == to {
		return nil, nil
	}
	if err := model.CheckForeignName(w, from, to); err != nil {
		return nil, err
	}
	all := model.SharedDeclarations(w, from)
	var places []model.Reference
	for _, s := range all {
		places = append(places, model.ReferencesTo(ctx, w, path, s)...)
	}
	places = model.SortedReferences(places)
	var edits []model.FileEdit
	for _, p := range places {
		edits = append(edits, model.FileEdit{Path: p.Path, Edit: text.Edit{Span: p.Span, NewText: serviceIn(w, p.Path, p.Span, from) + to}})
	}
	if err := renameConflict(ctx, w, path, all, to, edits); err != nil {
		return nil, err
	}
	for _, s := range all {
		if err := doubtfulReferences(ctx, w, path, s, places); err != nil {
			return nil, err
		}
	}
	if err := sharedByAlias(w, all, places); err != nil {
		return nil, err
	}
	return writtenOnce(w, edits, func(e model.FileEdit) namePlace { return namePlace{e.Path, e.Span} }), ctx.Err()
}

// sharedByAlias returns an error for the first place that an alias repeats as another name.
func sharedByAlias(w model.Workspace, all []model.Symbol, places []model.Reference) error {
	for _, p := range places {
		f := w.File(p.Path)
		if !f.IsYAMLAgent() || len(f.Written().YAML.AnchorOccurrences()) == 0 {
			continue
		}
		r := model.Resolver{Workspace: w, File: f}
		for _, u := range r.Occurrences() {
			if f.WrittenSpan(u.Span) == f.WrittenSpan(p.Span) && !slices.Contains(all, u.Symbol) {
				return fmt.Errorf("an alias of YAML repeats `%s` of %s elsewhere, as another name: write it out there first", u.Symbol.Name, placeNote(w, p))
			}
		}
	}
	return nil
}

// serviceIn returns the service with its `_` before the name of a tool at a place; "" for any other
// name.
func serviceIn(w model.Workspace, path string, span text.Span, of model.Symbol) string {
	f := w.File(path)
	if of.Kind != model.ToolSymbol || f == nil || f.Doc == nil {
		return ""
	}
	service, ok := strings.CutSuffix(f.Doc.Text()[span.Start:span.End], "_"+of.Name)
	if !ok {
		return ""
	}
	return service + "_"
}

// renameConflict returns an error for the first place that would mean something else after the
// edits: an old occurrence that the new name does not mean, or a place that the new name would take
// over.
func renameConflict(ctx context.Context, w model.Workspace, path string, all []model.Symbol, to string, edits []model.FileEdit) error {
	after, moved := editedReferences(w, edits)
	var got []model.Reference
	for _, from := range all {
		renamed := from
		renamed.Name = to
		if taken, ok := findTaken(ctx, w, path, from, renamed); ok {
			return takenError(w, to, from, taken)
		}
		got = append(got, model.ReferencesTo(ctx, after, path, renamed)...)
	}
	isMoved := placesOf(moved)
	had := slices.DeleteFunc(slices.Clone(got), func(r model.Reference) bool { return isMoved[placeOf(r)] })
	if len(had) > 0 {
		return takenError(after, to, all[0], declaredFirst(had))
	}
	isRenamed := placesOf(got)
	for _, m := range moved {
		if !isRenamed[placeOf(m)] {
			return fmt.Errorf("with the name `%s` %s would mean something else", to, placeNote(after, m))
		}
	}
	return nil
}

// findTaken returns a place that has the new name already, the one of renamed: in its own file or,
// for a tool, in a file that can call it. A place that declares the name is preferred. The second
// result is false if the name is free.
func findTaken(ctx context.Context, w model.Workspace, path string, from, renamed model.Symbol) (model.Reference, bool) {
	if all := model.ReferencesTo(ctx, w, path, renamed); len(all) > 0 {
		return declaredFirst(all), true
	}
	if from.Kind != model.ToolSymbol || !mayBeTool(w, renamed.Name) {
		return model.Reference{}, false
	}
	callers := append(w.Importers(from.Path), from.Path)
	return findFirst(ctx, len(callers), func(i int) (model.Reference, bool) {
		scope := w.Callable(callers[i])
		if !slices.ContainsFunc(scope.Tools, func(t model.ScopedTool) bool { return model.SymbolOfTool(t) == from }) {
			return model.Reference{}, false
		}
		t, ok := scope.Tool(renamed.Name)
		if !ok {
			return model.Reference{}, false
		}
		return model.Reference{Path: t.File.Path, Span: t.NameSpan()}, true
	})
}

// findFirst returns the result for the smallest number below n for which find is ok. All numbers
// are tried, on all processors.
func findFirst[T any](ctx context.Context, n int, find func(i int) (T, bool)) (first T, ok bool) {
	found := make([]*T, n)
	parallel.Each(ctx, n, func(i int) {
		if one, ok := find(i); ok {
			found[i] = &one
		}
	})
	i := slices.IndexFunc(found, func(one *T) bool { return one != nil })
	if i < 0 {
		return first, false
	}
	return *found[i], true
}

// namePlace is the place of a name.
type namePlace struct {
	path string
	span text.Span
}

func placeOf(r model.Reference) namePlace { return namePlace{r.Path, r.Span} }

func placesOf(all []model.Reference) map[namePlace]bool {
	places := make(map[namePlace]bool, len(all))
	for _, r := range all {
		places[placeOf(r)] = true
	}
	return places
}

// mayBeTool reports whether a file may declare a tool of that name or qualified name.
func mayBeTool(w model.Workspace, name string) bool {
	for _, path := range w.Paths() {
		for rest, cut := name, true; cut; _, rest, cut = strings.Cut(rest, "_") {
			if model.IsForeign(path) || w.Handle(path).ContainsWord(rest) { // other systems may escape it
				return true
			}
		}
	}
	return false
}

// declaredFirst returns the first place that declares, else the first one.
func declaredFirst(all []model.Reference) model.Reference {
	return all[max(0, slices.IndexFunc(all, func(r model.Reference) bool { return r.Access == model.Declares }))]
}

func takenError(w model.Workspace, name string, from model.Symbol, at model.Reference) error {
	return fmt.Errorf("the name `%s` is taken: %s is called so in %s", name, from.NounWithArticle(), placeNote(w, at))
}

// placeNote returns a place for a message: the file's name and the line.
func placeNote(w model.Workspace, r model.Reference) string {
	return fmt.Sprintf("%s, line %d", shortPath(r.Path), model.LineOf(w.File(r.Path), r.Span))
}

func shortPath(path string) string {
	return path[strings.LastIndexAny(path, `/\`)+1:]
}

// editedReferences returns the workspace after edits, which are sorted by path and place, and the
// places of the inserted names.
func editedReferences(w model.Workspace, edits []model.FileEdit) (model.Workspace, []model.Reference) {
	byFile := slices.Collect(chunksOf(edits, func(a, b model.FileEdit) bool { return a.Path == b.Path }))
	docs := make([]*syntax.Document, len(byFile))
	parallel.Each(context.Background(), len(byFile), func(i int) {
		doc, inDoc := editedText(w, byFile[i])
		docs[i] = doc.Apply(asOneEdit(doc.Text(), inDoc)) // which reads the text once
	})
	edited := make(map[string]*syntax.Document, len(docs))
	for i, of := range byFile {
		edited[of[0].Path] = docs[i]
	}
	after := w.WithAll(edited)
	var moved []model.Reference
	for _, of := range byFile {
		doc, inDoc := editedText(w, of)
		isWritten := doc != w.File(of[0].Path).Doc
		delta := 0
		for _, e := range inDoc {
			start := e.Start + delta
			at := text.Span{Start: start, End: start + len(e.NewText)}
			if isWritten {
				at = after.File(e.Path).InFile(at)
			}
			moved = append(moved, model.Reference{Path: e.Path, Span: at})
			delta += len(e.NewText) - e.Len()
		}
	}
	return after, moved
}

// editedText returns the text that edits of one file change, and the edits with spans there: of an
// agent in YAML the YAML if they are about its anchors, which the ABL text does not have.
func editedText(w model.Workspace, edits []model.FileEdit) (*syntax.Document, []model.FileEdit) {
	f := w.File(edits[0].Path)
	if !f.IsYAMLAgent() || f.Agent.Map.IsGenerated(edits[0].Start) {
		return f.Doc, edits
	}
	edits = slices.Clone(edits)
	for i := range edits {
		edits[i].Span = f.WrittenSpan(edits[i].Span)
	}
	return f.Written().Doc, edits
}

// chunksOf yields the parts of a slice whose neighbours are alike.
func chunksOf[T any](all []T, alike func(a, b T) bool) iter.Seq[[]T] {
	return func(yield func([]T) bool) {
		for start, i := 0, 1; i <= len(all); i++ {
			if i < len(all) && alike(all[i-1], all[i]) {
				continue
			}
			if !yield(all[start:i]) {
				return
			}
			start = i
		}
	}
}

// asOneEdit returns one edit of a source that does what several sorted edits do.
func asOneEdit(source string, edits []model.FileEdit) text.Edit {
	one := text.Edit{Span: text.Span{Start: edits[0].Start, End: edits[len(edits)-1].End}}
	var b strings.Builder
	at := one.Start
	for _, e := range edits {
		b.WriteString(source[min(at, e.Start):e.Start])
		b.WriteString(e.NewText)
		at = e.End
	}
	one.NewText = b.String()
	return one
}

// doubtfulReferences returns an error for a place that has the name as a word and cannot be read: a
// line that has no known form, the code of a tool.
func doubtfulReferences(ctx context.Context, w model.Workspace, path string, s model.Symbol, known []model.Reference) error {
	word := lazyregexp.New(`(?:^|[^\w.])(` + regexp.QuoteMeta(s.Name) + `)(?:[^\w]|$)`)
	files, isKnown := model.FilesThatMayName(w, path, s), placesOf(known)
	err, _ := findFirst(ctx, len(files), func(i int) (error, bool) {
		err := doubtfulInFile(w, files[i].File(), word, s, isKnown)
		return err, err != nil
	})
	return err
}

// doubtfulInFile returns an error if f cannot be read, or if s.Name is a word at a place which
// cannot be read and is not in isKnown; else nil.
func doubtfulInFile(w model.Workspace, f *model.File, word *lazyregexp.Regexp, s model.Symbol, isKnown map[namePlace]bool) error {
	if s.Kind == model.AnchorSymbol {
		f = f.Written()
	}
	unread := func(p syntax.Problem) bool { return p.Kind != syntax.TooDeep }
	if model.MayHaveUnreadName(w, f, s) || slices.ContainsFunc(f.Doc.Problems(), unread) {
		return fmt.Errorf("%s cannot be read, and may have the name as well", shortPath(f.Path))
	}
	if f.Kind == model.YAML {
		return nil
	}
	for at := range renameDoubts(f, word, s) {
		if r := (model.Reference{Path: f.Path, Span: at}); !isKnown[placeOf(r)] {
			return fmt.Errorf("`%s` also stands in %s, where it cannot be told what it means: change that first", s.Name, placeNote(w, r))
		}
	}
	return nil
}

// renameDoubts returns the places of a word in what cannot be read.
func renameDoubts(f *model.File, word *lazyregexp.Regexp, s model.Symbol) iter.Seq[text.Span] {
	return func(yield func(text.Span) bool) {
		for _, section := range f.Doc.Sections() {
			for e := range section.HeadAndEntries() {
				if !strings.Contains(e.Text(), s.Name) {
					continue
				}
				for n := range e.Root().Preorder() {
					if n.Kind() == syntax.Invalid && !eachWord(word, n, e.Offset, yield) {
						return
					}
				}
			}
		}
		switch {
		case s.Kind == model.ParameterSymbol && f.Path == s.Path:
			wordsInCode(f, word, s, yield)
		case s.Kind == model.VariableSymbol:
			sharedParams(f, s.Name, yield)
		case s.Kind == model.AgentSymbol:
			possibleHandoffs(f, s.Name, yield)
		}
	}
}

// possibleHandoffs yields the places that seem to hand over to an agent, also in a text.
func possibleHandoffs(f *model.File, name string, yield func(text.Span) bool) {
	seems := regexp.MustCompile(`\b(?:HANDOFF|DELEGATE)[ \t]+(?:to[ \t]+)?(` + regexp.QuoteMeta(name) + `)\b`)
	for _, m := range seems.FindAllStringSubmatchIndex(f.Doc.Text(), -1) {
		if !yield(text.Span{Start: m[2], End: m[3]}) {
			return
		}
	}
}

// sharedParams yields the parameters that the session fills in by their name, since
// `context_access` reads it.
func sharedParams(f *model.File, name string, yield func(text.Span) bool) {
	for _, t := range f.Tools {
		p := t.Param(name)
		if p != nil && t.ReadsContext(name) && !yield(t.InFile(p.NameNode()).Span()) {
			return
		}
	}
}

func eachWord(word *lazyregexp.Regexp, n syntax.Node, offset int, yield func(text.Span) bool) bool {
	for _, w := range model.Matches(word, n) {
		if !yield(w.Span.Shift(offset)) {
			return false
		}
	}
	return true
}

// codeKeys are the properties of a tool in which a parameter may be a variable of other code, or a
// variable of the session that fills it in.
var codeKeys = []string{"code", "statement", "context_access"}

// wordsInCode yields the places in the code of a tool that have the word. In a statement it is
// clear what names a parameter, unless it is unclear whether a backslash ends a string.
func wordsInCode(f *model.File, word *lazyregexp.Regexp, s model.Symbol, yield func(text.Span) bool) {
	for _, t := range f.Tools {
		for _, p := range t.PropertiesOfAnyKind() {
			if t.Owner() != s.Owner || !slices.Contains(codeKeys, p.Name()) {
				continue
			}
			if _, complete := model.ScriptReferences(t.ToolDecl, s.Name); complete && p.Name() == "code" {
				continue
			}
			if p.Name() == "statement" && !strings.Contains(p.Node.Text(), `\`) {
				continue
			}
			for _, w := range model.Matches(word, p.Node) {
				before := p.Node.Entry().Text()[w.Span.Start-1]
				if p.Name() == "statement" && !strings.ContainsRune(":@$", rune(before)) {
					continue
				}
				if !yield(w.Span.Shift(t.Offset)) {
					return
				}
			}
		}
	}
}
