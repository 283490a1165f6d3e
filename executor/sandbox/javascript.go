package sandbox

import (
	"context"
	_ "embed"
	"encoding/json"
	"io"
	"maps"
	mathrand "math/rand/v2"
	"slices"

	"github.com/abl-lsp/abl-lsp/executor/javascript"
	"github.com/abl-lsp/abl-lsp/executor/sandbox/quickjs"
)

//go:embed driver.js
var driverSource string

// javascriptDriver returns the JavaScript expression of the driver, a function that takes a host.
func javascriptDriver() string { return "(" + driverSource + ")(" + javascript.Values + ")" }

// quickJSSnapshot is the file with a saved QuickJS, to which cmd/sandboxkit added Intl.
const quickJSSnapshot = "javascript.saved"

// driverSetup is JavaScript that creates the driver of driver.js, and removes the host's functions from
// the globals, so that the code cannot call them.
const driverSetup = `((driver) => {
  const host = { print: hostPrint, answer: hostAnswer, full: hostFull, random: hostRandom };
  for (const name of ["hostPrint", "hostAnswer", "hostFull", "hostRandom"]) delete globalThis[name];
  Math.random = () => host.random("");
  globalThis.run = driver(host);
})`

// runJavaScript runs the driver in QuickJS.
func (g *guest) runJavaScript(ctx context.Context, o childOptions) error {
	image, err := readPacked(quickJSSnapshot, o)
	if err != nil {
		return err
	}
	var engine *quickjs.Engine
	answered := false
	host := quickjs.Host{
		"hostPrint":  func(text []byte) (float64, error) { return 0, writeLine(g.out, text) },
		"hostAnswer": func(text []byte) (float64, error) { answered = true; return 0, writeLine(g.errs, text) },
		"hostFull":   func([]byte) (float64, error) { return engine.Full(), nil },
		"hostRandom": func([]byte) (float64, error) { return mathrand.Float64(), nil },
	}
	if engine, err = quickjs.New(ctx, g.runtime, g.module, host); err != nil {
		return err
	}
	if err := engine.Load(image); err != nil {
		return err
	}
	if err := engine.Add(slices.Sorted(maps.Keys(host))...); err != nil {
		return err
	}
	if err := engine.Eval(driverSetup+"("+javascriptDriver()+")", "driver"); err != nil {
		return err
	}
	if err := g.writeMessage(message{Ready: true}); err != nil {
		return err
	}
	text, err := json.Marshal(<-g.jobs)
	if err != nil {
		return err
	}
	err = engine.Eval("{ const { run } = globalThis; delete globalThis.run; run("+string(text)+"); }", "driver")
	if err != nil || answered {
		return err
	}
	return g.writeMessage(message{Error: &fault{Fault: javascript.Fault{Kind: neverSettled}}})
}

func writeLine(to io.Writer, text []byte) error {
	_, err := to.Write(text)
	return err
}
