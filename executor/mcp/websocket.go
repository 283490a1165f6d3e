package mcp

import (
	"errors"
	nethttp "net/http"
	"net/http/httptrace"

	"github.com/coder/websocket"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/abl-lsp/abl-lsp/executor"
)

// webSocketTransport connects to a WebSocket with the subprotocol mcp. Each frame is one message.
func (s *session) webSocketTransport() sdk.Transport {
	conn, err := s.dialWebSocket()
	if err != nil {
		return failedTransport{err}
	}
	conn.SetReadLimit(s.target.max)
	return &messageConn{
		session: s,
		fail:    s.failFunc(),
		next: func() ([]byte, error) {
			_, data, err := conn.Read(s.ctx)
			if errors.Is(err, websocket.ErrMessageTooBig) {
				err = s.tooLarge()
			}
			return data, err
		},
		send: func(data []byte) error { return conn.Write(s.ctx, websocket.MessageText, data) },
		end:  func() error { return conn.Close(websocket.StatusNormalClosure, "") },
	}
}

func (s *session) dialWebSocket() (*websocket.Conn, error) {
	header := nethttp.Header{}
	for name, value := range s.target.allHeaders() {
		header.Set(name, value)
	}
	reached := false
	ctx := httptrace.WithClientTrace(s.ctx, &httptrace.ClientTrace{GotConn: func(httptrace.GotConnInfo) { reached = true }})
	conn, resp, err := websocket.Dial(ctx, s.target.address(), &websocket.DialOptions{ //nolint:bodyclose // the library does
		HTTPClient:   s.httpClient(false),
		HTTPHeader:   header,
		Subprotocols: []string{"mcp"},
	})
	switch {
	case err == nil && conn.Subprotocol() != "mcp":
		_ = conn.Close(websocket.StatusProtocolError, "mcp is not spoken")
		return nil, s.remoteError(0, "the WebSocket does not speak the subprotocol mcp")
	case err == nil:
		return conn, nil
	case resp != nil && resp.StatusCode >= 300:
		return nil, s.remoteError(resp.StatusCode, "")
	case reached && executor.FindClassified(err) == nil:
		return nil, s.remoteError(0, "the address does not answer as a WebSocket")
	}
	return nil, err
}
