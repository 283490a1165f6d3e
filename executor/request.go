package executor

import (
	"context"
	"encoding/json"
	"time"

	"github.com/abl-lsp/abl-lsp/executor/secrets"
	"github.com/abl-lsp/abl-lsp/tool"
)

// Request is one call of one tool, with what the person answered.
type Request struct {
	Tool    *tool.Tool
	Args    json.RawMessage // an object; for a tool without parameters also a string; nil: none
	Session json.RawMessage // an object of session variables, nested or by dotted names; nil: none

	Environment Environment
	ToolTimeout time.Duration // the agent's EXECUTION.tool_timeout; 0: not said

	Trusted    bool
	Confirm    string // the digest that the person confirmed
	Yes        bool   // confirms everything
	AllowHosts []string

	Secrets map[string]string // given with this call; they come first
	Dotenv  string            // path of a .env file; "": none
}

// Environment is the part of the project file that holds for a run.
type Environment struct {
	Name      string
	Protected bool   // it takes no `require: never`
	BaseURL   string // for relative endpoints
	Variables map[string]string
}

func (r *run) secret(ctx context.Context, name string) (string, bool, error) {
	return secrets.Find(ctx, []secrets.Provider{
		secrets.Given(r.req.Secrets),
		secrets.Env(r.executor.opts.LookupEnv),
		secrets.Dotenv(r.req.Dotenv),
	}, name)
}
