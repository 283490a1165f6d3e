package model

import "strings"

// AuthServices returns the auth services that a tool names: those whose token a caller must have,
// and those that fill its parameters.
func (d *ToolDecl) AuthServices() []Word {
	var names []Word
	if p, ok := d.Property("auth_required"); ok {
		names = plainWords(p)
	}
	for _, list := range d.ClaimLists() {
		for _, item := range list.Items() {
			names = append(names, nameOf(item)...)
		}
	}
	return names
}

// ClaimLists returns the `auth_services` properties of the tool's parameters.
func (d *ToolDecl) ClaimLists() (lists []Property) {
	for _, block := range []string{"parameters", "template_parameters"} {
		parameters, _ := d.Property(block)
		for _, parameter := range parameters.Properties() {
			for _, key := range parameter.Properties() {
				if key.Name() == "auth_services" && key.Field != nil {
					lists = append(lists, key)
				}
			}
		}
	}
	return lists
}

// nameOf returns the `name` of an item.
func nameOf(item Item) []Word {
	for _, p := range item.Properties() {
		if word, ok := p.PlainName(); ok && p.Name() == "name" {
			return []Word{word}
		}
	}
	return nil
}

// plainWords returns the words of a list that have no placeholders.
func plainWords(p Property) []Word {
	var out []Word
	for _, w := range ListWords(p.Node) {
		if w.Text != "" && !strings.Contains(w.Text, "{{") {
			out = append(out, w)
		}
	}
	return out
}
