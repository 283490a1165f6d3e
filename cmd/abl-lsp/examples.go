package main

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// examples are what the help of each command shows, by the command's words. Lines that begin
// with $ are what a person types; a test runs them.
var examples = map[string]string{
	"": `
# Report what is wrong below this folder
$ abl-lsp check .

# See the request of a tool, without sending it
$ abl-lsp run shop.tools.abl get_order --arg id=7 --dry-run`,

	"serve": `
# What an editor starts
$ abl-lsp serve --log-file abl-lsp.log`,

	"check": `
# Report what is wrong below this folder
$ abl-lsp check .

# Write a report for code scanning, and fail on warnings, too
$ abl-lsp check --format sarif --fail-level warning . > report.sarif

# Check a text that is not saved yet
$ abl-lsp check --stdin-path desk.agent.abl - < draft`,

	"fmt": `
# Show what would change
$ abl-lsp fmt --diff .

# Format all files below this folder
$ abl-lsp fmt --write .

# In CI: fail if a file is not formatted
$ abl-lsp fmt --check .`,

	"tools": `
# List the tools of a file, with those that it imports
$ abl-lsp tools desk.agent.abl

# The same for programs, with JSON Schemas
$ abl-lsp tools --format json . > tools.json`,

	"run": `
# Show the request, and send nothing
$ abl-lsp run shop.tools.abl get_order --arg id=7 --dry-run

# Reach a server on this machine
$ abl-lsp run shop.tools.abl get_order --arg id=7 --allow-host 127.0.0.1

# Run a saved case in another environment, and print the whole result as JSON
$ abl-lsp run shop.tools.abl get_order --case "order 7" --environment staging --allow-host 127.0.0.1 --format json

# Confirm a change beforehand
$ abl-lsp run shop.tools.abl place_order --arg item=tea --arg 'tags=["gift"]' --yes --allow-host 127.0.0.1`,

	"test": `
# Run all saved cases below this folder
$ abl-lsp test . --yes --allow-host 127.0.0.1

# Run the cases of one tool, four at once
$ abl-lsp test . --filter '^get_order/' --jobs 4 --allow-host 127.0.0.1

# In CI: write a report, and stop at the first failure
$ abl-lsp test . --yes --bail --allow-host 127.0.0.1 --format junit > report.xml`,

	"mcp": `
# Serve the tools of a file on stdin and stdout, as an MCP client starts it
$ abl-lsp mcp shop.tools.abl --environment staging

# Serve them by HTTP on this machine
$ abl-lsp mcp shop.tools.abl --http 8080`,

	"history": `
# Show the last ten runs
$ abl-lsp history --limit 10

# Show the failed runs of a tool
$ abl-lsp history --failed --tool get_order

# Draw how long the runs of a tool took over time, and which failed
$ abl-lsp history --plot --tool get_order

# All runs, for programs
$ abl-lsp history --limit 0 --format json > runs.json`,

	"history compare": `
# Compare two runs that the history shows
$ abl-lsp history compare 20260712T091530.123456Z-0a1b2c3d 20260711T181200.654321Z-1b2c3d4e

# Compare a run with the one before it of the same tool, for programs
$ abl-lsp history compare 20260712T091530.123456Z-0a1b2c3d --format json > differences.json`,

	"history revert": `
# Undo a run that the history shows
$ abl-lsp history revert 20260712T091530.123456Z-0a1b2c3d --yes --allow-host 127.0.0.1`,

	"export": `
# Functions for a call to OpenAI's models
$ abl-lsp export --to openai shop.tools.abl > functions.json

# What an MCP server would list
$ abl-lsp export --to mcp desk.agent.abl`,

	"import": `
# Tools of MCP Toolbox as ABL; what belongs into abl.yaml is on stderr
$ abl-lsp import tools.yaml > flights.tools.abl

# Tools in an environment variable
$ abl-lsp import env:CORAIL_TOOLS`,

	"convert": `
# Show an agent as YAML
$ abl-lsp convert --to yaml greeter.agent.abl

# Write desk.agent.yaml, even if something is lost
$ abl-lsp convert --to yaml --lossy --write desk.agent.abl`,

	"explain": `
# Explain a code
$ abl-lsp explain undefined-step

# List all codes
$ abl-lsp explain`,

	"secrets": `
# Store the value that you type
$ abl-lsp secrets set SHOP_TOKEN

# List the names
$ abl-lsp secrets list`,

	"secrets set": `
# Store the value that you type
$ abl-lsp secrets set SHOP_TOKEN

# Store what another program prints
$ pass show shop | abl-lsp secrets set SHOP_TOKEN`,

	"secrets list": `
# List the names of the project's secrets
$ abl-lsp secrets list`,

	"secrets remove": `
# Delete a value
$ abl-lsp secrets remove SHOP_TOKEN`,

	"completion": `
# Complete in each new session of fish
$ abl-lsp completion fish > abl-lsp.fish`,

	"completion bash": `
# Write the script
$ abl-lsp completion bash > abl-lsp.bash`,

	"completion zsh": `
# Write the script, for a folder of $fpath
$ abl-lsp completion zsh > _abl-lsp`,

	"completion fish": `
# Write the script, for ~/.config/fish/completions
$ abl-lsp completion fish > abl-lsp.fish`,

	"completion powershell": `
# Write the script, to be called from your profile
$ abl-lsp completion powershell > abl-lsp.ps1`,

	"help": `
# Show what a command does, with its flags
$ abl-lsp help history revert`,

	"version": `
# For bug reports
$ abl-lsp version --format json`,
}

// showHelp shows the help of a command, with its headings and remarks in colours.
func showHelp(cmd *cobra.Command, _ []string) {
	if unknownHelpTopic(cmd) != nil {
		return // run reports it
	}
	out := newTextWriter(cmd, cmd.OutOrStdout())
	about := strings.TrimSpace(cmp.Or(cmd.Long, cmd.Short))
	for line := range strings.Lines(about + "\n\n" + cmd.UsageString()) {
		text := strings.TrimRight(line, "\n")
		switch {
		case strings.HasSuffix(text, ":") && !strings.HasPrefix(text, " ") && text != about:
			text = out.paint(bold, text)
		case strings.HasPrefix(text, "  # "):
			text = out.paint(faint, text)
		}
		fmt.Fprintln(out, text)
	}
}

// addExamples adds the examples to the help of a command and of those below it.
func addExamples(cmd *cobra.Command) {
	words := strings.TrimSpace(strings.TrimPrefix(cmd.CommandPath(), cmd.Root().Name()))
	if text := strings.TrimSpace(examples[words]); text != "" {
		cmd.Example = "  " + strings.ReplaceAll(strings.ReplaceAll(text, "\n", "\n  "), "  \n", "\n")
	}
	for _, below := range cmd.Commands() {
		addExamples(below)
	}
}
