package refactor

import (
	"errors"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/analysis/projectfile"
	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/syntax/yaml"
)

// RecordCases returns the text of the file of cases at path in which cases without an expectation
// get one. The keys of expect are indices of [model.SavedCases]. Comments and order stay. failed
// has the cases that could not be changed, with the reasons.
func RecordCases(w model.Workspace, path string, expect map[int]NewExpect) (after string, failed map[int]error) {
	f := w.File(path)
	before, failed := f.Doc.Text(), map[int]error{}
	all := model.SavedCases(w, path)
	var edits []text.Edit
	for i, e := range expect {
		edit, err := recordEdit(f, all[i], e)
		if err == nil {
			err = checkRecorded(before, []text.Edit{edit}, all, i, e)
		}
		if err != nil {
			failed[i] = err
			continue
		}
		edits = append(edits, edit)
	}
	slices.SortFunc(edits, func(a, b text.Edit) int { return a.Start - b.Start })
	after, err := text.Apply(before, edits...)
	if err != nil {
		for i := range expect {
			failed[i] = err
		}
	}
	return after, failed
}

// recordEdit returns the edit that adds the expectation e to the case c, after its other keys. It
// fails if the case is written elsewhere in f, or has an `expect` already.
func recordEdit(f *model.File, c projectfile.Case, e NewExpect) (text.Edit, error) {
	n := caseNode(f, c)
	switch {
	case n == nil || n.Alias != "":
		return text.Edit{}, errors.New("it is written elsewhere")
	case n.Member("expect") != nil:
		return text.Edit{}, errors.New("it has an empty expect: take that line out")
	}
	source := f.Doc.Text()
	end := n.Span.Start + len(strings.TrimRight(source[n.Span.Start:n.Span.End], " \t\r\n"))
	if n.Style == yaml.Flow {
		inside := strings.TrimRight(source[n.Span.Start:end-1], " \t\r\n")
		return text.Insertion(n.Span.Start+len(inside), pairSeparator(inside)+"expect: "+e.flow()), nil
	}
	indent := columnText(f, n.Span.Start)
	at := f.Doc.Lines().LineText(f.Doc.Lines().Line(end)).End
	return text.Insertion(at, model.LineEnds(source, "\n"+indent+strings.Join(e.lines(), "\n"+indent))), nil
}

// caseNode returns the node of a case.
func caseNode(f *model.File, c projectfile.Case) *yaml.Node {
	for _, m := range f.YAML.Root().OwnMembers() {
		for _, n := range m.Value.Items {
			if name := n.Get("name"); n.Span == c.Span || name != nil && name.Span == c.Span {
				return n
			}
		}
	}
	return nil
}

func (e NewExpect) flow() string {
	var parts []string
	for _, line := range e.lines()[1:] {
		parts = append(parts, strings.TrimSpace(line))
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

// checkRecorded returns an error if edits of a file do not give a case exactly that expectation.
func checkRecorded(before string, edits []text.Edit, all []projectfile.Case, i int, e NewExpect) error {
	source, err := text.Apply(before, edits...)
	if err != nil {
		return err
	}
	is := projectfile.SavedCases(yaml.Parse(source))
	if len(is) != len(all) || is[i].Name != all[i].Name || is[i].Misread != nil || is[i].Expect.OK == nil || *is[i].Expect.OK != *e.OK || is[i].Expect.Value != e.Value {
		return errors.New("there is no place for it in the way that the case is written")
	}
	return nil
}
