package executor

import (
	"context"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/executor/secrets"
	"github.com/abl-lsp/abl-lsp/tool"
)

// useSecrets replaces the stand-ins by the values of the secrets and marks the values as
// secret. Its error names all missing secrets. A place of secrets that cannot be read is a
// warning, because the caller can give the value.
func useSecrets(ctx context.Context, r *run, next handler) (Result, error) {
	names, err := r.secretNames()
	if err != nil {
		return Result{}, err
	}
	sending := r.secretAccesses(names)
	if r.verification != nil {
		more, err := r.verification.secretNames()
		if err != nil {
			return Result{}, err
		}
		names, sending = union(names, more), union(sending, r.verification.secretAccesses(more))
	}
	values, missing, err := r.findSecrets(ctx, names)
	if err != nil {
		return Result{}, err
	}
	if len(missing) > 0 {
		return Result{}, r.missingSecrets(missing)
	}
	if err := r.permitSecrets(sending); err != nil {
		return Result{}, err
	}
	r.call.Scope.Secrets = values
	if r.verification != nil {
		r.verification.stepContext.foundSecrets = values
	}
	return next(ctx, r)
}

func union[T comparable](a, b []T) []T {
	out := slices.Clone(a)
	for _, v := range b {
		if !slices.Contains(out, v) {
			out = append(out, v)
		}
	}
	return out
}

func (r *run) missingSecrets(names []string) error {
	e := needsError(Needs{Secrets: names}, "missing-secrets", "%s needs the secret %s", r.req.Tool.QualifiedName(), strings.Join(names, ", "))
	return e.WithHint("%s", r.req.Environment.Secrets.Hint())
}

func (r *run) findSecrets(ctx context.Context, names []string) (values map[string]string, missing []string, err error) {
	if len(names) == 0 {
		return nil, nil, nil
	}
	providers, err := r.req.Environment.Secrets.ProvidersIn(r.executor.opts.LookupEnv)
	if err != nil {
		return nil, nil, Errorf(KindDefinition, "project-file", "abl.yaml: %w", err)
	}
	providers = slices.Concat([]secrets.Provider{secrets.Given(r.req.Secrets)}, providers)
	values = map[string]string{}
	defer StartPhase(r.withPhases(ctx), PhaseSecrets)()
	for _, name := range names {
		v, ok, err := secrets.Find(ctx, providers, name)
		if err != nil {
			r.warn("%v", err)
		}
		if !ok {
			missing = append(missing, name)
			continue
		}
		values[name] = v
		r.redactor.Add(name, v)
	}
	return values, missing, nil
}

// permitSecrets returns an error if the person must still allow secrets to be sent to these
// receivers, or has refused it. Secrets that came with the call need no permission, unless the
// caller remembered them from an earlier call. The project's file cannot give the permission.
func (r *run) permitSecrets(sending []tool.Permission) error {
	var missing []tool.Permission
	for _, p := range sending {
		name, _, _ := strings.Cut(p.Resource, " ")
		_, given := r.req.Secrets[name]
		given = given && !slices.Contains(r.req.RememberedSecrets, name)
		switch r.decideAccess(p, nil) {
		case denied:
			return r.deniedError(p)
		case undecided:
			if r.req.AskSecrets && !given {
				missing = append(missing, p)
			}
		}
	}
	if len(missing) > 0 {
		return needsError(Needs{Permission: missing}, "send-secret", "%s sends %s: is that meant?", r.req.Tool.Name, describeReceivers(missing)).
			WithHint("Grant it once, and it is not asked again.")
	}
	return nil
}

// secretAccesses returns an access for each pair of a secret and a receiver to which the call
// sends it.
func (r *run) secretAccesses(names []string) []tool.Permission {
	var all []tool.Permission
	for _, name := range names {
		receivers, hasReceivers := r.reach.Receivers[name]
		if !hasReceivers {
			receivers = []string{r.reach.Receiver}
		}
		for _, receiver := range receivers {
			all = append(all, tool.Permission{Kind: "secret", Op: "send", Resource: strings.TrimSpace(name + " " + receiver)})
		}
	}
	return all
}

// describeReceivers says which secrets go to which receivers, such as "TOKEN to
// api.example.com".
func describeReceivers(list []tool.Permission) string {
	texts := make([]string, len(list))
	for i, p := range list {
		name, receiver, _ := strings.Cut(p.Resource, " ")
		texts[i] = name + " to " + receiver
	}
	return strings.Join(texts, ", ")
}

// SecretName returns the beginning of a secret's name for a host or a service: api.example.com
// becomes API_EXAMPLE_COM.
func SecretName(name string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case 'a' <= r && r <= 'z':
			return r - 'a' + 'A'
		case 'A' <= r && r <= 'Z', '0' <= r && r <= '9':
			return r
		}
		return '_'
	}, name)
}
