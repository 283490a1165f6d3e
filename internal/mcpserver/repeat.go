package mcpserver

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/tool"
	"github.com/abl-lsp/abl-lsp/tool/exactjson"
	"github.com/abl-lsp/abl-lsp/tool/placeholder"
)

// The places of the idempotency key with which a client may repeat a call.
const (
	repeatMetaKey = "abl-lsp/idempotency-key"
	repeatHeader  = "Idempotency-Key"
)

// Identify verifies the caller of a request, as a run of it would. It returns why the caller is not
// known.
type Identify func(context.Context, executor.Request) *executor.Error

// maxRepeatKey is the longest idempotency key of a client, in bytes.
const maxRepeatKey = 255

// clientKey returns the client's idempotency key of a call; "" if it has none.
func clientKey(r *sdk.CallToolRequest) (key string, fault *executor.Error) {
	if given, ok := r.Params.Meta[repeatMetaKey]; ok {
		if key, ok = given.(string); !ok || key == "" {
			return "", wrongKey("_meta[%q] is no text", repeatMetaKey)
		}
	}
	if r.Extra != nil {
		switch header := r.Extra.Header.Get(repeatHeader); {
		case header == "":
		case key == "":
			key = header
		case key != header:
			return "", wrongKey("the header %s differs from _meta[%q]", repeatHeader, repeatMetaKey)
		}
	}
	if len(key) > maxRepeatKey {
		return "", wrongKey("the idempotency key is longer than %d bytes", maxRepeatKey)
	}
	return key, nil
}

func wrongKey(format string, args ...any) *executor.Error {
	return executor.Errorf(executor.KindArguments, "idempotency-key", format, args...)
}

// repeatableCall is a call that the client may repeat.
type repeatableCall struct {
	*conversation
	tool      servedTool
	req       executor.Request
	id        string // of the caller, the tool and the key
	arguments string // a mark of the arguments
	target    string // a mark of what the call acts on
}

// newRepeatableCall returns the call with the client's key.
func newRepeatableCall(c *conversation, t servedTool, req executor.Request, key string) *repeatableCall {
	project := []string{req.Environment.Name, filepath.Base(t.tool.Origin.File)}
	secret := fmt.Appendf(nil, "%q %q %q %q", callerOf(c.call.Extra), c.call.Params.Name, project, key)
	id := sha256.Sum256(secret)
	mark := func(raw []byte) string { // without the key, no one can guess what was marked
		h := hmac.New(sha256.New, secret)
		_, _ = h.Write(raw)
		return hex.EncodeToString(h.Sum(nil))
	}
	return &repeatableCall{
		conversation: c, tool: t, req: req,
		id: hex.EncodeToString(id[:]), arguments: mark(canonicalJSON(c.call.Params.Arguments)), target: mark(targetOf(req)),
	}
}

// targetOf describes what a call acts on: the binding, and what the project says about it. Replicas of
// one project agree on it. Projects whose tools have the same name and call the same thing do, too, so
// their calls may have the same answer; tools that run on this machine differ by the project's folder.
func targetOf(req executor.Request) []byte {
	e := &req.Environment
	parts := []any{req.Tool.Kind, req.Tool.Version, req.Tool.Spec, e.BaseURL}
	isRemote := req.Tool.Kind == tool.KindHTTP || req.Tool.Kind == tool.KindAsyncWebhook
	addSource := func(name string) {
		source := e.Sources[name]
		source.Password, source.Timeout = "", ""
		parts, isRemote = append(parts, source), isRemote || source.Host != ""
	}
	switch s := req.Tool.Spec.(type) {
	case *tool.HTTP:
		addSource(s.Source)
	case *tool.SQL:
		addSource(s.Source)
	case *tool.Redis:
		addSource(s.Source)
	case *tool.MCP:
		parts = append(parts, e.Servers[s.Server])
	case *tool.Lambda:
		parts = append(parts, e.Functions[s.Function])
	case *tool.Module:
		parts = append(parts, e.Services[s.Service])
	}
	if !isRemote {
		parts = append(parts, e.Root)
	}
	text, _ := placeholder.Fill(string(exactjson.EncodeOrNil(parts)), false, func(p placeholder.Lookup) (string, error) {
		if kind, name, ok := strings.Cut(p.Name, "."); ok && (kind == "env" || kind == "config") {
			if value, ok := e.Variables[name]; ok {
				return value, nil
			}
		}
		return "{{" + p.Name + "}}", nil
	})
	return []byte(text)
}

// outlivesConnection reports whether the call goes on when the client's connection breaks: over
// HTTP, where the client finds the answer by repeating the call.
func (k *repeatableCall) outlivesConnection() bool {
	return k.task == nil && k.client.usesRounds && k.call.Extra != nil && k.call.Extra.Header != nil
}

// mayRunAgain reports whether the tool may be run again although it is not known how the call ended: it
// has no effect, or the other side recognizes the call by its idempotency key.
func (k *repeatableCall) mayRunAgain() bool {
	t := k.req.Tool
	spec, isHTTP := t.Spec.(*tool.HTTP)
	return !t.MayMutate() || isHTTP && spec.IdempotencyHeader != "" && tool.IdempotencyFault(spec.IdempotencyHeader) == ""
}

// refuse returns a result that says why the call is not answered.
func (k *repeatableCall) refuse(err *executor.Error) *sdk.CallToolResult {
	return failureResult(withTokenHeader(executor.RefusedEnvelope(k.tool.tool, err), k.call))
}

// outcomeUnknown is the result of a repeat whose first call was broken off.
func (k *repeatableCall) outcomeUnknown() *sdk.CallToolResult {
	e := executor.Errorf(executor.KindNetwork, "outcome-unknown",
		"the first call with this idempotency key was broken off; whether %s had its effect is not known", k.tool.tool.QualifiedName())
	return k.refuse(e.WithHint("Look whether it had. To call it again in any case, use another key."))
}

// answerGone is the result of a repeat whose answer is gone.
func (k *repeatableCall) answerGone() *sdk.CallToolResult {
	why := k.tool.tool.QualifiedName() + " does not allow it to be stored"
	if executor.KeepsResult(k.tool.tool) {
		why = "there was no room to store it"
	}
	e := executor.Errorf(executor.KindResult, "answer-gone", "the first call with this idempotency key has ended, but its answer is gone: %s", why)
	return k.refuse(e.WithHint("To call it again, use another key."))
}

// decode returns a stored answer to who makes this call. It first verifies the caller, as a run
// would.
func (k *repeatableCall) decode(ctx context.Context, answer json.RawMessage) (*sdk.CallToolResult, error) {
	if err := k.server.verify(ctx, k.req); err != nil {
		return k.refuse(err), nil
	}
	return decodeResult(answer)
}

// decodeResult reads a stored result. Its numbers keep every digit.
func decodeResult(raw json.RawMessage) (*sdk.CallToolResult, error) {
	result := &sdk.CallToolResult{}
	var exact struct {
		Structured json.RawMessage `json:"structuredContent"`
	}
	err := json.Unmarshal(raw, result)
	if err == nil {
		err = json.Unmarshal(raw, &exact)
	}
	if err != nil {
		return nil, fmt.Errorf("the first answer cannot be read: %w", err)
	}
	if exact.Structured != nil {
		result.StructuredContent = exact.Structured
	}
	return result, nil
}
