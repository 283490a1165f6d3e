package check

import (
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/tool"
)

// invalidValue: a property has a value that it can have. A value that cannot be read as its field
// says is an error in TOOLS, and a warning elsewhere. Warnings are: a number or boolean in quotes;
// a negative number or one out of range; a list that is too long; a malformed name, slug, duration
// or version; an optional property without a value. An expression of `verify` or `revert` can be
// evaluated. Errors are an event of older pages, and plain words instead of a condition of
// COMPLETE.
var invalidValue = Check{
	Code: "invalid-value",
	Form: true,
	YAML: yamlInvalid,
	Entry: func(out *findings, e Entry) {
		if !e.InTools() && e.Section != "TOOLS" {
			for _, m := range e.Maps {
				wrongInMap(out, e, m)
			}
			withoutRuleWord(out, e)
			wrongMoments(out, e)
		}
		if e.InTools() && e.Root.Kind() == syntax.Pair {
			p := model.SharedDefault(e.Root)
			wrongValues(out, model.DefaultFaults(p))
			doubtfulValues(out, []model.Property{p})
		}
		for i := range e.Tools {
			t := &e.Tools[i]
			wrongValues(out, t.Faults())
			doubtfulValues(out, t.Properties())
			checkLimits(out, t)
			secretValues(out, t)
			modelContext(out, t)
			sipValues(out, t)
			for x := range toolExpressionsIn(t) {
				x.reportUnreadable(out)
			}
			switch t.Kind() {
			case tool.KindTable:
				checkSlug(out, t)
				checkTables(out, t)
			case tool.KindHTTP:
				wsdlVersion(out, t)
				idempotencyHeader(out, t)
			case tool.KindSQL:
				pastedTypes(out, t)
			}
		}
	},
	File: func(out *findings, f File) {
		absentFiles(out, f)
		emptySections(out, f)
		for s := range f.Doc.Sections().Named("CONSTRAINTS") {
			wrongThen(out, f, s)
		}
		circularFields(out, f)
		wrongRoles(out, f)
		unknownEscapes(out, f)
		memoryAccess(out, f)
	},
}

// pastedTypes: a template parameter is a single value, or an array of texts.
func pastedTypes(out *findings, t *model.ToolDecl) {
	block, _ := t.Property("template_parameters")
	for _, p := range block.Properties() {
		of, has := findProperty(p.Properties(), "type")
		if !has {
			continue
		}
		switch k := model.ParseType(of.Text()); {
		case k == nil:
		case k.Name == "map" || k.Name == "object":
			out.err(of.Value.Span(), "The template parameter `%s` cannot be a map: nobody knows how one is pasted.", p.Name())
		case k.Name == "array" && k.Elem != nil && k.Elem.Name != "string":
			out.err(of.Value.Span(), "The items of the template parameter `%s` can only be strings.", p.Name())
		}
	}
}

// absentFiles reports files that a run would not find, and files that are no schema though a tool
// names them as one. A missing file that may still be built is not reported.
func absentFiles(out *findings, f File) {
	for _, n := range f.NamedFiles() {
		at := f.Workspace.File(n.Target)
		switch {
		case at == nil || len(*out) >= maxFindings:
		case at.Absent == model.NotFound || at.Absent == model.IsFolder:
			out.warn(n.Span, "`%s` cannot be read: %s", n.Path, absenceReasons[at.Absent])
		case at.Doc != nil && n.Property != "module":
			if wrong := model.SchemaFault(n.Property, at.Doc.Text()); wrong != "" {
				out.err(n.Span, "`%s` is no JSON Schema: %s", n.Path, wrong)
			}
		}
	}
}

func wrongValues(out *findings, faults []model.Fault) {
	for _, f := range faults {
		// A syntax error already.
		if f.Node.Kind() == syntax.Text && (opensString(f.Node.Text()) || opensBracket(f.Node.Text(), true)) {
			continue
		}
		d := out.err(firstLine(f.Node), "%s", f.Message)
		if f.Near != "" {
			s := scalarOf("", f.Node, nil)
			offerNear(d, s.inner, s.text, []string{f.Near})
		}
	}
}

// doubtfulValues looks at values that can be read, as deep as the schema table goes. Keys under
// `parameters:` may be fields of an object, and are skipped.
func doubtfulValues(out *findings, props []model.Property) {
	for _, p := range props {
		if p.Field == nil || p.Field.Name == "parameters" || p.Field.Undocumented {
			continue
		}
		switch p.Field.Type {
		case tool.String, tool.WordType, tool.NumberType, tool.BooleanType, tool.Expr, tool.CodeType:
			doubtfulScalar(out, p)
		case tool.Block, tool.BlockList, tool.MapType:
			doubtfulValues(out, p.Properties())
			for _, item := range p.Items() {
				doubtfulValues(out, item.Properties())
			}
		}
	}
}

func doubtfulScalar(out *findings, p model.Property) {
	unquoted := p.Field.Type == tool.NumberType || p.Field.Type == tool.BooleanType
	text := p.Text()
	number, isNumber := tool.Number(text).Float()
	switch {
	case p.Value.Kind() == syntax.Null:
	case p.Value.IsZero() && p.Block().IsZero(), text == "" && (unquoted || p.Field.Type == tool.WordType):
		if !p.Field.Required {
			out.warn(p.Key.Span(), "`%s` has no value; give it one, or delete the line.", p.WrittenName())
		}
	case unquoted && p.Value.Kind() == syntax.String && isRightUnquoted(p.Field.Type, text, isNumber):
		scalarOf(p.Name(), p.Value, p.ValueField).needlessQuotes(out)
	case p.Field.Type == tool.NumberType && isNumber:
		scalarOf(p.Name(), p.Value, p.ValueField).wrongRange(out, number)
	}
}

// isRightUnquoted reports whether a text would be a right value without its quotes.
func isRightUnquoted(t tool.FieldType, text string, isNumber bool) bool {
	if t == tool.NumberType {
		return isNumber
	}
	return strings.EqualFold(text, "true") || strings.EqualFold(text, "false")
}

var optionValue = lazyregexp.New(`(?i)(?:^|,)[ \t]*(ttl|single_use):[ \t]*([^,\[\]]*[^,\[\] \t])`)

// secretValues looks at the options in brackets after `path -> key` in RESULT_SECRETS.
func secretValues(out *findings, t *model.ToolDecl) {
	secrets, _ := t.Property("RESULT_SECRETS")
	for option := range optionsOf(secrets, optionValue) {
		name, value, at := strings.ToLower(option[0].text), option[1].text, option[1].span
		_, isNumber := tool.Number(value).Float()
		switch isWord := slices.Contains([]string{"true", "false", "yes", "no"}, strings.ToLower(value)); {
		case strings.Contains(value, "{{") || len(*out) >= maxFindings:
		case name == "ttl" && !isNumber:
			out.err(at, "`ttl` is a number of seconds, not `%s`.", value)
		case name == "single_use" && !isWord:
			out.err(at, "`single_use` wants `true` or `false`, not `%s`.", value)
		}
	}
}

var isSlug = lazyregexp.New(`^[a-z_][a-z0-9_]*$`).MatchString

func checkSlug(out *findings, t *model.ToolDecl) {
	p, s := singleLineValue(t, "table")
	if s != "" && !isSlug(s) {
		out.warn(p.Value.Span(), "`%s` is no table's slug: lower-case letters, digits and `_`, beginning with no digit.", s)
	}
}

// maxTables is how many further tables a query may use.
const maxTables = 8

func checkTables(out *findings, t *model.ToolDecl) {
	p, _ := t.Property("tables")
	if items := p.Items(); len(items) > maxTables {
		out.warn(firstLine(items[maxTables].Node), "`tables` has %d at most; this one is beyond.", maxTables)
	}
}

func wsdlVersion(out *findings, t *model.ToolDecl) {
	p, s := singleLineValue(t, "wsdl_version")
	if _, isNumber := tool.Number(s).Float(); s != "" && !isNumber && !strings.EqualFold(s, "latest") {
		out.err(p.Value.Span(), "`wsdl_version` is a number or `latest`, not `%s`.", s)
	}
}

// singleLineValue returns a property whose value is on one line and has no placeholder; s is "" if
// there is none.
func singleLineValue(t *model.ToolDecl, name string) (p model.Property, s string) {
	p, ok := t.Property(name)
	switch p.Value.Kind() {
	case syntax.String, syntax.Text, syntax.Number, syntax.Boolean:
		s = p.Text()
	}
	if !ok || strings.Contains(s, "{{") {
		return p, ""
	}
	return p, s
}
