package builtin

import (
	"errors"
	"io"
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/JohannesKaufmann/html-to-markdown/v2/converter"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/base"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/commonmark"
	"github.com/go-shiori/go-readability"
	"golang.org/x/net/html"
)

// hiddenElements are the HTML elements that show no text.
var hiddenElements = map[string]bool{
	"script": true, "style": true, "noscript": true, "template": true, "svg": true, "iframe": true, "object": true, "canvas": true, "math": true,
}

// Limits for markup. A tag longer than longTag loses its attributes. Reading ends at a word or tag
// longer than longToken. The kept markup is bounded by minMarkup and markupPerChar for each
// character that may be read, and by maxMarkup.
const (
	longTag       = 2 << 10
	longToken     = 1 << 20
	minMarkup     = 64 << 10
	markupPerChar = 16
	maxMarkup     = 2 << 20
)

// collectMarkup reads a page until it has most characters of visible text, and returns the markup
// without hidden elements. more says that the page has more text. It keeps a bounded part of a
// page of any length.
func collectMarkup(from io.Reader, most int) (source string, more bool, err error) {
	z := html.NewTokenizer(from)
	z.SetMaxBuf(longToken)
	var out strings.Builder
	var cells row
	seen, inside := 0, ""
	for room := min(minMarkup+markupPerChar*most, maxMarkup); most > seen && out.Len() < room; {
		switch kind := z.Next(); kind {
		case html.ErrorToken:
			if err := z.Err(); !errors.Is(err, io.EOF) && !errors.Is(err, html.ErrBufferExceeded) {
				return "", false, err
			}
			return out.String(), errors.Is(z.Err(), html.ErrBufferExceeded), nil
		case html.TextToken:
			if inside == "" {
				text := firstCharacters(z.Raw(), most-seen)
				out.Write(text)
				seen += characters(text)
			}
		case html.StartTagToken, html.SelfClosingTagToken, html.EndTagToken:
			raw := string(z.Raw()) // TagName changes it
			name, _ := z.TagName()
			inside = hiddenElementAfter(inside, string(name), kind)
			if inside == "" && !hiddenElements[string(name)] {
				out.WriteString(shortenTag(raw, string(name)))
				out.WriteString(cells.cellPrefix(string(name), kind))
			}
		}
	}
	return out.String(), true, nil
}

// row tracks the cells of a table row, so that they do not run together.
type row struct{ inside bool } // the row has had a cell

// cellPrefix returns the text to put before a cell: a new line before the first, a bar before the
// others. It is "" for other tags.
func (r *row) cellPrefix(name string, kind html.TokenType) string {
	switch {
	case kind != html.StartTagToken:
	case name == "tr", name == "table":
		r.inside = false
	case name == "td", name == "th":
		again := r.inside
		r.inside = true
		if again {
			return " | "
		}
		return "<br>"
	}
	return ""
}

// hiddenElementAfter returns the hidden element that contains the content after a tag. It is ""
// if the content is visible.
func hiddenElementAfter(inside, name string, kind html.TokenType) string {
	switch {
	case inside == "" && kind == html.StartTagToken && hiddenElements[name]:
		return name
	case inside == name && kind == html.EndTagToken:
		return ""
	}
	return inside
}

func shortenTag(tag, name string) string {
	if len(tag) > longTag {
		return "<" + name + ">"
	}
	return tag
}

// characters counts the visible characters. A run of spaces counts as one.
func characters(text []byte) int {
	n, space := 0, true
	for _, r := range string(text) {
		now := unicode.IsSpace(r)
		if !now || !space {
			n++
		}
		space = now
	}
	return n
}

// firstCharacters returns the beginning of a text: at least most characters, if there are so many,
// in at most four times as many bytes.
func firstCharacters(text []byte, most int) []byte {
	most *= utf8.UTFMax
	if len(text) <= most {
		return text
	}
	for most > 0 && !utf8.RuneStart(text[most]) {
		most--
	}
	return text[:most]
}

// maxElements is the largest number of elements of a page in which the article is searched for,
// since the time for that grows faster than the page.
const maxElements = 20_000

// readable returns the readable content of source, the HTML page at the URL at, as Markdown: the
// article if there is one, else the whole page.
func readable(source string, at *url.URL) string {
	source = strings.TrimPrefix(strings.ToValidUTF8(source, "\ufffd"), "\ufeff")
	parser := readability.NewParser()
	parser.MaxElemsToParse = maxElements
	article, err := parser.Parse(strings.NewReader(source), at)
	title := oneLine(article.Title)
	toText := newConverter()
	if err == nil && article.Node != nil && strings.TrimSpace(article.TextContent) != "" {
		if text, err := toText.ConvertNode(article.Node); err == nil {
			return withTitle(title, string(text))
		}
	}
	text, err := toText.ConvertString(source, converter.WithDomain(at.Scheme+"://"+at.Host))
	if err != nil {
		text = textOnly(source)
	}
	return withTitle(title, text)
}

// hidden replaces < and > by two noncharacters, which no page may contain, and shown puts < and >
// back at the end.
var (
	hidden = strings.NewReplacer("<", "\ufdd0", ">", "\ufdd1", "\ufdd0", "\ufffd", "\ufdd1", "\ufffd")
	shown  = strings.NewReplacer("\ufdd0", "<", "\ufdd1", ">")
)

// newConverter returns a converter that writes headings, lists and links as Markdown, and all text
// unescaped. Otherwise a model that quotes the page would quote backslashes and entities.
func newConverter() *converter.Converter {
	c := converter.NewConverter(converter.WithEscapeMode(converter.EscapeModeDisabled),
		converter.WithPlugins(base.NewBasePlugin(), commonmark.NewCommonmarkPlugin()))
	c.Register.TextTransformer(func(_ converter.Context, text string) string { return hidden.Replace(text) }, converter.PriorityEarly)
	c.Register.PostRenderer(func(_ converter.Context, all []byte) []byte { return []byte(shown.Replace(string(all))) }, converter.PriorityLate)
	return c
}

// withTitle puts the title above the text, unless the text already begins with it.
func withTitle(title, text string) string {
	text = strings.TrimSpace(text)
	if start, _, _ := strings.Cut(text, "\n"); title == "" || strings.TrimLeft(start, "# ") == title {
		return text
	}
	return strings.TrimSpace("# " + title + "\n\n" + text)
}

// textOnly returns the plain text of a page that no parser accepts.
func textOnly(source string) string {
	z := html.NewTokenizer(strings.NewReader(source))
	var out strings.Builder
	for {
		switch z.Next() {
		case html.ErrorToken:
			return oneLine(out.String())
		case html.TextToken:
			out.Write(z.Text())
			out.WriteByte(' ')
		}
	}
}
