package projectfile

import (
	"errors"
	"fmt"

	"github.com/abl-lsp/abl-lsp/tool"
)

// ReadForeignSettings reads the tables of a foreign file that belong into an abl.yaml: its sources,
// its auth services and its servers. It fails if one of them does not fit; unlike those of
// [ReadSettings], its errors do not begin with a line.
func ReadForeignSettings(tables tool.Object) (s Settings, err error) {
	declared := func(message string, _ ...string) error { return errors.New(message) }
	written, _ := asTexts(tables).(tool.Object)
	for table, into := range map[string]any{Sources: &s.Sources, AuthServices: &s.AuthServices, Servers: &s.Servers} {
		if err := readKey(written, table, into, declared); err != nil {
			return Settings{}, err
		}
	}
	return s, nil
}

// asTexts returns a value in which every scalar is a text, as written.
func asTexts(v any) any {
	switch v := v.(type) {
	case tool.Object:
		out := make(tool.Object, len(v))
		for i, m := range v {
			out[i] = tool.Member{Name: m.Name, Value: asTexts(m.Value)}
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, item := range v {
			out[i] = asTexts(item)
		}
		return out
	case nil, string:
		return v
	}
	return fmt.Sprint(v)
}
