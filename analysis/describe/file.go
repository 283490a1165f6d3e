package describe

import (
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/tool"
)

// FileMarkdown describes what a file declares to a reader who does not have the file: agents with
// their goals and steps, tools and prompts with what a caller gives. It contains no binding, and so
// no address and no secret, and nothing of other files.
func FileMarkdown(w model.Workspace, f *model.File, title string) string {
	parts := []string{"# " + title}
	if f.Doc != nil && f.Kind != model.YAML {
		for i := range f.Parts() {
			parts = append(parts, partMarkdown(f, &f.Parts()[i]))
		}
	}
	parts = append(parts, toolsMarkdown(w, f), promptsMarkdown(f))
	return Paragraphs(parts...) + "\n"
}

// describedSections are the sections of an agent whose text is described.
var describedSections = []struct{ name, title string }{
	{"GOAL", "Goal"}, {"PERSONA", "Persona"},
}

// partMarkdown describes an agent or supervisor; "" for any other part.
func partMarkdown(f *model.File, p *model.Part) string {
	declared, ok := p.Declaration()
	if !ok {
		return ""
	}
	noun := "Agent"
	if p.Kind == model.Supervisor {
		noun = "Supervisor"
	}
	lines := []string{"## " + noun + " " + headProperty(f, declared.Name(), p)}
	for _, s := range describedSections {
		if text := headProperty(f, s.name, p); text != "" {
			lines = append(lines, s.title+": "+text)
		}
	}
	if flow := p.Flow(); flow != nil {
		if names := flow.Names(); len(names) > 0 {
			lines = append(lines, "Steps: "+strings.Join(names, ", "))
		}
	}
	return Paragraphs(lines...)
}

// headProperty returns the text after the keyword of a section.
func headProperty(f *model.File, section string, p *model.Part) string {
	for _, s := range p.Sections {
		if s.Name() == section {
			return strings.TrimSpace(model.HeadProperty(f.Kind, section, s.Head.Root()).Text())
		}
	}
	return ""
}

func toolsMarkdown(w model.Workspace, f *model.File) string {
	var parts []string
	for _, t := range f.Tools {
		lowered := model.LowerTool(w, f.Path, model.ScopedTool{PositionedTool: t, File: f}).Tool
		parts = append(parts, DeclarationMarkdown(&lowered))
	}
	if parts == nil {
		return ""
	}
	return Paragraphs(append([]string{"## Tools"}, parts...)...)
}

// DeclarationMarkdown describes what a caller sees of a tool.
func DeclarationMarkdown(t *tool.Tool) string {
	return callableMarkdown(t.QualifiedName(), t.CallSignature(), t.Description, t.Params)
}

func promptsMarkdown(f *model.File) string {
	if f.Foreign == nil {
		return ""
	}
	var parts []string
	for i := range f.Foreign.Prompts {
		if p := &f.Foreign.Prompts[i]; !p.Faulty && p.Fault() == nil {
			parts = append(parts, callableMarkdown(p.Prompt.Name, p.Signature(), p.Description, p.Prompt.Arguments))
		}
	}
	if parts == nil {
		return ""
	}
	return Paragraphs(append([]string{"## Prompts"}, parts...)...)
}

func callableMarkdown(name, signature, description string, params []tool.Param) string {
	var lines []string
	for _, p := range params {
		if p.Shown() && p.Description != "" {
			lines = append(lines, "- "+CodeSpan(p.Name)+": "+p.Description)
		}
	}
	return Paragraphs("### "+name, FencedAs("", signature), description, strings.Join(lines, "\n"))
}

// PromptMarkdown documents a prompt.
func PromptMarkdown(p *tool.Prompt) string {
	parts := []string{FencedAs("", p.Signature()), p.Description}
	for _, m := range p.Messages {
		parts = append(parts, "**"+m.Role+"**", FencedAs("", OneLine(m.Content, MaxPromptText)))
	}
	return Paragraphs(parts...)
}

// MaxPromptText is how many characters of a prompt's message are shown.
const MaxPromptText = 400
