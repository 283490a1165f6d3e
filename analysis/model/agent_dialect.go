package model

import (
	"path/filepath"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/projectfile"
	"github.com/abl-lsp/abl-lsp/analysis/section"
	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// lowerKey matches a key in lower case at the beginning of a line, also in quotes.
var lowerKey = lazyregexp.New(`^(?:([a-z_]+)|"([a-z_]+)"|'([a-z_]+)')[ \t]*:(?:[ \t\r]|$)`)

// BeginsYAMLAgent reports whether a line has a key with which an agent in YAML may begin: any key at
// its root.
func BeginsYAMLAgent(line string) bool {
	return projectfile.KeyField(section.YAMLAgent(), lowerKeyOf(line)) != nil
}

// lowerKeyOf returns the key in lower case with which a line begins, else "".
func lowerKeyOf(line string) string {
	m := lowerKey.FindStringSubmatch(line)
	if m == nil {
		return ""
	}
	return m[1] + m[2] + m[3]
}

// ablHead matches a line with which an agent in ABL begins, whatever the name of its file: a keyword
// in capitals, which may still be without its colon.
var ablHead = lazyregexp.New(`^[A-Z][A-Z_ ]*(?::|\r?$)`)

const yamlSuffix = ".agent.yaml"

// ParseDocument returns the document of a file with a text. That of an agent in YAML is not parsed.
func ParseDocument(path, source string) *syntax.Document {
	if IsYAMLAgentText(path, source) {
		return syntax.ParseLater(source)
	}
	return syntax.Parse(source)
}

// EditedDocument returns the document of a file after an edit, which may have changed its dialect.
func EditedDocument(path string, next *syntax.Document) *syntax.Document {
	if IsYAMLAgentText(path, next.Text()) {
		return next.Unparsed()
	}
	return next
}

// parseOnce is ParseDocument for a text that will hardly be edited.
func parseOnce(path, source string) *syntax.Document {
	if IsYAMLAgentText(path, source) {
		return syntax.ParseLater(source)
	}
	return syntax.ParseOnce(source)
}

// IsYAMLAgentText reports whether a file with that path and that text is read as an agent in YAML.
// The first line that is neither blank nor a comment decides. If it is no beginning of an agent in
// either dialect, the path does. Libraries and profiles have no form in YAML.
func IsYAMLAgentText(path, source string) bool {
	name := strings.ToLower(filepath.Base(path))
	isYAML := strings.HasSuffix(name, yamlSuffix)
	if !isYAML && !strings.HasSuffix(name, ".abl") {
		return false
	}
	if kind := kindByName(path); kind == Library || kind == Profile {
		return false
	}
	first := FirstLine(source)
	line := source[first.Start:first.End]
	return BeginsYAMLAgent(line) || isYAML && (!ablHead.MatchString(line) || hasYAMLKeys(source[first.End:]))
}

// hasYAMLKeys reports whether the lines of a text at the left edge, besides comments, are keys with
// which an agent in YAML may begin, and whether there are any.
func hasYAMLKeys(source string) bool {
	found := false
	for line := range strings.Lines(source) {
		if line = strings.TrimRight(line, "\r\n"); line == "" || strings.IndexByte(" \t#-]}", line[0]) >= 0 {
			continue
		}
		if !BeginsYAMLAgent(line) {
			return false
		}
		found = true
	}
	return found
}

// FirstLine returns the span of the first line of a text that is neither blank, nor `---`, nor a
// comment, without its indentation. It is empty and at the end of the text if there is no such
// line.
func FirstLine(source string) text.Span {
	inComment := false
	for start := 0; start < len(source); {
		end := len(source)
		if i := strings.IndexByte(source[start:], '\n'); i >= 0 {
			end = start + i
		}
		line := strings.TrimLeft(source[start:end], " \t\uFEFF")
		trimmed := strings.TrimSpace(line)
		switch {
		case inComment:
			inComment = !strings.Contains(trimmed, "*/")
		case strings.HasPrefix(trimmed, "/*"):
			inComment = !strings.Contains(trimmed, "*/")
		case trimmed == "" || trimmed == "---" || strings.HasPrefix(trimmed, "--- #") || trimmed[0] == '#' || strings.HasPrefix(trimmed, "//"):
		default:
			return text.Span{Start: end - len(line), End: end}
		}
		start = end + 1
	}
	return text.Span{Start: len(source), End: len(source)}
}

// PathForDialect returns the path that the agent would have if its name fitted the dialect that it
// is written in. ok is false if the name fits already.
func (f *File) PathForDialect() (path string, ok bool) {
	isYAML := strings.HasSuffix(strings.ToLower(f.Path), yamlSuffix)
	if !IsABL(f.Path) || f.Doc == nil || f.IsYAMLAgent() == isYAML {
		return "", false
	}
	return PathInDialect(f.Path, f.IsYAMLAgent()), true
}

// PathInDialect returns the path of an agent's file with the suffix of the YAML dialect, or of ABL.
func PathInDialect(path string, isYAML bool) string {
	for _, suffix := range []string{yamlSuffix, ".agent.yml", ".agent.abl", ".supervisor.abl", ".abl", ".yaml", ".yml"} {
		if strings.HasSuffix(strings.ToLower(path), suffix) {
			path = path[:len(path)-len(suffix)]
			break
		}
	}
	if isYAML {
		return path + yamlSuffix
	}
	return path + ".agent.abl"
}
