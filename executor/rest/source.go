package rest

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
	"github.com/abl-lsp/abl-lsp/tool"
	"github.com/abl-lsp/abl-lsp/tool/placeholder"
)

// mergeSource merges a request with the source that it names. The base URL is that of the source.
// Headers, query parameters and the timeout come from the source where the tool does not set
// them.
func mergeSource(call executor.Call, s *tool.HTTP) (*tool.HTTP, error) {
	if s.Source == "" {
		return s, nil
	}
	source, err := sourceOf(call, s)
	if err != nil {
		return nil, err
	}
	out := *s
	out.Source, out.BaseURL = "", source.BaseURL
	out.Headers = mergeHeaders(s.Headers, source.Headers)
	out.Timeout = cmp.Or(s.Timeout, milliseconds(source.Timeout))
	out.QueryParams = nil
	for _, key := range slices.Sorted(maps.Keys(source.QueryParams)) {
		if !slices.ContainsFunc(s.QueryParams, func(p tool.Pair) bool { return p.Key == key }) {
			out.QueryParams = append(out.QueryParams, tool.Pair{Key: key, Value: source.QueryParams[key]})
		}
	}
	out.QueryParams = append(out.QueryParams, s.QueryParams...)
	return &out, nil
}

// sourceOf returns the source that a request names. It returns an error if the source cannot be
// used.
func sourceOf(call executor.Call, s *tool.HTTP) (tool.Source, error) {
	source, ok := call.Environment.Sources[s.Source]
	of, secret := "sources."+s.Source, secretHost.FindStringSubmatch(strings.TrimSpace(source.BaseURL))
	switch insecure, _ := strconv.ParseBool(source.DisableSSLVerification); {
	case !ok:
		return source, unknownSourceError(s.Source, call.Environment.Sources)
	case source.Fault != nil:
		return source, source.Fault
	case source.Kind != "http":
		return source, wrongKindError(s, source)
	case strings.TrimSpace(source.BaseURL) == "":
		return source, executor.DefinitionError("source", "%s.base_url is missing", of)
	case secret != nil:
		e := executor.Errorf(executor.KindDefinition, "source", "%s.base_url: the host cannot come from a secret, as in %s", of, strings.TrimSpace(source.BaseURL))
		return source, e.WithHint("Write it out, or give %s in abl.yaml, where {{env.NAME}} may be the host. In a Toolbox file base_url is baseUrl, and ${%[2]s} means {{secrets.%[2]s}}.", s.Source, secret[1])
	case insecure:
		e := executor.Errorf(executor.KindDefinition, "source", "%s.disable_ssl_verification: certificates are always verified", of)
		return source, e.WithHint("Take it away; a certificate of your own belongs among those that this system trusts.")
	case tool.IsAbsolute(strings.TrimSpace(s.Endpoint)):
		e := executor.Errorf(executor.KindDefinition, "source", "endpoint: %s brings a host of its own, and what %s sends is for another", s.Endpoint, of)
		return source, e.WithHint("Write the path alone, or leave source out.")
	}
	return source, nil
}

// SupportsSource returns an error if the source that s names is known in e and is not an HTTP
// service.
func SupportsSource(s *tool.HTTP, e *executor.Environment) error {
	if source, ok := e.Sources[s.Source]; ok && source.Fault == nil && source.Kind != "http" {
		return wrongKindError(s, source)
	}
	return nil
}

func wrongKindError(s *tool.HTTP, source tool.Source) error {
	return executor.DefinitionError("source", "source: sources.%s is of kind: %s, and type: http wants one of kind: http", s.Source, source.Kind)
}

// secretHost matches a URL whose host contains a secret. Its group is the name of the secret.
var secretHost = lazyregexp.New(`^(?:[^{/]*:)?(?://)?[^/?#]*` + placeholder.Open + `secrets\.([\w.-]+)` + placeholder.Close)

func unknownSourceError(name string, sources map[string]tool.Source) error {
	e := executor.Errorf(executor.KindDefinition, "unknown-source", "source: neither abl.yaml nor the tool's own file has %s under sources", name)
	if len(sources) > 0 {
		return e.WithHint("There is %s.", strings.Join(slices.Sorted(maps.Keys(sources)), ", "))
	}
	return e.WithHint("Write sources: {%s: {kind: http, base_url: …}} in abl.yaml.", name)
}

// milliseconds converts a duration to a number of milliseconds: 30s becomes 30000. Other text is
// returned as it is.
func milliseconds(text string) tool.Number {
	d, err := time.ParseDuration(text)
	if err != nil {
		return tool.Number(text)
	}
	return tool.Number(strconv.FormatInt(d.Milliseconds(), 10))
}
