package mcpserver

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/abl-lsp/abl-lsp/executor"
)

// ownerOf returns the mark of who sends a request, which may be stored; "" for a caller that nothing
// tells apart. It does not verify identity tokens: a mark that is the same proves nothing before
// [Server.verify] has accepted them.
func ownerOf(extra *sdk.RequestExtra) string {
	name := callerOf(extra)
	if name == "" {
		return ""
	}
	sum := sha256.Sum256([]byte(name)) // a name may hold a token
	return hex.EncodeToString(sum[:])
}

// requester is who asks about a task.
type requester struct {
	owner string            // see [ownerOf]
	extra *sdk.RequestExtra // with the identity tokens that are not verified yet; nil: there are none
}

// requesterKey is the key of a context's requester.
type requesterKey struct{}

func withRequester(ctx context.Context, r requester) context.Context {
	return context.WithValue(ctx, requesterKey{}, r)
}

// checkOwner returns an error unless the requester that a context carries owns a task.
func (ts *tasks) checkOwner(ctx context.Context, record *taskRecord) error {
	r, _ := ctx.Value(requesterKey{}).(requester)
	if record.Caller != r.owner {
		return unknownTask(record.Task.ID)
	}
	if r.extra == nil || !slices.ContainsFunc(slices.Collect(maps.Keys(r.extra.Header)), isTokenHeader) {
		return nil
	}
	served, ok := ts.server.currentTool(record.Tool)
	if !ok {
		return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: fmt.Sprintf("%s is not served at the moment, so the identity token of who asks about its task cannot be verified", record.Tool)}
	}
	req, fault := ts.server.requestOf(served, r.extra)
	if fault == nil {
		fault = ts.server.verify(ctx, req)
	}
	if fault != nil {
		return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: fmt.Sprintf("who asks about the task is not known: %v", fault)}
	}
	return nil
}

// verify verifies the caller of a request, as a run of it would.
func (s *Server) verify(ctx context.Context, req executor.Request) *executor.Error {
	if s.opts.Identify == nil {
		return nil
	}
	return s.opts.Identify(ctx, req)
}
