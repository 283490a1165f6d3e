package rest

import (
	"net/url"
	"strings"

	"github.com/abl-lsp/abl-lsp/executor/template"
)

// queryParams adds the author's parameters to the query of the endpoint. One
// that stands for an argument alone takes its form: a list repeats the key,
// and what was left out is left out.
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

// query is a query string in the making.
type query struct{ text strings.Builder }

// addValue writes a value: lists repeat the key, objects are JSON, null is nothing.
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
