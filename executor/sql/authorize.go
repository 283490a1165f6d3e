package sql

import (
	"slices"
	"strings"

	"modernc.org/sqlite"

	"github.com/abl-lsp/abl-lsp/executor"
)

// authorizer decides what a statement may do while SQLite compiles it.
type authorizer struct {
	readOnly     bool
	ownStatement bool   // the statement is the Runner's own
	denied       string // the first denied action; "": none
	writes       bool   // the denied action was a write
}

// readActions lists the actions that change nothing.
var readActions = []sqlite.AuthorizerActionCode{
	sqlite.AuthSelect, sqlite.AuthRead, sqlite.AuthFunction, sqlite.AuthRecursive,
}

// pragmas are the pragmas that only return information.
var pragmas = []string{
	"table_info", "table_xinfo", "table_list", "index_list", "index_info", "index_xinfo", "foreign_key_list",
	"function_list", "collation_list", "module_list", "pragma_list", "compile_options",
}

// valueless are the pragmas that only return information if no value is given.
var valueless = []string{"user_version", "schema_version", "application_id", "encoding", "page_count", "page_size", "data_version", "freelist_count", "foreign_keys"}

// createActions are the actions that create something.
var createActions = []sqlite.AuthorizerActionCode{
	sqlite.AuthCreateTable, sqlite.AuthCreateTempTable, sqlite.AuthCreateIndex, sqlite.AuthCreateTempIndex, sqlite.AuthCreateView,
	sqlite.AuthCreateTempView, sqlite.AuthCreateTrigger, sqlite.AuthCreateTempTrigger, sqlite.AuthCreateVTable,
}

func (w *authorizer) authorize(action sqlite.AuthorizerActionCode, first, second, database, _ string) sqlite.AuthorizerReturnCode {
	if w.ownStatement {
		return sqlite.AuthorizerOK
	}
	switch {
	case action == sqlite.AuthAttach:
		return w.deny("it attaches another database", false)
	case action == sqlite.AuthDetach:
		return w.deny("it detaches a database", false)
	case action == sqlite.AuthFunction && strings.EqualFold(second, "load_extension"):
		return w.deny("it loads an extension", false)
	case action == sqlite.AuthTransaction, action == sqlite.AuthSavepoint:
		return w.deny("it has a transaction of its own", false)
	case database == "temp" && slices.Contains(createActions, action): // for later runs on this connection it would hide what the file has of that name
		return w.deny("it makes something temporary, which would end with its run", false)
	case action == sqlite.AuthPragma && !pragmaIs(first, second):
		return w.deny("it has PRAGMA "+first+", which a tool may not", false)
	case action == sqlite.AuthPragma, slices.Contains(readActions, action):
		return sqlite.AuthorizerOK
	case w.readOnly:
		return w.deny("it writes", true)
	}
	return sqlite.AuthorizerOK
}

func pragmaIs(pragma, value string) bool {
	pragma = strings.ToLower(pragma)
	return slices.Contains(pragmas, pragma) || value == "" && slices.Contains(valueless, pragma)
}

func (w *authorizer) deny(what string, writes bool) sqlite.AuthorizerReturnCode {
	if w.denied == "" {
		w.denied, w.writes = what, writes
	}
	return sqlite.AuthorizerDeny
}

// refusal returns the error for the denied action. [preparedStatement.atStatement] adds the place of the
// statement.
func (w *authorizer) refusal() error {
	if w.writes {
		return unexpectedWriteError()
	}
	return executor.Errorf(executor.KindDenied, "refused-statement", "%s", w.denied)
}

// unexpectedWriteError returns the error of a statement that writes although it was declared to
// only read.
func unexpectedWriteError() error {
	return executor.Errorf(executor.KindDenied, "read-only", "it writes, and by what it says it only reads; nothing was changed").
		WithHint("Give the tool side_effects: true (in a tools.yaml annotations: {readOnlyHint: false}): then the call is confirmed first.")
}
