package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/internal/disk"
	"github.com/abl-lsp/abl-lsp/internal/parallel"
	"github.com/abl-lsp/abl-lsp/syntax"
)

// source is a file that a command was given, or that stands below a folder that
// it was given.
type source struct {
	path  string // absolute
	shown string // as given; below a folder joined to it with slashes
}

// expand turns the arguments of a command into files; below folders into the
// wanted ones. An argument may name an environment variable instead.
func expand(args []string, wanted func(path string) bool) ([]source, error) {
	var out []source
	seen := map[string]bool{}
	for _, arg := range args {
		files, err := filesOf(arg, wanted)
		if err != nil {
			return nil, err
		}
		for _, shown := range files {
			path, err := absolutePath(shown)
			if err != nil {
				return nil, err
			}
			if !seen[path] {
				seen[path] = true
				out = append(out, source{path, shown})
			}
		}
	}
	return out, nil
}

// filesOf are the files of one argument, as they are shown.
func filesOf(arg string, wanted func(path string) bool) ([]string, error) {
	if isVariable(arg) {
		return []string{arg}, nil
	}
	info, err := os.Stat(arg)
	switch {
	case err != nil:
		return nil, notFoundError(arg, err)
	case !info.IsDir():
		return []string{arg}, nil
	}
	paths, err := disk.FindFiles(arg, wanted)
	if err != nil {
		return nil, fmt.Errorf("reading the folder %s: %w", arg, err)
	}
	if !slices.ContainsFunc(paths, hasRules) {
		if err := noFilesError(arg); err != nil {
			return nil, err
		}
	}
	for i, path := range paths {
		paths[i] = shownBelow(arg, path)
	}
	return paths, nil
}

// hasRules reports whether a file is one of those that make a folder one of the language.
func hasRules(path string) bool { return isChecked(path) && !model.IsManifest(path) }

// noFilesError says that a folder has no files of the language, where it has none.
func noFilesError(folder string) error {
	paths, err := disk.FindFiles(folder, isChecked)
	switch {
	case err != nil:
		return err
	case slices.ContainsFunc(paths, hasRules):
		return nil
	case len(paths) > 0:
		return fmt.Errorf("%s: no ABL files found; of an exported project there is only %s, without the files of its agents", folder, shownBelow(folder, paths[0]))
	}
	return fmt.Errorf("%s: no ABL files found", folder)
}

// shownBelow is a path found below a folder, as the contract shows it: the folder as
// given, joined with slashes.
func shownBelow(folder, path string) string {
	rel, err := filepath.Rel(folder, path)
	if err != nil {
		return path
	}
	return strings.TrimRight(folder, `/\`) + "/" + filepath.ToSlash(rel)
}

func notFoundError(path string, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s: no such file or folder", path)
	}
	return err
}

// readError says why a file cannot be read.
func readError(path string) error {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return notFoundError(path, err)
	case info.IsDir():
		return fmt.Errorf("%s cannot be read: it is a folder; name a file", path)
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s cannot be read: it is no file on a disk; save it as one (check and fmt take - for stdin)", path)
	}
	f, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("%s cannot be read: %w", path, errors.Unwrap(err))
	}
	_ = f.Close() // it is not read
	return fmt.Errorf("%s cannot be read", path)
}

// isLanguage reports whether a file that is found below a folder is one of the
// language.
func isLanguage(path string) bool { return model.IsABL(path) && model.IsImportable(path) }

// withForeign are files and those of other systems that they import, or whose cases
// they save.
func withForeign(w model.Workspace, sources []source) []source {
	known := map[string]bool{}
	for _, s := range sources {
		known[s.path] = true
	}
	for _, s := range slices.Clone(sources) {
		for _, target := range requiredFiles(w, s.path) {
			if !known[target] && model.IsForeign(target) && model.IsCertainlyForeign(w, target) {
				known[target] = true
				sources = append(sources, source{target, shownPath(s, target)})
			}
		}
	}
	return sources
}

// requiredFiles are the files that a file imports, and those beside whose cases it saves.
func requiredFiles(w model.Workspace, path string) []string {
	targets := w.Summary(path).Imported()
	if model.IsCases(path) {
		targets = slices.Concat(targets, model.PathsTestedBy(w, path))
	}
	return targets
}

// emptyWorkspace is the workspace that knows no file yet.
func emptyWorkspace() model.Workspace {
	return model.Workspace{}.WithEnvironmentVariables(disk.EnvironmentNames()).Caching(model.NewFileCache(cachedBytes))
}

// cachedBytes is the size of the texts of those files of which more is kept than the
// summary; all of that takes about ten times as much.
const cachedBytes = 1 << 19

// load reads files and all that they use of others, and what the servers of their
// projects have said.
func load(sources []source) (model.Workspace, error) {
	w, err := readEach(context.Background(), sources, func(int, *model.File) {})
	if err != nil {
		return w, err
	}
	return completeWorkspace(w, sources), nil
}

// readEach is the workspace of files alone. Each is given to a function as soon as it is read,
// while all of it is in memory.
func readEach(ctx context.Context, sources []source, then func(i int, f *model.File)) (model.Workspace, error) {
	w := emptyWorkspace()
	read := make([]*model.Handle, len(sources))
	errs := make([]error, len(sources))
	parallel.Each(ctx, len(sources), func(i int) {
		content, err := sources[i].read()
		if errs[i] = err; err == nil {
			read[i] = w.NewHandle(sources[i].path, content)
			then(i, read[i].File())
		}
	})
	for _, err := range errs {
		if err != nil {
			return w, err
		}
	}
	if ctx.Err() != nil {
		return w, ctx.Err()
	}
	return w.WithHandles(read...), nil
}

// completeWorkspace is the workspace with all that files use of other ones.
func completeWorkspace(w model.Workspace, sources []source) model.Workspace {
	paths := pathsOf(sources)
	w = disk.ReadAllImports(w, paths, disk.Read)
	w = disk.ReadWorkspaces(w, nil, paths, disk.Read)
	return newServerCache().Extend(w, paths...)
}

func pathsOf(sources []source) []string {
	paths := make([]string, len(sources))
	for i, s := range sources {
		paths[i] = s.path
	}
	return paths
}

// completeFolders is the workspace with what files use of others below the folders that a
// command was given.
func completeFolders(w model.Workspace, args []string, sources []source) model.Workspace {
	var folders []string
	for _, arg := range args {
		folder, err := filepath.Abs(arg)
		if info, statErr := os.Stat(arg); err == nil && statErr == nil && info.IsDir() {
			folders = append(folders, folder)
		}
	}
	return disk.ReadWorkspaces(w, folders, pathsOf(sources), disk.Read)
}

// loadFile is [loadWhole] of the one file that a command is given. It says that a folder has
// to be the file that does something.
func loadFile(path, does string) (model.Workspace, source, error) {
	sources, err := expand([]string{path}, isLanguage)
	if err != nil {
		return model.Workspace{}, source{}, err
	}
	if len(sources) != 1 || sources[0].shown != path {
		return model.Workspace{}, source{}, fmt.Errorf("%s is a folder: name the file that %s", path, does)
	}
	w, err := loadWhole(sources)
	return w, sources[0], err
}

// loadWhole is [load] for those who need all of the files.
func loadWhole(sources []source) (model.Workspace, error) {
	w, err := load(sources)
	if err != nil {
		return w, err
	}
	for _, s := range sources {
		if w.File(s.path).Doc.TooLarge() {
			return w, tooLargeError(s.shown)
		}
	}
	return w, nil
}

func tooLargeError(shown string) error {
	return fmt.Errorf("%s is too large to be read: %d MB is the limit; split it", shown, syntax.MaxBytes>>20)
}

// loadStdin reads one file from stdin, which stands where path says.
func loadStdin(in io.Reader, path string) (model.Workspace, source, error) {
	w := emptyWorkspace()
	abs, err := filepath.Abs(path)
	if err != nil {
		return w, source{}, err
	}
	content, err := io.ReadAll(io.LimitReader(in, syntax.MaxBytes+1))
	if err != nil {
		return w, source{}, fmt.Errorf("reading stdin: %w", err)
	}
	s := source{abs, path}
	return completeWorkspace(w.With(abs, syntax.ParseOnce(string(content))), []source{s}), s, nil
}

// shownPath is how a file is shown that a given one leads to: from the same
// folder as that one.
func shownPath(from source, path string) string {
	if path == from.path {
		return from.shown
	}
	if filepath.IsAbs(from.shown) {
		return path
	}
	rel, err := filepath.Rel(filepath.Dir(from.path), path)
	if err != nil {
		return path
	}
	return filepath.ToSlash(filepath.Join(filepath.Dir(from.shown), rel))
}
