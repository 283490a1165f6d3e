package mcpserver

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/tool"
)

// TestContent checks what a client gets for each kind of answer, in older versions and the current
// one.
func TestContent(t *testing.T) {
	text := &tool.Type{Name: "string"}
	picture := executor.Envelope{Value: json.RawMessage(`"iVBORw=="`), Text: "iVBORw==", Encoding: executor.Base64, ContentType: "image/png"}
	wrongType := picture
	wrongType.Error = executor.Errorf(executor.KindResult, "wrong-type", "the result is not of the declared type")
	for name, tt := range map[string]struct {
		returns        *tool.Type
		envelope       executor.Envelope
		older, current string
	}{
		"a picture":            {nil, picture, `{"content":[{"type":"image","mimeType":"image/png","data":"iVBORw=="}]}`, ""},
		"a picture, as a text": {text, picture, `{"content":[{"type":"image","mimeType":"image/png","data":"iVBORw=="}]}`, ""},
		"a picture that is declared as something else": {nil, wrongType,
			`{"content":[{"type":"text","text":"result: the result is not of the declared type"},{"type":"image","mimeType":"image/png","data":"iVBORw=="}],"isError":true}`, ""},
		"a drawing": {text, executor.Envelope{Value: json.RawMessage(`"<svg/>"`), Text: "<svg/>", ContentType: "image/svg+xml"},
			`{"content":[{"type":"image","mimeType":"image/svg+xml","data":"PHN2Zy8+"}]}`, ""},
		"a sound": {text, executor.Envelope{Value: json.RawMessage(`"UklGRg=="`), Text: "UklGRg==", Encoding: executor.Base64, ContentType: "audio/wav"},
			`{"content":[{"type":"audio","mimeType":"audio/wav","data":"UklGRg=="}]}`, ""},
		"another file": {text, executor.Envelope{Value: json.RawMessage(`"AAEC"`), Text: "AAEC", Encoding: executor.Base64, ContentType: "application/zip"},
			`{"content":[{"type":"text","text":"AAEC"}]}`, ""},
		"an object": {nil, executor.Envelope{Value: json.RawMessage(`{"price":10.50}`)},
			`{"content":[{"type":"text","text":"{\"price\":10.50}"}],"structuredContent":{"price":10.50}}`, ""},
		"a list": {nil, executor.Envelope{Value: json.RawMessage(`[1,"🛫"]`)},
			`{"content":[{"type":"text","text":"[1,\"🛫\"]"}]}`, `{"content":[{"type":"text","text":"[1,\"🛫\"]"}],"structuredContent":[1,"🛫"]}`},
		"a number": {nil, executor.Envelope{Value: json.RawMessage(`9007199254740993`)},
			`{"content":[{"type":"text","text":"9007199254740993"}]}`, `{"content":[{"type":"text","text":"9007199254740993"}],"structuredContent":9007199254740993}`},
		"a text": {text, executor.Envelope{Value: json.RawMessage(`"a 🛫"`), Text: "a 🛫", ContentType: "text/plain"},
			`{"content":[{"type":"text","text":"a 🛫"}]}`, ""},
		"blocks of a server": {nil, executor.Envelope{Value: json.RawMessage(`{"n":1}`), Content: executor.Blocks{
			json.RawMessage(`{"type":"text","text":"see","annotations":{"audience":["user"],"priority":0.5}}`),
			json.RawMessage(`{"type":"resource_link","uri":"file:///a","name":"a","title":"A","size":3}`),
			json.RawMessage(`{"type":"resource","resource":{"uri":"test://r","mimeType":"text/plain","text":"r 🛫"},"_meta":{"k":1}}`),
		}}, `{"content":[{"type":"text","text":"see","annotations":{"audience":["user"],"priority":0.5}},` +
			`{"type":"resource_link","uri":"file:///a","name":"a","title":"A","size":3},` +
			`{"type":"resource","resource":{"uri":"test://r","mimeType":"text/plain","text":"r 🛫"},"_meta":{"k":1}}],"structuredContent":{"n":1}}`, ""},
		"a block that no client knows": {nil, executor.Envelope{Value: json.RawMessage(`{"type":"hologram"}`), Content: executor.Blocks{json.RawMessage(`{"type":"hologram"}`)}},
			`{"content":[{"type":"text","text":"{\"type\":\"hologram\"}"}],"structuredContent":{"type":"hologram"}}`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			current := tt.current
			if current == "" {
				current = tt.older
			}
			for version, want := range map[string]string{versions[0]: tt.older, firstRoundsVersion: current} {
				raw, err := json.Marshal(toolResult(&tool.Tool{Name: "t", Returns: tt.returns}, tt.envelope, version == firstRoundsVersion))
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(decoded(t, want), decoded(t, string(raw))); diff != "" {
					t.Errorf("%s (-want +got):\n%s", version, diff)
				}
			}
		})
	}
}

// decoded returns the value of a JSON text, with exact numbers.
func decoded(t *testing.T, text string) (v any) {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return v
}
