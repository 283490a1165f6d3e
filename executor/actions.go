package executor

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/executor/template"
	"github.com/abl-lsp/abl-lsp/expression"
	"github.com/abl-lsp/abl-lsp/tool"
	"github.com/abl-lsp/abl-lsp/tool/exactjson"
	"github.com/abl-lsp/abl-lsp/tool/placeholder"
)

// runActions runs the actions of do, a `do:` list, that a run can do: SET, CLEAR and LOG, in
// branches. It warns of every other action, since such an action needs the conversation, which
// only the platform has.
func (r *run) runActions(ctx context.Context, block string, do json.RawMessage, variables map[string]any) {
	if do == nil {
		return
	}
	list, err := exactjson.Decode[any](do)
	if err != nil {
		return
	}
	items, ok := list.([]any)
	if !ok {
		items = []any{list}
	}
	block += ".do"
	matched := false // the previous condition held
	for _, item := range items {
		action := withUpperKeys(item)
		condition, conditional := conditionOf(action)
		_, other := action["ELSE"]
		switch {
		case other && matched:
			continue
		case conditional:
			matched = r.conditionHolds(ctx, block, condition, variables)
			if !matched {
				continue
			}
		}
		r.runAction(ctx, block, action, variables)
	}
}

// withUpperKeys returns a copy of an action whose keys are in capitals, as the language
// writes them.
func withUpperKeys(item any) map[string]any {
	fields, _ := item.(map[string]any)
	out := make(map[string]any, len(fields))
	for name, v := range fields {
		out[strings.ToUpper(name)] = v
	}
	return out
}

func conditionOf(action map[string]any) (string, bool) {
	for _, key := range []string{"IF", "WHEN", "CONDITION"} {
		if text, ok := action[key].(string); ok {
			return text, true
		}
	}
	return "", false
}

func (r *run) conditionHolds(ctx context.Context, block, condition string, variables map[string]any) bool {
	holds, err := expression.Holds(ctx, condition, variables)
	if err != nil {
		r.warn("%s: %s: %v", block, condition, err)
	}
	return holds
}

// runAction runs one action of a `do:` list. An action that only the platform can run becomes
// a warning.
func (r *run) runAction(ctx context.Context, block string, action, variables map[string]any) {
	for _, key := range slices.Sorted(maps.Keys(action)) {
		switch v := action[key]; key {
		case "IF", "WHEN", "CONDITION", "ELSE":
		case "SET":
			for _, a := range parseAssignments(v) {
				r.assignVariable(ctx, block, a, variables)
			}
		case "CLEAR":
			for _, name := range parseNames(v) {
				r.setVariable(name, nil)
			}
		case "LOG":
			r.logged += markLine(logLevel(v), r.logMessage(ctx, block, v, variables)) + "\n"
		default:
			r.warn("%s: %s was left to the platform", block, key)
		}
	}
}

// parseAssignments returns the assignments that `name = expression`, or an object that maps
// names to expressions, describes. Those of an object are sorted by name.
func parseAssignments(v any) []tool.Assignment {
	if text, ok := v.(string); ok {
		name, expr, _ := strings.Cut(text, "=")
		return []tool.Assignment{{Name: strings.TrimSpace(name), Expr: strings.TrimSpace(expr)}}
	}
	fields, _ := v.(map[string]any)
	var out []tool.Assignment
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		expr, ok := fields[name].(string)
		if !ok {
			expr = string(encode(fields[name]))
		}
		out = append(out, tool.Assignment{Name: name, Expr: expr})
	}
	return out
}

// parseNames returns the names in a JSON list, or in a string in which commas separate them.
// It leaves out empty names.
func parseNames(v any) []string {
	list, ok := v.([]any)
	if text, isText := v.(string); !ok && isText {
		for name := range strings.SplitSeq(text, ",") {
			list = append(list, strings.TrimSpace(name))
		}
	}
	var out []string
	for _, item := range list {
		if name, ok := item.(string); ok && name != "" {
			out = append(out, name)
		}
	}
	return out
}

// logMessage returns the text that LOG writes, with its placeholders filled in. The text is v
// itself, or MESSAGE if v is an object.
func (r *run) logMessage(ctx context.Context, block string, v any, variables map[string]any) string {
	if fields := withUpperKeys(v); len(fields) > 0 {
		v = fields["MESSAGE"]
	}
	text, _ := v.(string)
	filled, _ := placeholder.Fill(text, false, func(p placeholder.Lookup) (string, error) {
		v, err := expression.Eval(ctx, p.Name, variables)
		if err != nil {
			r.warn("%s: LOG: %v", block, err)
		}
		return template.Value{Data: v}.Text(), nil
	})
	return filled
}
