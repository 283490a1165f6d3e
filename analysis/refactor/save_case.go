package refactor

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"unicode"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/analysis/projectfile"
	"github.com/abl-lsp/abl-lsp/dialect/foreign"
	"github.com/abl-lsp/abl-lsp/dialect/schema"
	"github.com/abl-lsp/abl-lsp/expression"
	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/syntax/yaml"
	"github.com/abl-lsp/abl-lsp/tool"
)

// NewCase is a call to be saved as a case. Empty fields are left out.
type NewCase struct {
	Tool        string // as the file of cases names it
	Name        string // "": a free one is chosen
	Args        json.RawMessage
	Session     json.RawMessage
	Environment string
	Expect      NewExpect
}

// NewExpect is what a new case expects of its result.
type NewExpect struct {
	OK    *bool  `json:"ok"`
	Value string `json:"value"` // an expression
}

// CasesPathFor returns the path of the file with the saved cases of the tool that a caller means by
// a name in the file at path, and the key of the tool in it. The error says why there can be none.
func CasesPathFor(w model.Workspace, path, name string) (cases, key string, err error) {
	scope := w.Scope(path)
	t, ok := scope.ToolByCallName(name)
	if !ok {
		return "", "", fmt.Errorf("%s has no tool %q", filepath.Base(path), name)
	}
	if cases = model.CasesPathIfAny(t.File.Path); cases == "" {
		return "", "", fmt.Errorf("there is no place beside %s for cases of `%s`", filepath.Base(t.File.Path), name)
	}
	return cases, scope.OwnName(name), nil
}

// SaveCase returns the edit that adds c to the file of saved cases at path, the text of that file
// after the edit, and the span of the case's name in it. The workspace must know whether the file
// exists. SaveCase fails, with a reason to show, if c cannot be a case, or cannot be added to the
// file.
func SaveCase(w model.Workspace, path string, c NewCase) (edit model.FileEdit, after *text.Lines, at text.Span, err error) {
	if err := c.fault(); err != nil {
		return model.FileEdit{}, nil, text.Span{}, err
	}
	f := w.File(path)
	made, err := caseEdit(f, filepath.Base(path), c.Tool, c.Name, c.lines())
	if err != nil {
		return model.FileEdit{}, nil, text.Span{}, err
	}
	before := ""
	if f != nil && f.Doc != nil {
		before = f.Doc.Text()
		made.NewText = model.LineEnds(before, made.NewText)
	}
	source, err := text.Apply(before, made)
	if err != nil {
		return model.FileEdit{}, nil, text.Span{}, err
	}
	all := projectfile.SavedCases(yaml.Parse(source))
	for _, saved := range all {
		if saved.Span.Start >= made.Start && saved.Tool == c.Tool && at == (text.Span{}) {
			at = saved.Span
		}
	}
	return model.FileEdit{Path: path, Edit: made}, text.NewLines(source), at, nil
}

// fault returns the reason why c cannot be a case; nil if it can.
func (c NewCase) fault() error {
	args, session := schema.Read(c.Args), schema.Read(c.Session)
	switch {
	case args.IsSet() && args.Kind != foreign.Map && args.Kind != foreign.String:
		return errors.New("args is an object, or a text")
	case session.IsSet() && session.Kind != foreign.Map:
		return errors.New("session is an object")
	}
	if strings.TrimSpace(c.Expect.Value) == "" {
		return nil
	}
	if err := expression.Check(c.Expect.Value, projectfile.ExpectNames()...); err != nil {
		return fmt.Errorf("expect.value: %w", err)
	}
	return nil
}

// lines returns the lines of the case below its name.
func (c NewCase) lines() (lines []string) {
	add := func(key string, raw json.RawMessage) {
		if value := schema.Read(raw).Value(); value != nil && !isEmpty(value) {
			lines = append(lines, key+": "+model.FlowYAML(value))
		}
	}
	add("args", c.Args)
	if c.Environment != "" {
		lines = append(lines, "environment: "+model.FlowYAML(c.Environment))
	}
	add("session", c.Session)
	return append(lines, c.Expect.lines()...)
}

func isEmpty(value any) bool {
	o, ok := value.(tool.Object)
	return ok && len(o) == 0
}

func (e NewExpect) lines() (lines []string) {
	if e.OK != nil {
		lines = append(lines, "  ok: "+model.FlowYAML(*e.OK))
	}
	if e.Value != "" {
		lines = append(lines, "  value: "+expressionYAML(e.Value))
	}
	if lines == nil {
		return nil
	}
	return append([]string{"expect:"}, lines...)
}

// expressionYAML returns an expression, which has quotes of its own, as one line of YAML.
func expressionYAML(expression string) string {
	if strings.ContainsFunc(expression, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return model.FlowYAML(expression)
	}
	return "'" + strings.ReplaceAll(expression, "'", "''") + "'"
}
