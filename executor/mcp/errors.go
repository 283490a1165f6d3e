package mcp

import (
	"compress/flate"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"syscall"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/rest"
)

// classifyError converts an error of the library to an error with a kind, for one call.
func (s *session) classifyError(t *callState, err error) error { return copyError(s.cause(t, err)) }

// copyError returns a copy of err for one call. Calls that fail together share their cause, and
// each adds to its error.
func copyError(err error) error {
	if e, ok := errors.AsType[*executor.Error](err); ok {
		copied := *e
		return &copied
	}
	return err
}

// cause returns why a call failed. A reason that belongs to the call wins over one of the session.
func (s *session) cause(t *callState, err error) error {
	if fault := t.reason(); fault != nil {
		return fault
	}
	fault, unsent := s.reason(), !t.sent.Load()
	if fault != nil && unsent {
		return s.lostError(fault, true) // this call cannot be the reason
	}
	if known := executor.FindClassified(err); known != nil {
		return known
	}
	if executor.FindClassified(fault) != nil {
		return fault
	}
	if fault != nil {
		return s.lostError(fault, false)
	}
	if answer, ok := errors.AsType[*jsonrpc.Error](err); ok {
		return s.protocolError(answer)
	}
	return s.lostError(err, unsent)
}

// connectError returns the error for a session that did not begin. It says that the call was not
// sent.
func (s *session) connectError(err error) error {
	t := new(callState)
	t.markSent()
	if answer := answerOf(err); answer != nil {
		err = s.protocolError(answer)
	} else if s.isServerError(err) {
		err = s.remoteError(0, "no session begins: "+shorten(s.redact(err.Error())))
	} else {
		err = s.classifyError(t, err)
	}
	if e, ok := errors.AsType[*executor.Error](err); ok {
		e.Unsent = true
	}
	return err
}

// isServerError reports whether the server's own answer is the fault, and not the connection.
func (s *session) isServerError(err error) bool {
	_, system := errors.AsType[syscall.Errno](err)
	fault := s.reason()
	return executor.FindClassified(err) == nil && !system && (fault == nil || executor.FindClassified(fault) == nil && !errors.Is(err, fault)) && s.ctx.Err() == nil &&
		!errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, sdk.ErrConnectionClosed)
}

// lostError returns the error for a session that ended because of fault. unsent says that nothing
// of the call can have reached the server.
func (s *session) lostError(fault error, unsent bool) error {
	if isMiscoded(fault) {
		return rest.Miscoded(s.target.host())
	}
	text := "the connection was lost: " + fault.Error()
	switch {
	case s.target.transport == viaStdio && errors.Is(fault, io.EOF):
		text = "the server ended"
	case s.target.transport == viaStdio:
		text = "the server ended: " + fault.Error()
	}
	e := executor.Errorf(executor.KindNetwork, "lost", "%s (%s): %s", s.target.name, s.target.host(), text)
	e.Err, e.Unsent = fault, unsent
	return e
}

// isMiscoded reports whether an answer is not compressed as its header says.
func isMiscoded(err error) bool {
	_, corrupt := errors.AsType[flate.CorruptInputError](err)
	return corrupt || errors.Is(err, gzip.ErrHeader) || errors.Is(err, gzip.ErrChecksum)
}

// protocolError returns the error for a server that answers with an error of the protocol.
func (s *session) protocolError(answer *jsonrpc.Error) error {
	code := sentCode(answer.Code)
	e := executor.Errorf(executor.KindRemote, fmt.Sprintf("mcp%d", code), "%s: %s", s.target.name, shorten(s.redact(answer.Message)))
	e.Details = map[string]any{"code": code}
	if json.Valid(answer.Data) {
		e.Details["data"] = answer.Data
	}
	return e
}

// maxShownText is the most bytes of a server's text that a message shows.
const maxShownText = 2000

func shorten(text string) string { return executor.Shorten(text, maxShownText) }

// maxNames is the most names that a message lists.
const maxNames = 12

// availableNames returns the end of a message about an unknown name: the known names, those first
// that contain the name or are a part of it. It is "" if there are none.
func availableNames(name string, known []string) string {
	if len(known) == 0 {
		return ""
	}
	name = strings.ToLower(name)
	near := func(k string) bool {
		k = strings.ToLower(k)
		return strings.Contains(k, name) || strings.Contains(name, k)
	}
	known = slices.Clone(known)
	slices.SortStableFunc(known, func(a, b string) int {
		switch {
		case near(a) == near(b):
			return 0
		case near(a):
			return -1
		}
		return 1
	})
	rest := ""
	if len(known) > maxNames {
		rest = fmt.Sprintf(" and %d more", len(known)-maxNames)
		known = known[:maxNames]
	}
	return "; it has " + strings.Join(known, ", ") + rest
}
