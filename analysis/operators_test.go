package analysis_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/abl-lsp/abl-lsp/analysis"
	"github.com/abl-lsp/abl-lsp/analysis/completion"
	"github.com/abl-lsp/abl-lsp/analysis/cursor"
	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/expression"
	"github.com/abl-lsp/abl-lsp/syntax"
)

// example returns a condition with an operator.
func example(o expression.Operator) string {
	switch o.Form {
	case expression.Negation, expression.Presence:
		return o.Name + " guests"
	case expression.Postfix:
		return "guests " + o.Name
	}
	return "guests " + o.Name + " guests"
}

// TestOperatorsOfTheTable compares completion, hover, the grammar and evaluation with the table of
// the operators.
func TestOperatorsOfTheTable(t *testing.T) {
	before, after := offered(t, "2 == "), offered(t, "guests ")
	for _, o := range expression.Operators() {
		t.Run(o.Name, func(t *testing.T) {
			labels := after
			if o.Form == expression.Negation || o.Form == expression.Presence {
				labels = before
			}
			if got := slices.Contains(labels, o.Name); got == o.Hidden {
				t.Errorf("offered: %v", got)
			}
			source := example(o)
			if got := hovered(source, strings.Index(source, o.Name)); got != "**"+o.Name+"**\n\n"+o.Doc {
				t.Errorf("hover: %q", got)
			}
			if err := expression.Check(source, "guests"); err != nil {
				t.Error(err)
			}
		})
	}
	for _, l := range expression.Literals() {
		if got := slices.Contains(before, l.Name); got == l.Hidden {
			t.Errorf("%s is offered: %v", l.Name, got)
		}
	}
}

// TestFunctionsOfTheTable compares completion, hover and signature help with the table of the
// functions.
func TestFunctionsOfTheTable(t *testing.T) {
	capital, prefixed := offered(t, "2 == "), offered(t, "2 == "+expression.Prefix)
	hold := func(f expression.Function, label string, labels []string) {
		t.Run(f.Name, func(t *testing.T) {
			if !slices.Contains(labels, label) {
				t.Error("is not offered")
			}
			if got := hovered(f.Name+"(1)", len(f.Name)-1); !strings.Contains(got, f.Signature()) || !strings.Contains(got, f.Doc) {
				t.Errorf("hover: %q", got)
			}
			w, at := condition(f.Name + "(")
			if s, ok := analysis.SignatureHelp(w, conditionFile, at); !ok || s.Label != f.Signature() {
				t.Errorf("signature: %q", s.Label)
			}
		})
	}
	for _, f := range expression.Functions() {
		hold(f, f.Name, capital)
	}
	for _, f := range expression.PrefixedFunctions() {
		hold(f, strings.TrimPrefix(f.Name, expression.Prefix), prefixed)
	}
}

// TestHighlightedOperators compares the operators in capitals that VS Code highlights without a
// server with the table of the operators.
func TestHighlightedOperators(t *testing.T) {
	raw, err := os.ReadFile(filepath.Join("..", "editors", "vscode", "syntaxes", "abl.tmLanguage.json"))
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile(`"keyword\.operator\.logical\.abl",\s*"match": (".*")`).FindSubmatch(raw)
	if found == nil {
		t.Fatal("no pattern of operators")
	}
	var pattern string
	if err := json.Unmarshal(found[1], &pattern); err != nil {
		t.Fatal(err)
	}
	words := regexp.MustCompile("^(?:" + pattern + "| )+$")
	for _, o := range expression.Operators() {
		if isWord := o.Name[0] >= 'A'; isWord && o.Name == strings.ToUpper(o.Name) && o.Name != "||" && !words.MatchString(o.Name) {
			t.Errorf("VS Code does not know %s", o.Name)
		}
	}
}

const conditionFile = "/desk.agent.abl"

// condition returns a workspace of one agent with a condition, and the offset of its end.
func condition(source string) (w model.Workspace, end int) {
	before := "AGENT: Desk\nGOAL: \"🧭\"\nMEMORY:\n  session:\n    - guests\nCONSTRAINTS:\n  rules:\n    - REQUIRE "
	return model.Workspace{}.With(conditionFile, syntax.Parse(before+source+"\n")), len(before + source)
}

// offered returns the labels of the completions at the end of a condition.
func offered(t *testing.T, source string) []string {
	t.Helper()
	w, at := condition(source)
	var labels []string
	for _, item := range completion.Complete(t.Context(), w, conditionFile, at, cursor.Host{}) {
		labels = append(labels, item.Label)
	}
	return labels
}

// hovered returns the hover at a byte of a condition.
func hovered(source string, at int) string {
	w, end := condition(source)
	h, _ := analysis.HoverAt(w, conditionFile, end-len(source)+at)
	return h.Markdown
}
