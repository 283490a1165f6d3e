package module

import (
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/evanw/esbuild/pkg/api"

	"github.com/abl-lsp/abl-lsp/executor"
)

// maxSource is the most bytes that a source file of a TypeScript module may have.
const maxSource = 4 << 20

func isTypeScript(file string) bool {
	return slices.Contains([]string{".ts", ".mts", ".cts", ".tsx"}, filepath.Ext(file))
}

// fileURL returns the file URL by which Node names a file.
func fileURL(file string) string {
	path := filepath.ToSlash(file)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	return (&url.URL{Scheme: "file", Path: path}).String()
}

// translate returns the TypeScript module in file as JavaScript, with the files of its folder that
// it imports. It returns nil if file is not TypeScript, since Node can load such a file itself. An
// import of one of the files in hidden, which the module must not see, is an error.
func translate(file string, hidden []string) (*string, error) {
	if !isTypeScript(file) {
		return nil, nil
	}
	source, err := bundle(file, hidden)
	return &source, err
}

// bundle returns a module as one JavaScript file, with the files of its folder that it imports. It
// leaves packages to Node.
func bundle(file string, hidden []string) (string, error) {
	dir := filepath.Dir(file)
	built := api.Build(api.BuildOptions{
		EntryPoints: []string{file}, AbsWorkingDir: dir,
		Bundle: true, Platform: api.PlatformNode, Format: api.FormatESModule, Packages: api.PackagesExternal,
		Target: api.ES2022, Sourcemap: api.SourceMapInline, SourcesContent: api.SourcesContentExclude,
		Outfile: file + ".mjs", TsconfigRaw: "{}", Plugins: []api.Plugin{confineToFolder(dir, hidden)},
	})
	if len(built.Errors) > 0 {
		return "", syntaxError(dir, built.Errors[0])
	}
	return string(built.OutputFiles[0].Contents), nil
}

// confineToFolder returns a plug-in that loads only files below dir, without those in hidden. The
// jail has the same rule for the files that Node reads.
func confineToFolder(dir string, hidden []string) api.Plugin {
	return api.Plugin{Name: "below", Setup: func(b api.PluginBuild) {
		b.OnLoad(api.OnLoadOptions{Filter: ".*", Namespace: "file"}, func(a api.OnLoadArgs) (api.OnLoadResult, error) {
			path, err := filepath.EvalSymlinks(a.Path)
			if err != nil {
				return api.OnLoadResult{}, err
			}
			if !isWithin(path, dir) {
				return api.OnLoadResult{}, fmt.Errorf("%s lies outside of the module's folder, which is all that it sees", a.Path)
			}
			if slices.Contains(hidden, path) {
				return api.OnLoadResult{}, fmt.Errorf("%s holds secrets, which a module gets from settings and auth of its service", a.Path)
			}
			if info, err := os.Stat(path); err == nil && info.Size() > maxSource {
				return api.OnLoadResult{}, fmt.Errorf("%s has more than %d bytes", a.Path, maxSource)
			}
			return api.OnLoadResult{}, nil // as usual
		})
	}}
}

func syntaxError(dir string, m api.Message) error {
	e := executor.DefinitionError("module", "%s", m.Text)
	if at := m.Location; at != nil {
		e = executor.DefinitionError("module", "%s:%d: %s", filepath.Base(at.File), at.Line, m.Text)
		e.Details = map[string]any{"file": filepath.Join(dir, at.File), "line": at.Line}
	}
	return e
}
