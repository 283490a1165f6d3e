package projectfile

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/syntax/yaml"
	"github.com/abl-lsp/abl-lsp/tool"
)

// Settings are the settings of a run in one environment: the top level with the environment merged
// over it, key by key.
type Settings struct {
	Environment string // the one that applies; "" for none
	Protected   Flag
	BaseURL     string
	Variables   map[string]string
	Credentials map[string]tool.Credential
	Secrets     SecretPlaces
	Permissions Permissions
	Limits      Limits

	Servers         map[string]tool.Server
	Functions       map[string]tool.Function
	Sources         map[string]tool.Source
	AuthServices    map[string]tool.AuthService
	Services        map[string]tool.Service
	Sandbox         Sandbox
	Search          tool.Search
	CallbackBaseURL string
	CallbackPort    Port
	Scopes          map[string]ScopeList
}

// ScopeList are the scopes that a caller of a tool needs, at least one.
type ScopeList []string

// UnmarshalJSON reads the list. It fails for an empty one, which is unfinished: it would let every
// caller call the tool.
func (l *ScopeList) UnmarshalJSON(raw []byte) error {
	if err := json.Unmarshal(raw, (*[]string)(l)); err != nil {
		return err
	}
	if len(*l) == 0 || slices.ContainsFunc(*l, func(s string) bool { return len(strings.Fields(s)) != 1 }) {
		return errors.New("the scopes of a tool are a list of words, at least one")
	}
	return nil
}

// Sandbox has what abl.yaml sets below `sandbox`: the engine that runs the code of sandbox tools.
// Engine is "" if none is set.
type Sandbox struct {
	Engine string `json:"engine"`
}

// SecretPlaces has what abl.yaml sets below `secrets`: the providers that are asked for a secret,
// in order, and the words of the command that the provider `command` runs.
type SecretPlaces struct {
	Providers []Provider `json:"providers"` // nil if it is missing
	Command   []string   `json:"command"`
}

// Permissions has what abl.yaml sets below `permissions`: the accesses that runs are allowed, and
// those that they are denied.
type Permissions struct {
	Allow allowList         `json:"allow"`
	Deny  []tool.Permission `json:"deny"`
}

// UnmarshalJSON reads both lists. It fails for an unknown key: if that is misspelt, the permissions
// would deny less, or allow more, than is meant.
func (p *Permissions) UnmarshalJSON(raw []byte) error {
	if err := onlyKeys(raw, "allow", "deny"); err != nil {
		return err
	}
	var items struct {
		Allow []json.RawMessage `json:"allow"`
		Deny  []json.RawMessage `json:"deny"`
	}
	if err := json.Unmarshal(raw, &items); err != nil {
		return err
	}
	for _, item := range slices.Concat(items.Allow, items.Deny) {
		if err := onlyKeys(item, "kind", "op", "resource"); err != nil {
			return err
		}
	}
	type plain Permissions
	if err := json.Unmarshal(raw, (*plain)(p)); err != nil {
		return err
	}
	for _, d := range p.Deny {
		if key, why := IdleDenial(d); key != "" {
			return fmt.Errorf("%s:%s:%s under deny would deny nothing; its %s: %s", d.Kind, d.Op, d.Resource, key, why)
		}
	}
	return nil
}

// onlyKeys returns an error if an object has another key than these.
func onlyKeys(raw json.RawMessage, known ...string) error {
	var fields map[string]json.RawMessage
	_ = json.Unmarshal(raw, &fields) // other errors report what is no object
	for _, key := range slices.Sorted(maps.Keys(fields)) {
		if !slices.Contains(known, key) {
			return fmt.Errorf("%q is none of %s", key, strings.Join(known, ", "))
		}
	}
	return nil
}

// allowList are the accesses under `allow`. An access without keys is refused: it would allow
// everything, and is more likely misspelt or unfinished.
type allowList []tool.Permission

// UnmarshalJSON reads the list. It fails for an access without keys.
func (a *allowList) UnmarshalJSON(raw []byte) error {
	var list []tool.Permission
	if err := json.Unmarshal(raw, &list); err != nil {
		return err
	}
	if slices.Contains(list, tool.Permission{}) {
		return errors.New("an access that is allowed says its kind, its op or its resource; * stands for any")
	}
	*a = list
	return nil
}

// Limits has what abl.yaml sets below `limits`: the largest size of an answer, and the largest
// number of rows. A limit that is not set is 0.
type Limits struct {
	ResponseBytes Size  `json:"response_bytes"`
	Rows          Count `json:"rows"`
}

// UnknownEnvironment is the error for an environment that the file does not have.
type UnknownEnvironment struct {
	Name  string
	Known []string
}

func (e *UnknownEnvironment) Error() string {
	if len(e.Known) == 0 {
		return fmt.Sprintf("there is no environment %q: no abl.yaml around the file has any", e.Name)
	}
	return fmt.Sprintf("there is no environment %q; abl.yaml has %s", e.Name, strings.Join(e.Known, ", "))
}

// ReadSettings reads the settings of a run in an environment, "" for the default one. If some of
// the file cannot be read, it fails, since that part may forbid the run. A server, function, source
// or service that cannot be read forbids nothing: its fault is reported when it is used. The error
// is an [*UnknownEnvironment] if there is no such environment, else it begins with the line.
func ReadSettings(d *yaml.Document, environment string) (Settings, error) {
	if f := firstUnread(d); f != nil {
		return Settings{}, errorAt(d.Lines(), f.Span.Start, f.Message)
	}
	environment, err := chosenEnvironment(d, environment)
	if err == nil {
		err = misspeltIn(d, environment)
	}
	if err != nil {
		return Settings{}, err
	}
	return decode(d, environment)
}

// mergedEnvironment returns the top level with an environment merged over it.
func mergedEnvironment(d *yaml.Document, environment string, leaf func(*yaml.Node) any) tool.Object {
	all := value(d.Root(), leaf)
	if environment != "" {
		all = mergeOver(all, value(d.Root().Get(Environments).Get(environment), leaf))
	}
	keys, _ := all.(tool.Object)
	return keys
}

// chosenEnvironment returns asked or, if that is "", the value of `default_environment`; "" if
// there is none. It fails if the file has no environment of the name, with an [*UnknownEnvironment]
// if the name was asked for.
func chosenEnvironment(d *yaml.Document, asked string) (string, error) {
	name := asked
	if byDefault := d.Root().Member("default_environment"); name == "" && byDefault != nil && byDefault.Value.Kind != yaml.Null {
		if !byDefault.Value.IsScalar() {
			return "", errorAt(d.Lines(), byDefault.Key.Span.Start, "default_environment is a single name")
		}
		name = byDefault.Value.Text
	}
	if name == "" || d.Root().Get(Environments).Get(name) != nil {
		return name, nil
	}
	unknown := &UnknownEnvironment{Name: name, Known: EnvironmentNames(d)}
	if asked == "" {
		return "", errorAt(d.Lines(), d.Root().Get("default_environment").Span.Start, unknown.Error())
	}
	return "", unknown
}

// DefaultEnvironment returns the value of `default_environment`, whether or not there is such an
// environment; "" for none. ok is false if the file cannot be read.
func DefaultEnvironment(d *yaml.Document) (string, bool) {
	if firstUnread(d) != nil {
		return "", false
	}
	if declared := d.Root().Get("default_environment"); declared != nil && declared.IsScalar() {
		return declared.Text, true
	}
	return "", true
}

// EnvironmentNames returns the environments of the file, in order.
func EnvironmentNames(d *yaml.Document) []string {
	var names []string
	if environments := d.Root().Get(Environments); environments != nil {
		for _, m := range environments.Members {
			names = append(names, m.Key.Text)
		}
	}
	return names
}

// decode reads the keys that a run uses, in an environment that exists or is "". Values are read as
// texts, except those of services, whose handlers get the values that YAML has. It fails for the
// first value that does not fit its key; see [readKey] for the tables whose entries keep their
// faults instead.
func decode(d *yaml.Document, environment string) (Settings, error) {
	s := Settings{Environment: environment}
	written, meant := mergedEnvironment(d, environment, asWritten), mergedEnvironment(d, environment, typedScalar)
	declared := func(message string, path ...string) error {
		return errorAt(d.Lines(), placeOf(d, environment, path...), message)
	}
	for key, into := range map[string]any{
		"protected": &s.Protected, "base_url": &s.BaseURL, "variables": &s.Variables, "credentials": &s.Credentials,
		"secrets": &s.Secrets, "permissions": &s.Permissions, "limits": &s.Limits,
		Servers: &s.Servers, Functions: &s.Functions, Sources: &s.Sources, AuthServices: &s.AuthServices, Services: &s.Services,
		"sandbox": &s.Sandbox, "search": &s.Search, "callback_base_url": &s.CallbackBaseURL, "callback_port": &s.CallbackPort,
		"scopes": &s.Scopes,
	} {
		keys := written
		if key == Services {
			keys = meant
		}
		if err := readKey(keys, key, into, declared); err != nil {
			return Settings{}, err
		}
	}
	if emptyProtected(d, environment) {
		s.Protected = true
	}
	return s, nil
}

// emptyProtected reports whether the environment, else the top level, has a `protected` without a
// value. Its author means yes, or is still writing.
func emptyProtected(d *yaml.Document, environment string) bool {
	m := d.Root().Get(Environments).Get(environment).Member("protected")
	if m == nil {
		m = d.Root().Member("protected")
	}
	return m != nil && m.Value.Kind == yaml.Null
}

// placeOf returns the offset of a path of keys: in the environment, else at the top level.
func placeOf(d *yaml.Document, environment string, path ...string) int {
	start := 0
	for _, root := range []*yaml.Node{d.Root(), d.Root().Get(Environments).Get(environment)} {
		at := root
		for i, name := range path {
			m := at.Member(name)
			if m == nil {
				break
			}
			if at = m.Value; i == len(path)-1 || start == 0 {
				start = m.Key.Span.Start
			}
		}
	}
	return start
}

func errorAt(lines *text.Lines, offset int, message string) error {
	return fmt.Errorf("%d: %s", lines.Line(offset)+1, message)
}

// Flag is a boolean of abl.yaml.
type Flag bool

// UnmarshalText reads true or false, in any casing, or another spelling that strconv.ParseBool
// accepts. It fails for any other text.
func (f *Flag) UnmarshalText(b []byte) error {
	yes, err := strconv.ParseBool(strings.ToLower(string(b)))
	*f = Flag(yes)
	if err != nil {
		return fmt.Errorf("%q is neither true nor false", b)
	}
	return nil
}

// Count is a number from 1 up; 0 if it is not set.
type Count int

// UnmarshalText reads the digits. It fails for a number below 1, and for text that is no integer.
func (c *Count) UnmarshalText(b []byte) error {
	n, err := strconv.ParseInt(string(b), 10, 32)
	if err != nil || n < 1 {
		return fmt.Errorf("%q is no number from 1 up", b)
	}
	*c = Count(n)
	return nil
}

// Port is a port of this machine; 0 if it is missing.
type Port int

// UnmarshalText reads the digits. It fails for a text that is no number from 1 to 65535.
func (p *Port) UnmarshalText(b []byte) error {
	n, err := strconv.ParseUint(string(b), 10, 16)
	if err != nil || n < 1 {
		return fmt.Errorf("%q is no port from 1 to 65535", b)
	}
	*p = Port(n)
	return nil
}

// Provider is the name of a place where secrets are looked up, one of [Providers].
type Provider string

// Providers returns all names of places where secrets can be looked up.
func Providers() []string { return []string{"env", "dotenv", "keychain", "command"} }

// UnmarshalText reads one of [Providers]. It fails for any other text.
func (p *Provider) UnmarshalText(b []byte) error {
	if !slices.Contains(Providers(), string(b)) {
		return fmt.Errorf("%q is none of %s", b, strings.Join(Providers(), ", "))
	}
	*p = Provider(b)
	return nil
}

// Size is a number of bytes: 10MB, 512 KB, 4096.
type Size int64

// maxSize is what fits a machine's memory, so that no file can ask for all of it.
const maxSize = 1 << 30

var units = []struct {
	name  string
	bytes float64
}{{"KB", 1 << 10}, {"MB", 1 << 20}, {"GB", 1 << 30}, {"B", 1}, {"", 1}}

// UnmarshalText reads a number with its unit. It fails for a size below one byte, and for one that
// is larger than 1 GB.
func (s *Size) UnmarshalText(b []byte) error {
	upper := strings.ToUpper(strings.TrimSpace(string(b)))
	for _, u := range units {
		digits, ok := strings.CutSuffix(upper, u.name)
		if !ok {
			continue
		}
		n, err := strconv.ParseFloat(strings.TrimSpace(digits), 64)
		if err != nil || !(n*u.bytes >= 1 && n*u.bytes <= maxSize) { // this also reports what is no number
			break
		}
		*s = Size(n * u.bytes)
		return nil
	}
	return fmt.Errorf("%q is no size such as 10MB, up to 1GB", b)
}
