package lambda

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/tool"
	"github.com/abl-lsp/abl-lsp/tool/placeholder"
)

// functionCall is a call with the function that it calls.
type functionCall struct {
	executor.Call
	name     string // its name in the project's file
	function tool.Function
}

// resolve returns the function that a tool names, and its provider.
func (r *Runner) resolve(call executor.Call) (functionCall, provider, error) {
	s, err := executor.SpecOf[*tool.Lambda](call)
	if err != nil {
		return functionCall{}, nil, err
	}
	name, err := call.Scope.Expand(s.Function, nil)
	if err != nil {
		return functionCall{}, nil, executor.TemplateError("function", err)
	}
	if name == "" {
		return functionCall{}, nil, executor.DefinitionError("function", "function is missing: give a name that stands under functions in abl.yaml")
	}
	f, ok := call.Environment.Functions[name]
	if !ok {
		return functionCall{}, nil, unknownFunctionError(name, call.Environment.Functions)
	}
	if f.Fault != nil {
		return functionCall{}, nil, f.Fault
	}
	c := functionCall{Call: call, name: name, function: f}
	p := r.providers[f.Provider]
	if p == nil {
		return c, nil, executor.DefinitionError("function", "%s: %q is none of aws, gcp, azure, local", c.property("provider"), f.Provider)
	}
	return c, p, nil
}

// unknownFunctionError returns the error for an unknown name. It lists known functions, those with
// the most similar names first.
func unknownFunctionError(name string, functions map[string]tool.Function) error {
	e := executor.DefinitionError("unknown-function", "function: abl.yaml has no function %q", name)
	if len(functions) == 0 {
		return e.WithHint("Say where it is: functions: {%s: {provider: aws, name: …}}, or provider gcp, azure or local.", name)
	}
	known := slices.Sorted(maps.Keys(functions))
	slices.SortStableFunc(known, func(a, b string) int { return cmp.Compare(similarity(name, b), similarity(name, a)) })
	return e.WithHint("It has %s.", strings.Join(known[:min(len(known), 5)], ", "))
}

// similarity returns the number of bytes that two names share at the beginning and the end.
func similarity(a, b string) int {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	m := 0
	for m < min(len(a), len(b))-n && a[len(a)-1-m] == b[len(b)-1-m] {
		m++
	}
	return n + m
}

// property returns the path of a property of the function in the project's file.
func (c functionCall) property(name string) string { return "functions." + c.name + "." + name }

// fill fills in the placeholders of a text in the project's file.
func (c functionCall) fill(property, text string) (string, error) {
	if err := c.takesNoArguments(property, text); err != nil {
		return "", err
	}
	filled, err := c.Scope.Expand(text, nil)
	if err != nil {
		return "", executor.TemplateError(c.property(property), err)
	}
	return filled, nil
}

func (c functionCall) fillAll(property string, texts map[string]string) (map[string]string, error) {
	filled := make(map[string]string, len(texts))
	for name, text := range texts {
		var err error
		if filled[name], err = c.fill(property+"."+name, text); err != nil {
			return nil, err
		}
	}
	return filled, nil
}

// secretNames returns the names of the secrets in some texts.
func secretNames(texts ...string) []string { return placeholder.Secrets(strings.Join(texts, " ")) }

// payload returns the arguments as JSON. It returns an error if they are too large.
func (c functionCall) payload() ([]byte, error) {
	payload, err := c.Arguments().MarshalJSON()
	if err != nil {
		return nil, err
	}
	if len(payload) > maxPayload {
		return nil, executor.Errorf(executor.KindLimit, "payload-size", "the arguments are %d bytes as JSON; a function takes no more than 6 MB", len(payload))
	}
	return payload, nil
}
