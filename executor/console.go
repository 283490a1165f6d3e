package executor

import (
	"cmp"
	"strings"
)

// ConsoleLevels are the levels of the lines of a console, by the number of the line from 0, in the
// words of syslog. A line without one is plain output.
type ConsoleLevels map[int]string

// levelMark begins a line whose level follows as one letter.
const levelMark = "\x1d"

// levelOf returns the level that a letter means, or "" for any other character.
func levelOf(letter byte) string {
	switch letter {
	case 'D':
		return "debug"
	case 'W':
		return "warning"
	case 'E':
		return "error"
	}
	return ""
}

// ReadConsole returns a console without the marks by which code says the levels of its lines, and
// the levels.
func ReadConsole(marked string) (console string, levels ConsoleLevels) {
	if !strings.Contains(marked, levelMark) {
		return marked, nil
	}
	lines := strings.Split(marked, "\n")
	levels = ConsoleLevels{}
	for i, line := range lines {
		if len(line) < 2 || !strings.HasPrefix(line, levelMark) || levelOf(line[1]) == "" {
			continue
		}
		levels[i] = levelOf(line[1])
		lines[i] = line[2:]
	}
	return strings.Join(lines, "\n"), levels
}

// EachLine calls do for each line of the console that is not empty, with its level.
func (e Envelope) EachLine(do func(level, line string)) {
	for i, line := range strings.Split(e.Console, "\n") {
		if line = strings.TrimRight(line, "\r"); line != "" {
			do(cmp.Or(e.ConsoleLevels[i], "info"), line)
		}
	}
}

// logLevel returns the level that LOG names, in the words of syslog.
func logLevel(v any) string {
	name, _ := withUpperKeys(v)["LEVEL"].(string)
	switch strings.ToLower(name) {
	case "debug", "error":
		return strings.ToLower(name)
	case "warn", "warning":
		return "warning"
	}
	return ""
}

// joinConsoles returns what a run printed and then logged. Each line of logged begins with its mark.
func joinConsoles(result Result, logged string) (console string, levels ConsoleLevels) {
	if logged == "" {
		return result.Console, result.ConsoleLevels
	}
	text, more := ReadConsole(logged)
	first := strings.Count(result.Console, "\n")
	levels = ConsoleLevels{}
	for i, level := range result.ConsoleLevels {
		levels[i] = level
	}
	for i, level := range more {
		levels[first+i] = level
	}
	return result.Console + text, levels
}

// markLine returns a line with the mark of its level.
func markLine(level, line string) string {
	for _, letter := range []byte("DWE") {
		if levelOf(letter) == level {
			return levelMark + string(letter) + line
		}
	}
	return line
}
