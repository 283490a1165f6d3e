package sql

import (
	"cmp"
	"encoding/json"
	"maps"
	"net"
	"path/filepath"
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

// source is a database of the project, with all placeholders filled in.
type source struct {
	name, kind        string
	host, port        string
	database          string
	user, password    string
	params            map[string]string
	timeout           time.Duration
	guard             *dial.Guard
	environment, root string
	folder            string // where relative paths start
	bytes             int64
	marksForSecrets   bool // marks replace the secrets
}

// inMemoryPath is the name of a database that exists only in memory.
const inMemoryPath = ":memory:"

var defaultPorts = map[string]string{kindPostgres: "5432", kindMySQL: "3306"}

// poolSlot returns a key for a source of a project in an environment, and for the hosts that may be
// reached.
func (s *source) poolSlot() string {
	return strings.Join([]string{s.root, s.environment, s.name, s.guard.Key()}, "\x00")
}

// identity returns a key that differs if the settings of the source differ.
func (s *source) identity() string {
	return string(encode([]any{s.kind, s.host, s.port, s.database, s.user, s.password, s.params, s.folder, s.bytes}))
}

// address returns host and port of the server. It is "" for a file.
func (s *source) address() string {
	if s.kind == kindSQLite {
		return ""
	}
	return net.JoinHostPort(s.host, s.port)
}

// secretReceiver returns who receives the secrets: a host without its port, or the file.
func (s *source) secretReceiver() string {
	if s.kind == kindSQLite {
		return s.database
	}
	return s.host
}

// placeOf returns the path of a property of the source in the project's file.
func (s *source) placeOf(property string) string { return "sources." + s.name + "." + property }

func sourceName(call executor.Call, s *tool.SQL) (string, error) {
	name, err := call.Scope.Expand(s.Source, nil)
	switch {
	case err != nil:
		return "", executor.TemplateError("source", err)
	case name == "":
		return "", executor.DefinitionError("source", "source is missing: give a name that stands under sources in abl.yaml")
	}
	return name, nil
}

// dialectOf returns the dialect of a source.
func dialectOf(call executor.Call, name string) (*dialect, error) {
	src, ok := call.Environment.Sources[name]
	if !ok {
		return nil, unknownSourceError(name, call.Environment.Sources)
	}
	if src.Fault != nil {
		return nil, src.Fault
	}
	if d := dialects[src.Kind]; d != nil {
		mode, err := sqlModeOf(call, name)
		return d.withSQLMode(mode), err
	}
	return nil, wrongKindError(name, src.Kind)
}

// Supports returns an error if the tool's source is of a kind that this package does not support.
func (r *Runner) Supports(t *tool.Tool, e *executor.Environment) error {
	s, ok := t.Spec.(*tool.SQL)
	if !ok {
		return nil
	}
	src, ok := e.Sources[s.Source]
	if ok && src.Fault == nil && dialects[src.Kind] == nil {
		return wrongKindError(s.Source, src.Kind)
	}
	return nil
}

func wrongKindError(name, kind string) error {
	if kind == "http" {
		return executor.DefinitionError("source", "source: %s is an HTTP service; `type: sql` wants a database", name)
	}
	return executor.DefinitionError("source", "sources.%s.kind: %q is none of sqlite, postgres, mysql", name, kind)
}

// sqlModeOf returns the sql_mode that a source sets.
func sqlModeOf(call executor.Call, name string) (string, error) {
	text, at := call.Environment.Sources[name].QueryParams["sql_mode"], "sources."+name+".query_params.sql_mode"
	if len(placeholder.Secrets(text)) > 0 {
		return "", executor.DefinitionError("source", "%s: it says how statements are read, and cannot be a secret", at)
	}
	mode, err := call.Scope.Expand(text, nil)
	if err != nil {
		return "", executor.TemplateError(at, err)
	}
	return mode, nil
}

func unknownSourceError(name string, sources map[string]tool.Source) error {
	e := executor.DefinitionError("unknown-source", "source: neither abl.yaml nor the tool's own file has %s under sources", name)
	if len(sources) == 0 {
		return e.WithHint("Say where it is: sources: {%s: {kind: sqlite, database: ./%s.db}}, or kind postgres or mysql.", name, name)
	}
	return e.WithHint("It has %s.", strings.Join(slices.Sorted(maps.Keys(sources)), ", "))
}

// resolveSource returns the source that a call names, including its secrets.
func resolveSource(call executor.Call, name string) (*source, error) {
	return readSource(call, name, false)
}

// shownSource returns a source as a preview shows it, with a mark for each secret. A mark is the
// same in every run, unlike a stand-in.
func shownSource(call executor.Call, name string) (*source, error) {
	return readSource(call, name, true)
}

func readSource(call executor.Call, name string, markSecrets bool) (*source, error) {
	written := call.Environment.Sources[name]
	s := &source{
		name: name, marksForSecrets: markSecrets, kind: written.Kind, guard: call.Guard, environment: call.Environment.Name, root: call.Environment.Root,
		folder: cmp.Or(written.Folder, call.Environment.Root),
		bytes:  call.Environment.Limits.MaxBytes(),
	}
	for _, f := range []struct {
		property string
		text     string
		into     *string
	}{
		{"host", cmp.Or(written.Host, "127.0.0.1"), &s.host},
		{"port", cmp.Or(written.Port, defaultPorts[s.kind]), &s.port},
		{"database", written.Database, &s.database},
		{"user", written.User, &s.user},
		{"password", written.Password, &s.password},
	} {
		var err error
		if *f.into, err = s.fillText(call, f.property, f.text); err != nil {
			return s, err
		}
	}
	s.params = make(map[string]string, len(written.QueryParams))
	for name, text := range written.QueryParams {
		var err error
		if s.params[name], err = s.fillText(call, "query_params."+name, text); err != nil {
			return s, err
		}
	}
	var err error
	if s.timeout, err = s.readTimeout(call, written.Timeout); err != nil {
		return s, err
	}
	return s, s.check()
}

// fillText fills in the placeholders of a text of the project's file. An argument is an error, because
// it could choose the database.
func (s *source) fillText(call executor.Call, property, text string) (string, error) {
	filled, err := call.Scope.Expand(text, func(v template.Value) (string, error) {
		if v.Source == template.Argument {
			return "", executor.DefinitionError("template", "%s: an argument (%s) cannot stand here", s.placeOf(property), v.Name)
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

func (s *source) readTimeout(call executor.Call, text string) (time.Duration, error) {
	text, err := s.fillText(call, "timeout", text)
	if err != nil || text == "" || hasSecretMark(text) {
		return 0, err
	}
	if d, err := time.ParseDuration(text); err == nil && d > 0 {
		return d, nil
	}
	ms, ok := tool.Number(text).Float()
	if !ok || ms <= 0 {
		return 0, executor.DefinitionError("source", "%s: %q is no time such as 30s, or 30000 for milliseconds", s.placeOf("timeout"), text)
	}
	return call.Duration(s.placeOf("timeout"), tool.Number(text))
}

// check returns an error if the settings cannot describe a database.
func (s *source) check() error {
	if s.kind == kindSQLite {
		return s.checkFile()
	}
	port, err := strconv.Atoi(s.port)
	switch {
	case !hasSecretMark(s.port) && (err != nil || port < 1 || port > 65535):
		return executor.DefinitionError("source", "%s: %q is no port from 1 to 65535", s.placeOf("port"), s.port)
	case strings.ContainsAny(s.host, "/,@ "):
		return executor.DefinitionError("source", "%s: %q is no host; sockets of files and lists of hosts are not used", s.placeOf("host"), s.host)
	}
	return nil
}

// hasSecretMark reports whether a text contains a mark for a secret. Such a text need not be valid
// where it is used.
func hasSecretMark(text string) bool { return strings.Contains(text, secrets.MarkPrefix) }

func (s *source) checkFile() error {
	switch {
	case s.database == "":
		return executor.DefinitionError("source", "%s is missing: the path of the file, or %s", s.placeOf("database"), inMemoryPath)
	case s.database == inMemoryPath:
		return nil
	case strings.HasPrefix(s.database, "file:"):
		return executor.DefinitionError("source", "%s: a path is wanted here, not a URI", s.placeOf("database"))
	case !filepath.IsAbs(s.database):
		s.database = filepath.Join(s.folder, filepath.FromSlash(s.database))
	}
	return nil
}

// secretsOf returns the names of the secrets in a source's settings.
func secretsOf(s tool.Source) []string {
	text, _ := json.Marshal(s) // strings always encode
	return placeholder.Secrets(string(text))
}
