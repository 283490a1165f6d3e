package rest

import (
	"bytes"
	"cmp"
	"encoding/json"
	"mime"
	"strings"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/template"
	"github.com/abl-lsp/abl-lsp/tool"
	"github.com/abl-lsp/abl-lsp/tool/placeholder"
)

// mediaTypes maps each body_type to its media type.
var mediaTypes = map[string]string{
	"json": "application/json",
	"form": "application/x-www-form-urlencoded",
	"xml":  "application/xml",
	"text": "text/plain; charset=utf-8",
}

// buildBody fills the body template. It adds the values that no template used to the query of a
// GET or DELETE request, and to the body of any other.
func (b *builder) buildBody() error {
	kind := b.bodyType()
	if _, ok := mediaTypes[kind]; kind != "" && !ok {
		return executor.DefinitionError("body-type", "body_type: %s is none of json, form, xml, text", kind)
	}
	var err error
	if b.spec.BodyTemplate != "" && !b.hasNoBody() {
		kind, err = b.fillTemplate(kind)
	}
	if err != nil {
		return err
	}
	if rest := b.unusedValues(); methods[b.req.method] {
		var q query
		for _, m := range rest {
			q.addValue(m.Name, m.Value)
		}
		b.addQuery(&q)
	} else if kind, err = b.addUnusedToBody(kind, rest); err != nil {
		return err
	}
	if b.edit != nil {
		if b.req.body, err = b.edit(b.req.body); err != nil {
			return err
		}
		kind = cmp.Or(kind, "json")
	}
	if b.req.body != nil && b.req.header.Get("Content-Type") == "" {
		b.req.header.Set("Content-Type", mediaTypes[kind])
	}
	return nil
}

// bodyType returns body_type, else the body type of the author's Content-Type header. It is "" if
// the author sets neither.
func (b *builder) bodyType() string {
	if b.spec.BodyType != "" {
		return strings.ToLower(b.spec.BodyType)
	}
	media, _, _ := mime.ParseMediaType(b.req.header.Get("Content-Type"))
	switch {
	case media == "":
		return ""
	case isJSON(media):
		return "json"
	case media == mediaTypes["form"]:
		return "form"
	case strings.HasSuffix(media, "xml"):
		return "xml"
	}
	return "text"
}

func isJSON(media string) bool {
	return media == "application/json" || strings.HasSuffix(media, "+json")
}

// fillTemplate fills body_template and escapes each value for the body type. It returns the body
// type: kind, or the one that it detects if kind is "".
func (b *builder) fillTemplate(kind string) (string, error) {
	text := b.spec.BodyTemplate
	looks := looksLikeJSON(text)
	var scan stringScan
	switch {
	case kind == "" && looks:
		kind = "json"
	case kind == "":
		kind = "text"
	case kind == "json" && !looks && !hasOnlyPlaceholders(text):
		return "", executor.DefinitionError("body-template", "body_template is sent as JSON, but it is none")
	}
	filled, err := b.call.Scope.ExpandBlocks(text, func(before string, v template.Value) (string, error) {
		b.noteUse(v)
		b.req.secrets = b.req.secrets || v.Source == template.Secret
		return escapeForBody(kind, kind == "json" && scan.inside(before), v), nil
	})
	if err != nil {
		return "", executor.TemplateError("body_template", err)
	}
	if kind == "json" && !json.Valid([]byte(filled)) {
		err := executor.Errorf(executor.KindDefinition, "body-template", "body_template is sent as JSON, and is none once it is filled in: nothing was sent")
		return "", err.WithHint("The preview of the run cannot show it. Look at commas between the parts of {{#each}}: {{#if @last}}{{else}},{{/if}}. Text says `body_type: text`.")
	}
	b.req.body = []byte(filled)
	return kind, nil
}

// escapeForBody returns a value escaped for a body of a kind. quoted says that its place is inside a
// JSON string.
func escapeForBody(kind string, quoted bool, v template.Value) string {
	switch {
	case quoted:
		s := template.Value{Data: v.Text()}.JSON()
		return s[1 : len(s)-1]
	case kind == "json":
		return v.JSON()
	case kind == "form":
		return escape(v.Text())
	case kind == "xml":
		return escapeXML(v.Text())
	}
	return v.Text()
}

// looksLikeJSON reports whether a template is a JSON object or array once its placeholders are
// filled in.
func looksLikeJSON(text string) bool {
	trimmed := strings.TrimSpace(text)
	if !strings.HasPrefix(trimmed, "{") && !strings.HasPrefix(trimmed, "[") || hasOnlyPlaceholders(text) {
		return false
	}
	if template.HasBlocks(text) {
		return true
	}
	var scan stringScan
	skeleton, _ := placeholder.Fill(text, false, func(p placeholder.Lookup) (string, error) {
		if scan.inside(p.Before) {
			return "", nil
		}
		return "null", nil
	})
	return json.Valid([]byte(skeleton))
}

// hasOnlyPlaceholders reports whether text has at least one placeholder, and nothing else but
// placeholders and white space.
func hasOnlyPlaceholders(text string) bool {
	remaining, _ := placeholder.Fill(text, false, func(placeholder.Lookup) (string, error) { return "", nil })
	return strings.TrimSpace(remaining) == "" && strings.Contains(text, "{{")
}

// stringScan tracks whether the end of a growing JSON text is inside a string.
type stringScan struct {
	at int
	in bool
}

// inside reports whether text ends inside a string. text must begin with the text of the previous
// call.
func (s *stringScan) inside(text string) bool {
	for ; s.at < len(text); s.at++ {
		switch {
		case text[s.at] == '"':
			s.in = !s.in
		case s.in && text[s.at] == '\\':
			s.at++
		}
	}
	return s.in
}

var xmlEscapes = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "'", "&apos;")

func escapeXML(s string) string { return xmlEscapes.Replace(s) }

// addUnusedToBody adds the values that no template used to the body, or warns that they have no
// place. It returns the body type.
func (b *builder) addUnusedToBody(kind string, rest tool.Object) (string, error) {
	switch {
	case b.hasNoBody() || len(rest) == 0 && b.req.body != nil:
	case b.req.body == nil:
		return b.bodyFromArguments(kind, rest)
	case kind == "json":
		if joined, ok := joinObject(b.req.body, rest); ok {
			b.req.body = joined
			return kind, nil
		}
	}
	for _, m := range rest {
		b.warn("argument %q has no place in the request", m.Name)
	}
	return kind, nil
}

func (b *builder) hasNoBody() bool {
	return strings.EqualFold(b.spec.BodyMode, "none") || asksForHeaders(b.req.method)
}

// bodyFromArguments makes a body of the values alone. There is no body if every parameter is used
// elsewhere in the request.
func (b *builder) bodyFromArguments(kind string, rest tool.Object) (string, error) {
	if len(rest) == 0 && !b.wantsBody() {
		return kind, nil
	}
	switch kind {
	case "", "json":
		body, err := rest.MarshalJSON()
		b.req.body = body
		return "json", err
	case "form":
		var q query
		for _, m := range rest {
			q.addValue(m.Name, m.Value)
		}
		b.req.body = []byte(q.text.String())
		return kind, nil
	}
	return "", executor.DefinitionError("body-template", "a body of body_type: %s needs a body_template", kind)
}

// wantsBody reports whether the tool has a parameter, given or not, that the request uses nowhere
// else.
func (b *builder) wantsBody() bool {
	for _, p := range b.call.Tool.Params {
		if !b.isUsed(p.Name) {
			return true
		}
	}
	return false
}

// joinObject returns body, a JSON object, with those members of rest added that it does not have.
// It returns false if body is not an object.
func joinObject(body []byte, rest tool.Object) ([]byte, bool) {
	var has map[string]json.RawMessage
	if json.Unmarshal(body, &has) != nil || has == nil {
		return nil, false
	}
	var more tool.Object
	for _, m := range rest {
		if _, ok := has[m.Name]; !ok {
			more = append(more, m)
		}
	}
	text, err := more.MarshalJSON()
	if err != nil || len(more) == 0 {
		return body, err == nil
	}
	out := bytes.TrimSuffix(bytes.TrimSpace(body), []byte("}"))
	if len(has) > 0 {
		out = append(out, ',')
	}
	return append(out, text[1:]...), true
}
