package toolbox

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
	"github.com/abl-lsp/abl-lsp/tool"
	"github.com/abl-lsp/abl-lsp/tool/exactjson"
	"github.com/abl-lsp/abl-lsp/tool/placeholder"
)

// mediaTypes are the media types that a run sends, by `body_type`.
var mediaTypes = map[string]string{
	"json": "application/json", "form": "application/x-www-form-urlencoded", "xml": "application/xml", "text": "text/plain; charset=utf-8",
}

// writeBody writes the body of a request and its media type: the template, with the remaining
// parameters as members of its object. If no template makes the body, it is an object of these
// parameters. why says why it cannot be written.
func (w *writer) writeBody(t tool.Tool, s *tool.HTTP, params []tool.Param) (body, media, why string) {
	declaredType := w.declaredMedia(s)
	kind := bodyKind(s, declaredType)
	switch {
	case strings.EqualFold(s.BodyMode, "none"):
		if s.BodyTemplate != "" {
			w.ReportLoss(t.QualifiedName(), "body_template, which is not sent")
		}
		return "", "", ""
	case s.BodyTemplate == "" && len(params) == 0:
		return "", "", ""
	}
	b := bodyWriter{w, t, params, kind}
	text, hasTemplate := secretsToVariables(s.BodyTemplate).(string), false
	var rest []tool.Param
	for _, p := range params {
		if namesParam(inTemplate, s.BodyTemplate, p.Name) {
			hasTemplate = true
		} else {
			rest = append(rest, p)
		}
	}
	switch kind {
	case "form", "xml":
		if hasTemplate || text == "" {
			return "", "", "its body is " + kind + ", in which Toolbox escapes nothing"
		}
	case "text":
		text = b.writePlain(text)
	default:
		if text, why = b.writeJSON(text, rest); why != "" {
			return "", "", why
		}
	}
	if declaredType != "" {
		return text, "", ""
	}
	return text, mediaTypes[kind], ""
}

// declaredMedia returns the media type that a header of the tool or of its source declares.
func (w *writer) declaredMedia(s *tool.HTTP) string {
	for _, m := range sortedObject(s.Headers) {
		if text := m.Value.(string); strings.EqualFold(m.Name, "Content-Type") {
			return text
		}
	}
	return w.sourceMedia[s.Source]
}

// bodyKind returns the kind of a body, for which a header may declare a media type.
func bodyKind(s *tool.HTTP, contentType string) string {
	media, _, _ := strings.Cut(strings.ToLower(contentType), ";")
	media = strings.TrimSpace(media)
	switch {
	case s.BodyType != "":
		return strings.ToLower(s.BodyType)
	case media == mediaTypes["json"] || strings.HasSuffix(media, "+json"):
		return "json"
	case media == mediaTypes["form"]:
		return "form"
	case strings.HasSuffix(media, "xml"):
		return "xml"
	case media != "" || s.BodyTemplate != "" && !isJSON(s.BodyTemplate):
		return "text"
	}
	return "json"
}

// isJSON reports whether a template is an object or a list once its placeholders are replaced by
// values.
func isJSON(text string) bool {
	skeleton := replacePlaceholders(text, func(_ string, quoted bool) string { return map[bool]string{false: "null"}[quoted] })
	skeleton = strings.TrimSpace(skeleton)
	return skeleton != "" && strings.Contains("{[", skeleton[:1]) && json.Valid([]byte(skeleton))
}

// replacePlaceholders replaces each placeholder of a text by what write returns for it; quoted is
// true if the placeholder is inside a string of JSON.
func replacePlaceholders(text string, write func(placeholder string, quoted bool) string) string {
	var b strings.Builder
	at, in := 0, false
	for _, m := range anyBraces.FindAllStringIndex(text, -1) {
		in = endsInString(text[at:m[0]], in)
		b.WriteString(text[at:m[0]] + write(text[m[0]:m[1]], in))
		at = m[1]
	}
	return b.String() + text[at:]
}

// endsInString reports whether a text ends inside a string of JSON; in is true if it begins inside
// one.
func endsInString(text string, in bool) bool {
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == '"':
			in = !in
		case in && text[i] == '\\':
			i++
		}
	}
	return in
}

// bodyWriter writes a body as a template of Go.
type bodyWriter struct {
	*writer
	tool   tool.Tool
	params []tool.Param
	kind   string
}

// paramOf returns the parameter that a placeholder names; nil for a secret.
func (b *bodyWriter) paramOf(placeholder string) *tool.Param {
	i := slices.IndexFunc(b.params, func(p tool.Param) bool { return p.Name == soleName(placeholder) })
	if i < 0 {
		return nil
	}
	return &b.params[i]
}

// writePlain writes a body whose values are inserted unchanged.
func (b *bodyWriter) writePlain(text string) string {
	return anyBraces.ReplaceAllStringFunc(text, func(found string) string {
		p := b.paramOf(found)
		if p == nil {
			return found
		}
		b.noteAbsent(*p)
		return b.unquotedPlaceholder(*p)
	})
}

// unquotedPlaceholder writes a placeholder inside quotes.
func (*bodyWriter) unquotedPlaceholder(p tool.Param) string {
	if isText(p.Type) {
		return "{{." + p.Name + "}}"
	}
	return jsonPlaceholder(p)
}

// wholeText matches a string of JSON that is one placeholder.
var wholeText = lazyregexp.New(`"` + placeholder.Any + `"`)

func jsonPlaceholder(p tool.Param) string { return "{{json ." + p.Name + "}}" }

// writeJSON writes a body of JSON. A placeholder that is a complete string of JSON, with its
// quotes, becomes a `json` placeholder of Toolbox; the parameters in rest become members of the
// object. why says why there is no such template.
func (b *bodyWriter) writeJSON(text string, rest []tool.Param) (out, why string) {
	if text == "" {
		text = "{}"
	}
	text = wholeText.ReplaceAllStringFunc(text, func(found string) string {
		placeholder := strings.Trim(found, `"`)
		if p := b.paramOf(placeholder); p != nil && isText(p.Type) {
			b.noteAbsent(*p)
			return placeholder
		}
		return found
	})
	out = replacePlaceholders(text, func(found string, quoted bool) string {
		p := b.paramOf(found)
		switch {
		case p == nil:
			return found
		case !quoted:
			return jsonPlaceholder(*p)
		case isText(p.Type):
			b.Note(b.tool.QualifiedName(), "Toolbox puts %s into a text of the body as it is, also a quote in it", p.Name)
		}
		b.noteAbsent(*p)
		return b.unquotedPlaceholder(*p)
	})
	if len(rest) == 0 {
		return out, ""
	}
	inner, isObject := strings.CutSuffix(strings.TrimSpace(out), "}")
	if !isObject || soleName(text) != "" {
		return "", fmt.Sprintf("its parameter %s has no place in the body that its template makes", rest[0].Name)
	}
	for _, p := range rest {
		b.noteAbsent(p)
		if strings.TrimSpace(inner) != "{" {
			inner += ", "
		}
		inner += string(exactjson.EncodeOrNil(p.Name)) + ": " + jsonPlaceholder(p)
	}
	return inner + "}", ""
}

// noteAbsent notes what Toolbox sends for a missing argument.
func (b *bodyWriter) noteAbsent(p tool.Param) {
	if p.Optional && p.Default == nil {
		b.Note(b.tool.QualifiedName(), "Toolbox writes null or <no value> into the body for %s where that is left out", p.Name)
	}
}
