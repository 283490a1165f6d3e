package lsp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	"go.lsp.dev/protocol"
	"go.uber.org/zap"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/lsp/connection"
)

// client is the editor at the other end of the connection. The session's snapshot has its
// capabilities.
type client struct {
	*connection.Conn
	log         *zap.Logger
	session     *session
	queuedCount atomic.Int32 // how many messages wait for the client to read
	progress    progressReports
	refreshes   refreshRequests
}

// logWarning writes a warning to the log and to the client's output window. It does not
// wait.
func (c *client) logWarning(format string, args ...any) {
	message := fmt.Sprintf(format, args...)
	c.log.Warn(message)
	c.queueNotification(protocol.MethodWindowLogMessage, &protocol.LogMessageParams{Type: protocol.MessageTypeWarning, Message: message})
}

// showError shows the person an error that needs attention now, and logs it. It does not
// wait.
func (c *client) showError(format string, args ...any) {
	message := fmt.Sprintf(format, args...)
	c.log.Error(message)
	c.queueNotification(protocol.MethodWindowShowMessage, &protocol.ShowMessageParams{Type: protocol.MessageTypeError, Message: message})
}

// showWarning shows the person a warning about something that did not work, and logs it.
// It does not wait.
func (c *client) showWarning(format string, args ...any) {
	message := fmt.Sprintf(format, args...)
	c.log.Warn(message)
	c.queueNotification(protocol.MethodWindowShowMessage, &protocol.ShowMessageParams{Type: protocol.MessageTypeWarning, Message: message})
}

// maxQueued is how many messages may wait for a client that does not read.
const maxQueued = 100

// queueNotification sends a notification without waiting for the client. If too many wait
// already, it drops the notification.
func (c *client) queueNotification(method string, params any) {
	if c.queuedCount.Add(1) > maxQueued {
		c.queuedCount.Add(-1)
		return
	}
	c.Go("message", func(context.Context) {
		defer c.queuedCount.Add(-1)
		c.Notify(method, params)
	})
}

// logAndShow shows the person a message, and logs it. It waits for a client that does not
// read, so it is for tasks that may last.
func (c *client) logAndShow(kind protocol.MessageType, format string, args ...any) {
	message := fmt.Sprintf(format, args...)
	c.log.Info(message)
	c.showMessage(kind, message)
}

// showMessage shows the person a message. It waits for a client that does not read.
func (c *client) showMessage(kind protocol.MessageType, message string) {
	c.Notify(protocol.MethodWindowShowMessage, &protocol.ShowMessageParams{Type: kind, Message: message})
}

// applyEdit asks the client to make edits, and returns an error if it does not.
func (c *client) applyEdit(ctx context.Context, snap *snapshot, label string, edits ...model.FileEdit) error {
	edit, ok := snap.workspaceEdit(edits)
	if !ok || !snap.capabilities.Workspace.ApplyEdit {
		return errors.New("this needs an edit that the editor cannot make, or a file that may not be read")
	}
	var answer protocol.ApplyWorkspaceEditResult
	params := &protocol.ApplyWorkspaceEditParams{Label: &label, Edit: *edit}
	if err := c.Call(ctx, protocol.MethodWorkspaceApplyEdit, params, &answer); err != nil {
		return fmt.Errorf("the editor does not make the edit: %w", err)
	}
	if !answer.Applied {
		return errors.New("the editor has not made the edit: " + cmp.Or(orZero(answer.FailureReason), "it does not say why"))
	}
	return nil
}
