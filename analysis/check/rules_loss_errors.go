package check

import (
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/edit"
	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/analysis/section"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/tool"
)

// Handlers of errors that the platform never comes to, for platform-loss.

// errorTypes returns the types of errors that a handler can be for.
func errorTypes() []string { return tool.WordNames(section.ErrorTypes()) }

// oldErrorType is the present form of an older error type.
type oldErrorType struct {
	name, subtype string
	printed       bool // some pages still have it
}

var oldErrorTypes = map[string]oldErrorType{
	"tool_timeout":    {name: "tool_error", subtype: "tool_timeout", printed: true},
	"api_error":       {name: "tool_error", subtype: "network_error"},
	"invalid_input":   {name: "validation_error"},
	"routing_failure": {name: "routing_error", printed: true},
}

// wordsAfterError are the words that may follow THEN in a handler.
var wordsAfterError = []string{"CONTINUE", "ESCALATE", "COMPLETE", "RETRY_STEP", "BACKTRACK", "HANDOFF"}

func errorHandlers(out *findings, e Entry) {
	if !isAgentKind(e.Kind) {
		return
	}
	for _, m := range e.Maps {
		switch {
		case m.Field == nil || m.Field.Name != "ON_ERROR" || m.Node.Kind() == syntax.SectionNode:
		case m.Item:
			if p, ok := keyNamed(m.Properties, "TYPE"); ok {
				errorType(out, p.Value, func(old oldErrorType) (model.Fix, bool) { return listedType(m, p, old) })
			}
			errorHandler(out, e, m.Properties)
		default:
			for _, p := range m.Properties {
				if p.IsAuthorName || p.Field != nil {
					if !m.Single {
						errorType(out, p.Key, func(old oldErrorType) (model.Fix, bool) { return mappedType(p, old) })
					}
					errorHandler(out, e, p.Properties())
				}
			}
		}
	}
}

// errorSections looks at the types of the handlers directly below ON_ERROR.
func errorSections(out *findings, f File) {
	for s := range f.Doc.Sections().Named("ON_ERROR") {
		if !isAgentKind(f.SectionKind(s)) {
			continue
		}
		isThere := func(name string) bool {
			return slices.ContainsFunc(s.Entries, func(e syntax.PositionedEntry) bool { return strings.EqualFold(syntax.Unquote(e.Root().Key()), name) })
		}
		for _, e := range s.Entries {
			for _, m := range model.Maps(f.Kind, s.Name(), e.Root(), nil) {
				for _, p := range m.Properties {
					if !m.Single || !p.IsAuthorName && p.Field == nil {
						continue
					}
					var found findings
					errorType(&found, p.Key, func(old oldErrorType) (model.Fix, bool) {
						fix, ok := mappedType(p, old)
						return fix, ok && (old.subtype != "" || !isThere(old.name))
					})
					for _, d := range found {
						*out = append(*out, d.Shift(f.Path, e.Offset))
					}
				}
			}
		}
	}
}

// errorType reports n, the type of an error handler, if no error has that type. fix returns the fix
// that writes another type.
func errorType(out *findings, n syntax.Node, fix func(oldErrorType) (model.Fix, bool)) {
	name := n.UnquotedText()
	if n.Kind() == syntax.Key {
		name = syntax.Unquote(n.Text())
	}
	if name == "" || strings.Contains(name, "{{") || model.ContainsFold(errorTypes(), name) {
		return
	}
	old, known := oldErrorTypes[strings.ToLower(name)]
	best := known
	if !known {
		old.name = model.Nearest(name, errorTypes())
		if best = old.name != ""; !best {
			old.name = "default"
		}
	}
	severity := model.Warning
	if old.printed {
		severity = model.Information
	}
	d := out.add(severity, unquotedSpan(n), "No error has the type `%s`, so the platform never comes to this handler; %s", name, insteadOf(old, best))
	if f, ok := fix(old); ok {
		f.Best = best
		d.Fixes = append(d.Fixes, f)
	}
}

func insteadOf(old oldErrorType, known bool) string {
	switch {
	case old.subtype != "":
		return "write `" + old.name + "` with `SUBTYPE: " + old.subtype + "`."
	case known:
		return "write `" + old.name + "`."
	}
	return "write one of `" + strings.Join(errorTypes(), "`, `") + "`."
}

// mappedType returns the fix that changes the type of the handler p, whose key is the type, to the
// one in old. The second result is false if another handler has that type already, or if p cannot
// get the subtype in old.
func mappedType(p model.Property, old oldErrorType) (model.Fix, bool) {
	fix := model.ReplaceFix("Write `"+old.name+"`", p.Key.Span(), old.name)
	if old.subtype == "" {
		return fix, !hasSibling(p.Node, old.name) && !isAction(p.WrittenName())
	}
	handler := p.Properties()
	if len(handler) == 0 || saysSubtype(handler) {
		return model.Fix{}, false
	}
	return withSubtype(fix, old, handler[0])
}

// listedType returns the fix that changes the type in p, a key of the item m, to the type in old.
// The second result is false if the item says a subtype already, or none can be added.
func listedType(m model.Map, p model.Property, old oldErrorType) (model.Fix, bool) {
	fix := model.ReplaceFix("Write `"+old.name+"`", unquotedSpan(p.Value), old.name)
	if old.subtype == "" {
		return fix, true
	}
	if saysSubtype(m.Properties) {
		return model.Fix{}, false
	}
	edit, ok := lineAfter(p, "SUBTYPE: "+old.subtype)
	fix.Title += " with `SUBTYPE: " + old.subtype + "`"
	fix.Edits = append(fix.Edits, model.FileEdit{Edit: edit})
	return fix, ok
}

// isAction reports whether ON_ERROR may have word as a key of a handler that is written without an
// error type.
func isAction(word string) bool {
	field, _ := tool.Find(section.Field("ON_ERROR", false).Each.Fields, word)
	return field != nil
}

func saysSubtype(handler []model.Property) bool {
	_, says := keyWritten(handler, "SUBTYPE", "SUBTYPES")
	return says
}

// withSubtype returns fix with the edit that adds the subtype in old above first, the first key of
// a handler. The second result is false if first is not on a line of its own.
func withSubtype(fix model.Fix, old oldErrorType, first model.Property) (model.Fix, bool) {
	at, indent := first.Key.Span().Start, edit.IndentIn(first.Key)
	if first.Node.Kind() != syntax.Pair || strings.Trim(indent, blanks) != "" {
		return model.Fix{}, false
	}
	line := "SUBTYPE: " + old.subtype
	fix.Title += " with `" + line + "`"
	fix.Edits = append(fix.Edits, model.ReplaceEdit(text.Span{Start: at, End: at}, line+"\n"+indent))
	return fix, true
}

// errorHandler looks at the actions of a handler.
func errorHandler(out *findings, e Entry, handler []model.Property) {
	for _, p := range handler {
		switch name := strings.ToUpper(p.WrittenName()); {
		case name == "SUBTYPES" && e.isFlow():
			d := out.info(p.Key.Span(), "In a step the platform reads `SUBTYPE` alone, so `SUBTYPES` is dropped; write one handler for each.")
			if items := p.Items(); len(items) == 1 {
				d.Fixes = append(d.Fixes, onlySubtype(p, items[0]))
			}
		case name == "THEN" && isStepAfterError(p.Value):
			stepAfterError(out, p.Value)
		}
	}
}

// stepAfterError reports a word after THEN that is no action of a handler: a word near to one, a
// step, or an action of other places.
func stepAfterError(out *findings, v syntax.Node) {
	const otherwise = "so it may drop this one; write"
	known, target := strings.Join(wordsAfterError, "`, `"), v.UnquotedText()
	switch near := model.Nearest(target, wordsAfterError); {
	case near != "":
		d := out.info(unquotedSpan(v), "The platform knows no `%s` after `THEN` in an error handler, so it may drop it; did you mean `%s`?", target, near)
		d.Fixes = append(d.Fixes, model.ReplaceFix("Change to `"+near+"`", unquotedSpan(v), near))
	case oneWord.MatchString(target):
		out.info(unquotedSpan(v), "The platform knows no step after `THEN` in an error handler, "+otherwise+" `THEN: BACKTRACK` with `BACKTRACK_TO: %s`, or one of `%s`.", target, known)
	default:
		out.info(unquotedSpan(v), "The platform knows no `%s` after `THEN` in an error handler, "+otherwise+" one of `%s`.", target, known)
	}
}

func onlySubtype(p model.Property, item model.Item) model.Fix {
	at := text.Span{Start: p.Key.Span().Start, End: p.Node.Span().End}
	return model.ReplaceFix("Write `SUBTYPE`", at, "SUBTYPE: "+item.PlainText())
}

// isStepAfterError reports whether the word after THEN is a name of the author's.
func isStepAfterError(v syntax.Node) bool {
	word, _, _ := strings.Cut(v.UnquotedText(), " ")
	return word != "" && !strings.Contains(word, "{{") && !model.ContainsFold(wordsAfterError, word)
}
