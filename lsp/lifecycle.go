package lsp

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.uber.org/zap"
)

// phase is how far a session has come.
type phase int

const (
	created phase = iota
	running
	shutDown
	exited
	exitedEarly // without a shutdown
)

// admit refuses a request that has no place in the phase.
func (p phase) admit(method string) error {
	switch {
	case p == shutDown:
		return jsonrpc2.NewError(jsonrpc2.InvalidRequest, "the server is shut down")
	case p == created && method != protocol.MethodInitialize:
		return jsonrpc2.NewError(jsonrpc2.ServerNotInitialized, "the first request must be initialize")
	case p == running && method == protocol.MethodInitialize:
		return jsonrpc2.NewError(jsonrpc2.InvalidRequest, "the server is initialized already")
	}
	return nil
}

// notices reports whether a notification has a place in the phase.
func (p phase) notices(method string) bool {
	return p == running || method == protocol.MethodExit || strings.HasPrefix(method, "$/")
}

// initializeParams is the part of the parameters that the server reads. What
// else stands there may be as odd as a client likes.
type initializeParams struct {
	ClientInfo struct {
		Name string `json:"name"`
	} `json:"clientInfo"`
	RootPath         string `json:"rootPath"`
	RootURI          string `json:"rootUri"`
	WorkspaceFolders []struct {
		URI string `json:"uri"`
	} `json:"workspaceFolders"`
	Capabilities          clientCapabilities  `json:"capabilities"`
	InitializationOptions json.RawMessage     `json:"initializationOptions"`
	Trace                 protocol.TraceValue `json:"trace"`
}

func initialize(s *server, raw *protocol.LSPAny) (*protocol.InitializeResult, error) {
	var params initializeParams
	// A field of the wrong type is passed over, and the rest read.
	if err := json.Unmarshal(*raw, &params); err != nil {
		s.log.Warn("initialize", zap.Error(err))
	}
	at := s.session.update(func(next *snapshot) {
		next.client = params.Capabilities.support()
		next.encoding = params.Capabilities.encoding()
		next.folders = params.folders()
	})
	if err := s.configure(params.InitializationOptions); err != nil {
		s.caution("None of the settings (initializationOptions) are taken: %v", err)
	}
	s.recallTrust()
	s.trace.set(params.Trace)
	s.phase = running
	s.log.Info("initialized",
		zap.String("client", params.ClientInfo.Name), zap.Stringer("encoding", at.encoding), zap.Strings("folders", at.folders))
	return &protocol.InitializeResult{
		Capabilities: at.capabilities(),
		ServerInfo:   protocol.ServerInfo{Name: "abl-lsp", Version: protocol.NewOptional(s.opts.Version)},
	}, nil
}

func initialized(s *server, _ *protocol.InitializedParams) error {
	s.spawn("register", s.registerAll)
	s.start(&s.lasting, "poll", s.pollDisk)
	s.awaitCallbacks()
	return nil
}

func shutdown(s *server, _ *struct{}) (any, error) {
	s.phase = shutDown
	s.holdTimer.cancel()
	return nil, nil
}

func exit(s *server, _ *struct{}) error {
	if s.phase == shutDown {
		s.phase = exited
	} else {
		s.phase = exitedEarly
	}
	return nil
}

// cancelParams holds both forms of an id. The library's type holds no integer
// above 32 bits.
type cancelParams struct {
	ID json.RawMessage `json:"id"`
}

func cancelRequest(s *server, params *cancelParams) error {
	var name string
	if json.Unmarshal(params.ID, &name) == nil {
		s.calls.stop(jsonrpc2.NewStringID(name))
		return nil
	}
	number, err := strconv.ParseInt(string(params.ID), 10, 64)
	if err != nil {
		return fmt.Errorf("no request has the id %s", params.ID)
	}
	s.calls.stop(jsonrpc2.NewNumberID(number))
	return nil
}
