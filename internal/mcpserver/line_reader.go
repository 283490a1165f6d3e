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

// maxLine limits the length of a message, in bytes.
const maxLine = 16 << 20

// lineReader reads the messages of a client, one a line. The library would end at the first line
// that is no JSON; lineReader answers that line with an error and reads the next one.
type lineReader struct {
	from *bufio.Reader
	to   *replyWriter
}

// streamError is the error of a stream that cannot be read any more.
type streamError struct{ error }

// nextMessage returns the next line that is JSON, without white space around it.
func (l *lineReader) nextMessage() ([]byte, error) {
	for {
		line, whole, err := l.readLine()
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
			return nil, streamError{err}
		}
		if err != nil {
			return nil, err
		}
	}
}

// readLine reads the next line; whole is false if it is too long.
func (l *lineReader) readLine() (line []byte, whole bool, err error) {
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

// replyWriter writes the messages to a client. Its Close does nothing.
type replyWriter struct {
	mu sync.Mutex
	to io.Writer
}

// Write implements [io.Writer].
func (r *replyWriter) Write(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.to.Write(p)
}

// Close implements [io.Closer].
func (*replyWriter) Close() error { return nil }

// refuse answers a line whose id is unknown.
func (r *replyWriter) refuse(code int64, why string) {
	raw, err := json.Marshal(errorReply{Version: "2.0", Error: jsonrpc.Error{Code: code, Message: why}})
	if err != nil {
		return
	}
	_, _ = r.Write(append(raw, '\n')) // who does not hear it, hears the next answer no more
}

// errorReply is the answer to a line that is no message.
type errorReply struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Error   jsonrpc.Error   `json:"error"`
}
