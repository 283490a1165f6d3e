package module

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/evanw/esbuild/pkg/api"
)

// versionOf returns the sizes and times of files, the source files of the module at path, and of
// the files that package managers write when they install. So the list changes when a source file
// changes or packages are installed.
func versionOf(path string, files []string) []string {
	var out []string
	for _, file := range append(slices.Clone(files), packageManagerFiles(filepath.Dir(path))...) {
		if stamp := stampOf(file); stamp != "" {
			out = append(out, file+" "+stamp)
		}
	}
	return out
}

// stampOf returns the size and time of a file. It is "" if the file cannot be read, or is on
// another machine: a preview needs no trust, so it must not contact one.
func stampOf(path string) string {
	if isOnOtherMachine(path) {
		return ""
	}
	info, err := os.Stat(path)
	if err != nil {
		return ""
	}
	return fmt.Sprintf("%d %d", info.Size(), info.ModTime().UnixNano())
}

func isOnOtherMachine(path string) bool {
	return strings.HasPrefix(filepath.VolumeName(filepath.FromSlash(path)), `\\`)
}

// sourceFiles returns the module's file and the files that it imports by a relative path, sorted.
// Files outside of its folder are listed but not read.
func sourceFiles(path string) []string {
	real, err := filepath.EvalSymlinks(path)
	if isOnOtherMachine(path) || err != nil || isOnOtherMachine(real) {
		return []string{path}
	}
	dir := filepath.Dir(real)
	var mu sync.Mutex
	found := []string{real}
	_ = api.Build(api.BuildOptions{ // a run reports what is wrong
		EntryPoints: []string{real}, AbsWorkingDir: dir,
		Bundle: true, Platform: api.PlatformNode, Format: api.FormatESModule, Packages: api.PackagesExternal,
		Outfile: real + ".mjs", TsconfigRaw: "{}", LogLevel: api.LogLevelSilent,
		Plugins: []api.Plugin{{Name: "sources", Setup: func(b api.PluginBuild) {
			b.OnResolve(api.OnResolveOptions{Filter: `^[/\\]{2}`}, func(a api.OnResolveArgs) (api.OnResolveResult, error) {
				return api.OnResolveResult{Path: a.Path, External: true}, nil
			})
			b.OnLoad(api.OnLoadOptions{Filter: ".*", Namespace: "file"}, func(a api.OnLoadArgs) (api.OnLoadResult, error) {
				mu.Lock()
				found = append(found, a.Path)
				mu.Unlock()
				if info, err := os.Stat(a.Path); err == nil && info.Mode().IsRegular() && info.Size() <= maxSource && isWithin(a.Path, dir) {
					return api.OnLoadResult{}, nil // as usual
				}
				return api.OnLoadResult{Contents: new("")}, nil
			})
		}}},
	})
	slices.Sort(found)
	return slices.Compact(found)
}

// packageManagerFiles returns the paths that package managers write when they install, for a folder
// and all folders above it.
func packageManagerFiles(dir string) []string {
	lists := []string{
		"package.json", "node_modules", "node_modules/.package-lock.json", "node_modules/.modules.yaml",
		"node_modules/.yarn-integrity", "node_modules/.yarn-state.yml",
	}
	var out []string
	for at, above := dir, ""; at != above; at = filepath.Dir(at) {
		for _, name := range lists {
			out = append(out, filepath.Join(at, filepath.FromSlash(name)))
		}
		above = at
	}
	return out
}
