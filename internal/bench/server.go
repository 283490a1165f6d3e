package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/textproto"
	"net/url"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"
)

// answerTimeout is how long a server may take to answer.
const answerTimeout = 2 * time.Minute

// server is a language server, run as an editor runs one: a child process that
// speaks JSON-RPC over its pipes.
type server struct {
	cmd     *exec.Cmd
	in      io.WriteCloser
	started time.Time
	ended   chan struct{} // closed when the server's output has ended

	mu              sync.Mutex
	changed         *sync.Cond // signalled at every message
	lastID          int
	texts           map[string][]string // the lines of open documents, if wantsWholeTexts
	wantsWholeTexts bool                // the server takes changed documents as a whole only
	answers         map[int]answer
	published       []publication
	over            bool
}

// answer is the answer to a request.
type answer struct {
	at     time.Time
	result json.RawMessage
	err    error
}

// publication is a list of diagnostics that the server has published.
type publication struct {
	at      time.Time
	uri     string
	version int // 0 where the server names none
	count   int
}

// message is any message of JSON-RPC.
type message struct {
	JSONRPC string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id,omitempty"`
	Method  string          `json:"method,omitempty"`
	Params  json.RawMessage `json:"params,omitempty"`
	Result  json.RawMessage `json:"result,omitempty"`
	Error   *struct {
		Message string `json:"message"`
	} `json:"error,omitempty"`
}

// object is a JSON object to be sent.
type object = map[string]any

// startServer starts a program that serves the Language Server Protocol.
func startServer(cmd *exec.Cmd) (*server, error) {
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	s := &server{cmd: cmd, in: in, started: time.Now(), ended: make(chan struct{}), answers: map[int]answer{}, texts: map[string][]string{}}
	s.changed = sync.NewCond(&s.mu)
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	go s.readMessages(bufio.NewReaderSize(out, 1<<16))
	return s, nil
}

// initialize opens the session with the capabilities that editors have, and a folder.
// With pull, the client asks for diagnostics itself.
func (s *server) initialize(folder string, pull bool) (time.Duration, error) {
	document := object{
		"synchronization":    object{},
		"publishDiagnostics": object{"versionSupport": true},
		"rename":             object{"prepareSupport": true},
	}
	if pull {
		document["diagnostic"] = object{"dynamicRegistration": false}
	}
	params := object{
		"processId": nil,
		"rootUri":   fileURI(folder),
		"capabilities": object{
			"textDocument": document,
			"workspace":    object{"configuration": false, "workspaceFolders": true, "workspaceEdit": object{"documentChanges": true}},
		},
		"workspaceFolders": []object{{"uri": fileURI(folder), "name": filepath.Base(folder)}},
	}
	a, err := s.call("initialize", params)
	if err != nil {
		return 0, err
	}
	s.wantsWholeTexts = wantsWholeTexts(a.result)
	return a.at.Sub(s.started), s.notify("initialized", object{})
}

// wantsWholeTexts reports whether a server takes changed documents as a whole only.
func wantsWholeTexts(initialized json.RawMessage) bool {
	var result struct {
		Capabilities struct {
			TextDocumentSync struct {
				Change int `json:"change"`
			} `json:"textDocumentSync"`
		} `json:"capabilities"`
	}
	return json.Unmarshal(initialized, &result) == nil && result.Capabilities.TextDocumentSync.Change == 1
}

// fileURI returns the URI of a path.
func fileURI(path string) string {
	return (&url.URL{Scheme: "file", Path: filepath.ToSlash(path)}).String()
}

// open opens a document as its first version.
func (s *server) open(uri, language, text string) error {
	if s.wantsWholeTexts {
		s.texts[uri] = strings.SplitAfter(text, "\n")
	}
	return s.notify("textDocument/didOpen", object{
		"textDocument": object{"uri": uri, "languageId": language, "version": 1, "text": text},
	})
}

// edit is a change of a range within a line.
type edit struct {
	line, start, end int
	text             string
}

// change sends the edits of one version, and returns when it began to.
func (s *server) change(uri string, version int, edits ...edit) (time.Time, error) {
	var changes []object
	for _, e := range edits {
		changes = append(changes, object{"text": e.text, "range": object{
			"start": object{"line": e.line, "character": e.start},
			"end":   object{"line": e.line, "character": e.end},
		}})
	}
	if s.wantsWholeTexts {
		lines := s.texts[uri]
		for _, e := range edits {
			lines[e.line] = lines[e.line][:e.start] + e.text + lines[e.line][e.end:]
		}
		changes = []object{{"text": strings.Join(lines, "")}}
	}
	raw, err := json.Marshal(object{
		"textDocument":   object{"uri": uri, "version": version},
		"contentChanges": changes,
	})
	if err != nil {
		return time.Time{}, err
	}
	frame, err := encodeFrame(message{Method: "textDocument/didChange", Params: raw})
	if err != nil {
		return time.Time{}, err
	}
	begin := time.Now()
	_, err = s.in.Write(frame)
	return begin, err
}

// notify sends a notification.
func (s *server) notify(method string, params any) error {
	raw, err := json.Marshal(params)
	if err != nil {
		return err
	}
	return s.send(message{Method: method, Params: raw})
}

// call sends a request, without params where these are nil, and waits for its answer.
func (s *server) call(method string, params any) (answer, error) {
	var raw json.RawMessage
	if params != nil {
		var err error
		if raw, err = json.Marshal(params); err != nil {
			return answer{}, err
		}
	}
	s.mu.Lock()
	s.lastID++
	id := s.lastID
	s.mu.Unlock()
	if err := s.send(message{ID: json.RawMessage(strconv.Itoa(id)), Method: method, Params: raw}); err != nil {
		return answer{}, err
	}
	var a answer
	err := s.await(method, func() (met bool) {
		a, met = s.answers[id]
		return met
	})
	if err == nil {
		err = a.err
	}
	return a, err
}

// timeRequest returns how long a request takes.
func (s *server) timeRequest(method string, params any) (time.Duration, error) {
	begin := time.Now()
	a, err := s.call(method, params)
	return a.at.Sub(begin), err
}

// await waits for a condition on the messages that have arrived.
func (s *server) await(what string, condition func() bool) error {
	late := time.AfterFunc(answerTimeout, s.changed.Broadcast)
	defer late.Stop()
	begin := time.Now()
	s.mu.Lock()
	defer s.mu.Unlock()
	for !condition() {
		switch {
		case s.over:
			return fmt.Errorf("%s: the server ended", what)
		case time.Since(begin) >= answerTimeout:
			return fmt.Errorf("%s: nothing after %v", what, answerTimeout)
		}
		s.changed.Wait()
	}
	return nil
}

// publications returns the published diagnostics of a document, in order.
func (s *server) publications(uri string) (of []publication) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range s.published {
		if p.uri == uri {
			of = append(of, p)
		}
	}
	return of
}

// settle waits until a document has diagnostics and nothing has arrived for a while. It
// returns the time of the last diagnostics.
func (s *server) settle(uri string) (time.Time, error) {
	const quiet = 400 * time.Millisecond
	var last time.Time
	latest := func() bool {
		for _, p := range s.published {
			if p.uri == uri {
				last = p.at
			}
		}
		return !last.IsZero()
	}
	if err := s.await("diagnostics of "+uri, latest); err != nil {
		return last, err
	}
	for time.Since(last) < quiet {
		time.Sleep(quiet / 4)
		s.mu.Lock()
		latest()
		s.mu.Unlock()
	}
	return last, nil
}

// close ends the session and returns the most memory that the server has used.
func (s *server) close() (peak int64, err error) {
	_, err = s.call("shutdown", nil)
	err = errors.Join(err, s.notify("exit", nil), s.in.Close())
	select {
	case <-s.ended:
	case <-time.After(5 * time.Second):
		err = errors.Join(err, s.cmd.Process.Kill())
	}
	if waited := s.cmd.Wait(); waited != nil && s.cmd.ProcessState == nil {
		err = errors.Join(err, waited)
	}
	return peakMemory(s.cmd.ProcessState), err
}

func (s *server) send(m message) error {
	frame, err := encodeFrame(m)
	if err == nil {
		_, err = s.in.Write(frame)
	}
	return err
}

// encodeFrame returns the frame of a message.
func encodeFrame(m message) ([]byte, error) {
	m.JSONRPC = "2.0"
	body, err := json.Marshal(m)
	return fmt.Appendf(nil, "Content-Length: %d\r\n\r\n%s", len(body), body), err
}

// readMessages records the messages of the server until its output ends.
func (s *server) readMessages(out *bufio.Reader) {
	defer close(s.ended)
	for {
		body, err := readFrame(out)
		at := time.Now()
		var m message
		if err == nil {
			err = json.Unmarshal(body, &m)
		}
		s.mu.Lock()
		if err != nil {
			s.over = true
		} else {
			s.recordMessage(m, at)
		}
		s.changed.Broadcast()
		s.mu.Unlock()
		if err != nil {
			return
		}
	}
}

func readFrame(out *bufio.Reader) ([]byte, error) {
	header, err := textproto.NewReader(out).ReadMIMEHeader()
	if err != nil {
		return nil, err
	}
	length, err := strconv.Atoi(header.Get("Content-Length"))
	if err != nil {
		return nil, err
	}
	body := make([]byte, length)
	_, err = io.ReadFull(out, body)
	return body, err
}

// recordMessage records a message. It answers requests of the server with null.
func (s *server) recordMessage(m message, at time.Time) {
	switch {
	case m.Method == "textDocument/publishDiagnostics":
		var params struct {
			URI         string            `json:"uri"`
			Version     int               `json:"version"`
			Diagnostics []json.RawMessage `json:"diagnostics"`
		}
		if json.Unmarshal(m.Params, &params) == nil {
			s.published = append(s.published, publication{at, params.URI, params.Version, len(params.Diagnostics)})
		}
	case m.Method != "" && m.ID != nil:
		go func() { _ = s.send(message{ID: m.ID, Result: json.RawMessage("null")}) }()
	case m.ID != nil:
		id, _ := strconv.Atoi(string(m.ID))
		a := answer{at: at, result: m.Result}
		if m.Error != nil {
			a.err = errors.New(m.Error.Message)
		}
		s.answers[id] = a
	}
}
