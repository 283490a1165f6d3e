package executor

import (
	"context"
	"strings"
)

// useSecrets puts the real values in the place of the stand-ins, and has them
// tracked. All that are missing are named at once; a place that could not be
// read is a warning, for the caller can give the value himself.
func useSecrets(ctx context.Context, r *run, next handler) (Result, error) {
	names, err := r.secretNames()
	if err != nil {
		return Result{}, err
	}
	values := map[string]string{}
	var missing []string
	for _, name := range names {
		v, ok, err := r.secret(ctx, name)
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
	if len(missing) > 0 {
		list := strings.Join(missing, ", ")
		return Result{}, needs(Needs{Secrets: missing}, "missing-secrets", "%s needs the secret %s", r.req.Tool.Name, list).
			WithHint("Set it as an environment variable of that name, or in a .env file beside the file.")
	}
	r.call.Scope.Secrets = values
	return next(ctx, r)
}
