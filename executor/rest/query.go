package rest

import (
	"net/url"
	"strings"

	"github.com/abl-lsp/abl-lsp/executor/template"
)

// queryParams adds the author's query parameters to the endpoint's query. A parameter that is
// nothing but a placeholder for an argument is written like that argument: a list repeats the key,
// and an argument that was not given adds nothing.
func (b *builder) queryParams() error {
	var q query
	for _, p := range b.spec.QueryParams {
		if v, ok := b.placeholderValue(p.Value); ok && (v.Source == template.Argument || v.Source == template.Earlier) {
			if v.Given {
				q.addValue(p.Key, v.Data)
			}
			continue
		}
		text, err := b.expand("query_params."+p.Key, p.Value, nil)
		if err != nil {
			return err
		}
		q.addValue(p.Key, text)
	}
	b.addQuery(&q)
	return nil
}

func (b *builder) addQuery(q *query) {
	if text := q.text.String(); text != "" {
		b.req.url.RawQuery = strings.TrimPrefix(b.req.url.RawQuery+"&"+text, "&")
	}
}

// query builds a query string.
type query struct{ text strings.Builder }

// addValue adds a value: a list repeats the key, an object is JSON, and null adds nothing.
func (q *query) addValue(key string, data any) {
	switch d := data.(type) {
	case nil:
		return
	case []any:
		for _, item := range d {
			q.addPair(key, template.Value{Data: item}.Text())
		}
		return
	}
	q.addPair(key, template.Value{Data: data}.Text())
}

func (q *query) addPair(key, value string) {
	if q.text.Len() > 0 {
		q.text.WriteByte('&')
	}
	q.text.WriteString(url.QueryEscape(key) + "=" + url.QueryEscape(value))
}
