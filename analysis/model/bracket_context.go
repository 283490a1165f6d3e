package model

import "strings"

// BracketContext says where a cursor at the end of an unfinished value is: in which brackets, at
// which key, in which word.
type BracketContext struct {
	Levels []BracketLevel
	From   int  // where the word begins, after a quote
	Quote  byte // the quote that is open, 0 for none
}

// BracketLevel is an open bracket. The outermost level has none.
type BracketLevel struct {
	Bracket byte     // 0, '[' or '{'
	Key     string   // of a map, after its colon
	Words   []string // finished so far: items of a list, keys of a map
}

// BracketContextOf reads a value up to the cursor.
func BracketContextOf(s string) BracketContext {
	f := BracketContext{Levels: []BracketLevel{{}}}
	for i := 0; i < len(s); i++ {
		top := &f.Levels[len(f.Levels)-1]
		switch c := s[i]; {
		case f.Quote != 0:
			switch c {
			case '\\':
				i++
			case f.Quote:
				f.Quote = 0
			}
		case (c == '"' || c == '\'') && strings.TrimSpace(s[f.From:i]) == "":
			f.Quote, f.From = c, i+1
		case c == '[' || c == '{':
			f.Levels = append(f.Levels, BracketLevel{Bracket: c})
			f.From = i + 1
		case (c == ']' || c == '}') && len(f.Levels) > 1:
			f.Levels = f.Levels[:len(f.Levels)-1]
			f.From = i + 1
		case c == ',' && top.Bracket != 0:
			if top.Bracket == '[' {
				top.Words = append(top.Words, unquoted(s[f.From:i]))
			}
			top.Key, f.From = "", i+1
		case c == ':' && top.Bracket == '{' && top.Key == "":
			top.Key = unquoted(s[f.From:i])
			top.Words = append(top.Words, top.Key)
			f.From = i + 1
		}
	}
	for f.Quote == 0 && f.From < len(s) && strings.IndexByte(" \t\r\n", s[f.From]) >= 0 {
		f.From++
	}
	return f
}

func unquoted(s string) string { return strings.Trim(s, " \t\r\n\"'") }

// Innermost returns the innermost level.
func (f BracketContext) Innermost() BracketLevel { return f.Levels[len(f.Levels)-1] }

// InKey reports whether the cursor is in the key of an inline map.
func (f BracketContext) InKey() bool { return f.Innermost().Bracket == '{' && f.Innermost().Key == "" }
