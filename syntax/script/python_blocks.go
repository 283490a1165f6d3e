package script

import "slices"

// allowedPredecessors has, for the words that cannot begin a line by themselves, the words that
// can begin the line before it at the same level.
var allowedPredecessors = map[string][]string{
	"elif":    {"if", "elif"},
	"else":    {"if", "elif", "for", "while", "except", "async"},
	"except":  {"try", "except"},
	"finally": {"try", "except", "else"},
}

// requiredSuccessors has, for some words, the words of which one must begin the next line at
// the same level.
var requiredSuccessors = map[string][]string{
	"try": {"except", "finally"},
	"@":   {"def", "class", "async", "@"},
}

// checkPredecessor compares a line's first word with that of the line before it at the same
// level.
func (r *lineReader) checkPredecessor(line logicalLine) {
	if r.fault != nil || len(r.levels) == 0 {
		return
	}
	before := r.levels[len(r.levels)-1].last
	if may, follows := allowedPredecessors[line.word]; follows && !slices.Contains(may, before.word) {
		r.setFault(line.Start, line.Start+len(line.word), "This `"+line.word+"` belongs to nothing before it.")
		return
	}
	if want, ok := requiredSuccessors[before.word]; ok && !slices.Contains(want, line.word) {
		r.reportIncomplete(before)
	}
}

// leaveLevel ends the innermost level.
func (r *lineReader) leaveLevel() {
	last := r.levels[len(r.levels)-1].last
	r.levels = r.levels[:len(r.levels)-1]
	if _, ok := requiredSuccessors[last.word]; ok {
		r.reportIncomplete(last)
	}
}

// reportIncomplete reports a line that needs another one after it.
func (r *lineReader) reportIncomplete(line logicalLine) {
	if line.word == "@" {
		r.setFault(line.Start, line.End, "Behind a decorator a function or a class must follow.")
		return
	}
	r.setFault(line.Start, line.Start+len(line.word), "This `"+line.word+"` has neither `except` nor `finally`.")
}

// firstWord returns the keyword or name that s begins with, or "@".
func firstWord(s string) string {
	n := 0
	for n < len(s) && isWordByte(s[n]) {
		n++
	}
	if n == 0 && s != "" && s[0] == '@' {
		return "@"
	}
	return s[:n]
}
