package main

import (
	"bytes"
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// part is a module or package that others have written.
type part struct {
	name  string
	texts []text
}

// text is a file of a part that says how the part may be used.
type text struct {
	name, content string
}

// licenceTexts are the licences of what modules and packages carry without its own text.
//
//go:embed licences/*.txt
var licenceTexts embed.FS

// allParts returns all parts of the program that is built below root.
func allParts(ctx context.Context, root string) ([]part, error) {
	parts, err := linkedModules(ctx, root)
	if err != nil {
		return nil, err
	}
	parts = append(parts, carriedPart("tree-sitter"))
	made, err := filepath.Glob(filepath.Join(root, "executor/sandbox/wasm/*.wasm.zst"))
	if err != nil || len(made) == 0 {
		return parts, err // built without the sandbox
	}
	sandbox, err := sandboxPackages(root)
	return append(parts, sandbox...), err
}

// goPackage is what `go list` prints about a package.
type goPackage struct {
	Dir    string
	Module *struct {
		Path, Version, Dir string
		Main               bool
	}
}

// linkedModules returns Go and the linked modules, each with the texts in the folders of
// its linked packages or above them.
func linkedModules(ctx context.Context, root string) ([]part, error) {
	golang, err := goPart(ctx, root)
	if err != nil {
		return nil, err
	}
	out, err := goOutput(ctx, root, "list", "-deps", "-json=Dir,Module", "./cmd/abl-lsp")
	if err != nil {
		return nil, err
	}
	parts, seen := []part{golang}, map[string]bool{}
	for packages := json.NewDecoder(bytes.NewReader(out)); ; {
		var one goPackage
		if err := packages.Decode(&one); errors.Is(err, io.EOF) {
			return sortParts(parts), nil
		} else if err != nil {
			return nil, err
		}
		if one.Module == nil || one.Module.Main {
			continue
		}
		name := one.Module.Path + " " + one.Module.Version
		i := slices.IndexFunc(parts, func(p part) bool { return p.name == name })
		if i < 0 {
			i, parts = len(parts), append(parts, part{name: name})
		}
		for dir := one.Dir; !seen[dir] && strings.HasPrefix(dir, one.Module.Dir); dir = filepath.Dir(dir) {
			seen[dir] = true
			if err := parts[i].addTexts(one.Module.Dir, dir); err != nil {
				return nil, err
			}
		}
	}
}

// goPart returns the part for Go. Its text is in this package, since not every
// distribution of Go includes it.
func goPart(ctx context.Context, root string) (part, error) {
	version, err := goOutput(ctx, root, "env", "GOVERSION")
	golang := carriedPart("Go")
	golang.name = "Go " + strings.TrimPrefix(strings.TrimSpace(string(version)), "go")
	return golang, err
}

func goOutput(ctx context.Context, root string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = root
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go %s: %w", strings.Join(args, " "), err)
	}
	return out, nil
}

// sandboxPackages returns the packages that the sandbox is made of: those of scripts/npm
// that are not only for tests, and the engines in them.
func sandboxPackages(root string) ([]part, error) {
	var lock struct {
		Packages map[string]struct{ Dev bool }
	}
	raw, err := os.ReadFile(filepath.Join(root, "scripts/npm/package-lock.json"))
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(raw, &lock); err != nil {
		return nil, err
	}
	var parts []part
	for folder, its := range lock.Packages {
		if folder == "" || its.Dev {
			continue
		}
		one, err := npmPart(filepath.Join(root, ".cache/npm", folder))
		if err != nil {
			return nil, err
		}
		parts = append(parts, one)
	}
	return append(sortParts(parts), carriedPart("CPython"), carriedPart("QuickJS")), nil
}

// carriedPart returns a part whose text is in this package. If there is no such text, the
// part has none, and check reports it.
func carriedPart(name string) part {
	raw, err := licenceTexts.ReadFile("licences/" + name + ".txt")
	if err != nil {
		return part{name: name}
	}
	return part{name, []text{{"LICENSE", string(raw)}}}
}

// npmPart returns the part for a package of npm.
func npmPart(folder string) (part, error) {
	raw, err := os.ReadFile(filepath.Join(folder, "package.json"))
	if err != nil {
		return part{}, err
	}
	var its struct{ Name, Version string }
	if err := json.Unmarshal(raw, &its); err != nil {
		return part{}, fmt.Errorf("%s: %w", folder, err)
	}
	one := part{name: its.Name + " " + its.Version}
	err = one.addTexts(folder, folder)
	return one, err
}

var legalFileName = regexp.MustCompile(`(?i)^(licen[cs]e|copying|copyright|notice|patents)([-_.].*)?$`)

// addTexts adds the texts in one folder of the part.
func (p *part) addTexts(root, folder string) error {
	files, err := os.ReadDir(folder)
	if err != nil {
		return err
	}
	for _, file := range files {
		name := file.Name()
		if file.IsDir() || !legalFileName.MatchString(name) || strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "-LOGO") { // no logo is inside
			continue
		}
		raw, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			return err
		}
		within, err := filepath.Rel(root, filepath.Join(folder, name))
		if err != nil {
			return err
		}
		content := strings.TrimSpace(strings.ReplaceAll(string(raw), "\r\n", "\n"))
		p.texts = append(p.texts, text{filepath.ToSlash(within), content})
	}
	return nil
}

func sortParts(parts []part) []part {
	slices.SortFunc(parts, func(a, b part) int { return strings.Compare(a.name, b.name) })
	return parts
}
