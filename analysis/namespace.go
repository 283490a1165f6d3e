package analysis

import "slices"

// namespace is what may stand before the dot in a placeholder.
type namespace struct {
	name   string
	doc    string
	shared bool // a variable may well have this name, too
}

// namespaces are those of the language, the ones of a tool's binding first.
var namespaces = []namespace{
	{name: "input", doc: "The arguments of the call: `{{input.name}}` is the parameter `name`."},
	{name: "secrets", doc: "A secret of the project, by name. It is looked up last and never shown."},
	{name: "session", doc: "A variable of the session."},
	{name: "env", doc: "A variable of the environment that the tool runs in."},
	{name: "config", doc: "A value of the project's configuration."},
	{name: "_secret", doc: "A value of the vault that `SECRET_ACCESS` names."},
	{name: "lookup", doc: "A value of a look-up table: `{{lookup:table:key}}`."},
	{name: "sip", doc: "A header of the phone call."},
	{name: "locale", doc: "A text of the project in the language of the conversation: `{{locale.KEY}}`.", shared: true},
	{name: "route", doc: "A value of the route that the conversation takes.", shared: true},
	{name: "secure", doc: "A field of the SECURE_INPUT step around.", shared: true},
}

// Namespaces are the names that a placeholder may begin with, whatever the tool.
func Namespaces() []string { return namespaceNames }

var namespaceNames = func() []string {
	names := make([]string, len(namespaces))
	for i, n := range namespaces {
		names[i] = n.name
	}
	return names
}()

func namespaceOf(name string) (namespace, bool) {
	i := slices.IndexFunc(namespaces, func(n namespace) bool { return n.name == name })
	if i < 0 {
		return namespace{}, false
	}
	return namespaces[i], true
}

func isNamespace(name string) bool {
	_, ok := namespaceOf(name)
	return ok
}

// inNamespace reports whether a name in a placeholder is in a namespace, and so is no variable.
func (n Name) inNamespace(s string) bool {
	space, ok := namespaceOf(s[n.Head().Start:n.Head().End])
	return ok && !space.shared
}

// mark is what follows the namespace's name.
func (n namespace) mark() string {
	if n.name == "lookup" {
		return ":"
	}
	return "."
}
