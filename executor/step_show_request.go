package executor

import (
	"context"
	"crypto/rand"
	"slices"

	"github.com/abl-lsp/abl-lsp/tool"
	"github.com/abl-lsp/abl-lsp/tool/placeholder"
)

// showRequest stores the request for the person to see, and finds faults of the binding before
// the person is asked anything. Stand-ins take the place of secrets, and the redactor removes
// them like secrets. So a preview is made in the same way as a request.
func showRequest(ctx context.Context, r *run, next handler) (Result, error) {
	p, ok := r.runner.(Previewer)
	if !ok {
		return next(ctx, r)
	}
	names, err := r.secretNames()
	if err != nil {
		return Result{}, err
	}
	r.call.Scope.Secrets = make(map[string]string, len(names))
	for _, name := range names {
		stand := rand.Text()
		r.call.Scope.Secrets[name] = stand
		r.redactor.AddPlain(name, stand)
	}
	v, err := p.Preview(r.call)
	if err != nil {
		return Result{}, err
	}
	r.call.Previewed = v
	if !r.req.FromModel { // a model does not see it
		r.envelope.Request = encode(v)
	}
	return next(ctx, r)
}

// secretNames returns the names of the secrets that the binding or its kind needs. It looks for
// them once and keeps the answer.
func (r *run) secretNames() ([]string, error) {
	if r.foundSecretNames != nil {
		return r.foundSecretNames, nil
	}
	r.foundSecretNames = slices.Clip(r.namedSecrets())
	if u, ok := r.runner.(SecretUser); ok {
		more, err := u.Secrets(r.call)
		if err != nil {
			return nil, err
		}
		for _, name := range more {
			if !slices.Contains(r.foundSecretNames, name) {
				r.foundSecretNames = append(r.foundSecretNames, name)
			}
		}
	}
	return r.foundSecretNames, nil
}

// namedSecrets returns the names of the secrets in the binding's templates. The answer is cached
// by binding, because a tool is frozen, unless the request was selected for this call.
func (r *run) namedSecrets() []string {
	spec := r.call.Tool.Spec
	if spec.Kind() == tool.KindSandbox {
		return []string{} // code is no template
	}
	find := func() []string { return append([]string{}, placeholder.Secrets(string(encode(spec)))...) }
	if spec != r.req.Tool.Spec {
		return find()
	}
	names, ok := r.executor.named.Get(spec)
	if !ok {
		names = find()
		r.executor.named.Add(spec, names)
	}
	return names
}
