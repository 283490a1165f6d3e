package check

import (
	"cmp"
	"path/filepath"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// addSections returns the fix that adds missing sections: below the declaration or, if there is
// none, above the first section. It fails if that is indented.
func (f File) addSections(sections []syntax.Section, names []string) (model.Fix, bool) {
	var lines []string
	for _, name := range names {
		lines = append(lines, name+": "+f.firstValue(name))
	}
	added := strings.TrimSuffix(strings.Join(lines, "\n"), " ")
	title := "Add " + joinSections(names)
	at := len(f.Doc.Text())
	for _, s := range sections {
		switch {
		case s.Name() == "" && s.Head.Kind() == syntax.Comment:
			continue
		case isDeclaration(s) && (s.Name() != "BEHAVIOR_PROFILE" || !f.isAgent()):
			end := s.Head.Span().End
			return model.ReplaceFix(title, text.Span{Start: end, End: end}, "\n"+added), true
		case indentBefore(f.Doc, s) != "":
			return model.Fix{}, false
		}
		at = min(at, s.Head.Offset)
	}
	if at == len(f.Doc.Text()) && at > 0 && !strings.HasSuffix(f.Doc.Text(), "\n") {
		added = "\n" + added
	}
	return model.ReplaceFix(title, text.Span{Start: at, End: at}, added+"\n"), true
}

// isDeclaration reports whether a section declares what the file is.
func isDeclaration(s syntax.Section) bool {
	return s.Name() == "AGENT" || s.Name() == "SUPERVISOR" || s.Name() == "BEHAVIOR_PROFILE"
}

var noWord = lazyregexp.New(`[^A-Za-z0-9]+`)

// firstValue returns text with which a section may begin.
func (f File) firstValue(section string) string {
	name, _, _ := strings.Cut(filepath.Base(f.Path), ".")
	words := strings.Split(strings.Trim(noWord.ReplaceAllString(name, "_"), "_0123456789"), "_")
	switch section {
	case "AGENT", "SUPERVISOR":
		for i, w := range words {
			words[i] = strings.ToUpper(w[:min(1, len(w))]) + w[min(1, len(w)):]
		}
		return cmp.Or(strings.Join(words, "_"), "My_Agent")
	case "BEHAVIOR_PROFILE":
		return cmp.Or(strings.Join(words, "_"), "my_profile")
	case "PRIORITY":
		return "1"
	case "WHEN":
		return "true"
	case "GOAL":
		return `"What the agent is to achieve"`
	}
	return ""
}
