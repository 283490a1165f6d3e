package model

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/projectfile"
	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// IsProjectFile reports whether a path is that of an abl.yaml.
func IsProjectFile(path string) bool { return filepath.Base(path) == projectfile.FileName }

// IsDotenv reports whether a path is that of a `.env`.
func IsDotenv(path string) bool { return filepath.Base(path) == ".env" }

// dotenv is what is known of a `.env`: the names in it, never a value.
type dotenv struct {
	absent  Absence
	names   []string
	lines   *text.Lines // with spaces for everything but the names
	checked bool        // whether it is known if the file is tracked
	tracked bool
}

// Project returns the abl.yaml that applies to the file at path: the nearest one upwards; nil if
// there is none. known is false if the workspace was not completed, so that there may be one.
func (w Workspace) Project(path string) (f *File, known bool) {
	if IsProjectFile(path) {
		return w.File(path), w.File(path) != nil
	}
	for candidate := range projectsAbove(path) {
		f := w.File(candidate)
		switch {
		case f == nil:
			return nil, false
		case f.exists():
			return f, true
		}
	}
	return nil, true
}

// projectsAbove returns the paths at which the abl.yaml of the file at path may be, the nearest
// first.
func projectsAbove(path string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for dir := range foldersAbove(path) {
			if !yield(filepath.Join(dir, projectfile.FileName)) {
				return
			}
		}
	}
}

// projectPathsToRead returns the next paths to read for the project of the file at path. It returns
// none once the workspace knows enough.
func projectPathsToRead(w Workspace, path string) []string {
	if w.files.Get(path) == nil || !filepath.IsAbs(path) {
		return nil
	}
	if wanted := rootPathsToRead(w, path); len(wanted) > 0 {
		return wanted
	}
	if env := w.Dotenv(path); w.dotenvs[env] == nil {
		return []string{env}
	}
	return nil
}

// rootPathsToRead returns the files of the nearest folder upwards that may make it the root of a
// workspace, or may be the abl.yaml, and that are not known yet.
func rootPathsToRead(w Workspace, path string) []string {
	rooted := false
	for dir := range foldersAbove(path) {
		var wanted []string
		for _, name := range rootFiles {
			candidate := filepath.Join(dir, name)
			switch f := w.File(candidate); {
			case IsManifest(candidate) && rooted:
			case f == nil:
				wanted = append(wanted, candidate)
			case f.exists() && IsProjectFile(candidate):
				return wanted
			case f.exists():
				rooted = true
			}
		}
		if len(wanted) > 0 {
			return wanted
		}
	}
	return nil
}

// Dotenv returns the path of the `.env` that is read for the file at path: the one in the folder of
// its abl.yaml, else in that of the file.
func (w Workspace) Dotenv(path string) string {
	if f, _ := w.Project(path); f != nil {
		path = f.Path
	}
	return filepath.Join(filepath.Dir(path), ".env")
}

// dotenvLine matches a line that gives a variable a value, also after a byte-order mark.
var dotenvLine = lazyregexp.New(`(?m)^\x{feff}?[ \t]*(?:export[ \t]+)?([A-Za-z_][\w.]*)[ \t]*[=:]`)

// blankOut returns a text with a space for each byte except those of line ends.
func blankOut(source string) []byte {
	out := []byte(source)
	for i, c := range out {
		if c != '\n' && c != '\r' {
			out[i] = ' '
		}
	}
	return out
}

func (w Workspace) withDotenv(path, source string, absent Absence) Workspace {
	d := dotenv{absent: absent}
	if before := w.dotenvs[path]; before != nil {
		d.checked, d.tracked = before.checked, before.tracked
	}
	named := blankOut(source)
	for _, m := range dotenvLine.FindAllStringSubmatchIndex(source, -1) {
		d.names = append(d.names, source[m[2]:m[3]])
		copy(named[m[2]:m[3]], source[m[2]:m[3]])
	}
	d.lines = text.NewLines(string(named))
	w.dotenvs = withKey(w.dotenvs, path, &d)
	return w
}

// UncheckedDotenvs returns the paths of the `.env` files of which it is unknown whether they are
// under version control.
func UncheckedDotenvs(w Workspace) []string {
	var paths []string
	for path, d := range w.dotenvs {
		if d.absent == Present && !d.checked {
			paths = append(paths, path)
		}
	}
	return slices.Sorted(slices.Values(paths))
}

// Dotenvs returns the paths of all `.env` files that the workspace knows, present or not.
func (w Workspace) Dotenvs() []string { return slices.Sorted(maps.Keys(w.dotenvs)) }

// WithTracked returns the workspace that knows whether a `.env` is under version control.
func (w Workspace) WithTracked(path string, tracked bool) Workspace {
	if w.dotenvs[path] == nil {
		return w
	}
	d := *w.dotenvs[path]
	d.checked, d.tracked = true, tracked
	w.dotenvs = withKey(w.dotenvs, path, &d)
	return w
}

// WithEnvironmentVariables returns the workspace for a machine whose environment has variables of
// these names.
func (w Workspace) WithEnvironmentVariables(names []string) Workspace {
	w.environmentVariables = make(map[string]bool, len(names))
	for _, name := range names {
		w.environmentVariables[name] = true
	}
	return w
}

// CommittedDotenv returns the path of the `.env` that is read for the file at path. committed says
// whether that file is under version control and is used: it is false if `.env` is none of the
// providers.
func CommittedDotenv(w Workspace, path string) (env string, committed bool) {
	env = w.Dotenv(path)
	d := w.dotenvs[env]
	providers, known := SecretProviders(w, path)
	return env, known && d != nil && d.tracked && slices.Contains(providers, "dotenv")
}

// SecretNames returns the names of the secrets for the file at path that the providers can list.
// known is false if there may be others: some provider cannot be listed, or was not read.
func SecretNames(w Workspace, path string) (names []string, known bool) {
	providers, known := SecretProviders(w, path)
	fromEnv, fromFile := slices.Contains(providers, "env"), slices.Contains(providers, "dotenv")
	d := w.dotenvs[w.Dotenv(path)]
	switch {
	case !known, !fromEnv && !fromFile, fromEnv && w.environmentVariables == nil, fromFile && (d == nil || d.absent == Unreadable):
		return nil, false
	}
	if fromFile {
		names = append(names, d.names...)
	}
	if fromEnv {
		names = slices.AppendSeq(names, maps.Keys(w.environmentVariables))
	}
	slices.Sort(names)
	return slices.Compact(names), true
}

// SecretProviders returns the providers that are asked for the secrets of the file at path, in
// order: those that its abl.yaml names, else the default ones. known is false if that file could
// not be read as a whole, or may exist without being known.
func SecretProviders(w Workspace, path string) (providers []string, known bool) {
	f, known := w.Project(path)
	switch {
	case !known, f != nil && (f.Project == nil || f.Project.Broken || f.Project.SecretsIncomplete):
		return nil, false
	case f != nil && f.Project.Providers != nil:
		return f.Project.Providers, true
	}
	return []string{"env", "dotenv", "keychain"}, true
}

// filesCoveredBy returns the known files to which an abl.yaml or a `.env` applies.
func filesCoveredBy(w Workspace, path string) []string {
	prefix := strings.TrimSuffix(filepath.Dir(path), string(filepath.Separator)) + string(filepath.Separator)
	var paths []string
	for p, h := range w.files.All() {
		if p != path && strings.HasPrefix(p, prefix) && (h.isForeign() || IsABL(p) || IsCases(p) || IsDotenv(path) && IsProjectFile(p) || filepath.Ext(p) == "") {
			paths = append(paths, p)
		}
	}
	return slices.Sorted(slices.Values(paths))
}
