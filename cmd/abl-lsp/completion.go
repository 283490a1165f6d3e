package main

import (
	_ "embed"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/abl-lsp/abl-lsp/analysis/convert"
	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/docs"
	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/journal"
	"github.com/abl-lsp/abl-lsp/internal/disk"
	"github.com/abl-lsp/abl-lsp/internal/invoke"
	"github.com/abl-lsp/abl-lsp/internal/userdirs"
	"github.com/abl-lsp/abl-lsp/tool"
)

// bashCompletion completes in bash without the package bash-completion, which cobra's own
// script needs.
//
//go:embed completion.bash
var bashCompletion string

// completer returns the words that can follow in a command line. It gets the arguments before
// the word that is being typed, and what is typed of it.
type completer func(cmd *cobra.Command, args []string, typed string) []cobra.Completion

// words makes of a completer what cobra calls. The words are no files, and are kept in order.
func (c completer) words(cmd *cobra.Command, args []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
	directive := cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
	words := slices.DeleteFunc(c(cmd, args, typed), func(word cobra.Completion) bool { return !strings.HasPrefix(word, typed) })
	if slices.ContainsFunc(words, goesOn) {
		directive |= cobra.ShellCompDirectiveNoSpace
	}
	return words, directive
}

// goesOn reports whether more follows a completion in the same word: a value, or a case.
func goesOn(word cobra.Completion) bool {
	name, _, _ := strings.Cut(word, "\t")
	return strings.HasSuffix(name, "=") || strings.HasSuffix(name, "/")
}

// fixedWords completes one of some words.
func fixedWords(words ...string) completer {
	return func(*cobra.Command, []string, string) []cobra.Completion { return slices.Clone(words) }
}

// completeFlag sets what completes the value of a flag.
func completeFlag(cmd *cobra.Command, flag string, c completer) {
	if err := cmd.RegisterFlagCompletionFunc(flag, c.words); err != nil {
		panic(err) // the command has no such flag
	}
}

// addCompletions sets what completes the arguments and the flags of all commands.
func addCompletions(root *cobra.Command) {
	find := func(path ...string) *cobra.Command {
		cmd, _, _ := root.Find(path) // it exists
		return cmd
	}
	completeFlag(root, "color", fixedWords(colourModes()...))
	forms, _ := exportForms()
	for flag, rows := range map[string]map[string]completer{
		"format": {
			"check": fixedWords(formatNames()...), "tools": fixedWords("text", "json"), "run": fixedWords("text", "json"),
			"test": fixedWords("text", "json", "junit"), "history": fixedWords("text", "json"), "version": fixedWords("text", "json"),
		},
		"fail-level":        {"check": fixedWords("error", "warning", "information")},
		"eol":               {"fmt": fixedWords("lf")},
		"to":                {"export": fixedWords(forms...), "convert": fixedWords(convert.Dialects()...)},
		"environment":       {"run": completeEnvironments, "test": completeEnvironments, "mcp": completeEnvironments},
		"usual-environment": {"mcp": completeEnvironments},
		"arg":               {"run": completeArguments},
		"case":              {"run": completeCases},
		"filter":            {"test": completeFilters},
		"tag":               {"test": completeTags},
	} {
		for name, c := range rows {
			completeFlag(find(name), flag, c)
		}
	}
	revert, compare := find("history", "revert"), find("history", "compare")
	completeFlag(find("history"), "outcome", fixedWords(executor.Outcomes()...))
	completeFlag(find("history"), "tool", completeRunTools)
	if err := find("history").MarkFlagDirname("folder"); err != nil {
		panic(err) // the command has no such flag
	}
	completeFlag(revert, "format", fixedWords("text", "json"))
	completeFlag(compare, "format", fixedWords("text", "json"))
	compare.ValidArgsFunction = completer(completeRunsToCompare).words
	revert.ValidArgsFunction = completer(completeRuns).words
	find("explain").ValidArgsFunction = completer(completeCodes).words
	find("run").ValidArgsFunction = completeFileThenTool
	for _, name := range []string{"history", "version", "serve"} {
		find(name).ValidArgsFunction = cobra.NoFileCompletions
	}
	for _, name := range []string{"set", "list", "remove"} {
		find("secrets", name).ValidArgsFunction = cobra.NoFileCompletions
	}
}

// completeFileThenTool completes the arguments of run: a file, then one of its tools.
func completeFileThenTool(cmd *cobra.Command, args []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
	if len(args) == 0 {
		return nil, cobra.ShellCompDirectiveDefault
	}
	return completer(completeTools).words(cmd, args, typed)
}

// completeTools completes the tools of the file that is the only argument.
func completeTools(cmd *cobra.Command, args []string, _ string) (words []cobra.Completion) {
	if len(args) != 1 {
		return nil
	}
	w, in, err := loadFile(cmd.Context(), args[0], "has the tools")
	if err != nil {
		return nil
	}
	for _, l := range model.LowerAll(w, in.path) {
		words = append(words, cobra.CompletionWithDesc(l.Tool.QualifiedName(), firstLine(l.Tool.Description)))
	}
	return words
}

// toolOf returns the tool of the file that the arguments of run name.
func toolOf(cmd *cobra.Command, args []string) (t invoke.Tool, ok bool) {
	if len(args) < 2 {
		return t, false
	}
	w, in, err := loadFile(cmd.Context(), args[0], "has the tool")
	if err != nil {
		return t, false
	}
	return invoke.Find(w, in.path, args[1], func(string) []model.Diagnostic { return nil })
}

// completeArguments completes the value of --arg: the name of an argument that is not given yet,
// then its value if the type has few.
func completeArguments(cmd *cobra.Command, args []string, typed string) (words []cobra.Completion) {
	t, ok := toolOf(cmd, args)
	if !ok {
		return nil
	}
	if name, _, hasName := strings.Cut(typed, "="); hasName {
		for _, value := range closedValues(&t.Tool, name) {
			words = append(words, name+"="+value)
		}
		return words
	}
	given, _ := cmd.Flags().GetStringArray("arg") // run has it
	for _, name := range t.Tool.ArgumentNames() {
		isGiven := slices.ContainsFunc(given, func(pair string) bool { return strings.HasPrefix(pair, name+"=") && pair != typed })
		if !isGiven && isGivenByCaller(&t.Tool, name) {
			words = append(words, cobra.CompletionWithDesc(name+"=", argumentDescription(&t.Tool, name)))
		}
	}
	return words
}

// parameterOf returns the parameter of an argument, nil if only the input_schema names it.
func parameterOf(t *tool.Tool, name string) *tool.Param {
	for _, p := range t.Arguments() {
		if p.Name == name {
			return &p
		}
	}
	return nil
}

// isGivenByCaller reports whether a caller gives an argument; others are found in another way.
func isGivenByCaller(t *tool.Tool, name string) bool {
	p := parameterOf(t, name)
	return p == nil || p.FromCaller() && p.Shown()
}

func argumentDescription(t *tool.Tool, name string) string {
	if p := parameterOf(t, name); p != nil && p.Description != "" {
		return firstLine(p.Description)
	}
	return typeOf(t, name).String()
}

// closedValues returns the values of an argument, if its schema lists them.
func closedValues(t *tool.Tool, name string) (values []string) {
	var schema struct {
		Properties map[string]struct {
			Type any
			Enum []json.RawMessage
		}
	}
	if json.Unmarshal(t.ArgumentSchema(), &schema) != nil {
		return nil
	}
	property := schema.Properties[name]
	if property.Type == "boolean" && property.Enum == nil {
		return []string{"true", "false"}
	}
	for _, raw := range property.Enum {
		text := string(raw)
		_ = json.Unmarshal(raw, &text) // a number stays as it is written
		values = append(values, text)
	}
	return values
}

// completeCases completes the saved cases of the tool that the arguments of run name.
func completeCases(cmd *cobra.Command, args []string, _ string) (words []cobra.Completion) {
	t, ok := toolOf(cmd, args)
	if !ok {
		return nil
	}
	for _, saved := range savedCasesBelow(cmd, args[:1]) {
		if tested := saved.saved.Tool; tested == args[1] || tested == t.Tool.Name {
			words = append(words, saved.saved.Name)
		}
	}
	return words
}

// savedCasesBelow returns the saved cases of files and folders, nil if they cannot be read.
func savedCasesBelow(cmd *cobra.Command, args []string) []savedTest {
	if len(args) == 0 {
		args = []string{"."}
	}
	sources, err := caseFiles(args)
	if err != nil {
		return nil
	}
	w, err := load(cmd.Context(), sources)
	if err != nil {
		return nil
	}
	return allTests(w, sources)
}

// completeFilters completes --filter: a tool, then one of its cases.
func completeFilters(cmd *cobra.Command, args []string, typed string) []cobra.Completion {
	return firstOfEach(savedCasesBelow(cmd, args), func(t savedTest) []string {
		if t.saved.Tool == "" {
			return nil
		}
		tools := regexp.QuoteMeta(t.saved.Tool) + "/"
		if !strings.HasPrefix(typed, tools) {
			return []string{tools}
		}
		return []string{tools + regexp.QuoteMeta(t.saved.Name)}
	})
}

// completeTags completes the tags of the saved cases.
func completeTags(cmd *cobra.Command, args []string, _ string) []cobra.Completion {
	return firstOfEach(savedCasesBelow(cmd, args), func(t savedTest) []string { return t.saved.Tags })
}

// firstOfEach returns the words of the cases, each once.
func firstOfEach(all []savedTest, of func(savedTest) []string) (words []string) {
	seen := map[string]bool{}
	for _, t := range all {
		for _, word := range of(t) {
			if !seen[word] {
				seen[word] = true
				words = append(words, word)
			}
		}
	}
	return words
}

// completeEnvironments completes the environments of the projects of the files that the arguments
// name, or else of the current folder.
func completeEnvironments(cmd *cobra.Command, args []string, _ string) (words []cobra.Completion) {
	if len(args) == 0 {
		args = []string{"."}
	}
	if cmd.Name() == "run" {
		args = args[:1]
	}
	for _, path := range filesInProjects(args) {
		w := disk.ReadImports(emptyWorkspace(), path, disk.Read)
		for _, e := range invoke.Environments(w, path, "") {
			if !slices.Contains(words, e.Name) {
				words = append(words, e.Name)
			}
		}
	}
	return words
}

// filesInProjects returns the path of a file in each project that files belong to, or that is
// below a folder or around it. The files need not exist.
func filesInProjects(args []string) (paths []string) {
	for _, arg := range args {
		path, err := filepath.Abs(arg)
		if err != nil {
			continue
		}
		if info, err := os.Stat(path); err != nil || !info.IsDir() {
			paths = append(paths, path)
			continue
		}
		projects, _ := disk.FindFiles(path, model.IsProjectFile) // those that can be read
		for _, folder := range append([]string{filepath.Join(path, "abl.yaml")}, projects...) {
			paths = append(paths, filepath.Join(filepath.Dir(folder), "any.tools.abl"))
		}
	}
	return paths
}

// completeRunTools completes the tools of runs in the journal.
func completeRunTools(*cobra.Command, []string, string) (words []cobra.Completion) {
	rows, _, err := journal.Read(executor.JournalDir(userdirs.StateDir()), 0)
	if err != nil {
		return nil
	}
	for _, row := range rows {
		if name := tool.JoinVersion(row.Tool, row.Version); !slices.Contains(words, name) {
			words = append(words, name)
		}
	}
	return words
}

// recentRuns returns the newest runs of the journal, none if it cannot be read.
func recentRuns() []journal.Row {
	const most = 100
	state := userdirs.StateDir()
	if state == "" {
		return nil
	}
	rows, _, err := journal.Read(executor.JournalDir(state), most)
	if err != nil {
		return nil
	}
	return rows
}

// completeRuns completes the runs that can be reverted, the newest first.
func completeRuns(_ *cobra.Command, args []string, _ string) (words []cobra.Completion) {
	if len(args) > 0 {
		return nil
	}
	rows := recentRuns()
	reverted := executor.RevertedBy(rows)
	for _, row := range rows {
		if executor.IsRevertible(row) && reverted[row.Run] == "" {
			words = append(words, cobra.CompletionWithDesc(row.Run, row.Tool+compact(row.Args)))
		}
	}
	return words
}

// completeRunsToCompare completes two runs, the newest first. For the second it completes the other
// runs of the same tool.
func completeRunsToCompare(_ *cobra.Command, args []string, _ string) (words []cobra.Completion) {
	if len(args) > 1 {
		return nil
	}
	rows := recentRuns()
	first := slices.IndexFunc(rows, func(row journal.Row) bool { return len(args) == 1 && row.Run == args[0] })
	for i, row := range rows {
		if i != first && (first < 0 || row.Tool == rows[first].Tool) {
			words = append(words, cobra.CompletionWithDesc(row.Run, executor.OutcomeOf(row)+" "+row.Tool+compact(row.Args)))
		}
	}
	return words
}

// completeCodes completes the codes of diagnostics.
func completeCodes(_ *cobra.Command, args []string, _ string) (words []cobra.Completion) {
	if len(args) > 0 {
		return nil
	}
	for _, p := range docs.Pages() {
		words = append(words, cobra.CompletionWithDesc(p.Code, p.Summary()))
	}
	return words
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return line
}

// mendCompletionScripts changes the scripts of the command completion that do not work for all
// words.
func mendCompletionScripts(completion *cobra.Command) {
	for _, cmd := range completion.Commands() {
		cmd.Short = "Write the script for " + cmd.Name()
		switch cmd.Name() {
		case "bash":
			mendBashCompletion(cmd)
		case "fish":
			mendCompletion(cmd, (*cobra.Command).GenFishCompletion)
		case "zsh":
			mendCompletion(cmd, genZshCompletion)
		}
	}
}

func genZshCompletion(root *cobra.Command, out io.Writer, withDescriptions bool) error {
	if withDescriptions {
		return root.GenZshCompletion(out)
	}
	return root.GenZshCompletionNoDesc(out)
}

// mendCompletion makes the values of flags like --arg=NAME=VALUE complete in a script of cobra's,
// which takes all up to the last = for the name of the flag.
func mendCompletion(cmd *cobra.Command, generate func(root *cobra.Command, out io.Writer, withDescriptions bool) error) {
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		without, _ := cmd.Flags().GetBool("no-descriptions") // cobra sets the flag
		var script strings.Builder
		if err := generate(cmd.Root(), &script, !without); err != nil {
			return err
		}
		_, err := io.WriteString(cmd.OutOrStdout(), strings.ReplaceAll(script.String(), "'-.*='", "'^-[^=]*='"))
		return err
	}
}

// mendBashCompletion writes a script that needs no package.
func mendBashCompletion(cmd *cobra.Command) {
	cmd.Long = `Writes a script that completes the commands, flags and values of abl-lsp in bash,
from version 3.2 on. It needs no other package.

To use it in this shell:

	source <(abl-lsp completion bash)

To use it in each new shell:

	abl-lsp completion bash > ~/.local/share/bash-completion/completions/abl-lsp

or, without the package bash-completion:

	echo 'source <(abl-lsp completion bash)' >> ~/.bashrc`
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		request := cobra.ShellCompRequestCmd
		if without, _ := cmd.Flags().GetBool("no-descriptions"); without {
			request = cobra.ShellCompNoDescRequestCmd
		}
		_, err := io.WriteString(cmd.OutOrStdout(), strings.ReplaceAll(bashCompletion, "REQUEST", request))
		return err
	}
}
