package analysis

import (
	"slices"
	"strings"
)

// introduced are the names that a tool's own properties bring in beside its
// parameters.
type introduced struct {
	stored  bool            // by a stored processor, into which nobody can look
	process map[string]bool // by `process`: heads of paths
	context map[string]bool // heads of the paths in `context_access`
}

// Introduces reports whether the tool's `process` sets the name, or may: nobody
// can look into a stored processor.
func (d *ToolDecl) Introduces(name string) bool {
	in := d.introduced()
	return in.stored || in.process[name]
}

// ReadsContext reports whether a path in the tool's `context_access` begins with
// the name.
func (d *ToolDecl) ReadsContext(name string) bool { return d.introduced().context[name] }

func readIntroduced(props []Property) introduced {
	in := introduced{process: map[string]bool{}, context: map[string]bool{}}
	_, in.stored = find(props, "process", "before", "use")
	for _, path := range [][]string{{"process", "before", "params"}, {"process", "after", "result"}} {
		p, _ := find(props, path...)
		for _, name := range p.Properties() {
			in.process[HeadOf(name.Name())] = true
		}
	}
	for _, list := range []string{"read", "write"} {
		p, _ := find(props, "context_access", list)
		for _, w := range p.Words() {
			in.context[HeadOf(w.Text)] = true
		}
	}
	return in
}

// find is the property that a path of canonical names leads to; of several the
// last, which wins.
func find(props []Property, path ...string) (Property, bool) {
	for _, p := range slices.Backward(props) {
		if p.Field == nil || p.Flat != nil || p.Name() != path[0] {
			continue
		}
		if len(path) == 1 {
			return p, true
		}
		if inner, ok := find(p.Properties(), path[1:]...); ok {
			return inner, true
		}
	}
	return Property{}, false
}

// HeadOf is a path up to its first dot or bracket.
func HeadOf(path string) string {
	if i := strings.IndexAny(path, ".["); i >= 0 {
		return path[:i]
	}
	return path
}
