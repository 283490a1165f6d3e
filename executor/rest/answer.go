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

// Answer returns the result for the body of an answer: JSON or text, or base64 if the body is
// neither. declared is the tool's result type; nil means that it declares none.
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

// textMediaTypes matches the media types of text. Of application types it considers only the
// beginning and the end, since those of office documents have `xml` and `text` in the middle and
// are not text.
var textMediaTypes = lazyregexp.New(`^(text|message|multipart)/|^application/((x-)?(json|xml|yaml)|.*(json|json-seq|\bxml|\byaml|script|\bsql|\burlencoded)$)`)

// isBinary reports whether a media type is not one of text. A body of such a type that is not
// valid text must be kept byte for byte.
func isBinary(media string) bool { return media != "" && !textMediaTypes.MatchString(media) }

// meansJSON reports whether a body that is valid JSON should be read as JSON: because of its media
// type, because the tool declares a result type, or because it is an object or an array.
func meansJSON(declared *tool.Type, media string, body []byte) bool {
	return isJSON(media) || declared != nil || body[0] == '{' || body[0] == '['
}

// Limits for the body of an error response: the bytes that are read, and those that are shown.
const (
	maxRefusalRead  = 64 << 10
	maxRefusalShown = 2000
)

// setBody sets the body of a response's description.
func setBody(r *executor.Response, resp *nethttp.Response, raw []byte) {
	r.SetBody(decodeToUTF8(resp.Header.Get("Content-Type"), raw), max(int64(len(raw)), plainLength(resp)))
}

// plainLength returns the length of a body that the header announces, if the body is not compressed.
func plainLength(resp *nethttp.Response) int64 {
	if resp.Header.Get("Content-Encoding") != "" || resp.Request.Method == nethttp.MethodHead {
		return 0
	}
	return resp.ContentLength
}

// statusError returns the error for a response whose status is not a success, and sets the body of
// the response's description.
func (t *exchange) statusError(call executor.Call, resp *nethttp.Response, response *executor.Response) error {
	var raw []byte
	if from, err := body(resp); err == nil {
		raw, _ = io.ReadAll(io.LimitReader(from, maxRefusalRead))
	}
	setBody(response, resp, raw)
	raw = decodeToUTF8(resp.Header.Get("Content-Type"), raw)
	text := executor.Shorten(call.Redact(strings.ToValidUTF8(string(raw), "\ufffd")), maxRefusalShown)
	status := strings.TrimSpace(strconv.Itoa(resp.StatusCode) + " " + nethttp.StatusText(resp.StatusCode))
	e := executor.Errorf(executor.KindRemote, "http-"+strconv.Itoa(resp.StatusCode), "%s answered %s", resp.Request.URL.Host, status)
	e.Details = map[string]any{"status": resp.StatusCode, "body": text}
	e.Status = resp.StatusCode
	e.RetryAfter = RetryAfter(resp.Header.Get("Retry-After"))
	return e
}

// maxSeconds is the longest Retry-After in seconds, about thirty years. A time.Duration can hold
// it.
const maxSeconds = 1e9

// RetryAfter returns the wait that text, a Retry-After header, asks for in seconds or by a date.
// It returns 0 if text is empty or neither, and the smallest duration for 0 and a past date.
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
