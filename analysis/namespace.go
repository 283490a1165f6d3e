package analysis

import "slices"

// namespace is what may stand before the dot in a placeholder.
type namespace struct {
	name string
	doc  string
}

// namespaces are those of the language, the ones of a tool's binding first.
var namespaces = []namespace{
	{"input", "The arguments of the call: `{{input.name}}` is the parameter `name`."},
	{"secrets", "A secret of the project, by name. It is looked up last and never shown."},
	{"session", "A variable of the session."},
	{"env", "A variable of the environment that the tool runs in."},
	{"config", "A value of the project's configuration."},
	{"_secret", "A value of the vault that `SECRET_ACCESS` names."},
	{"lookup", "A value of a look-up table: `{{lookup:table:key}}`."},
	{"sip", "A header of the phone call."},
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

// mark is what follows the namespace's name.
func (n namespace) mark() string {
	if n.name == "lookup" {
		return ":"
	}
	return "."
}
