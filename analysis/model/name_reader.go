package model

import (
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/expression"
	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/tool"
	"github.com/abl-lsp/abl-lsp/tool/placeholder"
)

// nameReader collects the names of one entry, with spans relative to it. It is the only reader of
// names: callers filter what it found.
type nameReader struct {
	section string
	entryNames
}

// readNames reads an entry of a section.
func readNames(section string, e *syntax.Entry, actions *entryActions) *entryNames {
	r := nameReader{section: section}
	root := e.Root()
	if _, _, isShared := tool.Lookup(tool.SharedDefaults(), root.Key()); isShared {
		toolReader{&r}.readTemplates(root)
	}
	switch {
	case section == "TEMPLATES":
		r.addDeclaredTemplates(root)
	case strings.HasPrefix(section, "TEMPLATE "):
		r.addStandaloneTemplate(root)
	case section == "MEMORY":
		variableReader{&r}.readMemory(root)
	case section == "GATHER":
		variableReader{&r}.readGather(root)
	}
	r.addDeclaredNames(section, root)
	r.readNode(root, nameScope{})
	r.addMisspelled(e.Text())
	for _, t := range actions.allTargets() {
		r.addName(TargetRef, Word{t.Name, t.Span}, Reads)
	}
	r.isExported = mayUseExported(e.Text())
	for _, named := range r.refs {
		r.kinds |= setOfKinds(named.Kind)
	}
	return &r.entryNames
}

// addMisspelled adds the words in placeholders that are one typing slip away from a namespace.
func (r *nameReader) addMisspelled(source string) {
	if !strings.Contains(source, "{{") {
		return
	}
	for _, p := range Placeholders(source, false) {
		for _, name := range Names(source, p.Inner) {
			head := wordOf(source, name.Head(), 0)
			if len(name.Parts) == 1 || !p.Closed || slices.Contains(Namespaces(), head.Text) {
				continue
			}
			if near := Nearest(head.Text, Namespaces()); near != "" {
				r.addOwned(MisspelledNamespaceRef, near, head, Reads)
			}
		}
	}
}

// nameScope says what surrounds a node.
type nameScope struct {
	key        string   // of the nearest pair, in upper case
	tool       bool     // inside a tool
	params     []string // of that tool
	authorKeys bool     // the keys below are the author's
	args       bool     // expressions may name the parameters of the tool
	expr       bool     // the value is an expression, though it may look like a text
}

// argumentKeys are the properties of a tool whose expressions see its parameters.
var argumentKeys = []string{"PROCESS", "VERIFY", "REVERT", "REQUEST_VARIANTS"}

// expressionKeysBelow are the keys below some of these that have expressions. Other values there
// are text, in which only braces name anything.
var expressionKeysBelow = map[string][]string{"VERIFY": {"EXPECT", "ARGS"}, "REVERT": {"ARGS"}, "REQUEST_VARIANTS": {"WHEN"}}

func (r *nameReader) addName(kind NameRefKind, w Word, access Access) {
	r.addOwned(kind, "", w, access)
}

func (r *nameReader) addOwned(kind NameRefKind, owner string, w Word, access Access) {
	if w.Text != "" {
		r.refs = append(r.refs, NameRef{Span: w.Span, Name: w.Text, Kind: kind, Owner: owner, Access: access})
	}
}

// addUses adds names that are used.
func (r *nameReader) addUses(kind NameRefKind, words []Word) {
	for _, w := range words {
		r.addName(kind, w, Reads)
	}
}

var (
	isVariable = lazyregexp.New(`^[A-Za-z_]\w*$`).MatchString
	userPath   = lazyregexp.New(`^user(?:\.\w+)+$`)
)

// addVariable adds the variable that a word or a path begins with. Variables of `user` are known by
// their whole path.
func (r *nameReader) addVariable(w Word, access Access) {
	if userPath.MatchString(w.Text) {
		r.addName(VariableRef, w, access)
		return
	}
	path := strings.TrimPrefix(w.Text, "session.")
	w.Span.Start += len(w.Text) - len(path)
	w.Text = placeholder.RootName(path)
	w.Span.End = w.Span.Start + len(w.Text)
	switch {
	case !isVariable(w.Text), isWordOfTemplates(w.Text), isSpecial(w.Text):
		return
	}
	r.addName(VariableRef, w, access)
}

// isSpecial reports whether the platform gives a name its value.
func isSpecial(name string) bool {
	_, special := tool.LookupWord(SpecialNames, name)
	return special || name == "undefined"
}

func (r *nameReader) addVariables(words []Word, access Access) {
	for _, w := range words {
		r.addVariable(w, access)
	}
}

func (r *nameReader) readBelow(n syntax.Node, in nameScope) {
	for c := range n.Children() {
		r.readNode(c, in)
	}
}

func (r *nameReader) readNode(n syntax.Node, in nameScope) {
	switch n.Kind() {
	case syntax.Comment, syntax.Parameters, syntax.Key, syntax.Keyword, syntax.StepName:
	case syntax.Import:
		r.readNode(n.Child(syntax.FieldBlock), in) // of a line that is indented wrongly
	case syntax.Tool:
		toolReader{r}.readTool(n)
	case syntax.Pair, syntax.MapPair:
		r.readPair(n, in)
	case syntax.BeforeClause:
		r.addName(ToolRef, UnquotedWord(n.Child(syntax.FieldTool)), Reads)
	case syntax.Assignment:
		r.readNode(n.Value(), in)
		r.readNode(n.Child(syntax.FieldBlock), in) // of a line that is indented wrongly
	case syntax.Expression:
		r.readExpression(n, in)
	case syntax.String, syntax.Text, syntax.BlockText:
		if in.args && n.Kind() != syntax.BlockText || in.expr && n.Kind() == syntax.Text {
			r.readQuoted(n, in)
		}
		r.readText(n, in)
	default:
		r.readBelow(n, in)
	}
}

// variableKeys are keys whose value is the name of a variable, or a list of names.
var variableKeys = []string{"CLEAR", "PASS", "DEPENDS_ON", "COLLECT", "SOURCE", "READS", "PATHS"}

// conditionKeys are keys whose value is a condition, which may be quoted.
var conditionKeys = []string{"WHEN", "IF", "CONDITION", "CHECK", "FILTER", "EXIT_WHEN", "COMPLETE_WHEN"}

func (r *nameReader) readPair(n syntax.Node, in nameScope) {
	key := strings.ToUpper(n.Key())
	r.addTools(key, n)
	variableReader{r}.readGivingKey(key, n)
	if in.authorKeys {
		in.authorKeys = false
		in.expr = true
		r.readValue(n, in)
		return
	}
	above := in.key
	in.key = key
	in.args = in.args || in.tool && slices.Contains(argumentKeys, key)
	if spoken, ok := expressionKeysBelow[above]; ok && in.tool {
		in.args = slices.Contains(spoken, key)
	}
	if in.args && above == "PARAMS" {
		r.addArgument(UnquotedWord(KeyOf(n)), in)
	}
	in.expr = in.args && (above == "PARAMS" || above == "RESULT")
	switch {
	case in.tool && key == "STATEMENT":
		r.readStatement(n.Value(), in)
		return
	case in.tool && slices.Contains(UntemplatedProperties, strings.ToLower(key)):
		return
	case in.tool && above == "CONTEXT_ACCESS":
		r.addVariables(ListWords(n), map[bool]Access{true: Writes, false: Reads}[key == "WRITE"])
		return
	case in.tool && key == "SOURCE":
	case slices.Contains(variableKeys, key):
		r.addVariables(ListWords(n), Reads)
	case key == "WRITES":
		r.addVariables(ListWords(n), Writes)
	case key == "STORE":
		r.addMapping(n.Value())
	case key == "ON":
		r.addName(StepRef, first(Matches(stepEvent, n.Value())), Reads)
		r.addName(AgentRef, first(Matches(agentEvent, n.Value())), Reads)
	case key == "CALL":
		r.readCall(n, in)
		return
	}
	isActionID := above == "ON_ACTION" || above == "" && r.section == "ACTION_HANDLERS"
	in.authorKeys = !isActionID && slices.Contains([]string{"SET", "WITH", "MAP", "INPUT"}, key) || in.args && key == "ARGS"
	r.readValue(n, in)
}

// addTools adds the tools that a key names, in a step, a hook or a profile.
func (r *nameReader) addTools(key string, n syntax.Node) {
	switch key {
	case "CALL":
		r.addCall(n)
	case "AVAILABLE_TOOLS", "HIDE", "FROM_WORKFLOW", "CUSTOM_TOOLS", "CUSTOMTOOLS":
		r.addUses(ToolRef, ListWords(n))
	case "ON":
		r.addUses(ToolRef, Matches(eventPattern, n.Value()))
	}
}

var (
	// CallPattern matches the name of what a value calls.
	CallPattern  = lazyregexp.New(`^["']?([A-Za-z_][\w.]*(?:-\w+)*)`)
	eventPattern = lazyregexp.New(`^["']?tool:(\*|[A-Za-z_][\w.]*):`)
)

// addCall adds the tool that a CALL names and the arguments that it gives.
func (r *nameReader) addCall(n syntax.Node) {
	c := NewCall(n)
	if c.Tool == "" {
		r.addUses(ToolRef, Matches(CallPattern, n.Value()))
		return
	}
	r.addName(ToolRef, Word{c.Tool, c.ToolSpan}, Reads)
	for _, a := range c.Args {
		r.addOwned(ArgumentRef, c.Tool, Word{a.Name, a.Span}, Reads)
	}
}

// addMapping adds both sides of `value -> path`.
func (r *nameReader) addMapping(v syntax.Node) {
	from, to, ok := strings.Cut(v.Text(), Arrow)
	at := v.Span().Start
	r.addVariable(trimWord(Word{from, text.Span{Start: at}}), Reads)
	if ok {
		r.addVariable(trimWord(Word{to, text.Span{Start: at + len(from) + len(Arrow)}}), Writes)
	}
}

var stepEvent = lazyregexp.New(`^["']?step:(?:enter|exit):([\pL_][\pL\pN_-]*)["']?$`)

func first(words []Word) Word {
	if len(words) == 0 {
		return Word{}
	}
	return words[0]
}

// readValue reads what follows a key and below it.
func (r *nameReader) readValue(n syntax.Node, in nameScope) {
	v := n.Value()
	condition := slices.Contains(conditionKeys, in.key) || in.tool && (in.key == "SET" || in.args)
	if v.Kind() == syntax.String && condition {
		r.readQuoted(v, in)
	} else {
		r.readNode(v, in)
	}
	r.addTemplate(v)
	r.addHandedTo(v)
	r.readNode(n.Child(syntax.FieldBlock), in)
}

// readCall reads the arguments of a call. The name of its tool is no variable.
func (r *nameReader) readCall(n syntax.Node, in nameScope) {
	if expressionContent(n.Value()).Kind() != syntax.Path {
		r.readNode(n.Value(), in)
	}
	r.readNode(n.Child(syntax.FieldBlock), in)
}

// readExpression adds the variables of an expression.
func (r *nameReader) readExpression(n syntax.Node, in nameScope) {
	for p := range n.Preorder() {
		switch {
		case p.Kind() != syntax.Path || slices.Contains([]syntax.Field{syntax.FieldName, syntax.FieldKey, syntax.FieldProperty}, p.Field()):
		case p.Field() != syntax.FieldFunction:
			r.addRead(UnquotedWord(p), in)
		case in.key != "CALL" || p.Parent().Parent() != n:
			r.addRead(receiver(UnquotedWord(p)), in)
		}
	}
	r.addIndirect(Word{n.Text(), n.Span()}, in)
}

// receiver returns the word before a function that is called like a method: `input` of
// `input.contains`. It is empty if there is none.
func receiver(w Word) Word {
	i := strings.LastIndexByte(w.Text, '.')
	if i < 0 || strings.HasPrefix(w.Text, expression.Prefix) {
		return Word{}
	}
	return Word{w.Text[:i], text.Span{Start: w.Span.Start, End: w.Span.Start + i}}
}

// addIndirect adds the parameters that an expression names in other ways than after a dot.
func (r *nameReader) addIndirect(w Word, in nameScope) {
	if !in.args {
		return
	}
	for _, at := range indirectNames(w.Text) {
		r.addArgument(wordOf(w.Text, at, w.Span.Start), in)
	}
}

// addRead adds a name that an expression reads, unless it is a parameter.
func (r *nameReader) addRead(w Word, in nameScope) {
	for _, prefix := range argsPrefixes {
		if in.args && strings.HasPrefix(w.Text, prefix) && !slices.Contains(in.params, placeholder.RootName(w.Text)) {
			r.addArgument(Word{w.Text[len(prefix):], text.Span{Start: w.Span.Start + len(prefix), End: w.Span.End}}, in)
			return
		}
	}
	switch {
	case !slices.Contains(in.params, placeholder.RootName(w.Text)):
		r.addVariable(w, Reads)
	case in.args:
		r.addArgument(w, in)
	}
}

// argsPrefixes are before the name of an argument in an expression.
var argsPrefixes = []string{"args.", FreeForm + "."}

// addArgument adds the parameter that a path begins with.
func (r *nameReader) addArgument(w Word, in nameScope) {
	head := placeholder.RootName(w.Text)
	if slices.Contains(in.params, head) {
		r.addName(ParameterRef, Word{head, text.Span{Start: w.Span.Start, End: w.Span.Start + len(head)}}, Reads)
	}
}

// conditionSigns match what tells a quoted condition from prose.
var conditionSigns = lazyregexp.New(`[=<>!&|+*/%]|\b(?:AND|OR|NOT|IN|IS|IMPLIES|contains|matches|startsWith|endsWith)\b|^[\w.\[\]]+$`)

// wholeCall matches a text that is a call of a function and nothing else.
var wholeCall = lazyregexp.New(`^[A-Za-z_][\w.]*\(.*\)$`)

// readQuoted adds the variables of a quoted condition or expression.
func (r *nameReader) readQuoted(v syntax.Node, in nameScope) {
	if e := v.ChildOf(syntax.Expression); !e.IsZero() {
		r.readExpression(e, in)
		return
	}
	w := UnquotedWord(v)
	r.addIndirect(w, in)
	again := in.key == "REVERT" && strings.HasPrefix(w.Text, "{") // the arguments of a further call
	if !again && !conditionSigns.MatchString(w.Text) && (!in.expr || !wholeCall.MatchString(w.Text)) {
		return
	}
	for _, name := range expressionNames(w.Text) {
		r.addRead(wordOf(w.Text, name.span(), w.Span.Start), in)
	}
}

// span returns the span of the name with all of its parts.
func (n Name) span() text.Span {
	return text.Span{Start: n.Parts[0].Start, End: n.Parts[len(n.Parts)-1].End}
}

// readText adds what the placeholders of a text name. In a tool, a name without a namespace is a
// parameter; below `{{#each}}` it may be a part of the item.
func (r *nameReader) readText(n syntax.Node, in nameScope) {
	r.addLookups(n)
	s, each := n.Text(), 0
	for _, p := range Placeholders(s, false) {
		inner := strings.TrimSpace(s[p.Inner.Start:p.Inner.End])
		within := each > 0
		switch {
		case strings.HasPrefix(inner, "#each"):
			each++
		case strings.HasPrefix(inner, "/each"):
			each--
		}
		if !p.Double || strings.HasPrefix(inner, "lookup:") {
			continue
		}
		for _, name := range Names(s, p.Inner) {
			w := wordOf(s, name.span(), n.Span().Start)
			switch head := placeholder.RootName(w.Text); {
			case s[name.Head().Start-1] == '@':
			case head == "secrets" && len(name.Parts) > 1:
				r.addName(SecretRef, wordOf(s, text.Span{Start: name.Parts[1].Start, End: name.span().End}, n.Span().Start), Reads)
			case head == "secure" && len(name.Parts) > 1: // a field of SECURE_INPUT
				r.addName(VariableRef, wordOf(s, name.Parts[1], n.Span().Start), Reads)
			case head == "session" || !name.inNamespace(s) && !in.tool && !within:
				r.addVariable(w, Reads)
			}
		}
	}
}

var templateUse = lazyregexp.New(`^["']?TEMPLATE\(\s*["']?([A-Za-z_][\w.-]*)["']?\s*\)["']?$`)

func (r *nameReader) addTemplate(v syntax.Node) {
	if strings.Contains(v.Text(), "TEMPLATE(") {
		r.addName(TemplateRef, first(Matches(templateUse, v)), Reads)
	}
}

// addDeclaredTemplates adds the templates that an entry of TEMPLATES declares.
func (r *nameReader) addDeclaredTemplates(n syntax.Node) {
	if n.Kind() != syntax.SectionNode {
		if !n.KeyNode().IsZero() {
			r.addName(TemplateRef, UnquotedWord(KeyOf(n)), Declares)
		}
		return
	}
	for c := range KeyedNodes(n, false) {
		r.addName(TemplateRef, UnquotedWord(KeyOf(c)), Declares)
	}
}

// addStandaloneTemplate adds the template that a section `TEMPLATE name:` is.
func (r *nameReader) addStandaloneTemplate(n syntax.Node) {
	key := n.KeyNode()
	if _, name, ok := strings.Cut(key.Text(), " "); ok {
		start := key.Span().Start + len(key.Text()) - len(name)
		r.addName(TemplateRef, trimWord(Word{name, text.Span{Start: start}}), Declares)
	}
}
