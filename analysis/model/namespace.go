package model

import "slices"

// Namespace is a name that may be before the dot in a placeholder.
type Namespace struct {
	Name   string
	Doc    string
	shared bool // a variable may have this name, too
}

// NamespaceTable lists the namespaces of the language, those of a tool's binding first.
var NamespaceTable = []Namespace{
	{Name: "input", Doc: "The arguments of the call: `{{input.name}}` is the parameter `name`."},
	{Name: "secrets", Doc: "A secret of the project, by name. It is looked up last and never shown."},
	{Name: "session", Doc: "A variable of the session."},
	{Name: "env", Doc: "A variable of the environment that the tool runs in."},
	{Name: "config", Doc: "A value of the project's configuration."},
	{Name: "_secret", Doc: "A value of the vault that `SECRET_ACCESS` names."},
	{Name: "lookup", Doc: "A value of a look-up table: `{{lookup:table:key}}`."},
	{Name: "sip", Doc: "A header of the phone call."},
	{Name: "locale", Doc: "A text of the project in the language of the conversation: `{{locale.KEY}}`.", shared: true},
	{Name: "route", Doc: "A value of the route that the conversation takes.", shared: true},
	{Name: "secure", Doc: "A field of the SECURE_INPUT step around.", shared: true},
}

// Namespaces returns the names that a placeholder may begin with, whatever the tool.
func Namespaces() []string { return namespaceNames }

var namespaceNames = func() []string {
	names := make([]string, len(NamespaceTable))
	for i, n := range NamespaceTable {
		names[i] = n.Name
	}
	return names
}()

// FindNamespace returns the namespace of that name; ok is false for any other name.
func FindNamespace(name string) (Namespace, bool) {
	i := slices.IndexFunc(NamespaceTable, func(n Namespace) bool { return n.Name == name })
	if i < 0 {
		return Namespace{}, false
	}
	return NamespaceTable[i], true
}

// IsNamespace reports whether a placeholder may begin with that name, whatever the tool.
func IsNamespace(name string) bool {
	_, ok := FindNamespace(name)
	return ok
}

// inNamespace reports whether a name in a placeholder has a namespace, and so is no variable.
func (n Name) inNamespace(s string) bool {
	space, ok := FindNamespace(s[n.Head().Start:n.Head().End])
	return ok && !space.shared
}

// Separator returns what follows the namespace's name.
func (n Namespace) Separator() string {
	if n.Name == "lookup" {
		return ":"
	}
	return "."
}
