package check

import (
	"regexp"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/tool/placeholder"
)

// readBeforeWrite: a variable that a tool of an agent reads is not one that only this tool's own
// on_result or on_error sets: at its first call the variable is empty. If anything else may give
// the variable a value, the check is silent.
var readBeforeWrite = Check{
	Code: "read-before-write",
	File: func(out *findings, f File) {
		if f.Kind != model.Agent && f.Kind != model.Supervisor {
			return
		}
		for t := range f.ToolsWith(model.HasContext) {
			read, ok := findProperty(t.PropertiesOfAnyKind(), "context_access", "read")
			if !ok || len(*out) >= maxFindings {
				continue
			}
			own := ownTargets(t)
			for _, w := range read.Words() {
				if own[w.Text] && !f.mayBeSet(t, placeholder.RootName(w.Text)) {
					out.warn(w.Span.Shift(t.Offset), "`%s` is empty when `%s` is first called: only its own `on_result` or `on_error` sets it.", w.Text, t.Name)
				}
			}
		}
	},
}

// ownTargets returns the variables that a tool sets from its result.
func ownTargets(t model.PositionedTool) map[string]bool {
	targets := map[string]bool{}
	for _, block := range []string{"on_result", "on_error"} {
		set, _ := findProperty(t.PropertiesOfAnyKind(), block, "set")
		for _, p := range set.Properties() {
			targets[p.WrittenName()] = true
		}
	}
	return targets
}

// mayBeSet reports whether anything but the tool may give a value to a variable with that head: in
// the file, in the tools that it imports, or in what cannot be read.
func (f File) mayBeSet(t model.PositionedTool, head string) bool {
	word := regexp.MustCompile(`\b` + regexp.QuoteMeta(head) + `\b`)
	scope := f.Workspace.Scope(f.Path)
	for _, other := range scope.Tools {
		if other.File != f.File && word.MatchString(other.Node.Text()) {
			return true
		}
	}
	own := t.Span()
	for _, at := range word.FindAllStringIndex(f.Doc.Text(), -1) {
		if (at[0] < own.Start || at[0] >= own.End) && !isOnlyRead(f, at[0]) {
			return true
		}
	}
	return !scope.Complete
}

// conditionKeys are keys whose values are conditions, which set nothing.
var conditionKeys = map[string]bool{"WHEN": true, "IF": true, "ELSE_IF": true, "CHECK": true, "REQUIRE": true, "COMPLETE_WHEN": true}

// isOnlyRead reports whether a name is in a placeholder, a text, a comment or a condition.
func isOnlyRead(f File, offset int) bool {
	for n := f.NodeAt(offset).Node; !n.IsZero(); n = n.Parent() {
		switch n.Kind() {
		case syntax.Interpolation, syntax.String, syntax.PipeBlock, syntax.BlockText, syntax.Comment, syntax.Rule:
			return true
		case syntax.Pair:
			if conditionKeys[strings.ToUpper(n.Key())] && !n.Value().IsZero() {
				return true
			}
		}
	}
	return false
}
