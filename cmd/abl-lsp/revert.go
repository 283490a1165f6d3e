package main

import (
	"cmp"
	"encoding/json"
	"errors"

	"github.com/spf13/cobra"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/journal"
	"github.com/abl-lsp/abl-lsp/internal/invoke"
)

func newRevert() *cobra.Command {
	var flags runFlags
	cmd := &cobra.Command{
		Use:   "revert RUN",
		Short: "Undo a run",
		Long: "Undoes a run of the journal, as the tool's `revert` says: one that succeeded, once,\n" +
			"and the newest of the tool first. It must be confirmed. Exits as run does,\n" +
			"and with 2 if the journal has no such run.",
		Args: argumentCount(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error { return revertRun(cmd, args[0], flags) },
	}
	flags.addAnswers(cmd)
	return cmd
}

func revertRun(cmd *cobra.Command, id string, flags runFlags) error {
	if err := flags.check(); err != nil {
		return err
	}
	ex := newExecutor(newServerCache(), newLocalState())
	defer closeExecutor(cmd, ex)
	row, ok, err := ex.FindRun(id)
	if err != nil {
		return err
	}
	if !ok {
		return refuseUnknownRun(cmd, id, flags.format)
	}
	req, refused, err := revertRequest(cmd, row, flags)
	if refused != nil {
		return showResult(cmd, *refused, flags.format)
	}
	if err != nil {
		return err
	}
	return runInteractively(cmd, req, flags.format, func(req executor.Request) executor.Envelope { return ex.Revert(cmd.Context(), req, id) })
}

// refuseUnknownRun shows that the journal has no such run. The command line is wrong, and no tool.
func refuseUnknownRun(cmd *cobra.Command, id, format string) error {
	err := showResult(cmd, executor.RefusedEnvelope(nil, executor.NoSuchRunError(id)), format)
	if _, shown := errors.AsType[exitCode](err); shown {
		return exitCode(exitUsage)
	}
	return err
}

// revertRequest returns the request that reverts row, a run of the journal, built from the
// tool as it is now. refused is the answer if the tool does not exist any more or cannot
// be called, otherwise nil.
func revertRequest(cmd *cobra.Command, row journal.Row, flags runFlags) (req executor.Request, refused *executor.Envelope, err error) {
	path := cmp.Or(row.RequestedFrom, row.File)
	w, err := load(cmd.Context(), []source{sourceOf(path)})
	if err != nil {
		return req, nil, err
	}
	t, ok := invoke.FindToolOfRun(w, row, checkAllIn(cmd.Context(), w))
	if !ok {
		return req, new(executor.RefusedEnvelope(nil, invoke.ToolGoneError(row))), nil
	}
	if len(t.Broken) > 0 {
		return req, new(t.RefusedEnvelope(t.BrokenIn.Path)), nil
	}
	req, err = t.Request(invoke.CallOptions{Environment: row.Environment, Session: json.RawMessage(flags.session)})
	if fault, ok := errors.AsType[*executor.Error](err); ok {
		return req, new(executor.RefusedEnvelope(&t.Tool, fault)), nil
	}
	if err == nil {
		err = flags.applyTo(&req)
	}
	return req, nil, err
}
