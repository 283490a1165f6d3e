package tool

import (
	"net/url"
	"strconv"
	"strings"
)

// ReferenceSteps returns the keys and indexes by which ref, the value of a `$ref`, leads to a part
// of its own schema: none for #, two for #/$defs/NAME. ok is false for any other reference.
func ReferenceSteps(ref string) (steps []string, ok bool) {
	path, ok := strings.CutPrefix(ref, "#")
	if plain, err := url.PathUnescape(path); err == nil {
		path = plain
	}
	if !ok || path == "" {
		return nil, ok
	}
	if path, ok = strings.CutPrefix(path, "/"); !ok {
		return nil, false
	}
	for step := range strings.SplitSeq(path, "/") {
		steps = append(steps, strings.NewReplacer("~1", "/", "~0", "~").Replace(step))
	}
	return steps, true
}

// ResolveReference returns the part of the schema root to which ref, the value of a `$ref` in it,
// leads by a path or an anchor; nil if there is none.
func ResolveReference(root any, ref string) any {
	steps, ok := ReferenceSteps(ref)
	if name, anchor := strings.CutPrefix(ref, "#"); !ok && anchor {
		return findAnchor(root, name)
	}
	if !ok {
		return nil
	}
	for _, step := range steps {
		root, _ = ChildOf(root, step)
	}
	return root
}

// ChildOf returns the member called step of an object, or the element with the index step of a
// list. The second result is false if there is none.
func ChildOf(of any, step string) (any, bool) {
	switch of := of.(type) {
	case map[string]any:
		v, ok := of[step]
		return v, ok
	case []any:
		if i, err := strconv.Atoi(step); err == nil && i >= 0 && i < len(of) {
			return of[i], true
		}
	}
	return nil, false
}

// findAnchor returns the part of a schema that has an anchor of that name; nil if there is none.
func findAnchor(at any, name string) any {
	switch at := at.(type) {
	case map[string]any:
		if at["$anchor"] == name || at["$dynamicAnchor"] == name {
			return at
		}
		for _, part := range at {
			if found := findAnchor(part, name); found != nil {
				return found
			}
		}
	case []any:
		for _, part := range at {
			if found := findAnchor(part, name); found != nil {
				return found
			}
		}
	}
	return nil
}
