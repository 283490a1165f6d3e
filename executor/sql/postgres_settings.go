package sql

import (
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
)

// readBy are the settings by which statements are put together and answers are read.
var readBy = []struct {
	name, is string
	may      *lazyregexp.Regexp // what it may be besides
	within   bool               // it is one of each transaction: PgBouncer refuses it as one of a connection
}{
	{"standard_conforming_strings", "on", lazyregexp.New(`^(?i)(on|true|yes|1)$`), false},
	{"client_encoding", "UTF8", lazyregexp.New(`^(?i)utf-?8$`), false},
	{"datestyle", "ISO", lazyregexp.New(`^(?i)iso\b`), false},
	{"intervalstyle", "postgres", lazyregexp.New(`^(?i)(postgres|postgres_verbose|sql_standard|iso_8601)$`), true},
	{"bytea_output", "hex", lazyregexp.New(`^(?i)hex$`), true},
	{"extra_float_digits", "1", lazyregexp.New(`^[1-3]$`), true},
}

// settings are those of the session, by names as the server reads them.
func (s *source) settings() (map[string]string, error) {
	settings := map[string]string{"application_name": "abl-lsp"}
	for name, v := range s.params {
		if !slices.Contains(ofTLS, name) {
			settings[strings.ToLower(name)] = v
		}
	}
	for _, one := range readBy {
		if v, ok := settings[one.name]; !ok {
			settings[one.name] = one.is
		} else if !one.may.MatchString(v) {
			return nil, executor.DefinitionError("source", "%s is %q; statements and answers are read by %s: %s", s.at("query_params."+one.name), v, one.name, one.is)
		}
	}
	return settings, nil
}

// takeTransactionSettings takes those settings out that are of each transaction, as it is told them.
func takeTransactionSettings(settings map[string]string) (commands []string) {
	for _, one := range readBy {
		if one.within {
			commands = append(commands, "SET LOCAL "+one.name+" = "+settings[one.name])
			delete(settings, one.name)
		}
	}
	return commands
}
