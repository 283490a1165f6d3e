package rest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	nethttp "net/http"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/http/httpguts"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/oauth"
	"github.com/abl-lsp/abl-lsp/executor/template"
	"github.com/abl-lsp/abl-lsp/tool"
	"github.com/abl-lsp/abl-lsp/tool/exactjson"
	"github.com/abl-lsp/abl-lsp/tool/placeholder"
)

// request is an HTTP request that is ready to be sent.
type request struct {
	method   string
	url      *url.URL
	header   nethttp.Header
	body     []byte       // nil: none
	secrets  bool         // the body contains a secret
	fixed    bool         // URL and body contain no secret and will not change
	grant    *oauth.Grant // the grant of its token; nil: it has none
	warnings []string
}

// tokenSource returns the token that a grant describes.
type tokenSource func(call executor.Call, g oauth.Grant) (token string, err error)

// builder builds a request from a binding and the values of a call.
type builder struct {
	call   executor.Call
	spec   *tool.HTTP
	edit   func([]byte) ([]byte, error)
	obtain tokenSource
	used   []string // arguments, and session.x, that the request uses
	secret bool     // the request uses a secret
	req    *request
}

// methods are the supported methods. The value says whether values that no template used go into
// the query instead of the body.
var methods = map[string]bool{
	"GET": true, "HEAD": true, "OPTIONS": true, "DELETE": true,
	"POST": false, "PUT": false, "PATCH": false,
}

// asksForHeaders reports whether the headers are the answer to a method. Such a request has no
// body.
func asksForHeaders(method string) bool {
	return method == nethttp.MethodHead || method == nethttp.MethodOptions
}

const anyMethod = "one of GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS"

func (c *Client) builder(call executor.Call, binding Binding) *builder {
	return &builder{call: call, spec: binding.HTTP, edit: binding.Edit, req: &request{}}
}

func (c *Client) build(call executor.Call, binding Binding, obtain tokenSource) (*request, error) {
	if err := checkSupported(binding.HTTP); err != nil {
		return nil, err
	}
	b := c.builder(call, binding)
	b.obtain, b.req.header = obtain, maps.Clone(c.header)
	if err := b.runInOrder(b.setMethod, b.setURL, b.queryParams); err != nil {
		return nil, err
	}
	inURL := b.secret
	if err := b.runInOrder(b.addHeaders, b.addCredentials); err != nil {
		return nil, err
	}
	b.secret = false
	if err := b.buildBody(); err != nil {
		return nil, err
	}
	b.req.fixed = !inURL && !b.secret && b.edit == nil
	return b.req, nil
}

func (b *builder) runInOrder(parts ...func() error) error {
	for _, part := range parts {
		if err := part(); err != nil {
			return err
		}
	}
	return nil
}

// rebuild returns the previewed request with new headers, now that the secrets are known. If
// secrets affect more than the headers, it builds the whole request anew.
func (c *Client) rebuild(call executor.Call, binding Binding, obtain tokenSource) (*request, error) {
	shown := previewOf(call, binding)
	if shown == nil || !shown.fixed {
		return c.build(call, binding, obtain)
	}
	b := c.builder(call, binding)
	b.obtain, b.req.header = obtain, maps.Clone(c.header)
	if err := b.runInOrder(b.addHeaders, b.addCredentials); err != nil {
		return nil, err
	}
	if was := shown.header["Content-Type"]; was != nil && b.req.header["Content-Type"] == nil {
		b.req.header["Content-Type"] = was
	}
	if b.req.header.Get("Content-Type") != shown.header.Get("Content-Type") {
		return c.build(call, binding, obtain)
	}
	b.req.method, b.req.url, b.req.body, b.req.fixed = shown.method, shown.url, shown.body, true
	for _, w := range shown.warnings {
		b.warn("%s", w)
	}
	return b.req, nil
}

// checkSupported returns an error for a binding that this version would send in a wrong form.
func checkSupported(s *tool.HTTP) error {
	if strings.EqualFold(s.Protocol, "soap") {
		return executor.DefinitionError("not-supported", "protocol: soap cannot be run by this version")
	}
	return nil
}

func (b *builder) setMethod() error {
	b.req.method = strings.ToUpper(b.spec.Method)
	if b.spec.Method == "" {
		return executor.DefinitionError("method", "method is missing; give %s", anyMethod)
	}
	if _, ok := methods[b.req.method]; !ok {
		return executor.DefinitionError("method", "method: %s is not %s", b.spec.Method, anyMethod)
	}
	return nil
}

func (b *builder) addHeaders() error {
	b.setIdempotencyKey()
	return b.setHeaders("headers.", b.spec.Headers)
}

// setIdempotencyKey sets the header with the call's idempotency key. The author's headers can
// override it.
func (b *builder) setIdempotencyKey() {
	name := b.spec.IdempotencyHeader
	if name == "" {
		return
	}
	if fault := tool.IdempotencyFault(name); fault != "" {
		b.warn("idempotency_header: %s %s", name, fault)
		return
	}
	b.req.header[nethttp.CanonicalHeaderKey(name)] = []string{b.call.IdempotencyKey}
}

func (b *builder) setHeaders(property string, headers map[string]string) error {
	for name, text := range headers {
		if err := b.setHeader(property, name, text); err != nil {
			return err
		}
	}
	return nil
}

// setHeader fills in a header and sets it. A header that is nothing but a placeholder for an
// argument that was not given is left out. Headers that HTTP itself controls, such as
// Content-Length, are an error. property names the header in messages; if it ends in a dot,
// the header's name follows.
func (b *builder) setHeader(property, written, text string) error {
	name := nethttp.CanonicalHeaderKey(written)
	switch name {
	case "Host", "Content-Length", "Transfer-Encoding", "Connection", "Upgrade":
		return executor.DefinitionError("header", "%s: %s follows from the endpoint and the body, and cannot be set", headerProperty(property, written), name)
	case "Accept-Encoding":
		return nil // open sets it, and body decodes the answer
	}
	value := text
	if v, ok := b.placeholderValue(text); ok {
		if value = v.Text(); !v.Given {
			return nil
		}
	} else if strings.Contains(text, "{{") {
		var err error
		if value, err = b.expand(headerProperty(property, written), text, nil); err != nil {
			return err
		}
	}
	value = strings.TrimSpace(value)
	b.trackWritten(property, written, text)
	if !httpguts.ValidHeaderFieldName(name) {
		return executor.DefinitionError("header", "%s: %q is no header name", headerProperty(property, written), name)
	}
	if !httpguts.ValidHeaderFieldValue(value) {
		return executor.Errorf(executor.KindArguments, "header", "%s: a line break or control character cannot stand in a header", headerProperty(property, written))
	}
	b.req.header[name] = []string{value}
	return nil
}

// headerProperty returns the property that sets a header, for messages.
func headerProperty(property, name string) string {
	if strings.HasSuffix(property, ".") {
		return property + name
	}
	return property
}

// trackWritten marks a credential that the author wrote in plain text as secret. To write it so is
// a mistake, but it is no less secret.
func (b *builder) trackWritten(property, name, text string) {
	custom := property == customHeaders && executor.IsCredentialHeader(name, text)
	if !strings.Contains(text, "{{") && (property == "auth" || custom || executor.IsCredentialName(name)) {
		b.call.TrackLiteral(headerProperty(property, name), executor.WithoutAuthScheme(text))
	}
}

// expand fills in the placeholders of a property. write returns a value's text; nil means plain
// text.
func (b *builder) expand(property, text string, write func(template.Value) (string, error)) (string, error) {
	out, err := b.call.Scope.Expand(text, func(v template.Value) (string, error) {
		b.noteUse(v)
		if write == nil {
			return v.Text(), nil
		}
		return write(v)
	})
	if err != nil {
		return "", executor.TemplateError(property, err)
	}
	return out, nil
}

// noteUse notes that the request uses an argument, a session value or a secret.
func (b *builder) noteUse(v template.Value) {
	switch {
	case v.Source == template.Secret:
		b.secret = true
	case v.Source == template.Session:
		b.noteUsedName("session." + v.Name)
	case v.Source != template.Argument:
	case v.Name != "":
		b.noteUsedName(v.Name)
	default:
		for _, name := range b.call.Scope.Params {
			b.noteUsedName(name)
		}
	}
}

func (b *builder) noteUsedName(name string) {
	if !b.isUsed(name) {
		b.used = append(b.used, name)
	}
}

func (b *builder) isUsed(name string) bool { return slices.Contains(b.used, name) }

// placeholderValue returns the value of a text that is one placeholder and nothing else. It is
// false for any other text.
func (b *builder) placeholderValue(text string) (template.Value, bool) {
	name, ok := placeholder.SoleName(text)
	if !ok {
		return template.Value{}, false
	}
	v, err := b.call.Scope.Lookup(name)
	if err == nil {
		b.noteUse(v)
	}
	return v, err == nil
}

// unusedValues returns the values that no template used: the arguments in the order of the
// signature, then the session values that the tool reads.
func (b *builder) unusedValues() tool.Object {
	if b.call.NamedOnly {
		return nil
	}
	var out tool.Object
	for _, name := range b.call.Scope.Params {
		if v, ok := b.call.Scope.Args[name]; ok && !b.isUsed(name) {
			out = append(out, tool.Member{Name: name, Value: v})
		}
	}
	for _, m := range b.call.SessionValues {
		if !b.isUsed("session." + m.Name) {
			out = append(out, m)
		}
	}
	return out
}

// shownBody returns the body as a preview shows it: a JSON object or list as JSON, anything else
// as text. A JSON string stays in its quotes, because "x" and x are different bodies. An object
// with two members of one name is shown as text, because most readers show only the last one.
func (r *request) shownBody() any {
	switch {
	case r.body == nil:
		return nil
	case json.Valid(r.body) && bytes.ContainsAny(r.body[:1], "{[") && !repeatsMember(r.body):
		return json.RawMessage(r.body)
	}
	return string(r.body)
}

// repeatsMember reports whether an object in valid JSON has two members of one name.
func repeatsMember(raw []byte) bool {
	text := string(raw)
	var names []string // of the members of all enclosing objects
	var begins []int   // the index of each object's first name
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '{':
			begins = append(begins, len(names))
		case '}':
			last := len(begins) - 1
			if hasDuplicate(names[begins[last]:]) {
				return true
			}
			names, begins = names[:begins[last]], begins[:last]
		case '"':
			end := i + exactjson.StringEnd(text[i:])
			if strings.HasPrefix(strings.TrimLeft(text[end:], " \t\r\n"), ":") {
				names = append(names, unquote(text[i:end]))
			}
			i = end - 1
		}
	}
	return false
}

// hasDuplicate reports whether a name appears twice. It sorts names.
func hasDuplicate(names []string) bool {
	slices.Sort(names)
	return len(slices.Compact(names)) < len(names)
}

// unquote returns the meaning of a quoted string of valid JSON.
func unquote(quoted string) string {
	if strings.IndexByte(quoted, '\\') < 0 && utf8.ValidString(quoted) {
		return quoted[1 : len(quoted)-1]
	}
	var text string
	_ = json.Unmarshal([]byte(quoted), &text) // it is valid
	return text
}

func (b *builder) warn(format string, args ...any) {
	if text := fmt.Sprintf(format, args...); !slices.Contains(b.req.warnings, text) {
		b.req.warnings = append(b.req.warnings, text)
	}
}
