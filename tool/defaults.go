package tool

import (
	"maps"
	"slices"
	"strings"
)

// SharedDefaults returns the properties that may be written before the first tool of a library and
// apply to all its tools.
func SharedDefaults() []Field { return sharedDefaults }

var sharedDefaults = []Field{
	baseURLField,
	{Name: "auth", Type: WordType, Values: authKinds, Doc: "How all tools authenticate, unless they say otherwise."},
	{Name: "timeout", Type: NumberType, Range: timeoutRange, Doc: "Milliseconds that a call may take, unless a tool says otherwise."},
	{Name: "retry", Type: NumberType, Range: retryRange, Doc: "Further attempts after a failure, unless a tool says otherwise."},
	{Name: "retry_delay", Type: NumberType, Doc: "Milliseconds between attempts, unless a tool says otherwise."},
	{Name: "rate_limit", Type: NumberType, Doc: "Most requests in a second, unless a tool says otherwise."},
	{Name: "headers", Type: MapType, Doc: "Headers that are added to those of each tool."},
}

var baseURLField = Field{Name: "base_url", Type: String, Doc: "Put before every `endpoint` that is a path."}

// WithDefaults adds shared defaults to a tool's own properties, both by canonical name. Own values
// win; headers merge, whatever the case of their names.
func WithDefaults(own, defaults map[string]any) map[string]any {
	out := make(map[string]any, len(own)+len(defaults))
	maps.Copy(out, defaults)
	maps.Copy(out, own)
	for _, step := range []string{verifyName, revertName} {
		if o, ok := object(own[step]); ok {
			out[step] = stepWithDefaults(o, defaults)
		}
	}
	mine, _ := object(own["headers"])
	if shared, ok := object(defaults["headers"]); ok && (own["headers"] == nil || mine != nil) {
		out["headers"] = mergeHeaders(mine, fitting(own["type"], shared))
	}
	return out
}

// fitting returns those of the shared headers that a tool of that kind can have. An MCP tool does
// not get the headers that its protocol sets, which are for the HTTP tools of the library.
func fitting(kind any, shared Object) Object {
	if k, _ := decodeKind(kind); k != KindMCP {
		return shared
	}
	return slices.DeleteFunc(slices.Clone(shared), func(m Member) bool { return IsFixedByMCP(m.Name) })
}

// stepWithDefaults adds shared defaults to the binding of a `verify` or `revert`, since it usually
// calls the same service as the tool.
func stepWithDefaults(step Object, defaults map[string]any) Object {
	own := make(map[string]any, len(step))
	for _, m := range step {
		own[m.Name] = m.Value
	}
	all, _ := object(WithDefaults(own, defaults))
	return all
}

func mergeHeaders(own, shared Object) Object {
	out := slices.Clone(own)
	for _, m := range shared {
		has := func(o Member) bool { return strings.EqualFold(o.Name, m.Name) }
		if !slices.ContainsFunc(own, has) {
			out = append(out, m)
		}
	}
	return out
}
