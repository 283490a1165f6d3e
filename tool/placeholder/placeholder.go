// Package placeholder is the grammar of what a run fills in: {{name}}, and {name} in an endpoint.
//
// Analysis and runs find the same placeholders. Text that was filled in is never searched for
// placeholders.
package placeholder

import (
	"iter"
	"strings"
)

// The regular expressions of what is before and after the inside of a placeholder.
const (
	Open  = `\{\{\s*`
	Close = `\s*\}\}`
)

// Any is the regular expression of a placeholder with any content.
const Any = `\{\{[^{}]*\}\}`

// Secret is the regular expression of a secret's placeholder, whose name is its first group. The
// name may also be that of an environment variable.
const Secret = Open + `secrets\.(\w+)` + Close

// Placeholder is the position of a placeholder in a text, in bytes.
type Placeholder struct {
	Start, End           int  // braces included
	InnerStart, InnerEnd int  // between them
	Double               bool // {{…}}
	Closed               bool // else it ends with the line, or where the next one begins
}

// All yields the placeholders of a text, in order. Those with single braces are included only if
// single is true, which is for an endpoint.
func All(s string, single bool) iter.Seq[Placeholder] {
	return func(yield func(Placeholder) bool) {
		for at := 0; ; {
			open := strings.IndexByte(s[at:], '{')
			if open < 0 {
				return
			}
			at += open
			p := placeholderAt(s, at)
			if !p.Double && !single || p.beginsWithBrace(s) {
				at++
				continue
			}
			if !yield(p) {
				return
			}
			at = p.End
		}
	}
}

// beginsWithBrace reports whether the first of three braces is text: {{{a}}} is {{a}} in braces.
func (p Placeholder) beginsWithBrace(s string) bool {
	return p.Double && !p.Closed && strings.HasPrefix(s[p.InnerStart:], "{")
}

// placeholderAt reads the placeholder at a brace, up to the next opening brace or the end of the
// line: a long text is read only once, however many braces it contains.
func placeholderAt(s string, at int) Placeholder {
	shut := "}"
	if strings.HasPrefix(s[at:], "{{") {
		shut = "}}"
	}
	inner := at + len(shut)
	end, closed := len(s), false
	for i := inner; i < len(s); i++ {
		next := strings.IndexAny(s[i:], "{}\r\n")
		if next < 0 {
			break
		}
		i += next
		if closed = strings.HasPrefix(s[i:], shut); closed || s[i] != '}' {
			end = i
			break
		}
	}
	p := Placeholder{Start: at, End: end, InnerStart: inner, InnerEnd: end, Double: shut == "}}", Closed: closed}
	if closed {
		p.End += len(shut)
	}
	return p
}

// name returns the name that a run looks up for the placeholder, which is in s; "" if a run takes
// the braces for text.
func (p Placeholder) name(s string) string {
	name := s[p.InnerStart:p.InnerEnd]
	if !p.Closed || strings.ContainsAny(name, "}\"") {
		return ""
	}
	return strings.TrimSpace(name)
}

// Lookup is a placeholder for which [Fill] needs a value.
type Lookup struct {
	Name   string // the content of the braces, trimmed
	Single bool   // {name}, in an endpoint
	Before string // the text filled in so far
}

// extraCapacity is the space reserved for values that are longer than their placeholders.
const extraCapacity = 32

// Fill replaces every {{…}} in text by what value returns for it; with single, every {…} as well.
// Braces that are empty or not closed are text. An error of value ends Fill.
func Fill(text string, single bool, value func(Lookup) (string, error)) (string, error) {
	if strings.IndexByte(text, '{') < 0 {
		return text, nil
	}
	var out strings.Builder
	out.Grow(len(text) + extraCapacity)
	for at := strings.IndexByte(text, '{'); at >= 0; at = strings.IndexByte(text, '{') {
		p := placeholderAt(text, at)
		name := p.name(text)
		if name == "" || !p.Double && !single {
			out.WriteString(text[:at+1])
			text = text[at+1:]
			continue
		}
		out.WriteString(text[:at])
		s, err := value(Lookup{Name: name, Single: !p.Double, Before: out.String()})
		if err != nil {
			return "", err
		}
		out.WriteString(s)
		text = text[p.End:]
	}
	out.WriteString(text)
	return out.String(), nil
}

// SoleName returns the name in a text that is one {{…}}, with nothing but white space before and
// after it; ok is false for any other text. Only here a placeholder may go over several lines.
func SoleName(text string) (name string, ok bool) {
	name, opens := strings.CutPrefix(strings.TrimSpace(text), "{{")
	name, closes := strings.CutSuffix(name, "}}")
	if name = strings.TrimSpace(name); !opens || !closes || name == "" || strings.ContainsAny(name, "{}") {
		return "", false
	}
	return name, true
}

// Has reports whether text contains a {{…}}.
func Has(text string) (found bool) {
	_, _ = Fill(text, false, func(Lookup) (string, error) {
		found = true
		return "", nil
	})
	return found
}

// Secrets returns the names in the {{secrets.NAME}} placeholders of text, without duplicates, in
// order.
func Secrets(text string) []string {
	var names []string
	seen := map[string]bool{}
	_, _ = Fill(text, false, func(p Lookup) (string, error) {
		name, ok := strings.CutPrefix(p.Name, "secrets.")
		if ok && !seen[name] {
			seen[name] = true
			names = append(names, name)
		}
		return "", nil
	})
	return names
}

// RootName returns the name that a path begins with: what is before its first dot or bracket.
func RootName(path string) string {
	if i := strings.IndexAny(path, ".["); i >= 0 {
		return path[:i]
	}
	return path
}
