package main

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
	"github.com/tetratelabs/wazero"

	"github.com/abl-lsp/abl-lsp/executor/sandbox/quickjs"
)

// locales are the locales whose data are included. docs/tools/sandbox.md names them.
var locales = []string{
	"de", "en", "en-GB", "es", "fr", "it", "ja", "ko", "nl", "pl", "pt", "sv", "tr", "zh",
}

var (
	//go:embed capture.js
	captureScript string
	//go:embed lazy.js
	lazyScript string
)

// engineWithIntl returns a QuickJS that has loaded FormatJS. The data of locales and time
// zones are stored in it as text. Another QuickJS first runs the polyfills to get the
// data.
func engineWithIntl(ctx context.Context, modules string) ([]byte, error) {
	module, err := os.ReadFile(filepath.Join(modules, "quickjs-wasi/quickjs.wasm"))
	if err != nil {
		return nil, err
	}
	polyfills, err := bundleScript(modules, "intl-%s/polyfill-force.js",
		[]string{"getcanonicallocales", "locale", "pluralrules", "numberformat", "datetimeformat"})
	if err != nil {
		return nil, err
	}
	polyfills = "globalThis.Intl = {};\n" + polyfills
	captured, err := captureData(ctx, module, modules, polyfills)
	if err != nil {
		return nil, err
	}
	plurals, err := bundleScript(modules, "intl-pluralrules/locale-data/%s.js", languages())
	if err != nil {
		return nil, err
	}
	engine, err := newEngine(ctx, module, nil)
	if err != nil {
		return nil, err
	}
	for _, script := range []string{polyfills, plurals, lazyScript + "(" + captured + ")"} {
		if err := engine.Eval(script, "intl"); err != nil {
			return nil, err
		}
	}
	return engine.Save()
}

// captureData returns the data as JSON, with what lazy.js must know about them.
func captureData(ctx context.Context, module []byte, modules, polyfills string) (string, error) {
	numbers, err := bundleScript(modules, "intl-numberformat/locale-data/%s.js", locales)
	if err != nil {
		return "", err
	}
	dates, err := bundleScript(modules, "intl-datetimeformat/locale-data/%s.js", locales)
	if err != nil {
		return "", err
	}
	zones, err := bundleScript(modules, "intl-datetimeformat/%s.js", []string{"add-all-tz"})
	if err != nil {
		return "", err
	}
	captured := ""
	engine, err := newEngine(ctx, module, quickjs.Host{
		"give": func(text []byte) (float64, error) { captured = string(text); return 0, nil },
	})
	if err != nil {
		return "", err
	}
	for _, script := range []string{polyfills, captureScript, numbers, dates, zones, "give(JSON.stringify(captured))"} {
		if err := engine.Eval(script, "intl"); err != nil {
			return "", err
		}
	}
	return captured, nil
}

func newEngine(ctx context.Context, module []byte, host quickjs.Host) (*quickjs.Engine, error) {
	runtime := wazero.NewRuntime(ctx)
	compiled, err := runtime.CompileModule(ctx, module)
	if err != nil {
		return nil, err
	}
	engine, err := quickjs.New(ctx, runtime, compiled, host)
	if err != nil {
		return nil, err
	}
	if err := engine.Start(); err != nil {
		return nil, err
	}
	for name := range host {
		if err := engine.Add(name); err != nil {
			return nil, err
		}
	}
	return engine, nil
}

// bundleScript bundles files of FormatJS into one script.
func bundleScript(modules, format string, names []string) (string, error) {
	var imports strings.Builder
	for _, name := range names {
		fmt.Fprintf(&imports, "import %q;\n", "@formatjs/"+fmt.Sprintf(format, name))
	}
	result := api.Build(api.BuildOptions{
		Stdin:  &api.StdinOptions{Contents: imports.String(), ResolveDir: filepath.Dir(modules)},
		Bundle: true, Format: api.FormatIIFE, Target: api.ES2022,
		MinifyWhitespace: true, MinifySyntax: true,
	})
	if len(result.Errors) > 0 {
		return "", errors.New(result.Errors[0].Text)
	}
	return string(result.OutputFiles[0].Contents), nil
}

// languages returns the languages of the locales, since plural rules have no regions.
func languages() []string {
	var out []string
	for _, l := range locales {
		if !strings.Contains(l, "-") {
			out = append(out, l)
		}
	}
	return out
}
