// Command abl-lsp is the language server for ABL, and its checks and tools on
// the command line. docs/cli.md says what each command does and how it exits.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/executor/sandbox"
)

// version is set by the linker.
var version = "dev" // the linker needs a variable

func main() {
	if code, served := sandbox.Main(os.Stdin, os.Stdout, os.Stderr); served { // the code of a tool
		os.Exit(code)
	}
	ctx, stop := untilSignal(context.Background(), os.Stderr, os.Exit)
	code := run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// Exit codes that several commands use.
const (
	exitOK    = 0
	exitFound = 1 // the command worked, and its answer is negative
	exitUsage = 2 // the command line is wrong, or a file cannot be read
)

// exitCode is an error that only sets the exit code. The message has been printed
// already.
type exitCode int

func (e exitCode) Error() string { return fmt.Sprintf("exit %d", int(e)) }

// run runs one command line and returns its exit code.
func run(ctx context.Context, args []string, in io.Reader, out, errs io.Writer) int {
	root := newRoot()
	refuseUnknownCommands(root)
	addExamples(root)
	root.SetArgs(args)
	root.SetIn(in)
	root.SetOut(out)
	root.SetErr(errs)
	cmd, err := root.ExecuteContextC(ctx)
	if err == nil {
		err = unknownHelpTopic(cmd)
	}
	if wasInterrupted(ctx) || errors.Is(err, errInterrupted) {
		reportCancelled(errs)
		return exitInterrupted
	}
	if err == nil {
		return exitOK
	}
	if code, ok := errors.AsType[exitCode](err); ok {
		return int(code)
	}
	w := newTextWriter(cmd, errs)
	fmt.Fprintln(errs, w.paint(boldRed, "abl-lsp:"), w.escape(err.Error()))
	return exitUsage
}

func newRoot() *cobra.Command {
	serve := newServe()
	root := &cobra.Command{
		Use:   "abl-lsp",
		Short: "The language server for ABL, and its tools on the command line",
		Long: "The language server for ABL (Agent Blueprint Language) on stdin and stdout,\n" +
			"and its checks and tools on the command line.",
		Args:          unknownCommand,
		Version:       version,
		RunE:          serve.RunE,
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.SetVersionTemplate("{{.Name}} {{.Version}}\n")
	root.SetFlagErrorFunc(flagError)
	colour := colourAuto
	root.PersistentFlags().Var(&colour, "color", "colour text `WHEN`: auto (on a terminal, unless NO_COLOR is set), always or never")
	root.Flags().AddFlagSet(serve.Flags())
	root.AddCommand(serve, newCheck(), newFmt(), newTools(), newRun(), newTest(), newMCP(), newHistory(), newExport(), newImport(), newConvert(), newExplain(), newSecrets(), newVersion())
	root.SetHelpFunc(showHelp)
	addCompletions(root)
	return root
}

// refuseUnknownCommands makes the commands that come with cobra return an error for an
// unknown subcommand, as ours do. By themselves they show help and succeed.
func refuseUnknownCommands(root *cobra.Command) {
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	for _, cmd := range root.Commands() {
		switch cmd.Name() {
		case "help":
			cmd.Args = func(_ *cobra.Command, args []string) error {
				found, rest, err := root.Find(args)
				if err != nil {
					return err
				}
				return unknownCommand(found, rest)
			}
		case "completion":
			cmd.Args = unknownShell
			cmd.Short = "Write a script that completes commands in a shell"
			cmd.Long = "Writes a script that completes commands, flags and values in a shell. The help of each\n" +
				"shell says how to use its script."
			mendCompletionScripts(cmd)
			cmd.RunE = func(*cobra.Command, []string) error {
				return errors.New(neededShell)
			}
		}
	}
}

// neededShell says which shells have completions.
const neededShell = "completion needs one of bash, fish, powershell, zsh"

// unknownShell returns an error that names the shells if completions for another one are asked for.
func unknownShell(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return fmt.Errorf("%w\n%s", unknownCommand(cmd, args), neededShell)
}

// checkOneOf returns an error if the value of a flag is not one of the words.
func checkOneOf(flag, value string, words ...string) error {
	if slices.Contains(words, value) {
		return nil
	}
	meant := ""
	if near := model.Nearest(value, words); near != "" {
		meant = "; did you mean " + near + "?"
	}
	return fmt.Errorf("--%s takes one of %v, not %q%s", flag, words, value, meant)
}
