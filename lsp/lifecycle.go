package lsp

import (
	"context"
	"encoding/json"

	"go.lsp.dev/protocol"
	"go.uber.org/zap"
)

// initializeParams is the part of the parameters that the server reads. Errors in other
// parts do not matter.
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
	// Fields of a wrong type are ignored, and the others are read.
	if err := json.Unmarshal(*raw, &params); err != nil {
		s.log.Warn("initialize", zap.Error(err))
	}
	snap := s.session.update(func(next *snapshot) {
		next.capabilities = params.Capabilities
		next.encoding = params.Capabilities.encoding()
		next.folders = params.folders()
	})
	if err := s.configuration.apply(params.InitializationOptions); err != nil {
		s.client.showWarning("None of the settings (initializationOptions) are taken: %v", err)
	}
	s.trust.restoreStored(context.Background())
	s.client.SetTrace(params.Trace)
	s.log.Info("initialized",
		zap.String("client", params.ClientInfo.Name), zap.Stringer("encoding", snap.encoding), zap.Strings("folders", snap.folders))
	return &protocol.InitializeResult{
		Capabilities: serverCapabilities(snap),
		ServerInfo:   protocol.ServerInfo{Name: "abl-lsp", Version: protocol.NewOptional(s.opts.Version)},
	}, nil
}

func initialized(s *server, _ *protocol.InitializedParams) error {
	s.client.Go("register", s.registerAll)
	s.client.GoUntilDone("poll", s.poll.run)
	s.callbacks.startWaiting()
	return nil
}

func shutdown(s *server, _ *struct{}) (any, error) {
	s.diagnostics.delayTimer.cancel()
	return nil, nil
}
