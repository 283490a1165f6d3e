package lsp

import (
	"context"

	"go.lsp.dev/protocol"
	"go.uber.org/zap"
)

// registerAll registers for the changes that the client reports only on request: of
// settings and of files.
func (s *server) registerAll(ctx context.Context) {
	if s.session.load().capabilities.Workspace.DidChangeConfiguration.DynamicRegistration {
		options := protocol.DidChangeConfigurationRegistrationOptions{Section: protocol.String(settingsSection)}
		if err := s.client.register(ctx, "settings", protocol.MethodWorkspaceDidChangeConfiguration, &options); err != nil {
			s.log.Warn("the client does not tell of settings", zap.Error(err))
		}
	}
	s.configuration.pull(ctx)
	s.watch.register(ctx)
}

// register asks the client to send messages of a method, and waits for its answer.
func (c *client) register(ctx context.Context, id, method string, options any) error {
	raw, err := protocol.Marshal(options)
	if err != nil {
		return err
	}
	params := &protocol.RegistrationParams{Registrations: []protocol.Registration{{ID: id, Method: method, RegisterOptions: raw}}}
	return c.Call(ctx, protocol.MethodClientRegisterCapability, params, nil)
}

// unregister ends a registration.
func (c *client) unregister(ctx context.Context, id, method string) {
	params := &protocol.UnregistrationParams{Unregisterations: []protocol.Unregistration{{ID: id, Method: method}}}
	if err := c.Call(ctx, protocol.MethodClientUnregisterCapability, params, nil); err != nil {
		c.log.Debug("still registered", zap.String("id", id), zap.Error(err))
	}
}
