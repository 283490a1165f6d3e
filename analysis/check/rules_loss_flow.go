package check

import (
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// What the platform drops of a FLOW and of the actions in it, for platform-loss.

// isFlow reports whether an entry is a line of FLOW in a file that declares an agent.
func (e Entry) isFlow() bool {
	l := lineNameOf(e.Kind, e.Section)
	return !e.Head && l != nil && l.what == "step"
}

// nestedSteps finds steps that are a map below `steps:`.
func nestedSteps(out *findings, e Entry) {
	if !e.isFlow() || !strings.EqualFold(e.Root.Key(), "steps") {
		return
	}
	for step := range e.Root.BlockChildren() {
		if step.Kind() != syntax.ListItem && isKeyWithoutValue(step) && !step.Child(syntax.FieldBlock).IsZero() {
			out.info(step.KeyNode().Span(), "The platform drops the step `%s`, %s: it looks for steps at two spaces below `FLOW:`, or at column 0, and for their names alone below `steps:`.", step.Key(), withAllBelow)
		}
	}
}

// keysTakenForStep are the keys that the platform knows at two spaces below a step at column 0. It
// also knows all keys that begin with ON_, except ON_ERROR.
var keysTakenForStep = []string{"GATHER", "GOAL", "BEHAVIOR", "AVAILABLE_TOOLS", "STEP_CONSTRAINTS", "AWAIT_ATTACHMENT", "DIGRESSIONS", "SUB_INTENTS"}

// keysTakenForSteps finds, below a step at column 0, a key without a value at two spaces that the
// platform takes for the next step.
func keysTakenForSteps(out *findings, f File) {
	for _, s := range f.Doc.Sections() {
		l := lineNameOf(f.Kind, s.Name())
		if l == nil || l.what != "step" || indentBefore(f.Doc, s) != "" {
			continue
		}
		for _, e := range s.Entries {
			if l.isName(e.Root()) && indentation(f.Doc, f.Doc.Lines().Line(e.Offset)) == "" {
				takenForSteps(out, f, e)
			}
		}
	}
}

func takenForSteps(out *findings, f File, step syntax.PositionedEntry) {
	fix := model.Fix{Title: "Indent what is below `" + step.Root().Key() + ":` by four spaces", Best: true}
	body := step.Root().Child(syntax.FieldBlock).Span().Shift(step.Offset)
	body.Start = f.Doc.Lines().LineStart(f.Doc.Lines().Line(step.Offset) + 1)
	edits, ok := reindented(f.Doc, body, twoSpaces, twoSpaces+twoSpaces)
	fix.Edits = edits
	for key := range step.Root().BlockChildren() {
		name, at := strings.ToUpper(key.Key()), key.KeyNode().Span().Shift(step.Offset)
		known := slices.Contains(keysTakenForStep, name) || strings.HasPrefix(name, "ON_") && name != "ON_ERROR"
		if known || !isKeyWithoutValue(key) || indentation(f.Doc, f.Doc.Lines().Line(at.Start)) != twoSpaces {
			continue
		}
		d := out.warn(at, "The platform takes `%s` at two spaces for a step of its own, so the step `%s` ends here: indent it by four spaces.", key.Key(), step.Root().Key())
		if ok {
			d.Fixes = append(d.Fixes, fix)
		}
	}
}

// promptsInSteps finds COLLECT and PROMPT directly in a step, each once.
func promptsInSteps(out *findings, e Entry) {
	if !e.isFlow() {
		return
	}
	for _, m := range e.Maps {
		var reported []string
		for _, p := range m.Properties {
			if name := strings.ToUpper(p.WrittenName()); isPromptInStep(e, m, p) && !slices.Contains(reported, name) {
				out.warn(p.Key.Span(), "The platform drops `%s` directly in a step; write what is asked for below `GATHER:`.", name)
				reported = append(reported, name)
			}
		}
	}
}

// isPromptInStep reports whether a key is COLLECT or PROMPT directly in a step.
func isPromptInStep(e Entry, m model.Map, p model.Property) bool {
	isIn := !p.IsAuthorName && e.isFlow() && m.Field != nil && m.Field == model.SectionField(e.Kind, "FLOW").Each
	return isIn && (strings.EqualFold(p.WrittenName(), "COLLECT") || strings.EqualFold(p.WrittenName(), "PROMPT"))
}

// branchLists are the lists whose branches must have a THEN.
var branchLists = []string{"ON_INPUT", "ON_RESULT"}

// leavingActions are the actions after which a branch does not go on.
var leavingActions = []string{"HANDOFF", "DELEGATE", "ESCALATE", "COMPLETE", "RETURN", "RETRY"}

// branchesWithoutThen finds branches that do not say what comes next.
func branchesWithoutThen(out *findings, e Entry) {
	if !e.isFlow() {
		return
	}
	for _, m := range e.Maps {
		if !m.Item || m.Field == nil || !slices.Contains(branchLists, m.Field.Name) {
			continue
		}
		actions := actionsOf(m)
		if len(actions) == 0 || saysThen(actions) {
			continue
		}
		at := m.Properties[0].Key.Span()
		_, calls := keyNamed(actions, "CALL")
		if _, hasOutcome := keyWritten(actions, "ON_SUCCESS", "ON_FAIL", "ON_FAILURE"); calls && hasOutcome {
			out.info(at, "The platform drops a branch of `%s` without a `THEN` of its own, whatever `ON_SUCCESS` and `ON_FAIL` say.", m.Field.Name)
			continue
		}
		d := out.warn(at, "The platform drops a branch of `%s` without `THEN`: say which step comes next, or `THEN: CONTINUE`.", m.Field.Name)
		if fix, ok := thenFor(m, actions); ok {
			d.Fixes = append(d.Fixes, fix)
		}
	}
}

// saysThen reports whether actions have a THEN, or a transition in the list of a DO.
func saysThen(actions []model.Property) bool {
	if _, has := keyNamed(actions, "THEN"); has {
		return true
	}
	do, _ := keyNamed(actions, "DO")
	return slices.ContainsFunc(do.Items(), func(item model.Item) bool {
		_, has := keyNamed(item.Properties(), "THEN", "GOTO", "TRANSITION")
		return has
	})
}

// actionsOf returns the keys of a branch: those next to its condition and those below.
func actionsOf(m model.Map) []model.Property {
	if len(m.Properties) == 0 {
		return nil
	}
	return append(slices.Clone(m.Properties), m.Properties[0].Properties()...)
}

// keyNamed returns the first of keys whose canonical name is one of names. The second result is
// false if there is none.
func keyNamed(keys []model.Property, names ...string) (model.Property, bool) {
	for _, p := range keys {
		if p.Field != nil && slices.Contains(names, p.Name()) {
			return p, true
		}
	}
	return model.Property{}, false
}

// thenFor returns the fix that gives the branch m, whose keys are actions, the THEN that it means.
// It renames a GOTO or TRANSITION; without one it adds a THEN with the target of the step around
// the branch, else with CONTINUE. The second result is false if an action leaves the step in any
// case, or no line can be added.
func thenFor(m model.Map, actions []model.Property) (model.Fix, bool) {
	if p, has := keyNamed(actions, "GOTO", "TRANSITION"); has {
		return model.ReplaceFix("Write `THEN`", p.Key.Span(), "THEN"), true
	}
	if _, leaves := keyNamed(actions, leavingActions...); leaves {
		return model.Fix{}, false
	}
	target := stepTarget(m.Node)
	fix := model.Fix{Title: "Add `THEN: CONTINUE`"}
	if target != "" {
		fix = model.Fix{Title: "Add `THEN: " + target + "`, as the step has it", Best: true}
	} else {
		target = "CONTINUE"
	}
	edit, ok := lineAfter(actions[len(actions)-1], "THEN: "+target)
	if !ok {
		return model.Fix{}, false
	}
	fix.Edits = []model.FileEdit{{Edit: edit}}
	return fix, true
}

// stepTarget returns the value of THEN in the step around a branch; "" if the step has none.
func stepTarget(branch syntax.Node) string {
	for c := range branch.Parent().Parent().Parent().Children() {
		if strings.EqualFold(c.Key(), "THEN") {
			return c.Value().Text()
		}
	}
	return ""
}

// lineAfter returns the edit that adds line after p and everything below p, at p's depth. The
// second result is false if p is on the first line of its entry, or something is before its key.
func lineAfter(p model.Property, line string) (text.Edit, bool) {
	source, key := p.Node.Entry().Text(), p.Key.Span()
	start := strings.LastIndexAny(source[:key.Start], "\r\n") + 1
	before := source[start:key.Start]
	indent := strings.Replace(before, "-", " ", 1)
	if start == 0 || strings.Trim(indent, blanks) != "" {
		return text.Edit{}, false
	}
	end := p.Node.Span().End
	if rest := strings.IndexAny(source[end:], "\r\n"); rest >= 0 {
		end += rest
	} else {
		end = len(source)
	}
	return text.Insertion(end, "\n"+indent+line), true
}

// setLists are the lists in whose branches the platform drops a block of SET.
var setLists = []string{"ON_INPUT", "ON_RESULT", "ON_SUCCESS", "ON_FAIL"}

// setBlocks finds a SET with lines below it, in branches and in actions of ON_START and HOOKS.
func setBlocks(out *findings, e Entry) {
	for _, m := range e.Maps {
		if !dropsSetBlocks(e, m) {
			continue
		}
		props := m.Properties
		if m.Item {
			props = actionsOf(m)
		}
		for _, p := range props {
			if p.Field == nil || p.Name() != "SET" || !p.Value.IsZero() || p.Block().IsZero() {
				continue
			}
			d := out.info(p.Key.Span(), "The platform drops a block of `SET` here; it reads `SET: name = expression` on one line.")
			if fix, ok := setOnOneLine(p); ok {
				d.Fixes = append(d.Fixes, fix)
			}
		}
	}
}

// dropsSetBlocks reports whether a map is a branch, or actions of ON_START and HOOKS.
func dropsSetBlocks(e Entry, m model.Map) bool {
	switch {
	case m.Field == nil || !isAgentKind(e.Kind):
		return false
	case e.Section == "ON_START":
		return m.Field.Name == "ON_START"
	case e.Section == "HOOKS":
		return strings.HasPrefix(m.Field.Name, "before_") || strings.HasPrefix(m.Field.Name, "after_")
	}
	return m.Item && e.isFlow() && slices.Contains(setLists, m.Field.Name)
}

// setOnOneLine returns the fix that writes the assignment below p on the line of p's key. The
// second result is false unless the block is one assignment on one line, without a comment above
// it.
func setOnOneLine(p model.Property) (model.Fix, bool) {
	var only syntax.Node
	for c := range p.Block().Children() {
		if !only.IsZero() || c.Kind() != syntax.Assignment || !c.Child(syntax.FieldBlock).IsZero() {
			return model.Fix{}, false
		}
		only = c
	}
	if only.IsZero() || strings.ContainsAny(only.Text(), "\r\n") {
		return model.Fix{}, false
	}
	colon := p.Node.ChildOf(syntax.Colon).Span()
	between := text.Span{Start: colon.End, End: only.Span().Start}
	if strings.Trim(p.Node.Entry().Text()[between.Start:between.End], blanks+"\r\n") != "" {
		return model.Fix{}, false // a comment
	}
	return model.ReplaceFix("Write the assignment on the line of `SET`", between, " "), true
}
