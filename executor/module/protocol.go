package module

import (
	"bytes"
	"encoding/json"
	"io"

	"github.com/abl-lsp/abl-lsp/executor/javascript"
)

// job is the first line that host.js reads.
type job struct {
	Word    string         `json:"word"` // the prefix of the lines that host.js writes
	URL     string         `json:"url"`
	Source  *string        `json:"source"` // the translated module; nil: Node reads the file
	Handler string         `json:"handler"`
	Values  map[string]any `json:"values"`
	Big     [][]any        `json:"big"` // paths of the strings in Values that mean a BigInt
}

func (j *job) add(name string, value any) {
	if j.Values == nil {
		j.Values, j.Big = map[string]any{}, [][]any{}
	}
	j.Values[name] = javascript.BigIntegersAsText(value, []any{name}, &j.Big)
}

// message is a line that host.js writes: a piece of an answer, the answer, a fault or a
// question.
type message struct {
	Chunk json.RawMessage `json:"chunk"`
	Value json.RawMessage `json:"value"`
	Done  bool            `json:"done"` // the pieces are the answer, unless there is a value
	Error *fault          `json:"error"`

	ID         int                `json:"id"` // of the question
	Open       *openRequest       `json:"open"`
	Permission *permissionRequest `json:"permission"`
}

// openRequest asks for a connection.
type openRequest struct {
	Host string `json:"host"`
	Port string `json:"port"`
}

// permissionRequest asks for a permission.
type permissionRequest struct {
	Kind     string `json:"kind"`
	Resource string `json:"resource"`
	Op       string `json:"op"`
}

// The lines that host.js reads after the job.
type (
	abortRequest struct {
		Abort string `json:"abort"`
	}
	openReply struct {
		ID      int    `json:"id"`
		Path    string `json:"path,omitempty"`
		Port    int    `json:"port,omitempty"`
		Error   string `json:"error,omitempty"`
		Code    string `json:"code,omitempty"`
		Refused bool   `json:"refused,omitempty"`
	}
	permissionReply struct {
		ID      int  `json:"id"`
		Granted bool `json:"granted"`
	}
)

// outputListener handles each line that the process writes to descriptor 1.
type outputListener struct {
	word    string
	receive func(message)
	console io.Writer
}

// handleLine passes a message of host.js on, and writes any other line to the console.
func (e *outputListener) handleLine(line []byte) {
	text, ours := bytes.CutPrefix(line, []byte(e.word))
	var m message
	if ours && json.Unmarshal(text, &m) == nil {
		e.receive(m)
		return
	}
	if len(line) > 0 {
		_, _ = e.console.Write(append(line, '\n')) // the console reports itself when it is full
	}
}
