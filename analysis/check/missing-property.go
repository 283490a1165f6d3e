package check

import (
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/tool"
)

// missingProperty: a tool that declares a `type` has what that type requires, and not empty; one of
// an agent or a profile with the `type` alone means the project's tool. A `retry_policy` has its
// `strategy`; once one of the WSDL properties is used, the operation and the file are there. In the
// other sections, a block has the keys that it must have, and a router an agent to hand over to.
var missingProperty = Check{
	Code: "missing-property",
	Form: true,
	YAML: yamlMissing,
	Entry: func(out *findings, e Entry) {
		if !e.InTools() {
			for _, m := range e.Maps {
				missingInMap(out, m)
				missingInActions(out, m)
				missingInForms(out, m)
				missingPrompts(out, m)
				missingInRoutes(out, m)
				missingInTable(out, e, m)
				for _, p := range m.Properties {
					missingInLine(out, p)
				}
			}
			emptyRules(out, e)
		}
		for i := range e.Tools {
			if t := &e.Tools[i]; e.Kind == model.Library || !t.IsUnbound() {
				missingInTool(out, t)
			}
			missingAuthorities(out, &e.Tools[i])
		}
	},
	File: func(out *findings, f File) {
		idleRouters(out, f)
	},
}

func missingInTool(out *findings, t *model.ToolDecl) {
	fields := tool.Fields(t.Kind())
	for i := range fields {
		if fields[i].Required {
			checkRequired(out, t, &fields[i])
		}
	}
	missingInSteps(out, t)
	missingInClaims(out, t)
	if t.Kind() == tool.KindHTTP {
		missingStrategy(out, t)
		missingWSDL(out, t)
	}
}

// missingInClaims: an auth service that fills a parameter declares its name and its field.
func missingInClaims(out *findings, t *model.ToolDecl) {
	for _, list := range t.ClaimLists() {
		for _, item := range list.Items() {
			for _, f := range list.Field.Fields {
				if p, ok := findProperty(item.Properties(), f.Name); f.Required && (!ok || isEmpty(p)) {
					out.err(list.Key.Span(), "`%s` has an item without `%s`; add it.", list.Name(), f.Name)
				}
			}
		}
	}
}

func checkRequired(out *findings, t *model.ToolDecl, f *tool.Field) {
	at, written := t.NameNode(), false
	for _, p := range t.Properties() {
		if p.Field == nil || p.FlatPath != nil || p.Name() != f.Name {
			continue
		}
		if !isEmpty(p) {
			return
		}
		at, written = p.Key, true
	}
	if written {
		out.err(at.Span(), "`%s` is empty, but a tool of `type: %s` needs it; %s", f.Name, t.Kind(), exampleLine(f))
		return
	}
	d := out.err(at.Span(), "`%s` of `type: %s` has no `%s`; %s", t.Name, t.Kind(), f.Name, exampleLine(f))
	addKey(d, t.Properties(), f)
}

// isEmpty reports whether a key has no value, or null.
func isEmpty(p model.Property) bool { return p.IsEmpty() || p.Value.Kind() == syntax.Null }

// exampleLine returns an example of the property for a message.
func exampleLine(f *tool.Field) string {
	if len(f.Values) > 0 {
		return "add one of `" + strings.Join(tool.WordNames(f.Values), "`, `") + "`."
	}
	return "add `" + f.Name + ": …` below the signature."
}

func missingStrategy(out *findings, t *model.ToolDecl) {
	policy, ok := t.Property("retry_policy")
	if !ok || len(policy.Properties()) == 0 {
		return
	}
	for _, p := range policy.Properties() {
		if p.Name() == "strategy" {
			if isEmpty(p) {
				out.warn(p.Key.Span(), "`strategy` is empty; write `fixed` or `exponential`.")
			}
			return
		}
	}
	d := out.warn(policy.Key.Span(), "`retry_policy` has no `strategy`; add `fixed` or `exponential`.")
	if strategy, _ := tool.Find(policy.Field.Fields, "strategy"); strategy != nil {
		addKey(d, policy.Properties(), strategy)
	}
}

func missingWSDL(out *findings, t *model.ToolDecl) {
	first, ok := firstWSDL(t)
	if !ok {
		return
	}
	if !hasProperty(t, "wsdl_operation") {
		out.warn(first.Key.Span(), "Beside `%s` the tool needs `wsdl_operation`, the operation that it calls.", first.Name())
	}
	if !hasProperty(t, "wsdl_asset") && !hasProperty(t, "wsdl_asset_id") {
		out.warn(first.Key.Span(), "Beside `%s` the tool needs `wsdl_asset` or `wsdl_asset_id`, the WSDL file.", first.Name())
	}
}

// firstWSDL returns the first property of t that belongs to a WSDL binding. The second result is
// false if t has none.
func firstWSDL(t *model.ToolDecl) (model.Property, bool) {
	for _, p := range t.Properties() {
		if p.Field != nil && strings.HasPrefix(p.Field.Name, "wsdl_") && p.Field.Name != "wsdl_response_arrays" {
			return p, true
		}
	}
	return model.Property{}, false
}

func hasProperty(t *model.ToolDecl, name string) bool {
	p, ok := t.Property(name)
	return ok && !isEmpty(p)
}
