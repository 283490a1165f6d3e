package mcpserver

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// maxLine is how long a message may be, in bytes.
const maxLine = 16 << 20

// lines are the messages of a client, one a line. The library ends at the first line that
// is no JSON; here that is said to the client, and the next one is read.
type lines struct {
	from *bufio.Reader
	to   *replies
}

// lostError is that of a stream that cannot be read any more.
type lostError struct{ error }

// next is the next line that is JSON, without white space around it.
func (l *lines) next() ([]byte, error) {
	for {
		line, whole, err := l.line()
		text := bytes.TrimSpace(line)
		switch {
		case !whole:
			l.to.refuse(jsonrpc.CodeInvalidRequest, "the message is longer than 16 MB")
		case len(text) == 0:
		case !json.Valid(text):
			l.to.refuse(jsonrpc.CodeParseError, "the line is no JSON")
		default:
			return text, nil // an error comes again
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, lostError{err}
		}
		if err != nil {
			return nil, err
		}
	}
}

// line is the next line; whole is false where it is too long.
func (l *lines) line() (line []byte, whole bool, err error) {
	whole = true
	for {
		part, err := l.from.ReadSlice('\n')
		if whole = whole && len(line)+len(part) <= maxLine; whole {
			line = append(line, part...)
		} else {
			line = nil
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, whole, err
		}
	}
}

// replies are the messages to a client. Nothing closes them.
type replies struct {
	mu sync.Mutex
	to io.Writer
}

// Write implements [io.Writer].
func (r *replies) Write(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.to.Write(p)
}

// Close implements [io.Closer].
func (*replies) Close() error { return nil }

// refuse answers what has no id that could be told.
func (r *replies) refuse(code int64, why string) {
	raw, err := json.Marshal(refusal{Version: "2.0", Error: jsonrpc.Error{Code: code, Message: why}})
	if err != nil {
		return
	}
	_, _ = r.Write(append(raw, '\n')) // who does not hear it, hears the next answer no more
}

// refusal is the answer to what is no message.
type refusal struct {
	Version string        `json:"jsonrpc"`
	ID      *string       `json:"id"`
	Error   jsonrpc.Error `json:"error"`
}
