package executor

import (
	"context"
	"encoding/json"
	"time"

	"github.com/abl-lsp/abl-lsp/tool"
)

// Request is one call of one tool, with what the person answered.
type Request struct {
	Tool    *tool.Tool      // frozen: neither it nor its binding changes any more
	File    string          // in which the tool was asked for; "": the one that declares it
	Args    json.RawMessage // an object; for a tool without parameters also a string; nil: none
	Session json.RawMessage // an object of session variables, nested or by dotted names; nil: none

	FromModel bool // a model gives the arguments: only those that it is shown are accepted

	Environment Environment
	ToolTimeout time.Duration // the agent's EXECUTION.tool_timeout; 0: not said

	Trusted    bool
	Confirm    string // the digest that the person confirmed
	Yes        bool   // confirms everything
	AllowHosts []string
	Proxy      string            // through which HTTP goes, a URL; "": none
	Grants     []tool.Permission // the accesses that the person allows
	Refusals   []tool.Permission // those that the person does not allow
	AskSecrets bool              // before a secret that was looked up is sent, the person is asked

	Fresh bool // a cached result is not used; the new result is cached

	Secrets           map[string]string // given with this call; they come first
	RememberedSecrets []string          // names in Secrets that the caller remembered from an earlier call; a person is asked where they may go
	AuthTokens        map[string]string // identity tokens of whoever calls, by auth service

	Report     func(Progress)                              // is told how far the call is, from any goroutine; may be nil
	OpenURL    func(ctx context.Context, url string) error // has the person's browser show a page; nil: nothing can
	Unattended bool                                        // nobody will sign in, now or later: what needs that fails at once

	// Approve asks the person while the tool waits, and returns soon after ctx ends.
	// It is called once at a time. nil: nobody can be asked.
	Approve func(ctx context.Context, p tool.Permission) bool
}
