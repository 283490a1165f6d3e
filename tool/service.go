package tool

import "strings"

// QualifiedName returns the name by which others call the tool. It begins with the name of its service,
// if there is one.
func (t Tool) QualifiedName() string {
	if t.Namespace == "" {
		return t.Name
	}
	return t.Namespace + "_" + t.Name
}

// ServiceName returns the name of the service whose entry in the project's file describes how to
// run this tool. It is the tool's own namespace, else the name of its file up to the first dot, if
// the file is one of a service or nothing else says how the tool runs.
func (t Tool) ServiceName() string {
	isUnbound := t.Origin.System == "abl" && t.Kind == ""
	if t.Namespace != "" || t.Origin.System != "service" && !isUnbound {
		return t.Namespace
	}
	base := t.Origin.File[strings.LastIndexAny(t.Origin.File, `/\`)+1:]
	name, _, _ := strings.Cut(base, ".")
	return name
}
