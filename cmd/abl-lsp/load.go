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

// source is a file that a command was given, or that is in a folder that it was given.
type source struct {
	path  string // absolute
	shown string // as given; below a folder joined to it with slashes
}

// expandArguments returns the files that args name, and the wanted files below the folders
// that args name, each once. An argument may name an environment variable instead of a
// file. It fails if a file does not exist, or if a folder has no files of the language.
func expandArguments(args []string, wanted func(path string) bool) ([]source, error) {
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

// filesOf returns the files of one argument, as paths to be shown: arg itself if it names
// a file or a variable, or the wanted files below the folder arg.
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
	if !slices.ContainsFunc(paths, makesLanguageFolder) {
		if err := noFilesError(arg); err != nil {
			return nil, err
		}
	}
	for i, path := range paths {
		paths[i] = displayPathBelow(arg, path)
	}
	return paths, nil
}

// makesLanguageFolder reports whether a folder with the file at path has files of the
// language. A project.json alone does not suffice.
func makesLanguageFolder(path string) bool { return isChecked(path) && !model.IsManifest(path) }

// noFilesError returns an error if there is no file below folder for which
// makesLanguageFolder is true, otherwise nil.
func noFilesError(folder string) error {
	paths, err := disk.FindFiles(folder, isChecked)
	switch {
	case err != nil:
		return err
	case slices.ContainsFunc(paths, makesLanguageFolder):
		return nil
	case len(paths) > 0:
		return fmt.Errorf("%s: no ABL files found; of an exported project there is only %s, without the files of its agents", folder, displayPathBelow(folder, paths[0]))
	}
	return fmt.Errorf("%s: no ABL files found", folder)
}

// displayPathBelow returns the path that is shown for a file found below a folder: the folder
// as given, joined with slashes.
func displayPathBelow(folder, path string) string {
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

// readError returns the error for a file that cannot be read.
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

// isLanguageFile reports whether a command reads the file at path when it is given a
// folder above it: the name ends in .abl. A file that is given by its own name is always
// read.
func isLanguageFile(path string) bool { return model.IsABL(path) && model.IsImportable(path) }

// withForeign returns the files, and the files of other systems that they import or have
// saved cases for.
func withForeign(w model.Workspace, sources []source) []source {
	known := map[string]bool{}
	for _, s := range sources {
		known[s.path] = true
	}
	for _, s := range slices.Clone(sources) {
		for _, target := range requiredFiles(w, s.path) {
			if !known[target] && model.IsForeign(target) && model.IsCertainlyForeign(w, target) {
				known[target] = true
				sources = append(sources, source{target, displayPath(s, target)})
			}
		}
	}
	return sources
}

// requiredFiles returns the paths of the files that the file at path imports and, if that
// is a file of cases, of those whose tools it tests.
func requiredFiles(w model.Workspace, path string) []string {
	targets := w.Summary(path).Imported()
	if model.IsCases(path) {
		targets = slices.Concat(targets, model.PathsTestedBy(w, path))
	}
	return targets
}

// emptyWorkspace returns a workspace without files.
func emptyWorkspace() model.Workspace {
	return model.Workspace{}.WithEnvironmentVariables(disk.EnvironmentNames()).Caching(model.NewFileCache(cachedBytes))
}

// cachedBytes bounds the files that are kept in full, by the size of their texts; all
// that is kept of them takes about ten times as much. Of other files only a summary is
// kept.
const cachedBytes = 1 << 19

// load reads files, the files that they use, and the listings of the servers of their
// projects.
func load(ctx context.Context, sources []source) (model.Workspace, error) {
	w, err := readEach(ctx, sources, func(int, *model.File) {})
	if err != nil {
		return w, err
	}
	return completeWorkspace(w, sources), nil
}

// readEach returns the workspace of the given files alone. It calls then for each file as
// soon as the file is read, while all of it is in memory, and for several files at once.
// If a file cannot be read, it returns the error after all others are read.
func readEach(ctx context.Context, sources []source, then func(i int, f *model.File)) (model.Workspace, error) {
	w := emptyWorkspace()
	read := make([]*model.Handle, len(sources))
	errs := make([]error, len(sources))
	parallel.Each(ctx, len(sources), func(i int) {
		content, err := sources[i].read()
		if errs[i] = err; err == nil {
			if model.IsNamedAgent(sources[i].path, content) {
				read[i] = model.NewNamedAgent(sources[i].path, content)
			} else {
				read[i] = w.NewHandle(sources[i].path, content)
			}
			then(i, read[i].File())
		}
	})
	for _, err := range errs {
		if err != nil {
			return w, err
		}
	}
	if ctx.Err() != nil {
		return w, context.Cause(ctx)
	}
	return w.WithHandles(read...), nil
}

// completeWorkspace returns the workspace with all files that the given ones use.
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

// completeFolders returns the workspace with the files that the given ones use below the
// folders that a command was given.
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

// loadFile is [loadAll] for the one file that a command is given. If path is a folder, it
// returns an error that ends in does, a clause about the file to name instead.
func loadFile(ctx context.Context, path, does string) (model.Workspace, source, error) {
	sources, err := expandArguments([]string{path}, isLanguageFile)
	if err != nil {
		return model.Workspace{}, source{}, err
	}
	if len(sources) != 1 || sources[0].shown != path {
		return model.Workspace{}, source{}, fmt.Errorf("%s is a folder: name the file that %s", path, does)
	}
	w, err := loadAll(ctx, sources)
	return w, sources[0], err
}

// loadAll is [load] for commands that need all of the files in memory: it fails if a file
// is too large.
func loadAll(ctx context.Context, sources []source) (model.Workspace, error) {
	w, err := load(ctx, sources)
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

// loadStdin reads one file from in, as if it were the file at path.
func loadStdin(ctx context.Context, in io.Reader, path string) (model.Workspace, source, error) {
	w := emptyWorkspace()
	abs, err := filepath.Abs(path)
	if err != nil {
		return w, source{}, err
	}
	content, err := readAll(ctx, in, syntax.MaxBytes+1)
	if err != nil {
		return w, source{}, fmt.Errorf("reading stdin: %w", err)
	}
	s := source{abs, path}
	return completeWorkspace(w.With(abs, syntax.ParseOnce(string(content))), []source{s}), s, nil
}

// displayPath returns the path that is shown for the file at path: relative to the same
// folder as from.shown, or absolute if from.shown is.
func displayPath(from source, path string) string {
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
