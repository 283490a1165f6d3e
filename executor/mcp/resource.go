package mcp

import (
	"context"
	"encoding/json"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/tool"
	"github.com/abl-lsp/abl-lsp/tool/exactjson"
)

// ReadResource asks the server of the call's tool for a resource. It does not send the tool's own
// headers, since they may contain arguments.
func (r *Runner) ReadResource(ctx context.Context, call executor.Call, uri string) (executor.Result, error) {
	t, err := r.server(call)
	if err != nil {
		return executor.Result{}, err
	}
	v, err := r.enterSession(ctx, call, t)
	if err != nil {
		return executor.Result{}, err
	}
	defer v.leave()
	if err := v.wait(); err != nil {
		return executor.Result{}, err
	}
	v.state = new(callState)
	var answer *sdk.ReadResourceResult
	err = v.await(func() (err error) {
		answer, err = v.session.client.ReadResource(withCallState(v.ctx, v.state), &sdk.ReadResourceParams{URI: uri})
		return err
	})
	switch {
	case v.ctx.Err() != nil:
		return executor.Result{}, v.endError()
	case err != nil:
		return executor.Result{}, v.session.classifyError(v.state, err)
	}
	raw, _ := answer.Meta[originalResultKey].(string)
	return v.resourceResult([]byte(raw))
}

// resourceResult returns the contents of a resource as embedded resources. The value is the text, if
// there is only one.
func (v *call) resourceResult(raw []byte) (executor.Result, error) {
	var read struct {
		Contents []json.RawMessage `json:"contents"`
	}
	if json.Unmarshal(raw, &read) != nil || read.Contents == nil {
		return executor.Result{}, executor.Errorf(executor.KindRemote, "no-result", "%s: the answer is no resource", v.target.name)
	}
	r := result{}
	for _, contents := range read.Contents {
		r.Content = append(r.Content, exactjson.EncodeOrNil(tool.Object{
			{Name: "type", Value: "resource"}, {Name: "resource", Value: contents},
		}))
	}
	var only struct {
		Text     *string `json:"text"`
		MIMEType string  `json:"mimeType"`
	}
	out := r.blocks(nil)
	if len(read.Contents) == 1 && json.Unmarshal(read.Contents[0], &only) == nil && only.Text != nil {
		out = executor.Result{Text: *only.Text, ContentType: only.MIMEType}
	}
	out.Content = r.Content
	return out, nil
}
