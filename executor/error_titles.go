package executor

import (
	"cmp"
	"strings"
	"sync"
)

// outcomeWords begin the title of an error of a kind.
var outcomeWords = map[ErrorKind]string{
	KindNeeds:  "Did not run",
	KindDenied: "Refused",
}

// ErrorTitle returns a sentence without an end that says how a run ended, such as "Failed: the
// server answered 404". Every kind and code has one; that of an unknown code is its kind's.
func ErrorTitle(kind ErrorKind, code string) string {
	if kind == KindTimeout && code == CodeCancelled {
		return "Cancelled"
	}
	return cmp.Or(outcomeWords[kind], "Failed") + ": " + errorCause(kind, code)
}

// errorCause returns what happened, as the continuation of an outcome.
func errorCause(kind ErrorKind, code string) string {
	if cause := errorCauses()[kind][code]; cause != "" {
		return cause
	}
	for _, family := range errorFamilies {
		if rest, ok := strings.CutPrefix(code, family.prefix); ok && family.kind == kind {
			return family.cause + rest
		}
	}
	return cmp.Or(errorCauses()[kind][""], "it ended with an error")
}

// errorFamilies are codes that end in what the other side said. The cause goes on with that.
var errorFamilies = []struct {
	kind          ErrorKind
	prefix, cause string
}{
	{KindRemote, "http-", "the server answered "},
	{KindRemote, "aws-", "AWS answered "},
	{KindRemote, "mcp", "the MCP server answered with the error "},
}

// errorCauses say what happened, by kind and code; the code "" is any other of that kind.
var errorCauses = sync.OnceValue(func() map[ErrorKind]map[string]string {
	return map[ErrorKind]map[string]string{
		KindDefinition: {
			"":                    "the tool cannot be run as it is written",
			"allowed-commands":    "`allowed_commands` does not permit the program",
			"ambiguous-binding":   "several libraries bind the tool differently",
			"auth":                "the tool's authentication is not complete",
			"auth-service":        "abl.yaml does not say who verifies the caller",
			"aws-config":          "the configuration of AWS cannot be used",
			"aws-credentials":     "there are no credentials for AWS",
			"base-url":            "nothing says what the endpoint is relative to",
			"binary":              "the program of the tool cannot be used",
			"body-schema":         "the tool's `body_schema` has an error",
			"body-template":       "the tool's `body_template` has an error",
			"body-type":           "the body cannot be sent in this type",
			"builtin":             "there is no such builtin",
			"builtin-parameter":   "the builtin has no such parameter",
			"callback-base-url":   "`callback_base_url` is no address for callbacks",
			"callback-url-field":  "the callback's address has no place in the request",
			"case":                "the saved case cannot be read",
			"default-type":        "a default is of the wrong type",
			"endpoint":            "the endpoint is no address",
			"engine":              "the sandbox's engine cannot be used here",
			"env":                 "the tool's `env` cannot be used",
			"environment":         "abl.yaml has no such environment",
			"expect":              "what the saved case expects cannot be evaluated",
			"function":            "the function is not described completely",
			"handler":             "the module has no such handler",
			"header":              "a header cannot be sent",
			"jail":                "the jail does not work on this machine",
			"kind-not-supported":  "tools of this kind do not run here",
			"memory":              "the tool's `memory_mb` cannot be used",
			"method":              "the method cannot be used",
			"missing-arguments":   "arguments of the check are missing",
			"missing-secrets":     "secrets of the check are missing",
			"module":              "the module cannot be loaded",
			"no-binding":          "nothing says how to run the tool",
			"no-check":            "the statement cannot be checked",
			"no-code":             "the tool has no code",
			"no-database":         "the tool names no database",
			"no-discovery":        "the server cannot be asked for its tools",
			"no-revert":           "the tool does not say how to undo it",
			"no-runtime":          "the tool names no runtime",
			"no-tool":             "the tool does not exist any more",
			"node":                "Node.js is missing or too old",
			"not-supported":       "the tool uses something that is not supported here",
			"number":              "a property should be a number",
			"option":              "an option cannot be used",
			"parameter-name":      "a parameter has a name that the code cannot use",
			"parameters":          "the parameters do not fit the binding",
			"path-parameter":      "the path has a parameter that the tool does not declare",
			"platform-only":       "the tool runs on the platform only",
			"process":             "`process` has an error",
			"program":             "the program cannot be started",
			"project-file":        "abl.yaml has an error",
			"retry-policy":        "`retry_policy` has an error",
			"revert":              "`revert` has an error",
			"runtime":             "the runtime cannot be used",
			"schema":              "a JSON Schema of the tool has an error",
			"search-backend":      "abl.yaml names no search engine that is known",
			"search-url":          "the search engine has no address",
			"server":              "the MCP server is not described completely",
			"service":             "the service of the tool cannot be used",
			"source":              "the tool's source cannot be used",
			"template":            "a placeholder cannot be filled in",
			"timeout-seconds":     "`timeout_seconds` is no time to wait",
			"unknown-function":    "abl.yaml has no such function",
			"unknown-server":      "abl.yaml has no such MCP server",
			"unknown-server-tool": "the MCP server has no such tool",
			"unknown-source":      "abl.yaml has no such source",
			"variant":             "no variant of the request fits",
			"verify":              "`verify` has an error",
		},
		KindArguments: {
			"":                 "an argument is wrong",
			"allow-host":       "an allowed host is none",
			"argument":         "an argument cannot be used",
			"arguments":        "the arguments cannot be read",
			"body-schema":      "the body is not what `body_schema` says",
			"expression":       "the calculation cannot be read",
			"grant":            "a granted permission is none",
			"header":           "an argument cannot be sent in a header",
			"no-such-run":      "the journal has no such run",
			"not-allowed":      "an argument has a value that is not allowed",
			"out-of-range":     "an argument is out of range",
			"path":             "an argument cannot be a part of the path",
			"proxy":            "the proxy's address is none",
			"schema":           "an argument is not what the schema says",
			"session":          "the session variables cannot be read",
			"source":           "a session variable has a wrong value",
			"template":         "a session variable is missing",
			"unknown-argument": "the tool has no such argument",
			"wrong-type":       "an argument has the wrong type",
		},
		KindNeeds: {
			"":                  "something is missing",
			"confirmation":      "it must be confirmed first",
			"missing-arguments": "arguments are missing",
			"missing-secrets":   "secrets are missing",
			"missing-token":     "the caller's identity token is missing",
			"permission":        "a permission is missing",
			"reask":             "other arguments are wanted",
			"send-secret":       "nobody has allowed to send the secret there",
			"sign-in":           "somebody must sign in first",
			"trust":             "the workspace is not trusted",
		},
		KindDenied: {
			"":                  "it is not allowed",
			"blocked":           "the tool is blocked",
			"claim":             "the caller's token does not say who is calling",
			"issuer-mismatch":   "the issuer is another one",
			"no-pkce":           "the sign-in is not safe",
			"plain-http":        "the sign-in is not encrypted",
			"resource-mismatch": "the server says that it is another one",
			"declined":          "the person said no",
			"journal":           "without a journal nothing is undone",
			"keys":              "the keys of the issuer cannot be trusted",
			"metadata-address":  "the address gives a cloud's credentials to everyone",
			"not-kept":          "the journal does not have what is needed to undo it",
			"not-revertible":    "the run cannot be undone",
			"permission":        "the project denies this",
			"private-address":   "the host is on a private network",
			"process":           "a condition of `process` is not met",
			"read-only":         "the database may only be read",
			"redirect":          "the server leads to another host",
			"redirect-scheme":   "the server leads to another protocol",
			"redirect-secret":   "the server leads a secret to another host",
			"refused-statement": "the statement is not allowed",
			"revert-order":      "a later run must be undone first",
			"reverted":          "the run is already undone",
			"sign-in-denied":    "the sign-in was denied",
			"sign-in-issuer":    "the answer comes from another issuer",
			"sign-in-state":     "the answer belongs to another sign-in",
			"token":             "the caller's token is not valid",
			"token-host":        "the issuer names another host for tokens",
			"token-redirect":    "the sign-in leads to another host",
			"unasked":           "nobody could be asked",
			"unjailed":          "it would run without a jail",
			"unsafe-url":        "the address is not safe",
		},
		KindTimeout: {
			"":                 "there was no answer in time",
			"callback-timeout": "no callback came in time",
			"sign-in":          "nobody signed in in time",
			"start":            "the MCP server did not start in time",
			"timeout":          "there was no answer in time",
			codeContinuesLater: "the program ended before the result came",
		},
		KindLimit: {
			"":                 "it is too large",
			"arguments-size":   "the arguments are too large",
			"console-size":     "it printed too much",
			"expression-depth": "the calculation is nested too deep",
			"expression-size":  "the calculation is too long",
			"memory":           "it needs too much memory",
			"output":           "the result is too large",
			"output-size":      "it printed too much",
			"payload-size":     "the arguments are too large",
			"permission":       "it asked for too long a permission",
			"questions":        "it asked for too much at a time",
			"rate-limit":       "its turn does not come in time",
			"redirects":        "the server redirects too often",
			"response-size":    "the response is too large",
			"sessions":         "too many MCP servers are in use",
			"too-large":        "a number got too large",
			"too-small":        "a number got too small",
		},
		KindNetwork: {
			"":              "the server cannot be reached",
			"callback-port": "nothing can listen for the callback",
			"circuit-open":  "the server failed too often and is left alone for a while",
			"connect":       "the server cannot be reached",
			"dns":           "the host's name is not known",
			"listen":        "nothing can listen for the end of the sign-in",
			"lost":          "the connection was lost",
			"session":       "the MCP server has forgotten the session",
			"tls":           "the connection cannot be encrypted",
		},
		KindRemote: {
			"":                   "the other side refused",
			"content-encoding":   "the answer cannot be decompressed",
			"content-type":       "the page has no text",
			"discovery":          "the issuer does not say where to sign in",
			"insufficient-scope": "the token's scopes are too few",
			"exit":               "the program ended with an error",
			"function-answer":    "the function's answer broke off",
			"function-error":     "the function failed",
			"function-exit":      "the function ended without an answer",
			"input-required":     "the MCP server asks for something that nobody can give",
			"keys":               "the issuer does not give its keys",
			"login-wall":         "the page is only there after a sign-in",
			"no-list":            "the MCP server gives no list of its tools",
			"no-mcp":             "the server does not speak MCP",
			"no-result":          "the MCP server's answer is no result",
			"no-token":           "the answer has no access token",
			"redirect":           "the server leads to no address",
			"registration":       "no client is registered",
			"search-answer":      "the search engine's answer cannot be read",
			"search-blocked":     "the search engine wants to see a person",
			"sign-in":            "the sign-in failed",
			"signed-out":         "the sign-in is over",
			"sql":                "the database refused the statement",
			"token-refused":      "no token was given",
			"token-rejected":     "the server rejects its token",
			"token-type":         "the token is of a kind that cannot be sent",
			"tool-error":         "the MCP server reported an error",
			"tool-failed":        "the tool reported an error",
			"upgrade":            "the server changes the protocol unasked",
		},
		KindResult: {
			"":             "the result is not as it should be",
			"no-json":      "the result cannot be written as JSON",
			"no-text":      "the result is no text",
			"process":      "`process` did not accept the result",
			"schema":       "the result is not what the schema says",
			codeUnverified: "the check after the call failed",
			"wrong-type":   "the result has another type than declared",
		},
		KindSandbox: {
			"":              "the code failed",
			"ended":         "the code ended without a result",
			"load":          "the module threw while it was loaded",
			"never-settles": "the code waits for ever",
			"recursion":     "the code calls itself too deep",
			"syntax":        "the code cannot be parsed",
			"threw":         "the code threw an error",
		},
		KindInternal: {
			"":            "this program has a defect",
			"closed":      "the program is ending",
			"connection":  "the connection's guard failed",
			"jail":        "the jail failed",
			"journal":     "the journal cannot be read or written",
			"no-sandbox":  "the program was built without the sandbox",
			"not-claimed": "the call belongs to another program",
			"spec":        "the tool has a binding of another kind",
			"start":       "the process cannot be started",
			"state":       "the state folder cannot be read or written",
		},
	}
})
