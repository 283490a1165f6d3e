package projectfile

import (
	"encoding/json"
	"fmt"

	"github.com/abl-lsp/abl-lsp/tool"
)

// ReadBrought reads what a file of another system brings that belongs into this one:
// its sources, its auth services and its servers.
func ReadBrought(tables tool.Object) (s Settings, err error) {
	for table, into := range map[string]any{Sources: &s.Sources, AuthServices: &s.AuthServices, Servers: &s.Servers} {
		i := memberOf(tables, table)
		if i < 0 {
			continue
		}
		raw, err := encode(texts(tables[i].Value))
		if err == nil {
			err = json.Unmarshal(raw, into)
		}
		if err != nil {
			return Settings{}, fmt.Errorf("%s%s", table, wrong(err))
		}
	}
	return s, nil
}

// texts is a value in which every scalar is a text, as it is written.
func texts(v any) any {
	switch v := v.(type) {
	case tool.Object:
		out := make(tool.Object, len(v))
		for i, m := range v {
			out[i] = tool.Member{Name: m.Name, Value: texts(m.Value)}
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, item := range v {
			out[i] = texts(item)
		}
		return out
	case nil, string:
		return v
	}
	return fmt.Sprint(v)
}
