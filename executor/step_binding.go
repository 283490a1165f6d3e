package executor

import (
	"context"

	"github.com/abl-lsp/abl-lsp/tool"
)

// findRunner sets the Runner of the tool's kind. It returns an error if there is none.
func findRunner(ctx context.Context, r *run, next handler) (Result, error) {
	runner, err := r.executor.runnerOf(r.req.Tool)
	if err != nil {
		return Result{}, err
	}
	r.runner = runner
	return next(ctx, r)
}

// SupportChecker is a Runner that cannot run every tool of its kind.
type SupportChecker interface {
	// Supports returns an error if the tool cannot be called at all, because of the
	// environment's settings for its source.
	Supports(t *tool.Tool, e *Environment) error
}

// Supports returns an error if the tool cannot be called here, whatever its arguments are.
func (e *Executor) Supports(t *tool.Tool, env *Environment) error {
	runner, err := e.runnerOf(t)
	if s, ok := runner.(SupportChecker); ok && err == nil {
		return s.Supports(t, env)
	}
	return err
}

// runnerOf returns the Runner of a tool. The error says why there is none.
func (e *Executor) runnerOf(t *tool.Tool) (Runner, error) {
	switch {
	case t == nil:
		return nil, Errorf(KindDefinition, "no-tool", "there is no tool to run")
	case t.Kind == "" || t.Spec == nil:
		return nil, noBindingError(t)
	}
	if runner := e.runners.get(t.Kind); runner != nil {
		return runner, nil
	}
	if what, ok := platformKinds[t.Kind]; ok {
		return nil, Errorf(KindDefinition, "platform-only", "type: %s: %s lives on the platform, which alone can run %s", t.Kind, what, t.Name).
			WithHint("To try the rest of the project here, give a tool of this name an http binding to something that stands in for it.")
	}
	if _, ok := t.Spec.(*tool.Custom); ok {
		return nil, Errorf(KindDefinition, "kind-not-supported", "type: %s: nothing here runs tools of this type, so %s cannot be run", t.Kind, t.Name).
			WithHint("Whoever has the executor in a Go program registers what runs them: Executor.Register(%q, …).", t.Kind)
	}
	return nil, Errorf(KindDefinition, "kind-not-supported",
		"type: %s cannot be run by this version; %s is checked and shown, but not run", t.Kind, t.Name)
}

func noBindingError(t *tool.Tool) error {
	e := Errorf(KindDefinition, "no-binding", "%s has no binding, so nothing says how to run it", t.Name)
	if t.Origin.System == "toolbox" {
		return e.WithHint("Tools of its kind, or that want vectors of texts (embeddedBy), are listed and not run here.")
	}
	if service := t.ServiceName(); service != "" && (t.Namespace != "" || t.Origin.System == "service") {
		return e.WithHint("Say in abl.yaml which module has its handler: services: {%s: {module: ./handlers.mjs}}.", service)
	}
	return e.WithHint("Give it a type, for example `type: http` with `endpoint` and `method`.")
}

// platformKinds are the kinds that only the platform can run, with the thing that each is
// bound to.
var platformKinds = map[tool.Kind]string{
	tool.KindWorkflow: "its workflow",
	tool.KindSearchAI: "its search index",
	tool.KindTable:    "its table",
}
