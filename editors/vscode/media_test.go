//go:build unix

package vscode_test

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"path/filepath"
	"testing"

	"github.com/abl-lsp/abl-lsp/internal/testdeps"
)

// writeMedia writes tools of two reference servers of MCP that answer with a picture, a sound and
// links. It reports whether the servers are there.
func writeMedia(t *testing.T, workspace string) bool {
	t.Helper()
	servers := map[string]any{}
	for server, call := range map[string][2]string{"everything": {"server-everything", "stdio"}, "files": {"server-filesystem", workspace}} {
		name := "@modelcontextprotocol/" + call[0]
		if !testdeps.HasNPMPackage(t, name) {
			return false
		}
		node, modules := testdeps.FindNPMPackage(t, name)
		program := filepath.Join(modules, filepath.FromSlash(name), "dist", "index.js")
		servers[server] = map[string]any{"transport": "stdio", "command": node, "args": []string{program, call[1]}}
	}
	project, err := json.Marshal(map[string]any{"servers": servers})
	if err != nil {
		t.Fatal(err)
	}
	folder := filepath.Join(workspace, "media")
	beep := filepath.Join(folder, "beep.wav")
	writeFile(t, filepath.Join(folder, "abl.yaml"), string(project))
	writeFile(t, filepath.Join(folder, "media.tools.abl"), fmt.Sprintf(mediaTools, beep))
	writeFile(t, beep, string(newBeep()))
	return true
}

const mediaTools = `TOOLS:
  picture() -> object[]
    description: "Shows a picture"
    type: mcp
    server: "everything"
    server_tool: "get-tiny-image"
    hints:
      side_effects: false

  links(count: number = 2) -> object[]
    description: "Links to resources"
    type: mcp
    server: "everything"
    server_tool: "get-resource-links"
    hints:
      side_effects: false

  sound(path: string = %q) -> object
    description: "Plays a sound"
    type: mcp
    server: "files"
    server_tool: "read_media_file"
    hints:
      side_effects: false
`

// newBeep returns half a second of a tone, as WAV.
func newBeep() []byte {
	const rate, samples = 8000, 4000
	var b []byte
	chunk := func(name string, size uint32) { b = binary.LittleEndian.AppendUint32(append(b, name...), size) }
	chunk("RIFF", 36+samples)
	b = append(b, "WAVE"...)
	chunk("fmt ", 16)
	for _, field := range []any{uint16(1), uint16(1), uint32(rate), uint32(rate), uint16(1), uint16(8)} { // PCM, one channel of one byte
		b, _ = binary.Append(b, binary.LittleEndian, field)
	}
	chunk("data", samples)
	for i := range samples {
		b = append(b, byte(128+100*math.Sin(2*math.Pi*440*float64(i)/rate)))
	}
	return b
}
