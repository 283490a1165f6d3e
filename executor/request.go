package executor

import (
	"context"
	"encoding/json"
	"time"

	"github.com/abl-lsp/abl-lsp/tool"
)

// Identity is who a caller is, as an issuer of tokens says.
type Identity struct {
	Issuer string
	Claims map[string]any // numbers are json.Number
}

// Request is one call of one tool, with the person's answers.
type Request struct {
	Tool    *tool.Tool      // frozen: neither it nor its binding changes any more
	File    string          // the file in which the tool was called; "": the one that declares it
	Args    json.RawMessage // an object; for a tool without parameters also a string; nil: none
	Session json.RawMessage // an object of session variables, nested or by dotted names; nil: none

	FromModel bool // a model gives the arguments: only those that it is shown are accepted

	Environment Environment
	ToolTimeout time.Duration // the agent's EXECUTION.tool_timeout; 0: not set

	Trusted    bool
	Confirm    string // the digest that the person confirmed
	Yes        bool   // confirms everything
	AllowHosts []string
	Proxy      string            // the URL of the HTTP proxy; "": none
	Grants     []tool.Permission // the accesses that the person allows
	Refusals   []tool.Permission // the accesses that the person refuses
	Input      *Input            // the person's answers to the server of a call that waits for them; nil: none
	Folders    []string          // the folders of the workspace, which an MCP server may ask for; nil: the project's
	AskSecrets bool              // before a secret that was looked up is sent, the person is asked

	Task string // the id of the task that waits for the result, also in a later process; "": none does

	Repeatable *Repeatable // the caller may make the same call again; nil: it is an ordinary call

	resource string // the URI of the resource to read; "": the tool is called

	KeepRaw bool // the envelope's Response has the raw answer

	Fresh bool // a cached result is not used; the new result is cached

	Secrets           map[string]string // given with this call; they win over all other places
	RememberedSecrets []string          // names in Secrets that the caller remembered from an earlier call; a person is asked where they may go
	AuthTokens        map[string]string // identity tokens of the caller, by auth service
	Identity          *Identity         // of the caller, verified; it holds for the auth services of its issuer without a token in AuthTokens; nil: none

	TraceParent, TraceState string // the caller's trace, as W3C writes it: spans and HTTP requests of the run continue it; "": none

	Report     func(Progress)                              // gets the progress of the call, from any goroutine; may be nil
	OpenURL    func(ctx context.Context, url string) error // opens a page in the person's browser; nil: there is none
	Unattended bool                                        // no one will sign in: a call that needs it fails at once

	// Approve asks the person for the access p while the tool waits, and reports whether the
	// person allows it. It returns soon after ctx ends, and is never called concurrently. If
	// Approve is nil, the person cannot be asked.
	Approve func(ctx context.Context, p tool.Permission) bool
}
