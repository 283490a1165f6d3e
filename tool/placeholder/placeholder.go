// Package template fills the placeholders of a binding.
//
// It promises that text put in for a placeholder is never looked at again,
// and that each place escapes what stands there: a caller says how, see
// [Scope.Expand].
package template

import (
	"fmt"
	"strings"
)

// Place is one placeholder in a text.
type Place struct {
	Name   string // what stands between the braces, trimmed
	Single bool   // {name}, in an endpoint
	Before string // the text filled in so far
}

// Error is a placeholder that cannot be filled in.
type Error struct {
	Name   string // as written between the braces
	Reason string
}

func (e *Error) Error() string { return fmt.Sprintf("{{%s}} %s", e.Name, e.Reason) }

// valueRoom is more than the values of most texts take beyond their placeholders.
const valueRoom = 32

// Fill puts value(p) in the place of every {{…}}, and with single also of
// every {…}. A brace that is not closed is text.
func Fill(text string, single bool, value func(Place) (string, error)) (string, error) {
	if strings.IndexByte(text, '{') < 0 {
		return text, nil
	}
	var out strings.Builder
	out.Grow(len(text) + valueRoom)
	for text != "" {
		i := strings.IndexByte(text, '{')
		if i < 0 {
			break
		}
		out.WriteString(text[:i])
		text = text[i:]
		name, n, double := placeholder(text)
		if n == 0 || !double && !single {
			out.WriteByte('{')
			text = text[1:]
			continue
		}
		s, err := value(Place{Name: name, Single: !double, Before: out.String()})
		if err != nil {
			return "", err
		}
		out.WriteString(s)
		text = text[n:]
	}
	out.WriteString(text)
	return out.String(), nil
}

// placeholder reads the one at the beginning of text. n is its length, 0
// where there is none.
func placeholder(text string) (name string, n int, double bool) {
	open, shut := "{", "}"
	if strings.HasPrefix(text, "{{") {
		open, shut, double = "{{", "}}", true
	}
	rest := text[len(open):]
	end := strings.IndexAny(rest, "{}\n\"") // a name has none of these
	if end < 0 || !strings.HasPrefix(rest[end:], shut) {
		return "", 0, false
	}
	name = strings.TrimSpace(rest[:end])
	if name == "" {
		return "", 0, false
	}
	return name, len(open) + end + len(shut), double
}

// Has reports whether there is a {{…}} in text.
func Has(text string) (found bool) {
	_, _ = Fill(text, false, func(Place) (string, error) {
		found = true
		return "", nil
	})
	return found
}

// Secrets are the names in the {{secrets.NAME}} placeholders of text, each
// once, in order.
func Secrets(text string) []string {
	var names []string
	seen := map[string]bool{}
	_, _ = Fill(text, false, func(p Place) (string, error) {
		name, ok := strings.CutPrefix(p.Name, "secrets.")
		if ok && !seen[name] {
			seen[name] = true
			names = append(names, name)
		}
		return "", nil
	})
	return names
}
