package http_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/tool"
)

func TestBody(t *testing.T) {
	s := newServer(t, nil)
	const (
		isJSON = "application/json"
		form   = "application/x-www-form-urlencoded"
		text   = "text/plain; charset=utf-8"
	)
	tests := []struct {
		name     string
		spec     tool.HTTP
		args     string
		want     string
		wantType string
	}{
		{"arguments in the order of the signature", tool.HTTP{}, `{"b": [1.0, {"x": "<&>"}], "a": 10.50, "c": null}`, `{"a":10.50,"b":[1.0,{"x":"<&>"}]}`, isJSON},
		{"none given", tool.HTTP{}, `{}`, `{}`, isJSON},
		{"all in the path", tool.HTTP{Endpoint: "/{a}/{b}/{c}"}, `{"a": 1, "b": 2, "c": 3}`, "", ""},
		{"the rest of the path", tool.HTTP{Endpoint: "/{a}"}, `{"a": 1, "b": 2}`, `{"b":2}`, isJSON},
		{"no body wanted, though there is one", tool.HTTP{BodyMode: "none", BodyTemplate: `{"x": 1}`}, `{}`, "", ""},
		{"no body wanted", tool.HTTP{BodyMode: "none"}, `{"a": 1}`, "", ""},
		{"JSON template", tool.HTTP{BodyTemplate: `{"s": "{{a}}", "v": {{b}}, "all": {{input}}}`},
			`{"a": "q\"\\\n<", "b": {"x": 1.0}}`, `{"s": "q\"\\\n<", "v": {"x":1.0}, "all": {"a":"q\"\\\n<","b":{"x":1.0}}}`, isJSON},
		{"a value cannot leave its string", tool.HTTP{BodyTemplate: `{"s": "{{a}}"}`}, `{"a": "\", \"admin\": true, \"x\": \""}`,
			`{"s": "\", \"admin\": true, \"x\": \""}`, isJSON},
		{"numbers in strings, strings in the open", tool.HTTP{BodyTemplate: `{"n": "{{a}}", "s": {{b}}, "o": "{{c}}"}`},
			`{"a": 1.50, "b": "x\"", "c": {"k": "v"}}`, `{"n": "1.50", "s": "x\"", "o": "{\"k\":\"v\"}"}`, isJSON},
		{"left out", tool.HTTP{BodyTemplate: `{"n": {{a}}, "s": "{{b}}"}`}, `{}`, `{"n": null, "s": ""}`, isJSON},
		{"secrets and variables", tool.HTTP{BodyTemplate: `{"k": "{{secrets.KEY}}", "t": {{env.tenant}}, "u": "{{session.user.id}}"}`}, `{}`,
			`{"k": "a\"b", "t": "demo", "u": "7"}`, isJSON},
		{"substituted text is not looked at again", tool.HTTP{BodyTemplate: `["{{a}}", "{{b}}"]`}, `{"a": "{{b}}", "b": "{{secrets.KEY}}"}`,
			`["{{b}}", "{{secrets.KEY}}"]`, isJSON},
		{"what no template took joins the object", tool.HTTP{BodyTemplate: `{"x": {"y": "{{a}}"}}`}, `{"a": 1, "b": [2], "c": "z"}`, `{"x": {"y": "1"},"b":[2],"c":"z"}`, isJSON},
		{"but does not replace a member", tool.HTTP{BodyTemplate: ` { "b": 1 } `}, `{"b": 2}`, ` { "b": 1 } `, isJSON},
		{"an empty object", tool.HTTP{BodyTemplate: `{}`}, `{"a": 1}`, `{"a":1}`, isJSON},
		{"braces side by side", tool.HTTP{BodyTemplate: `{"a":{"b":{{a}}}}`}, `{"a": 1}`, `{"a":{"b":1}}`, isJSON},
		{"each element", tool.HTTP{BodyTemplate: `{"ids": [{{#each input.a}}{{#if @first}}{{else}}, {{/if}}{"n": {{@index}}, "id": "{{this.id}}", "q": {{q}}, "b": {{input.b}}}{{/each}}]}`},
			`{"a": [{"id": "x\"y", "q": 1}, {"id": 2}], "b": true}`,
			`{"ids": [{"n": 0, "id": "x\"y", "q": 1, "b": true}, {"n": 1, "id": "2", "q": null, "b": true}]}`, isJSON},
		{"no elements", tool.HTTP{BodyTemplate: `[{{#each input.a}}{{this}}{{else}}"none"{{/each}}]`}, `{"a": []}`, `["none"]`, isJSON},
		{"elements in a form", tool.HTTP{BodyTemplate: "x=1{{#each a}}&id={{this}}{{/each}}", BodyType: "form"}, `{"a": ["a&b", 2]}`, "x=1&id=a%26b&id=2", form},
		{"elements in XML", tool.HTTP{BodyTemplate: "<l>{{#each a}}<i>{{this}}</i>{{/each}}</l>", BodyType: "xml"}, `{"a": ["<", "b"]}`, "<l><i>&lt;</i><i>b</i></l>", "application/xml"},
		{"plain text", tool.HTTP{BodyTemplate: "Hello {{a}}, {not} {{ b }}!"}, `{"a": "\"W\"", "b": [1]}`, `Hello "W", {not} [1]!`, text},
		{"one value", tool.HTTP{BodyTemplate: "{{a}}"}, `{"a": {"x": 1}}`, `{"x":1}`, text},
		{"one value as JSON", tool.HTTP{BodyTemplate: "{{a}}", BodyType: "json"}, `{"a": "x"}`, `"x"`, isJSON},
		{"a form by its header", tool.HTTP{BodyTemplate: "a={{a}}&b=1", Headers: map[string]string{"content-type": form}}, `{"a": "1&c=2"}`, "a=1%26c%3D2&b=1", form},
		{"a form of arguments", tool.HTTP{BodyType: "form"}, `{"a": "x y", "b": [1, 2]}`, "a=x+y&b=1&b=2", form},
		{"XML", tool.HTTP{BodyTemplate: `<a b="{{a}}">{{b}}</a>`, BodyType: "xml"}, `{"a": "\"<", "b": "&'"}`, `<a b="&quot;&lt;">&amp;&apos;</a>`, "application/xml"},
		{"own type", tool.HTTP{Headers: map[string]string{"Content-Type": "application/vnd.x+json"}}, `{"a": 1}`, `{"a":1}`, "application/vnd.x+json"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.spec.Method = "POST"
			if tt.spec.Endpoint == "" {
				tt.spec.Endpoint = "/"
			}
			r := s.request(a(&tt.spec, "a", "b", "c"), tt.args)
			r.Environment.Variables = map[string]string{"tenant": "demo"}
			r.Secrets = map[string]string{"KEY": `a"b`}
			r.Session = json.RawMessage(`{"user": {"id": "7"}}`)
			succeeds(t, newExecutor().Run(t.Context(), r))
			got := s.one(t)
			if got.Body != tt.want || got.Header.Get("Content-Type") != tt.wantType {
				t.Errorf("\n got %s (%s)\nwant %s (%s)", got.Body, got.Header.Get("Content-Type"), tt.want, tt.wantType)
			}
			if tt.wantType == isJSON && !json.Valid([]byte(got.Body)) {
				t.Error("not JSON")
			}
			if n := got.Header.Get("Transfer-Encoding"); n != "" {
				t.Error("chunked")
			}
		})
	}
}

func TestBodyOfGet(t *testing.T) {
	s := newServer(t, nil)
	succeeds(t, s.run(t, a(&tool.HTTP{Method: "GET", Endpoint: "/", BodyTemplate: `{"q": "{{a}}"}`}, "a", "b"), `{"a": 1, "b": 2}`))
	if got := s.one(t); got.URI != "/?b=2" || got.Body != `{"q": "1"}` {
		t.Errorf("%+v", got)
	}
}

func TestFreeForm(t *testing.T) {
	s := newServer(t, nil)
	succeeds(t, s.run(t, a(&tool.HTTP{Method: "POST", Endpoint: "/", BodyTemplate: `{"q": "{{input}}"}`}), `"say \"hi\""`))
	if got := s.one(t).Body; got != `{"q": "say \"hi\""}` {
		t.Error(got)
	}
	succeeds(t, s.run(t, a(&tool.HTTP{Method: "POST", Endpoint: "/"}), `"hi"`))
	if got := s.one(t).Body; got != `{"input":"hi"}` {
		t.Error(got)
	}
	e := s.run(t, a(&tool.HTTP{Method: "POST", Endpoint: "/"}), `{"x": 1}`)
	succeeds(t, e)
	if got := s.one(t).Body; got != "" || len(e.Warnings) != 1 {
		t.Errorf("%q, warnings %q", got, e.Warnings)
	}
}

func TestBadBodies(t *testing.T) {
	s := newServer(t, nil)
	for name, spec := range map[string]tool.HTTP{
		"an unknown argument":    {BodyTemplate: `{"a": {{nobody}}}`},
		"a block":                {BodyTemplate: `{{#each a}}x{{/each}}`},
		"JSON by type":           {BodyTemplate: `not JSON {{a}}`, BodyType: "json"},
		"JSON by header":         {BodyTemplate: `{"a": }`, Headers: map[string]string{"Content-Type": "application/json"}},
		"XML without a template": {BodyType: "xml"},
		"an unknown type":        {BodyType: "yaml"},
		"SOAP":                   {Protocol: "soap"},
		"a source":               {Source: "src"},
		"an unknown method":      {Method: "BREW"},
		"a blank method":         {Method: " "},
	} {
		t.Run(name, func(t *testing.T) {
			spec.Endpoint = "/"
			if spec.Method == "" {
				spec.Method = "POST"
			}
			wants(t, s.run(t, a(&spec, "a"), `{"a": 1}`), executor.KindDefinition)
		})
	}
	wants(t, s.run(t, a(&tool.HTTP{Endpoint: "/"}), `{}`), executor.KindDefinition)
	e := s.run(t, a(&tool.HTTP{Method: "POST", Endpoint: "/", BodyTemplate: "text"}, "a"), `{"a": 1}`)
	succeeds(t, e)
	if len(e.Warnings) != 1 || !strings.Contains(e.Warnings[0], `"a"`) {
		t.Errorf("warnings %q", e.Warnings)
	}
}
