package sql

import (
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
)

// requiredSettings are the settings on which composing statements and reading answers depends.
var requiredSettings = []struct {
	name, is string
	may      *lazyregexp.Regexp // the other values that it may have
	within   bool               // it is set in each transaction, because PgBouncer refuses it for a connection
}{
	{"standard_conforming_strings", "on", lazyregexp.New(`^(?i)(on|true|yes|1)$`), false},
	{"client_encoding", "UTF8", lazyregexp.New(`^(?i)utf-?8$`), false},
	{"datestyle", "ISO", lazyregexp.New(`^(?i)iso\b`), false},
	{"intervalstyle", "postgres", lazyregexp.New(`^(?i)(postgres|postgres_verbose|sql_standard|iso_8601)$`), true},
	{"bytea_output", "hex", lazyregexp.New(`^(?i)hex$`), true},
	{"extra_float_digits", "1", lazyregexp.New(`^[1-3]$`), true},
}

// sessionSettings returns the settings of the session by their lower-case names. It returns an error for
// a value with which statements or answers would be read wrongly.
func (s *source) sessionSettings() (map[string]string, error) {
	settings := map[string]string{"application_name": "abl-lsp"}
	for name, v := range s.params {
		if !slices.Contains(tlsParameters, name) {
			settings[strings.ToLower(name)] = v
		}
	}
	for _, one := range requiredSettings {
		if v, ok := settings[one.name]; !ok {
			settings[one.name] = one.is
		} else if !one.may.MatchString(v) {
			return nil, executor.DefinitionError("source", "%s is %q; statements and answers are read by %s: %s", s.placeOf("query_params."+one.name), v, one.name, one.is)
		}
	}
	return settings, nil
}

// takeTransactionSettings removes from settings those that must be set in each transaction, and
// returns the commands that set them.
func takeTransactionSettings(settings map[string]string) (commands []string) {
	for _, one := range requiredSettings {
		if one.within {
			commands = append(commands, "SET LOCAL "+one.name+" = "+settings[one.name])
			delete(settings, one.name)
		}
	}
	return commands
}
