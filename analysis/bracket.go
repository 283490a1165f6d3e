package analysis

import "strings"

// brackets are what a cursor at the end of a text stands in, where that is the
// beginning of a value: in which brackets, at which key, in which word.
type brackets struct {
	levels []bracketLevel
	from   int  // where the word begins, behind a quote
	quote  byte // the quote that is open, 0 for none
}

// bracketLevel is a bracket that is open; the outermost level is none.
type bracketLevel struct {
	bracket byte     // 0, '[' or '{'
	key     string   // of a map, behind its colon
	words   []string // done so far: items of a list, keys of a map
}

// bracketsOf reads the beginning of a value.
func bracketsOf(s string) brackets {
	f := brackets{levels: []bracketLevel{{}}}
	for i := 0; i < len(s); i++ {
		top := &f.levels[len(f.levels)-1]
		switch c := s[i]; {
		case f.quote != 0:
			switch c {
			case '\\':
				i++
			case f.quote:
				f.quote = 0
			}
		case (c == '"' || c == '\'') && strings.TrimSpace(s[f.from:i]) == "":
			f.quote, f.from = c, i+1
		case c == '[' || c == '{':
			f.levels = append(f.levels, bracketLevel{bracket: c})
			f.from = i + 1
		case (c == ']' || c == '}') && len(f.levels) > 1:
			f.levels = f.levels[:len(f.levels)-1]
			f.from = i + 1
		case c == ',' && top.bracket != 0:
			if top.bracket == '[' {
				top.words = append(top.words, unquoted(s[f.from:i]))
			}
			top.key, f.from = "", i+1
		case c == ':' && top.bracket == '{' && top.key == "":
			top.key = unquoted(s[f.from:i])
			top.words = append(top.words, top.key)
			f.from = i + 1
		}
	}
	for f.quote == 0 && f.from < len(s) && strings.IndexByte(" \t\r\n", s[f.from]) >= 0 {
		f.from++
	}
	return f
}

func unquoted(s string) string { return strings.Trim(s, " \t\r\n\"'") }

// top is the innermost level.
func (f brackets) top() bracketLevel { return f.levels[len(f.levels)-1] }

// inKey reports whether the cursor is in the key of an inline map.
func (f brackets) inKey() bool { return f.top().bracket == '{' && f.top().key == "" }
