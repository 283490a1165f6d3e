package check

import (
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/analysis/section"
	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/syntax/yaml"
)

// writtenKey matches the key of a line, in any spelling.
var writtenKey = lazyregexp.New(`^["']?([\pL_][\pL\pN_-]*)["']?[ \t]*:`)

// yamlAgentHead: an agent in YAML begins with one of its keys, since the platform takes any other
// file for ABL. There is one finding, since all others would follow from it.
func yamlAgentHead(out *findings, f File) {
	source := f.Doc.Text()
	first := model.FirstLine(source)
	line := strings.TrimRight(source[first.Start:first.End], " \t\r")
	first.End = first.Start + len(line)
	if comment := foreignComment(source[:first.Start]); !comment.Empty() {
		out.err(comment, "A comment in YAML begins with `#`; the platform cannot read the file with this one.")
		return
	}
	if line == "" || model.BeginsYAMLAgent(line) {
		return
	}
	m := writtenKey.FindStringSubmatchIndex(line)
	if m == nil {
		out.err(first, "The platform takes this file for ABL, since its first line is no key of an agent; %s.", f.firstKeyAdvice())
		return
	}
	key, known := line[m[2]:m[3]], fieldNames(section.YAMLAgent().Fields)
	at := text.Span{Start: first.Start + m[2], End: first.Start + m[3]}
	if model.BeginsYAMLAgent(key + ": ") {
		d := out.err(text.Span{Start: first.Start, End: first.Start + m[1]}, "A space belongs between `%s:` and its value; without it the platform cannot read the file.", key)
		d.Fixes = append(d.Fixes, model.ReplaceFix("Insert the space", text.Span{Start: first.Start + m[1], End: first.Start + m[1]}, " "))
		return
	}
	d := out.err(at, "The platform takes this file for ABL, since `%s` is no key of an agent; %s", key, model.DidYouMean(key, known, f.firstKeyAdvice()+"."))
	offerNear(d, at, key, known)
}

// firstKeyAdvice says how to begin the agent.
func (f File) firstKeyAdvice() string {
	for _, key := range []string{"agent", "supervisor"} {
		if f.YAML.Root().Get(key) != nil && f.YAML.Root().Style != yaml.Flow {
			return "move `" + key + ": …` to the beginning"
		}
	}
	return "begin it with `agent: NAME` at the left edge"
}

// foreignComment returns the first line that is a comment of ABL and none of YAML.
func foreignComment(head string) text.Span {
	start := 0
	for line := range strings.Lines(head) {
		content := strings.TrimLeft(line, " \t\uFEFF")
		if strings.HasPrefix(content, "//") || strings.HasPrefix(content, "/*") {
			start += len(line) - len(content)
			return text.Span{Start: start, End: start + len(strings.TrimSpace(content))}
		}
		start += len(line)
	}
	return text.Span{}
}
