package builtin

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"mime"
	nethttp "net/http"
	"strings"

	"golang.org/x/net/html/charset"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/rest"
)

// read returns the text of a page. It stops after most characters; more says that the page has
// more.
func read(page *rest.Page, most int) (text string, more bool, err error) {
	from := bufio.NewReader(page.Body)
	const sniffed = 512
	head, err := from.Peek(sniffed)
	if err != nil && !errors.Is(err, io.EOF) {
		return "", false, err
	}
	if len(head) == 0 {
		return "", false, nil
	}
	media, err := mediaType(page, head)
	if err != nil {
		return "", false, err
	}
	decoded, err := charset.NewReader(from, page.ContentType)
	if err != nil {
		return "", false, err
	}
	if media != "text/html" && media != "application/xhtml+xml" {
		return plainText(decoded, most)
	}
	source, more, err := collectMarkup(decoded, most)
	if err != nil {
		return "", false, err
	}
	return readable(source, page.URL), more, nil
}

// mediaType returns the media type that a page declares. It returns an error if the type, or the
// page's first bytes, show that it is not text.
func mediaType(page *rest.Page, head []byte) (string, error) {
	sniffed, _, _ := strings.Cut(nethttp.DetectContentType(head), ";")
	media, parameters, err := mime.ParseMediaType(page.ContentType)
	if err != nil {
		media = sniffed
	}
	wide := strings.HasPrefix(strings.ToLower(parameters["charset"]), "utf-16") // only this word tells it from binary
	if !isText(media) || !isText(sniffed) && !wide {
		shown := media
		if isText(media) {
			shown = sniffed + ", whatever it says"
		}
		return "", executor.Errorf(executor.KindRemote, "content-type", "url: %s is %s, which has no text to read", page.URL.Host, shown)
	}
	return media, nil
}

func isText(media string) bool {
	if strings.HasPrefix(media, "text/") || strings.HasSuffix(media, "+json") || strings.HasSuffix(media, "+xml") {
		return true
	}
	kind, ok := strings.CutPrefix(media, "application/")
	switch kind {
	case "json", "xml", "javascript", "ecmascript", "yaml", "x-yaml", "toml", "x-ndjson", "jsonl", "sql", "graphql":
		return ok
	}
	return false
}

// plainText returns the first most characters of a text, unchanged. more says that there are more.
func plainText(from io.Reader, most int) (text string, more bool, err error) {
	const wide = 4 // bytes of a character
	raw, err := io.ReadAll(io.LimitReader(from, int64(most*wide)+1))
	if err != nil {
		return "", false, err
	}
	whole := bytes.ToValidUTF8(raw, []byte("\ufffd"))
	runes := bytes.Runes(bytes.TrimPrefix(whole, []byte("\ufeff")))
	if len(runes) > most {
		return string(runes[:most]), true, nil
	}
	return string(runes), len(raw) > most*wide, nil
}
