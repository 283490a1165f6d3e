package tool

import "strings"

// Outside is the name by which others call the tool. It begins with the name of its service, if
// there is one.
func (t Tool) Outside() string {
	if t.Namespace == "" {
		return t.Name
	}
	return t.Namespace + "_" + t.Name
}

// ServiceName is the name of the service whose entry in the project's file is about
// this tool: its own, else what its file is called, up to the first dot, if that is one
// of a service or nothing else says how the tool runs.
func (t Tool) ServiceName() string {
	isUnbound := t.Origin.System == "abl" && t.Kind == ""
	if t.Namespace != "" || t.Origin.System != "service" && !isUnbound {
		return t.Namespace
	}
	base := t.Origin.File[strings.LastIndexAny(t.Origin.File, `/\`)+1:]
	name, _, _ := strings.Cut(base, ".")
	return name
}
