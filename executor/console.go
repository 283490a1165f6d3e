package executor

import "strings"

// ConsoleLevel is the level of a line of a console.
type ConsoleLevel uint8

// The levels of lines; plain output has the first.
const (
	levelInfo ConsoleLevel = iota
	levelDebug
	levelWarning
	levelError
)

// String returns the word of syslog for the level.
func (l ConsoleLevel) String() string {
	switch l {
	case levelDebug:
		return "debug"
	case levelWarning:
		return "warning"
	case levelError:
		return "error"
	}
	return "info"
}

// ConsoleLevels are the levels of the lines of a console. The lines that follow are plain output.
type ConsoleLevels []ConsoleLevel

// at returns the level of a line, by its number from 0.
func (l ConsoleLevels) at(line int) ConsoleLevel {
	if line < len(l) {
		return l[line]
	}
	return levelInfo
}

// markLetters are the letters of the levels in marks, in their order; plain output has no mark.
const markLetters = "-DWE"

// levelMark begins a line whose level follows as one letter.
const levelMark = "\x1d"

// ReadConsole returns a console without the marks by which code says the levels of its lines, and
// the levels.
func ReadConsole(marked string) (console string, levels ConsoleLevels) {
	if !strings.Contains(marked, levelMark) {
		return marked, nil
	}
	lines := strings.Split(marked, "\n")
	levels = make(ConsoleLevels, len(lines))
	for i, line := range lines {
		if len(line) < 2 || !strings.HasPrefix(line, levelMark) {
			continue
		}
		if level := strings.IndexByte(markLetters, line[1]); level > 0 {
			levels[i], lines[i] = ConsoleLevel(level), line[2:]
		}
	}
	return strings.Join(lines, "\n"), levels
}

// EachLine calls do for each line of the console that is not empty, with its level.
func (e Envelope) EachLine(do func(level, line string)) {
	for i, line := range strings.Split(e.Console, "\n") {
		if line = strings.TrimRight(line, "\r"); line != "" {
			do(e.ConsoleLevels.at(i).String(), line)
		}
	}
}

// logLevel returns the level that LOG names.
func logLevel(v any) ConsoleLevel {
	name, _ := withUpperKeys(v)["LEVEL"].(string)
	switch strings.ToLower(name) {
	case "debug":
		return levelDebug
	case "warn", "warning":
		return levelWarning
	case "error":
		return levelError
	}
	return levelInfo
}

// joinConsoles returns what a run printed and then logged. Each line of logged begins with its mark.
func joinConsoles(result Result, logged string) (console string, levels ConsoleLevels) {
	if logged == "" {
		return result.Console, result.ConsoleLevels
	}
	text, more := ReadConsole(logged)
	levels = make(ConsoleLevels, strings.Count(result.Console, "\n"))
	copy(levels, result.ConsoleLevels)
	return result.Console + text, append(levels, more...)
}

// markLine returns a line with the mark of its level.
func markLine(level ConsoleLevel, line string) string {
	if level == levelInfo {
		return line
	}
	return levelMark + markLetters[level:level+1] + line
}
