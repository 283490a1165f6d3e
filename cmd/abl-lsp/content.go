package main

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/rest"
	"github.com/abl-lsp/abl-lsp/tool/exactjson"
)

// isContent reports whether the value of a result is only the blocks of its content, whose bytes nobody
// can read.
func isContent(e executor.Envelope) bool {
	return len(e.Content) > 0 && (bytes.Equal(e.Value, exactjson.EncodeOrNil(e.Content)) || len(e.Content) == 1 && bytes.Equal(e.Value, e.Content[0]))
}

// contentBlock is what a terminal shows of a block.
type contentBlock struct {
	Type     string `json:"type"`
	Text     string `json:"text"`
	Data     string `json:"data"`
	MIMEType string `json:"mimeType"`
	URI      string `json:"uri"`
	Name     string `json:"name"`
	Title    string `json:"title"`
	Resource *struct {
		URI      string  `json:"uri"`
		MIMEType string  `json:"mimeType"`
		Text     *string `json:"text"`
		Blob     string  `json:"blob"`
	} `json:"resource"`
}

// describeContent returns the texts of blocks, and a line for each other block.
func describeContent(all executor.Blocks) (lines []string) {
	for _, raw := range all {
		var b contentBlock
		if json.Unmarshal(raw, &b) != nil {
			continue
		}
		switch {
		case b.Type == "text":
			lines = append(lines, b.Text)
		case b.Resource != nil && b.Resource.Text != nil:
			lines = append(lines, b.Resource.URI, strings.TrimRight(*b.Resource.Text, "\n"))
		case b.Resource != nil:
			lines = append(lines, describeBytes(b.Resource.URI, b.Resource.MIMEType, b.Resource.Blob))
		case b.Type == "resource_link":
			lines = append(lines, fmt.Sprintf("link %s: %s", cmp.Or(b.Title, b.Name), b.URI))
		case b.Data != "":
			name := map[string]string{"image": "picture", "audio": "sound"}[b.Type]
			lines = append(lines, describeBytes(cmp.Or(name, b.Type), b.MIMEType, b.Data))
		default:
			lines = append(lines, string(raw))
		}
	}
	return lines
}

func describeBytes(name, media, data string) string {
	return fmt.Sprintf("%s %s, %s; --format json has its bytes", name, media, rest.Size(int64(base64.StdEncoding.DecodedLen(len(data)))))
}
