package mcpserver

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/tool"
)

// toolResult turns the result of a run into the result of a call. anyStructured says that the
// structured content may be any value, and not only an object.
func toolResult(t *tool.Tool, e executor.Envelope, anyStructured bool) *sdk.CallToolResult {
	var media sdk.Content
	if t.ModelContext() == nil {
		media = mediaBlock(e)
	}
	if e.Error != nil {
		result := failureResult(e)
		if media != nil && e.Error.Kind == executor.KindResult { // it is not what the tool declares
			result.Content = append(result.Content, media)
		}
		return result
	}
	e = executor.ForModel(t, e)
	result := &sdk.CallToolResult{Content: contentBlocks(e.Content)}
	switch {
	case len(result.Content) > 0:
	case media != nil:
		result.Content = []sdk.Content{media}
	default:
		text := e.Text
		if t.Returns != nil && t.Returns.Name == "string" && text == "" {
			_ = json.Unmarshal(e.Value, &text) // a reader of a text does not want its quotes
		}
		result.Content = textContents(text, string(e.Value))
	}
	isObject := strings.HasPrefix(string(e.Value), "{")
	if isObject || anyStructured && e.Text == "" && e.Value != nil {
		result.StructuredContent = e.Value
	}
	if e.Truncated != nil {
		result.Content = append(result.Content, &sdk.TextContent{Text: truncationNotice(*e.Truncated), Meta: sdk.Meta{executor.TruncationMetaKey: e.Truncated}})
	}
	if len(e.Warnings) > 0 {
		result.Meta = sdk.Meta{warningsKey: e.Warnings}
	}
	return result
}

// contentBlocks reads the blocks of an MCP server. It returns nil if there are none, or if one is of
// a kind that the protocol does not have: the value then says what was answered.
func contentBlocks(blocks executor.Blocks) []sdk.Content {
	if len(blocks) == 0 {
		return nil
	}
	raw, err := json.Marshal(map[string]executor.Blocks{"content": blocks})
	if err != nil {
		return nil
	}
	var result sdk.CallToolResult
	if json.Unmarshal(raw, &result) != nil {
		return nil
	}
	return result.Content
}

// mediaBlock returns the answer as a picture or a sound if its content type says that it is one,
// else nil.
func mediaBlock(e executor.Envelope) sdk.Content {
	isImage, isAudio := strings.HasPrefix(e.ContentType, "image/"), strings.HasPrefix(e.ContentType, "audio/")
	if !isImage && !isAudio || e.Text == "" {
		return nil
	}
	data := []byte(e.Text) // a picture may be a text, as SVG is
	if e.Encoding == executor.Base64 {
		var err error
		if data, err = base64.StdEncoding.DecodeString(e.Text); err != nil {
			return nil
		}
	}
	if isImage {
		return &sdk.ImageContent{Data: data, MIMEType: e.ContentType}
	}
	return &sdk.AudioContent{Data: data, MIMEType: e.ContentType}
}

// truncationNotice tells a model that a result is truncated.
func truncationNotice(t executor.Truncation) string {
	if t.Total == nil {
		return fmt.Sprintf("This is not all: the answer was cut off after %d.", t.Kept)
	}
	return fmt.Sprintf("This is not all: the answer was cut off after %d of %d.", t.Kept, *t.Total)
}

// failureResult says why a call failed, what the refusing server answered, and what to do.
func failureResult(e executor.Envelope) *sdk.CallToolResult {
	message := e.Error.FullMessage()
	if more := describeNeeds(e.Needs); more != "" {
		message += "\n" + more
	}
	return &sdk.CallToolResult{IsError: true, Content: textContents(message, "")}
}

// missingCapability returns the error of the protocol for a call whose MCP server needs something
// that the client does not have, for example a model. It is nil for any other outcome: where the
// client has it, this server does not pass it on, and the call has simply failed.
func (c client) missingCapability(e executor.Envelope) error {
	if !c.usesRounds || e.Error == nil || e.Error.Details["code"] == nil {
		return nil
	}
	var refusal struct {
		Code int64           `json:"code"`
		Data json.RawMessage `json:"data"`
	}
	raw, _ := json.Marshal(e.Error.Details)
	_ = json.Unmarshal(raw, &refusal) // a refusal of another form has another code
	if refusal.Code != sdk.CodeMissingRequiredClientCapabilities {
		return nil
	}
	var data struct {
		Required map[string]json.RawMessage `json:"requiredCapabilities"`
	}
	_ = json.Unmarshal(refusal.Data, &data)
	for name := range data.Required {
		if !c.has(name) {
			return &jsonrpc.Error{Code: refusal.Code, Message: e.Error.FullMessage(), Data: refusal.Data}
		}
	}
	return nil
}

// has reports whether the client has announced a capability.
func (c client) has(name string) bool {
	raw, err := json.Marshal(c.capabilities)
	var announced map[string]json.RawMessage
	return err == nil && json.Unmarshal(raw, &announced) == nil && announced[name] != nil
}
