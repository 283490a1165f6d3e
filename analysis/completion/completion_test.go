package completion

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/abl-lsp/abl-lsp/analysis/cursor"
	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// cursorMark marks the cursor in the sources below.
const cursorMark = "‸"

// folders returns a small tree, for import paths.
func folders(dir string) []model.DirEntry {
	return map[string][]model.DirEntry{
		"/p":     {{Name: "lib.tools.abl", IsDir: false}, {Name: "x.agent.abl", IsDir: false}, {Name: "x.tools.abl", IsDir: false}, {Name: "notes.md", IsDir: false}, {Name: ".git", IsDir: true}, {Name: "sub", IsDir: true}},
		"/p/sub": {{Name: "deep.tools.abl", IsDir: false}, {Name: "in.json", IsDir: false}, {Name: "run.mjs", IsDir: false}, {Name: "b.agent.abl", IsDir: false}},
		"/":      {{Name: "p", IsDir: true}, {Name: "top.tools.abl", IsDir: false}},
	}[dir]
}

const library = `TOOLS:
  find(q: string, limit: number = 3) -> string
    description: "Finds."
  book(id: string) -> string
`

// complete asks for completion at the mark.
func complete(t *testing.T, path, source string) (items []Item, plain string) {
	t.Helper()
	before, after, ok := strings.Cut(source, cursorMark)
	if !ok {
		t.Fatalf("no cursor in %q", source)
	}
	plain = before + after
	w := model.Workspace{}.With("/p/lib.tools.abl", syntax.Parse(library)).With(path, syntax.Parse(plain))
	return Complete(t.Context(), w, path, len(before), cursor.Host{List: folders}), plain
}

func labels(items []Item) []string {
	var out []string
	for _, i := range items {
		out = append(out, i.Label)
	}
	return out
}

const (
	agent = "/p/x.agent.abl"
	lib   = "/p/x.tools.abl"
)

// TestCompletionOffers checks which items must be there and which must not.
func TestCompletionOffers(t *testing.T) {
	for _, tt := range []struct{ name, path, source, want, not string }{
		{"sections of an agent", agent, "AGENT: A\n‸", "GOAL TOOLS FLOW ON_ERROR BEHAVIOR_PROFILE", "AGENT SUPERVISOR ROUTING PRIORITY"},
		{"sections half typed", agent, "AGENT: A\nGOAL: x\nTO‸", "TOOLS FLOW", "GOAL"},
		{"sections of a supervisor", agent, "SUPERVISOR: A\n‸", "ROUTING AGENTS GOAL", "SUPERVISOR AGENT PRIORITY"},
		{"sections of a library", lib, "‸", "TOOLS", "AGENT FLOW"},
		{"sections of a profile", "/p/x.behavior_profile.abl", "BEHAVIOR_PROFILE: x\n‸", "PRIORITY WHEN TOOLS", "AGENT GOAL"},
		{"sections of an empty plain file", "/p/x.abl", "‸", "AGENT TOOLS BEHAVIOR_PROFILE", ""},
		{"sections: the one under the cursor counts as absent", agent, "AGENT: A\nGO‸AL: x\n", "GOAL", ""},

		{"declarations in an agent", agent, "TOOLS:\n  ‸", "file,new tool", "base_url"},
		{"declarations in a library", lib, "TOOLS:\n  timeout: 1\n  ‸", "base_url headers auth,new tool", "timeout file"},
		{"defaults stand before the tools", lib, "TOOLS:\n  a() -> string\n\n  ‸\n", "", "base_url"},
		{"declarations in a profile", "/p/x.behavior_profile.abl", "TOOLS:\n  HIDE: [a]\n  ‸", "ADD", "HIDE file base_url"},
		{"a tool below ADD", "/p/x.behavior_profile.abl", "TOOLS:\n  ADD:\n    ‸", ",new tool", "HIDE file"},

		{"types of parameters", lib, "TOOLS:\n  a(x: ‸", "string number boolean date object integer map", "description"},
		{"types half typed, properties below", lib, "TOOLS:\n  a(x: str‸) -> string\n    type: http\n", "string", "method"},
		{"types of the result", lib, "TOOLS:\n  a() -> ‸\n    type: http\n", "string datetime", "method"},
		{"types of fields", lib, "TOOLS:\n  a() -> {b: ‸", "string", ""},
		{"types of elements", lib, "TOOLS:\n  a(b: map<‸>) -> string\n", "string", ""},
		{"types on a further line", lib, "TOOLS:\n  a(x: string,\n    y: ‸\n", "number", "method"},
		{"no types for a name", lib, "TOOLS:\n  a(x‸", "", "string description"},
		{"types in parameters", lib, "TOOLS:\n  a(x: object) -> string\n    parameters:\n      x:\n        f: ‸\n", "string number", ""},
		{"types right under parameters", lib, "TOOLS:\n  a(x: object) -> string\n    parameters:\n      x: ‸\n", "object", ""},
		{"no type where Enter opens the block of a parameter", lib, "TOOLS:\n  a(x: object) -> string\n    parameters:\n      x:‸\n", "", "string object"},
		{"no step where Enter opens a block", agent, "AGENT: A\nFLOW:\n  s:\n    ON_FAIL:‸", "", "s CONTINUE"},
		{"a step behind a space", agent, "AGENT: A\nFLOW:\n  s:\n    ON_FAIL: ‸", "s CONTINUE", ""},
		{"no variable where Enter opens a block", agent, "AGENT: A\nMEMORY:\n  session:\n    - tier\nFLOW:\n  s:\n    SET:‸", "", "tier"},
		{"no word where Enter opens a list", agent, "AGENT: A\nFLOW:\n  s:\n    GATHER:‸", "", "required"},
		{"a tool right behind CALL", agent, "AGENT: A\nTOOLS:\n  a() -> string\nFLOW:\n  s:\n    CALL:‸", "a", ""},
		{"no type where Enter opens the block of a field", lib, "TOOLS:\n  a(x: object) -> string\n    parameters:\n      x:\n        f:‸\n", "", "string number"},
		{"no word where Enter opens the block of an item", agent, "AGENT: A\nFLOW:\n  s:\n    GATHER:\n      - size:‸", "", "required"},
		{"a word behind a space in an item", agent, "AGENT: A\nFLOW:\n  s:\n    GATHER:\n      - size: ‸", "required", ""},
		{"no operator where Enter ends the condition", agent, "AGENT: A\nFLOW:\n  s:\n    ON_INPUT:\n      - IF: input == \"done\"‸", "", "== AND"},
		{"no operator where Enter ends a quoted condition", lib, "TOOLS:\n  a() -> string\n    verify: \"result == 'x'\"‸", "", "== AND"},

		{"properties of a kind", lib, "TOOLS:\n  a() -> string\n    type: http\n    ‸\n    method: GET\n\n  b() -> string\n", "endpoint headers description hints", "method type server code"},
		{"properties half typed", lib, "TOOLS:\n  a() -> string\n    type: mcp\n    ser‸", "server server_tool", "endpoint"},
		{"properties of every kind", lib, "TOOLS:\n  a() -> string\n    ‸", "type endpoint server code statement", ""},
		{"properties at the end of the file", lib, "TOOLS:\n  a() -> string\n    type: sandbox\n    ‸", "code runtime memory_mb", "endpoint"},
		{"properties by an alias", lib, "TOOLS:\n  a() -> string\n    type: http\n    body: x\n    ‸", "method", "body_template"},
		{"properties in any casing", lib, "TOOLS:\n  a() -> string\n    type: http\n    METHOD: GET\n    ‸", "endpoint", "method"},
		{"undocumented keys stay out", lib, "TOOLS:\n  a() -> string\n    type: http\n    auth_config:\n      ‸", "client_id custom_headers", "token"},
		{"keys of hints", lib, "TOOLS:\n  a() -> string\n    hints:\n      ‸\n      latency: fast\n", "cacheable timeout", "latency method"},
		{"keys of an inline map", lib, "TOOLS:\n  a() -> string\n    type: http\n    circuit_breaker: {threshold: 1, ‸}\n", "resetMs", "threshold"},
		{"keys of a list's item", lib, "TOOLS:\n  a() -> string\n    type: http\n    request_variants:\n      - name: x\n        ‸\n", "when method", "name hints"},
		{"keys of a new item", lib, "TOOLS:\n  a() -> string\n    type: http\n    request_variants:\n      - na‸\n", "name when", "hints"},
		{"no keys under a header", lib, "TOOLS:\n  a() -> string\n    type: http\n    headers:\n      ‸\n", "", "method key"},
		{"parameters to describe", lib, "TOOLS:\n  a(x: string, y: object) -> string\n    parameters:\n      x: string\n      ‸\n", "y", "x description"},
		{"keys of a parameter", lib, "TOOLS:\n  a(x: string) -> string\n    parameters:\n      x:\n        ‸\n", "description source", "method"},

		{"a word of a list typed in full", lib, "TOOLS:\n  a() -> string\n    type: table\n    operations:\n      - get\n      - insert‸\n", "insert query", "get"},
		{"methods", lib, "TOOLS:\n  a() -> string\n    type: http\n    method: ‸\n", "GET DELETE", ""},
		{"methods of a webhook", lib, "TOOLS:\n  a() -> string\n    type: async_webhook\n    method: ‸\n", "POST", "GET"},
		{"kinds", lib, "TOOLS:\n  a() -> string\n    type: ‸\n", "http mcp sandbox sql", ""},
		{"auth kinds without a type", lib, "TOOLS:\n  a() -> string\n    auth: ‸\n", "bearer saml", ""},
		{"auth kinds of the defaults", lib, "TOOLS:\n  auth: ‸\n", "bearer", ""},
		{"a hint's words", lib, "TOOLS:\n  a() -> string\n    hints: {latency: ‸}\n", "fast slow", ""},
		{"booleans", lib, "TOOLS:\n  a() -> string\n    hints:\n      cacheable: ‸\n", "true false", ""},
		{"items not named yet", lib, "TOOLS:\n  a() -> string\n    type: table\n    operations: [get, ‸]\n", "query", "get"},
		{"immutable parameters", lib, "TOOLS:\n  a(x: string, y: string) -> string\n    confirmation:\n      immutable_params: [x, ‸\n", "y", "x"},
		{"immutable parameters, one a line", lib, "TOOLS:\n  a(x: string, y: string) -> string\n    confirmation:\n      immutable_params:\n        - x\n        - ‸\n", "y", "x"},
		{"nothing behind a whole value", lib, "TOOLS:\n  a() -> string\n    type: http\n    method: GET ‸\n", "", "GET POST"},
		{"nothing behind a whole item", lib, "TOOLS:\n  a() -> string\n    type: table\n    operations: [get x‸]\n", "", "query"},
		{"nothing in a call's brackets", agent, "TOOLS:\n  file: \"./lib.tools.abl\"\nFLOW:\n  s:\n    CALL: find(‸\n", "", "find book"},
		{"a default of a boolean", lib, "TOOLS:\n  a(x: boolean = ‸) -> string\n", "true false", "string"},
		{"a default half typed", lib, "TOOLS:\n  a(x: boolean=t‸) -> string\n", "true false", "string"},
		{"no default of a string", lib, "TOOLS:\n  a(x: string = ‸) -> string\n", "", "true string"},
		{"nothing for free text", lib, "TOOLS:\n  a(x: string) -> string\n    description: ‸\n", "", "x string"},

		{"parameters of a path", lib, "TOOLS:\n  a(x: string) -> string\n    type: http\n    endpoint: \"/v1/{‸\"\n", "x", "secrets"},
		{"templates", lib, "TOOLS:\n  a(x: string) -> string\n    type: http\n    headers:\n      X: \"{{‸}}\"\n", "x secrets session env config input", ""},
		{"templates after a namespace", lib, "TOOLS:\n  a(x: string) -> string\n    type: http\n    headers:\n      X: \"{{input.‸\"\n", "x", "secrets"},
		{"templates in a pipe block", lib, "TOOLS:\n  a(x: string) -> string\n    type: http\n    body_template: |\n      {\"a\": \"{{‸\"}\n", "x secrets", "method"},
		{"templates in the defaults", lib, "TOOLS:\n  headers:\n    X: \"{{‸\"\n", "secrets env", ""},
		{"no templates in code", lib, "TOOLS:\n  a(x: string) -> string\n    type: sandbox\n    code: |\n      {{‸\n", "", "x secrets"},
		{"no keys in a pipe block", lib, "TOOLS:\n  a(x: string) -> string\n    type: sandbox\n    code: |\n      ‸\n", "", "runtime description"},
		{"nothing in a comment", lib, "TOOLS:\n  # ‸\n", "", "base_url"},
		{"nothing behind a value's comment", lib, "TOOLS:\n  a() -> string\n    type: http # ‸\n", "", "http"},

		{"paths", agent, "TOOLS:\n  file: \"‸\"", "./lib.tools.abl ./x.tools.abl ./sub/ ../", "./notes.md ./x.agent.abl ./.git/"},
		{"paths further down", agent, "TOOLS:\n  file: \"./sub/‸\"", "deep.tools.abl", "../"},
		{"paths upwards", agent, "TOOLS:\n  file: \"../‸", "top.tools.abl p/ ../", ""},
		{"paths without a quote", agent, "TOOLS:\n  file: ‸", "./lib.tools.abl", ""},
		{"modules", lib, "TOOLS:\n  a() -> string\n    type: module\n    module: ./sub/‸", "run.mjs", "in.json deep.tools.abl"},
		{"modules without a quote", lib, "TOOLS:\n  a() -> string\n    type: module\n    module: ‸", "./sub/", "./notes.md ./lib.tools.abl"},
		{"schemas", lib, "TOOLS:\n  a() -> string\n    input_schema: \"sub/‸\"", "in.json", "run.mjs"},
		{"no path in an inline schema", lib, "TOOLS:\n  a() -> string\n    input_schema: {type: ‸}", "", "./sub/"},
		{"a file of examples", agent, "AGENT: A\nNLU:\n  intents:\n    - NAME: x\n      EXAMPLES_FILE: \"./‸\"", "notes.md sub/", ".git/"},
		{"a file of all that is recognised", agent, "AGENT: A\nNLU:\n  config_file: sub/‸", "in.json", ""},
		{"an agent's file", agent, "SUPERVISOR: A\nAGENTS:\n  - REF: sub/‸", "b.agent.abl", "in.json"},

		{"look-up tables", agent, "AGENT: A\nLOOKUP_TABLES:\n  sizes: {s: 1, m: 2}\n  zones:\n    values: [n, s]\nGOAL: \"{{lookup:‸", "sizes zones", "UPPER secrets"},
		{"keys of a short table", agent, "AGENT: A\nLOOKUP_TABLES:\n  sizes: {s: 1, m: 2}\nGOAL: \"{{lookup:sizes:‸", "s m", "sizes"},
		{"keys of a table", agent, "AGENT: A\nLOOKUP_TABLES:\n  sizes:\n    source: inline\n    map:\n      s: 1\n      m: 2\nGOAL: \"{{lookup:sizes:‸}}\"", "s m", "source map"},
		{"values of a table", agent, "AGENT: A\nLOOKUP_TABLES:\n  zones:\n    values: [n, w]\nTOOLS:\n  a() -> string\n    type: http\n    headers:\n      X: \"{{lookup:zones:‸", "n w", "values"},
		{"no keys of a table elsewhere", agent, "AGENT: A\nLOOKUP_TABLES:\n  zones:\n    source: collection\n    table_name: x\nGOAL: \"{{lookup:zones:‸", "", "source table_name"},

		{"names of a check", lib, "TOOLS:\n  a(x: string) -> {id: string}\n    verify: ‸", "result args x session len true", "UPPER"},
		{"names of what undoes", lib, "TOOLS:\n  a(x: string) -> {id: string}\n    revert: \"{y: ‸", "result args len true", "x session UPPER"},
		{"members of a result in a check", lib, "TOOLS:\n  a(x: string) -> {id: string}\n    verify: result.‸", "id", "x"},
		{"arguments in a check", lib, "TOOLS:\n  a(x: string) -> {id: string}\n    verify: \"len(args.‸", "x", "id"},
		{"keys of a binding that undoes", lib, "TOOLS:\n  a(x: string) -> {id: string}\n    revert:\n      type: http\n      ‸", "endpoint method", "description type"},
		{"values of a binding that undoes", lib, "TOOLS:\n  a(x: string) -> {id: string}\n    revert:\n      type: http\n      method: ‸", "GET DELETE", ""},
		{"the condition of a variant", lib, "TOOLS:\n  a(x: string) -> {id: string}\n    type: http\n    request_variants:\n      - when: ‸", "x UPPER", ""},
		{"actions after a result", lib, "TOOLS:\n  a(x: string) -> {id: string}\n    on_result:\n      do:\n        - ‸", "SET RESPOND CALL", "set do"},
		{"what to do where a check fails", lib, "TOOLS:\n  a(x: string) -> {id: string}\n    process:\n      before:\n        on_fail: ‸", "block use_original", "x UPPER"},
		{"the table of a parameter", agent, "AGENT: A\nLOOKUP_TABLES:\n  zones: {n: 1}\nTOOLS:\n  a(x: string) -> string\n    parameters:\n      x:\n        source: lookup\n        table: ‸", "zones", "x"},

		{"a library does not import itself", lib, "TOOLS:\n  file: \"./‸\"", "lib.tools.abl", "x.tools.abl"},
		{"imported names", agent, "TOOLS:\n  file: \"./lib.tools.abl\" [‸]\n", "find book", ""},
		{"imported names not named yet", agent, "TOOLS:\n  file: \"./lib.tools.abl\" [find, ‸\n", "book", "find"},
		{"imported names on a further line", agent, "TOOLS:\n  file: \"./lib.tools.abl\" [find,\n    b‸]\n", "book", "find"},

		{"tools to call", agent, "TOOLS:\n  file: \"./lib.tools.abl\"\n  own() -> string\nFLOW:\n  s:\n    CALL: ‸\n", "find book own", ""},
		{"arguments", agent, "TOOLS:\n  file: \"./lib.tools.abl\"\nFLOW:\n  s:\n    CALL: find\n      WITH:\n        q: x\n        ‸\n", "limit", "q"},
		{"tools of a step", agent, "TOOLS:\n  file: \"./lib.tools.abl\"\nFLOW:\n  s:\n    AVAILABLE_TOOLS: [find, ‸]\n", "book", "find"},
		{"tools of a step, one a line", agent, "TOOLS:\n  file: \"./lib.tools.abl\"\nFLOW:\n  s:\n    AVAILABLE_TOOLS:\n      - ‸\n", "book find", ""},
		{"the tool of a rule", agent, "TOOLS:\n  file: \"./lib.tools.abl\"\nCONSTRAINTS:\n  a:\n    - REQUIRE x == 1 BEFORE calling ‸\n", "book find", ""},
		{"consumers of a secret", lib, "TOOLS:\n  a() -> string\n    RESULT_SECRETS:\n      a -> b (consumers: [‸\n", "a", ""},
		{"keys of a memory's variable", agent, "AGENT: A\nMEMORY:\n  session:\n    - v\n      ‸", "TYPE INITIAL RESET", "v SCOPE"},
		{"keys of a persistent path", agent, "AGENT: A\nMEMORY:\n  persistent:\n    - user.tier:\n        ‸", "SCOPE ACCESS", "RESET"},
		{"keys of a guardrail", agent, "AGENT: A\nGUARDRAILS:\n  pii:\n    kind: input\n    ‸", "action check", "kind"},
		{"kinds of a guardrail", agent, "AGENT: A\nGUARDRAILS:\n  pii:\n    kind: ‸", "input tool_output", "block"},
		{"keys of a handler", agent, "AGENT: A\nHANDOFF:\n  - TO: B\n    ‸", "WHEN CONTEXT", "TO AGENT"},
		{"keys of an escalation", agent, "AGENT: A\nESCALATE:\n  triggers:\n    - ‸", "WHEN REASON", "queue"},
		{"keys of a hook", agent, "AGENT: A\nHOOKS:\n  before_turn:\n    ‸", "critical SET CALL RESPOND", "before_agent"},
		{"points of hooks", agent, "AGENT: A\nHOOKS:\n  before_turn:\n    SET: a = 1\n  ‸", "after_turn", "before_turn SET"},
		{"keys of an entity", agent, "AGENT: A\nENTITIES:\n  size:\n    ‸", "TYPE VALUES", "prompt"},
		{"the author's values of a look-up table", agent, "AGENT: A\nLOOKUP_TABLES:\n  levels:\n    source: inline\n    map:\n      one: l‸", "", "LOWER true"},
		{"expressions of a handoff's map", agent, "AGENT: A\nHANDOFF:\n  - TO: B\n    ON_RETURN:\n      map:\n        one: l‸", "LOWER", ""},
		{"keys of a look-up table", agent, "AGENT: A\nLOOKUP_TABLES:\n  sizes:\n    ‸", "source values", "prompt"},
		{"keys of LOG", agent, "AGENT: A\nFLOW:\n  s:\n    LOG:\n      ‸", "MESSAGE LEVEL", "SET"},
		{"keys of TRANSFORM", agent, "AGENT: A\nFLOW:\n  s:\n    TRANSFORM:\n      SOURCE: x\n      ‸", "AS INTO", "SOURCE"},
		{"keys of a digression", agent, "AGENT: A\nFLOW:\n  s:\n    DIGRESSIONS:\n      - INTENT: x\n        ‸", "KEYWORDS RESPOND", "INTENT"},
		{"keys of a routing rule", agent, "SUPERVISOR: A\nROUTING:\n  - NAME: x\n    ‸", "WHEN THEN", "NAME"},
		{"keys of a template", agent, "AGENT: A\nTEMPLATES:\n  hi:\n    ‸", "DEFAULT MARKDOWN", "hi"},
		{"keys below RESPOND", agent, "AGENT: A\nFLOW:\n  s:\n    RESPOND: \"x\"\n      ‸", "VOICE FORMATS", "CALL"},
		{"no keys in the text of GOAL", agent, "AGENT: A\nGOAL:\n  ‸", "", "TOOLS RESPOND"},
		{"no keys in a pipe block of a step", agent, "AGENT: A\nFLOW:\n  s:\n    RESPOND: |\n      Hi ‸", "", "VOICE SET"},
		{"placeholders of a pipe block", agent, "AGENT: A\nMEMORY:\n  session:\n    - tier\nFLOW:\n  s:\n    RESPOND: |\n      Hi {{‸", "tier session UPPER", "VOICE"},
		{"session variables", agent, "AGENT: A\nMEMORY:\n  session:\n    - tier\nGOAL: \"{{session.‸", "tier", "UPPER"},
		{"variables to clear", agent, "AGENT: A\nMEMORY:\n  session:\n    - tier\nFLOW:\n  s:\n    CLEAR: [‸", "tier", "UPPER"},
		{"messages", agent, "AGENT: A\nMESSAGES:\n  hi: \"x\"\nFLOW:\n  s:\n    MESSAGE_KEY: ‸", "hi", "tier"},
		{"handlers", agent, "AGENT: A\nRETURN_HANDLERS:\n  back:\n    CONTINUE: true\nHANDOFF:\n  - TO: B\n    ON_RETURN: ‸", "back", "B"},
		{"a quoted condition", agent, "AGENT: A\nMEMORY:\n  session:\n    - tier\nFLOW:\n  s:\n    WHEN: \"ti‸\"", "tier", "AND"},
		{"nothing in a string of a condition", agent, "AGENT: A\nMEMORY:\n  session:\n    - tier\nFLOW:\n  s:\n    WHEN: tier == \"go‸", "", "tier AND"},
		{"functions of guardrails", agent, "AGENT: A\nGUARDRAILS:\n  g:\n    check: abl.‸", "contains_pii upper", "tier"},
		{"a chain of steps", agent, "AGENT: A\nFLOW:\n  a -> ‸\n  a:\n    REASONING: false\n  b:\n    REASONING: false\n", "b", "SET"},
		{"steps behind GOTO in a branch", agent, "AGENT: A\nFLOW:\n  a:\n    ON_INPUT:\n      - IF: x\n        GOTO: ‸\n  b:\n    REASONING: false\n", "a b", ""},
		{"fields below GATHER in a profile", "/p/x.behavior_profile.abl", "BEHAVIOR_PROFILE: x\nGATHER:\n  FIELD_OVERRIDES:\n    city:\n      ‸", "prompt type", "FIELD_OVERRIDES"},
		{"no expression for plain text", agent, "AGENT: A\nPERSONA: \"Hi ‸", "", "UPPER result"},
		{"nothing in an agent of the YAML dialect", "/p/x.agent.yaml", "‸", "", "AGENT"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			checkOffers(t, tt.source, tt.want, tt.not, func(t *testing.T, source string) []Item {
				items, _ := complete(t, tt.path, source)
				return items
			})
		})
	}
}

// checkOffers checks that complete offers the items called want and none called not, for the source
// as it is, below a line of wide characters, and with CRLF.
func checkOffers(t *testing.T, source, want, not string, complete func(t *testing.T, source string) []Item) {
	t.Helper()
	for name, source := range map[string]string{
		"plain":                           source,
		"below a line of wide characters": "# 🚀 日本\n" + source,
		"CRLF":                            strings.ReplaceAll(source, "\n", "\r\n"),
	} {
		t.Run(name, func(t *testing.T) {
			got := labels(complete(t, source))
			for _, label := range wordsOf(want) {
				if !slices.Contains(got, label) {
					t.Errorf("%q: no %q in %q", source, label, got)
				}
			}
			for _, label := range wordsOf(not) {
				if slices.Contains(got, label) {
					t.Errorf("%q: %q in %q", source, label, got)
				}
			}
		})
	}
}

// wordsOf returns words, or after a comma labels that contain spaces.
func wordsOf(s string) []string {
	plain, spaced, _ := strings.Cut(s, ",")
	out := strings.Fields(plain)
	if spaced != "" {
		out = append(out, spaced)
	}
	return out
}

// TestCompletionEdits checks the text after accepting an item.
func TestCompletionEdits(t *testing.T) {
	for _, tt := range []struct{ name, path, label, source, want string }{
		{"a section", agent, "GOAL", "GO‸", "GOAL: "},
		{"a section with a block", agent, "FLOW", "AGENT: A\nfl‸", "AGENT: A\nFLOW:"},
		{"a section in place", agent, "FLOW", "GO‸AL: x\n", "FLOW: x\n"},
		{"two words", agent, "USE BEHAVIOR_PROFILE", "USE BEH‸\n", "USE BEHAVIOR_PROFILE: \n"},
		{"a property", lib, "method", "TOOLS:\n  a() -> string\n    type: http\n    me‸\n", "TOOLS:\n  a() -> string\n    type: http\n    method: \n"},
		{"a property in place", lib, "method", "TOOLS:\n  a() -> string\n    type: http\n    me‸x: GET\n", "TOOLS:\n  a() -> string\n    type: http\n    method: GET\n"},
		{"a property before another", lib, "method", "TOOLS:\n  a() -> string\n    type: http\n    ‸\n    auth: none\n", "TOOLS:\n  a() -> string\n    type: http\n    method: \n    auth: none\n"},
		{"a block", lib, "hints", "TOOLS:\n  a() -> string\n    ‸", "TOOLS:\n  a() -> string\n    hints:"},
		{"source text", lib, "code", "TOOLS:\n  a() -> string\n    type: sandbox\n    ‸", "TOOLS:\n  a() -> string\n    type: sandbox\n    code: |"},
		{"a value without a space", lib, "GET", "TOOLS:\n  a() -> string\n    type: http\n    method:‸\n", "TOOLS:\n  a() -> string\n    type: http\n    method: GET\n"},
		{"a value in open quotes", lib, "GET", "TOOLS:\n  a() -> string\n    type: http\n    method: \"G‸\n", "TOOLS:\n  a() -> string\n    type: http\n    method: \"GET\"\n"},
		{"a value in closed quotes", lib, "GET", "TOOLS:\n  a() -> string\n    type: http\n    method: \"‸POST\"\n", "TOOLS:\n  a() -> string\n    type: http\n    method: \"GETPOST\"\n"},
		{"a value in place", lib, "GET", "TOOLS:\n  a() -> string\n    type: http\n    method: P‸OST\n", "TOOLS:\n  a() -> string\n    type: http\n    method: GET\n"},
		{"a type", lib, "string", "TOOLS:\n  a(日: x, b: st‸) -> string\n", "TOOLS:\n  a(日: x, b: string) -> string\n"},
		{"a result without a space", lib, "string", "TOOLS:\n  a() ->‸\n", "TOOLS:\n  a() -> string\n"},
		{"a name behind a comma", agent, "book", "TOOLS:\n  file: \"./lib.tools.abl\" [find,‸]\n", "TOOLS:\n  file: \"./lib.tools.abl\" [find, book]\n"},
		{"a key behind a comma", lib, "cacheable", "TOOLS:\n  a() -> string\n    hints: {timeout: 1,‸}\n", "TOOLS:\n  a() -> string\n    hints: {timeout: 1, cacheable: }\n"},
		{"a key of a map in place", lib, "latency", "TOOLS:\n  a() -> string\n    hints: {la‸t: fast}\n", "TOOLS:\n  a() -> string\n    hints: {latency: fast}\n"},
		{"a quoted key of a map", lib, "latency", "TOOLS:\n  a() -> string\n    hints: {\"la‸\": fast}\n", "TOOLS:\n  a() -> string\n    hints: {\"latency\": fast}\n"},
		{"a key of a map in an open quote", lib, "latency", "TOOLS:\n  a() -> string\n    hints: {\"la‸\n", "TOOLS:\n  a() -> string\n    hints: {\"latency\": \n"},
		{"a path parameter", lib, "x", "TOOLS:\n  a(x: string) -> string\n    type: http\n    endpoint: \"/é/{‸\n", "TOOLS:\n  a(x: string) -> string\n    type: http\n    endpoint: \"/é/{x}\n"},
		{"a path parameter that is closed", lib, "x", "TOOLS:\n  a(x: string) -> string\n    endpoint: \"/{‸}/b\"\n", "TOOLS:\n  a(x: string) -> string\n    endpoint: \"/{x}/b\"\n"},
		{"a template", lib, "x", "TOOLS:\n  a(x: string) -> string\n    type: http\n    body_template: |\n      🚀 {{ ‸\n", "TOOLS:\n  a(x: string) -> string\n    type: http\n    body_template: |\n      🚀 {{ x}}\n"},
		{"a namespace", lib, "secrets", "TOOLS:\n  headers:\n    X: \"{{se‸}}\"\n", "TOOLS:\n  headers:\n    X: \"{{secrets.}}\"\n"},
		{"a module", lib, "run.mjs", "TOOLS:\n  a() -> string\n    type: module\n    module: \"./sub/r‸\"\n", "TOOLS:\n  a() -> string\n    type: module\n    module: \"./sub/run.mjs\"\n"},
		{"a look-up table", agent, "zones", "AGENT: A\nLOOKUP_TABLES:\n  zones: {n: 1}\nGOAL: \"{{lookup:z‸\"", "AGENT: A\nLOOKUP_TABLES:\n  zones: {n: 1}\nGOAL: \"{{lookup:zones:\""},
		{"a look-up key", agent, "n", "AGENT: A\nLOOKUP_TABLES:\n  zones: {n: 1}\nGOAL: \"{{lookup:zones:‸\"", "AGENT: A\nLOOKUP_TABLES:\n  zones: {n: 1}\nGOAL: \"{{lookup:zones:n}}\""},
		{"a path", agent, "./lib.tools.abl", "TOOLS:\n  file: ‸\n", "TOOLS:\n  file: \"./lib.tools.abl\"\n"},
		{"a folder leaves the quotes open", agent, "./sub/", "TOOLS:\n  file: \"‸\n", "TOOLS:\n  file: \"./sub/\n"},
		{"a last segment", agent, "deep.tools.abl", "TOOLS:\n  file: \"./sub/d‸\" [a]\n", "TOOLS:\n  file: \"./sub/deep.tools.abl\" [a]\n"},
		{"a name of an open list", agent, "book", "TOOLS:\n  file: \"./lib.tools.abl\" [find, b‸\n", "TOOLS:\n  file: \"./lib.tools.abl\" [find, book\n"},
		{"an argument", agent, "limit", "TOOLS:\n  file: \"./lib.tools.abl\"\nFLOW:\n  s:\n    CALL: find\n      WITH:\n        li‸\n",
			"TOOLS:\n  file: \"./lib.tools.abl\"\nFLOW:\n  s:\n    CALL: find\n      WITH:\n        limit: \n"},
		{"the tool of a rule", agent, "book", "TOOLS:\n  file: \"./lib.tools.abl\"\nCONSTRAINTS:\n  a:\n    - REQUIRE x BEFORE calling b‸\n",
			"TOOLS:\n  file: \"./lib.tools.abl\"\nCONSTRAINTS:\n  a:\n    - REQUIRE x BEFORE calling book\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			items, source := complete(t, tt.path, tt.source)
			i := slices.IndexFunc(items, func(i Item) bool { return i.Label == tt.label })
			if i < 0 {
				t.Fatalf("no %q in %q", tt.label, labels(items))
			}
			got, err := text.Apply(source, items[i].Edit)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestCompletionOrder checks that required items come first and unpublished ones last.
func TestCompletionOrder(t *testing.T) {
	items, _ := complete(t, lib, "TOOLS:\n  a() -> string\n    type: http\n    ‸\n")
	got := labels(items)
	if !slices.Equal(got[:3], []string{"endpoint", "method", "description"}) {
		t.Errorf("begins %q", got[:3])
	}
	if at, last := slices.Index(got, "mutation"), slices.Index(got, "retry_policy"); at < last {
		t.Errorf("an extension before the later edition: %q", got)
	}
	if !slices.IsSortedFunc(items, func(a, b Item) int { return strings.Compare(a.SortText, b.SortText) }) {
		t.Error("the sort texts are in another order")
	}
}

// TestCompletionDetails checks that a tool without a kind shows which kinds have a property, and
// that no other block does.
func TestCompletionDetails(t *testing.T) {
	for _, tt := range []struct{ label, source, want string }{
		{"server", "TOOLS:\n  a() -> string\n    ‸\n", "type: mcp"},
		{"hints", "TOOLS:\n  a() -> string\n    ‸\n", "block"},
		{"timeout", "TOOLS:\n  a() -> string\n    hints:\n      ‸\n", "number"},
		{"timeout", "TOOLS:\n  ‸\n", "number"},
		{"x", "TOOLS:\n  a(x: string[]) -> string\n    confirmation: {immutable_params: [‸\n", "string[]"},
	} {
		t.Run(tt.label, func(t *testing.T) {
			items, _ := complete(t, lib, tt.source)
			i := slices.IndexFunc(items, func(i Item) bool { return i.Label == tt.label })
			if i < 0 || items[i].Detail != tt.want {
				t.Errorf("%q: %q in %q, want detail %q", tt.source, tt.label, labels(items), tt.want)
			}
		})
	}
}

func TestNewToolSnippet(t *testing.T) {
	items, _ := complete(t, lib, "TOOLS:\n  ‸")
	i := slices.IndexFunc(items, func(i Item) bool { return i.Snippet })
	if i < 0 {
		t.Fatal("no snippet")
	}
	plain := items[i].Edit.NewText
	for _, mark := range []string{"${1:get_thing}", "${7|GET,POST,PUT,PATCH,DELETE,HEAD,OPTIONS|}"} {
		if !strings.Contains(plain, mark) {
			t.Errorf("no %q in %q", mark, plain)
		}
	}
}

// TestCompletionFilter checks that an editor which compares beginnings still shows what is typed.
func TestCompletionFilter(t *testing.T) {
	for source, want := range map[string]string{
		"TOOLS:\n  file: \"‸\"":     "./lib.tools.abl",
		"TOOLS:\n  file: \"./li‸\"": "lib.tools.abl",
		"TOOLS:\n  file: \".‸\"":    "./lib.tools.abl",
		"TOOLS:\n  file: \"li‸\"":   "lib.tools.abl",
		"TOOLS:\n  file: li‸":       "lib.tools.abl",
	} {
		t.Run(source, func(t *testing.T) {
			items, _ := complete(t, agent, source)
			i := slices.IndexFunc(items, func(i Item) bool { return strings.HasSuffix(i.Label, "lib.tools.abl") })
			if i < 0 || items[i].FilterText != want {
				t.Errorf("%q: %+v", source, items)
			}
		})
	}
}

// TestNewToolFilter finds the snippet of a tool by the tool's kind.
func TestNewToolFilter(t *testing.T) {
	items, _ := complete(t, lib, "TOOLS:\n  ‸")
	for _, filter := range []string{"new tool http", "new mcp tool"} {
		if !slices.ContainsFunc(items, func(i Item) bool { return i.FilterText == filter }) {
			t.Errorf("nothing is found by %q", filter)
		}
	}
}
