package foreign

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
	"github.com/abl-lsp/abl-lsp/tool"
	"github.com/abl-lsp/abl-lsp/tool/exactjson"
)

// YAML returns v as YAML in block style. v is a tool.Object, a list, or a single value as
// [Node.Value] returns it.
func YAML(v any) string {
	var w yamlWriter
	w.below(0, v)
	return w.String()
}

type yamlWriter struct{ strings.Builder }

// below writes the lines of a map or of a list.
func (w *yamlWriter) below(depth int, v any) {
	switch v := v.(type) {
	case tool.Object:
		for _, m := range v {
			w.WriteString(strings.Repeat("  ", depth) + scalarText(m.Name) + ":")
			w.writeValueAfterKey(depth, m.Value)
		}
	case []any:
		for _, item := range v {
			w.item(depth, item)
		}
	default:
		w.WriteString(scalarText(v) + "\n")
	}
}

// writeValueAfterKey writes a value after its key: a single value on the same line, any other
// below.
func (w *yamlWriter) writeValueAfterKey(depth int, v any) {
	switch v := v.(type) {
	case tool.Object:
		if len(v) == 0 {
			w.WriteString(" {}\n")
			return
		}
	case []any:
		if len(v) == 0 {
			w.WriteString(" []\n")
			return
		}
	case string:
		if isLiteral(v) {
			w.literal(depth+1, v)
			return
		}
		w.WriteString(" " + scalarText(v) + "\n")
		return
	default:
		w.WriteString(" " + scalarText(v) + "\n")
		return
	}
	w.WriteByte('\n')
	w.below(depth+1, v)
}

// item writes an item of a list, with its first line after the dash.
func (w *yamlWriter) item(depth int, v any) {
	indent := strings.Repeat("  ", depth)
	o, isMap := v.(tool.Object)
	list, isList := v.([]any)
	switch {
	case isMap && len(o) > 0, isList && len(list) > 0:
		var in yamlWriter
		in.below(depth+1, v)
		w.WriteString(indent + "- " + strings.TrimPrefix(in.String(), indent+"  "))
	default:
		w.WriteString(indent + "-")
		w.writeValueAfterKey(depth, v)
	}
}

// literal writes a text line by line.
func (w *yamlWriter) literal(depth int, s string) {
	body, ends := strings.CutSuffix(s, "\n")
	w.WriteString(map[bool]string{true: " |\n", false: " |-\n"}[ends])
	for line := range strings.SplitSeq(body, "\n") {
		if line != "" {
			w.WriteString(strings.Repeat("  ", depth) + line)
		}
		w.WriteByte('\n')
	}
}

var (
	odd       = lazyregexp.New(`[\x00-\x08\x0b-\x1f\x7f-\x9f\x{2028}\x{2029}\x{feff}\x{fffe}\x{ffff}]`)
	plainText = lazyregexp.New(`^[A-Za-z_/][\w./()+-]*( [\w./()+-]+)*$`)
	meaning   = []string{"true", "false", "null", "yes", "no", "on", "off", "y", "n"}
)

// isLiteral reports whether a literal block of YAML preserves the lines of a text.
func isLiteral(s string) bool {
	body := strings.TrimSuffix(s, "\n")
	return strings.Contains(s, "\n") && body != "" && !odd.MatchString(s) && !strings.HasSuffix(body, "\n") &&
		!strings.ContainsAny(s[:1], " \t\n")
}

// scalarText writes a single value on its line.
func scalarText(v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case string:
		if plainText.MatchString(v) && !slices.Contains(meaning, strings.ToLower(v)) {
			return v
		}
		return odd.ReplaceAllStringFunc(string(exactjson.EncodeOrNil(v)), func(s string) string { return fmt.Sprintf(`\u%04x`, []rune(s)[0]) })
	case bool, json.Number:
		return fmt.Sprint(v)
	case tool.Object:
		return "{}"
	case []any:
		return "[]"
	}
	return string(exactjson.EncodeOrNil(v))
}
