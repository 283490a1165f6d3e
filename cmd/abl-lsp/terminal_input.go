package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/tool"
	"github.com/abl-lsp/abl-lsp/tool/exactjson"
)

// askInput asks what the server of a running call wants to know, and puts the answers into the request.
// It returns false after Ctrl-C.
func (t *terminal) askInput(ctx context.Context, req *executor.Request, n *executor.InputNeeds) bool {
	answers := map[string]executor.InputAnswer{}
	for _, q := range n.Requests {
		fmt.Fprintf(t.out, "%s asks: %s\n", n.Server, q.Message)
		if q.Mode == executor.URLInput {
			answers[q.ID] = t.askPage(ctx, q.URL)
		} else {
			answers[q.ID] = t.askForm(ctx, q.Schema)
		}
		if ctx.Err() != nil || t.interrupted {
			return false
		}
	}
	req.Input = &executor.Input{State: n.State, Answers: answers}
	return true
}

// askPage asks the person to visit a page.
func (t *terminal) askPage(ctx context.Context, url string) executor.InputAnswer {
	fmt.Fprintln(t.out, "Open this page only if you trust the server:", url)
	if t.confirm(ctx, "Have you opened it?") {
		return executor.InputAnswer{Action: executor.AcceptInput}
	}
	return executor.InputAnswer{Action: executor.DeclineInput}
}

// askForm asks for each field of a form. An empty line takes the default, or leaves the field out; the
// form is declined if it must be there.
func (t *terminal) askForm(ctx context.Context, schema json.RawMessage) executor.InputAnswer {
	declined := executor.InputAnswer{Action: executor.DeclineInput}
	fields, ok := formFields(schema)
	if !ok || len(fields) == 0 {
		if t.confirm(ctx, "Yes?") {
			return executor.InputAnswer{Action: executor.AcceptInput, Content: json.RawMessage("{}")}
		}
		return declined
	}
	content := tool.Object{}
	for _, f := range fields {
		value := f.parse(t.askArgument(ctx, f.prompt(), argumentSchema{Format: f.Format, WriteOnly: f.WriteOnly}))
		switch {
		case ctx.Err() != nil, t.interrupted, value == nil && f.required:
			return declined
		case value != nil:
			content = append(content, tool.Member{Name: f.name, Value: value})
		}
	}
	return executor.InputAnswer{Action: executor.AcceptInput, Content: exactjson.EncodeOrNil(content)}
}

// formField is a field of a form.
type formField struct {
	name     string
	required bool

	Type        string            `json:"type"`
	Title       string            `json:"title"`
	Description string            `json:"description"`
	Format      string            `json:"format"`
	WriteOnly   bool              `json:"writeOnly"`
	Default     json.RawMessage   `json:"default"`
	Enum        []json.RawMessage `json:"enum"`
	OneOf       []titledValue     `json:"oneOf"`
	Items       struct {
		Enum  []json.RawMessage `json:"enum"`
		AnyOf []titledValue     `json:"anyOf"`
	} `json:"items"`
}

// titledValue is one of the values that a field allows.
type titledValue struct {
	Const json.RawMessage `json:"const"`
	Title string          `json:"title"`
}

// formFields returns the fields of a form in their order. ok is false if the schema cannot be read.
func formFields(schema json.RawMessage) (fields []formField, ok bool) {
	var form struct {
		Properties json.RawMessage `json:"properties"`
		Required   []string        `json:"required"`
	}
	if json.Unmarshal(schema, &form) != nil || len(form.Properties) == 0 || form.Properties[0] != '{' {
		return nil, false
	}
	for key, raw := range exactjson.Parts(form.Properties) {
		var f formField
		if json.Unmarshal(key, &f.name) != nil || json.Unmarshal(raw, &f) != nil {
			return nil, false
		}
		f.required = slices.Contains(form.Required, f.name)
		fields = append(fields, f)
	}
	return fields, true
}

// prompt returns the question for the field, with the values that it allows and its default.
func (f formField) prompt() string {
	words := []string{cmp.Or(f.Type, "string")}
	if values := f.values(); len(values) > 0 {
		words = []string{strings.Join(values, " | ")}
	}
	if f.Type == "array" {
		words = append(words, "several with commas between them")
	}
	if f.Default != nil {
		words = append(words, "else "+plainWord(f.Default))
	} else if !f.required {
		words = append(words, "optional")
	}
	text := cmp.Or(f.Title, f.name)
	if f.Description != "" {
		text += ", " + f.Description
	}
	return fmt.Sprintf("%s (%s): ", text, strings.Join(words, "; "))
}

// values returns the values that the field, or each item of it, allows, with their titles.
func (f formField) values() (all []string) {
	for _, raw := range slices.Concat(f.Enum, f.Items.Enum) {
		all = append(all, plainWord(raw))
	}
	for _, v := range slices.Concat(f.OneOf, f.Items.AnyOf) {
		word := plainWord(v.Const)
		if v.Title != "" && v.Title != word {
			word += " = " + v.Title
		}
		all = append(all, word)
	}
	return all
}

// plainWord returns a JSON value as a person types it.
func plainWord(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return text
	}
	return string(raw)
}

// parse returns the value of a typed word; nil for an empty one without a default.
func (f formField) parse(word string) any {
	switch {
	case word == "" && f.Default != nil:
		return f.Default
	case word == "":
		return nil
	case f.Type == "array":
		items := []string{}
		for item := range strings.SplitSeq(word, ",") {
			items = append(items, strings.TrimSpace(item))
		}
		return items
	case f.Type == "boolean":
		return strings.HasPrefix(strings.ToLower(word), "y") || strings.EqualFold(word, "true")
	case f.Type == "number", f.Type == "integer":
		if raw := json.RawMessage(word); json.Valid(raw) {
			return raw
		}
	}
	return word
}
