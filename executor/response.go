package executor

import (
	"encoding/base64"
	nethttp "net/http"
	"strings"
	"unicode/utf8"
)

// Response describes the last answer to an HTTP tool.
type Response struct {
	Status  int               `json:"status"`
	Headers map[string]string `json:"headers"` // names in lowercase; several values are joined by ", "
	Bytes   int64             `json:"bytes"`   // of the body, decompressed

	// Raw is the body as it came, decompressed, if [Request.KeepRaw] is set. Only its first
	// maxRaw bytes are there if RawCut is set.
	Raw         string `json:"raw,omitempty"`
	RawEncoding string `json:"raw_encoding,omitempty"` // [Base64] if the body is not valid text
	RawCut      bool   `json:"raw_cut,omitempty"`

	body []byte // what was read of the body
}

// maxRaw is the number of bytes to which [Response.Raw] is cut.
const maxRaw = 1 << 20

// NewResponse returns the description of an answer without its body.
func NewResponse(resp *nethttp.Response) *Response {
	r := &Response{Status: resp.StatusCode, Headers: make(map[string]string, len(resp.Header))}
	for name, values := range resp.Header {
		r.Headers[strings.ToLower(name)] = strings.Join(values, ", ")
	}
	return r
}

// SetBody sets the body, which does not change any more, as text in UTF-8 if it is text. size is
// the number of its bytes as they came.
func (r *Response) SetBody(body []byte, size int64) { r.body, r.Bytes = body, size }

// shown returns a copy of r without secrets, for the envelope. raw includes the body.
func (r *Response) shown(redact func(string) string, raw bool) *Response {
	if r == nil {
		return nil
	}
	shown := &Response{Status: r.Status, Bytes: r.Bytes, Headers: make(map[string]string, len(r.Headers))}
	for name, value := range r.Headers {
		shown.Headers[redact(name)] = redact(value)
	}
	if raw {
		shown.addRaw(r.body, redact)
	}
	return shown
}

// addRaw adds the body. It is cut after the secrets are removed, since a part of a secret is not
// recognised.
func (r *Response) addRaw(body []byte, redact func(string) string) {
	text := string(body)
	if !utf8.ValidString(text) {
		text, r.RawEncoding = base64.StdEncoding.EncodeToString(body), Base64
	}
	text = redact(text)
	if len(text) > maxRaw {
		text, r.RawCut = strings.ToValidUTF8(text[:maxRaw], ""), true
	}
	r.Raw = text
}
