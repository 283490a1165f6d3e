package redis

import (
	"cmp"
	"encoding/json"
	"maps"
	"net"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/dial"
	"github.com/abl-lsp/abl-lsp/executor/secrets"
	"github.com/abl-lsp/abl-lsp/executor/template"
	"github.com/abl-lsp/abl-lsp/tool"
	"github.com/abl-lsp/abl-lsp/tool/placeholder"
)

// serverKinds are the kinds of sources that tools of this kind support.
var serverKinds = []string{"redis", "valkey"}

func isServer(kind string) bool { return slices.Contains(serverKinds, kind) }

// source is a server of the project, with all placeholders filled in.
type source struct {
	name            string
	host, port      string
	database        string
	user, password  string
	params          map[string]string
	timeout         time.Duration
	guard           *dial.Guard
	folder          string // where relative paths start
	bytes           int64
	marksForSecrets bool // marks replace the secrets
}

func (s *source) address() string { return net.JoinHostPort(s.host, s.port) }

// placeOf returns the path of a property of the source in the project's file.
func (s *source) placeOf(property string) string { return "sources." + s.name + "." + property }

// sourceName returns the name of the call's source, which the project declares.
func sourceName(call executor.Call) (string, error) {
	b, err := executor.SpecOf[*tool.Redis](call)
	if err != nil {
		return "", err
	}
	name, err := call.Scope.Expand(b.Source, nil)
	switch {
	case err != nil:
		return "", executor.TemplateError("source", err)
	case name == "":
		return "", executor.DefinitionError("source", "source is missing: give a name that is under sources in abl.yaml")
	}
	src, ok := call.Environment.Sources[name]
	switch {
	case !ok:
		return "", unknownSourceError(name, call.Environment.Sources)
	case src.Fault != nil:
		return "", src.Fault
	case !isServer(src.Kind):
		return "", wrongKindError(name, src.Kind)
	}
	return name, nil
}

func unknownSourceError(name string, sources map[string]tool.Source) error {
	e := executor.DefinitionError("unknown-source", "source: neither abl.yaml nor the tool's own file has %s under sources", name)
	if len(sources) == 0 {
		return e.WithHint("Say where it is: sources: {%s: {kind: redis, host: redis.example.com}}.", name)
	}
	return e.WithHint("It has %s.", strings.Join(slices.Sorted(maps.Keys(sources)), ", "))
}

// resolveSource returns the source that a call names, including its secrets.
func resolveSource(call executor.Call) (*source, error) { return readSource(call, false) }

// shownSource returns a source as a preview shows it, with a mark for each secret.
func shownSource(call executor.Call) (*source, error) { return readSource(call, true) }

func readSource(call executor.Call, markSecrets bool) (*source, error) {
	name, err := sourceName(call)
	if err != nil {
		return nil, err
	}
	written := call.Environment.Sources[name]
	s := &source{
		name: name, marksForSecrets: markSecrets, guard: call.Guard, bytes: call.Environment.Limits.MaxBytes(),
		folder: cmp.Or(written.Folder, call.Environment.Root), params: map[string]string{},
	}
	for _, f := range []struct {
		property, text string
		into           *string
	}{
		{"host", cmp.Or(written.Host, "127.0.0.1"), &s.host},
		{"port", written.Port, &s.port},
		{"database", cmp.Or(written.Database, "0"), &s.database},
		{"user", written.User, &s.user},
		{"password", written.Password, &s.password},
	} {
		if *f.into, err = s.fillText(call, f.property, f.text); err != nil {
			return nil, err
		}
	}
	for name, text := range written.QueryParams {
		if s.params[name], err = s.fillText(call, "query_params."+name, text); err != nil {
			return nil, err
		}
	}
	if s.port == "" {
		s.splitHost()
	}
	if iam, _ := strconv.ParseBool(written.UseGCPIAM); iam {
		return nil, executor.DefinitionError("source", "%s: nothing here signs in by Google's IAM; give user and password", s.placeOf("use_gcp_iam"))
	}
	if err := s.setTimeout(call, written.Timeout); err != nil {
		return nil, err
	}
	return s, s.check()
}

// splitHost sets the port to that in the host, or to the usual one.
func (s *source) splitHost() {
	s.port = "6379"
	if host, port, err := net.SplitHostPort(s.host); err == nil {
		s.host, s.port = host, port
	}
}

// fillText fills in the placeholders of a text of the project's file. An argument is an error, because
// it could choose the server.
func (s *source) fillText(call executor.Call, property, text string) (string, error) {
	filled, err := call.Scope.Expand(text, func(v template.Value) (string, error) {
		if v.Source == template.Argument {
			return "", executor.DefinitionError("template", "%s: an argument (%s) cannot be used here", s.placeOf(property), v.Name)
		}
		if v.Source == template.Secret && s.marksForSecrets {
			return secrets.Mark(v.Name), nil
		}
		return v.Text(), nil
	})
	if err != nil {
		return "", executor.TemplateError(s.placeOf(property), err)
	}
	return filled, nil
}

func (s *source) setTimeout(call executor.Call, text string) error {
	text, err := s.fillText(call, "timeout", text)
	if err != nil || text == "" || hasSecretMark(text) {
		return err
	}
	if d, err := time.ParseDuration(text); err == nil && d > 0 {
		s.timeout = d
		return nil
	}
	if ms, ok := tool.Number(text).Float(); !ok || ms <= 0 {
		return executor.DefinitionError("source", "%s: %q is no time such as 30s, or 30000 for milliseconds", s.placeOf("timeout"), text)
	}
	s.timeout, err = call.Duration(s.placeOf("timeout"), tool.Number(text))
	return err
}

// check returns an error if the settings cannot describe a server.
func (s *source) check() error {
	port, err := strconv.Atoi(s.port)
	database, errDatabase := strconv.Atoi(s.database)
	switch {
	case !hasSecretMark(s.port) && (err != nil || port < 1 || port > 65535):
		return executor.DefinitionError("source", "%s: %q is no port from 1 to 65535", s.placeOf("port"), s.port)
	case !hasSecretMark(s.database) && (errDatabase != nil || database < 0):
		return executor.DefinitionError("source", "%s: %q is no number of a database, such as 0", s.placeOf("database"), s.database)
	case strings.ContainsAny(s.host, "/,@ "):
		return executor.DefinitionError("source", "%s: %q is no host", s.placeOf("host"), s.host)
	}
	for name := range s.params {
		if !slices.Contains(tlsParameters, name) {
			return executor.DefinitionError("source", "%s is none of %s", s.placeOf("query_params."+name), strings.Join(tlsParameters, ", "))
		}
	}
	return nil
}

// hasSecretMark reports whether a text contains a mark for a secret. Such a text need not be valid
// where it is used.
func hasSecretMark(text string) bool { return strings.Contains(text, secrets.MarkPrefix) }

// secretsOf returns the names of the secrets in a source's settings.
func secretsOf(s tool.Source) []string {
	text, _ := json.Marshal(s) // strings always encode
	return placeholder.Secrets(string(text))
}
