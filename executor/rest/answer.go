package rest

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"mime"
	nethttp "net/http"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
	"github.com/abl-lsp/abl-lsp/tool"
)

// Answer makes a result of a body: JSON where it is some, else text; of an image and of
// other bytes, their base64.
func Answer(declared *tool.Type, contentType string, body []byte) executor.Result {
	media, parameters, _ := mime.ParseMediaType(contentType)
	r := executor.Result{ContentType: media}
	if !utf8.Valid(body) && parameters["charset"] == "" && isBinary(media) {
		r.Text, r.Encoding = base64.StdEncoding.EncodeToString(body), executor.Base64
		return r
	}
	body = bytes.TrimPrefix(decodeToUTF8(contentType, body), []byte("\ufeff"))
	if !utf8.Valid(body) {
		body = bytes.ToValidUTF8(body, []byte("\ufffd"))
		r.Warnings = []string{"the response is no UTF-8 text; what is not was replaced"}
	}
	isText := declared != nil && declared.Name == "string" && !isJSON(media)
	switch trimmed := bytes.TrimSpace(body); {
	case len(trimmed) == 0:
		if declared != nil && declared.Name == "string" {
			r.Value = json.RawMessage(`""`)
		}
	case !isText && meansJSON(declared, media, trimmed) && json.Valid(trimmed):
		r.Value = trimmed
	default:
		r.Text = string(body)
	}
	return r
}

// textMediaTypes are media types whose bodies are text: those of applications by how they begin
// or end, since documents of offices have `xml` and `text` in the middle, and are none.
var textMediaTypes = lazyregexp.New(`^(text|message|multipart)/|^application/((x-)?(json|xml|yaml)|.*(json|json-seq|\bxml|\byaml|script|\bsql|\burlencoded)$)`)

// isBinary reports whether what is no text is none by its media type too, so that nothing
// of it may be replaced.
func isBinary(media string) bool { return media != "" && !textMediaTypes.MatchString(media) }

// meansJSON reports whether a body that can be read as JSON is meant so: by
// its type, by the declared one, or by being an object or an array.
func meansJSON(declared *tool.Type, media string, body []byte) bool {
	return isJSON(media) || declared != nil || body[0] == '{' || body[0] == '['
}

// Of a refusal's body so much is read, and so much shown.
const (
	maxRefusalRead  = 64 << 10
	maxRefusalShown = 2000
)

// statusError is the error for an answer that is no success.
func (t *exchange) statusError(call executor.Call, resp *nethttp.Response) error {
	var raw []byte
	if from, err := body(resp); err == nil {
		raw, _ = io.ReadAll(io.LimitReader(from, maxRefusalRead))
	}
	raw = decodeToUTF8(resp.Header.Get("Content-Type"), raw)
	text := executor.Shorten(call.Redact(strings.ToValidUTF8(string(raw), "\ufffd")), maxRefusalShown)
	status := strings.TrimSpace(strconv.Itoa(resp.StatusCode) + " " + nethttp.StatusText(resp.StatusCode))
	e := executor.Errorf(executor.KindRemote, "http-"+strconv.Itoa(resp.StatusCode), "%s answered %s", resp.Request.URL.Host, status)
	e.Details = map[string]any{"status": resp.StatusCode, "body": text}
	e.Status = resp.StatusCode
	e.RetryAfter = RetryAfter(resp.Header.Get("Retry-After"))
	return e
}

// maxSeconds is some thirty years, which a time.Duration can hold.
const maxSeconds = 1e9

// RetryAfter reads a Retry-After header: seconds, or a date. It returns 0 if there is
// none, and the smallest duration for "now".
func RetryAfter(text string) time.Duration {
	if text == "" {
		return 0
	}
	if n, err := strconv.ParseUint(text, 10, 64); err == nil || errors.Is(err, strconv.ErrRange) {
		return max(time.Duration(min(n, maxSeconds))*time.Second, 1)
	}
	at, err := nethttp.ParseTime(text)
	if err != nil {
		return 0
	}
	return max(time.Until(at), 1)
}
