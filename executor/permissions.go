package executor

import (
	"cmp"
	"maps"
	"net"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/executor/secrets"
	"github.com/abl-lsp/abl-lsp/executor/template"
	"github.com/abl-lsp/abl-lsp/tool"
)

// accessDecision says whether an access is allowed, denied or undecided. The person is asked about
// an undecided access.
type accessDecision int

const (
	undecided accessDecision = iota
	allowed
	denied
)

// decideAccess decides about the access p. The project or the person can deny p; otherwise allow
// and the grants of the request can allow p. Else p is undecided.
func (r *run) decideAccess(p tool.Permission, allow []tool.Permission) accessDecision {
	switch {
	case isCovered(p, r.req.Environment.Permissions.Deny), slices.Contains(r.req.Refusals, p):
		return denied
	case isCovered(p, allow), isCovered(p, r.req.Grants):
		return allowed
	}
	return undecided
}

// checkPermissions returns an error if the project denies an access of the call, or if no one
// has allowed an access that the tool declares. An access that only follows from the tool's
// binding needs no permission.
func (r *run) checkPermissions() error {
	if slices.Contains(r.req.Grants, tool.Permission{}) {
		return Errorf(KindArguments, "grant", "an access that is granted says its kind, its op or its resource; * stands for any")
	}
	if err := r.checkReach(); err != nil {
		return err
	}
	var missing []tool.Permission
	scope := r.permissionScope()
	for _, p := range r.req.Tool.Permissions {
		var err error
		if p.Resource, err = scope.Expand(p.Resource, writePermissionValue); err != nil {
			return TemplateError("permissions", err)
		}
		switch r.decideAccess(p, r.req.Environment.Permissions.Allow) {
		case denied:
			return r.deniedError(p)
		case undecided:
			missing = append(missing, p)
		}
	}
	if len(missing) > 0 {
		return r.permissionError(missing...)
	}
	return nil
}

// permissionScope returns the scope for placeholders in the tool's declared permissions. In a
// revert by a binding of its own, these still mean the arguments of the original run.
func (r *run) permissionScope() *template.Scope {
	if r.stepContext == nil || r.stepContext.step.Kind == "" {
		return r.call.Scope
	}
	scope := *r.call.Scope
	scope.Params, scope.Args = slices.Collect(maps.Keys(r.stepContext.originalRun.Args)), r.stepContext.originalRun.Args
	return &scope
}

// checkReach asks the Runner what the call will access, stores the answer in r.reach, and returns
// an error if the project denies one of the accesses.
func (r *run) checkReach() error {
	var reach Reach
	if reacher, ok := r.runner.(Reacher); ok {
		var err error
		if reach, err = reacher.Reach(r.call); err != nil {
			return err
		}
	}
	r.reach, r.call.Unjailed = reach, reach.Unjailed
	return r.checkDenied(reach.Accesses...)
}

func (r *run) permissionError(missing ...tool.Permission) error {
	return needsError(Needs{Permission: missing}, "permission", "%s must be allowed %s", r.req.Tool.QualifiedName(), joinGrants(missing, ", ")).
		WithHint("Allow it with --grant %s (in an editor: grant it), or under permissions in abl.yaml.", joinGrants(missing, " --grant "))
}

// writePermissionValue returns the text of a value in a permission; a secret becomes its mark.
func writePermissionValue(v template.Value) (string, error) {
	if v.Source == template.Secret {
		return secrets.Mark(v.Name), nil
	}
	return v.Text(), nil
}

// checkDenied returns an error if the project denies one of the accesses.
func (r *run) checkDenied(list ...tool.Permission) error {
	for _, p := range list {
		if isCovered(p, r.req.Environment.Permissions.Deny) {
			return r.deniedError(p)
		}
	}
	return nil
}

// deniedError returns the error for the access p, which the project denies or the person refused.
func (r *run) deniedError(p tool.Permission) error {
	if !isCovered(p, r.req.Environment.Permissions.Deny) {
		return Errorf(KindDenied, "permission", "%s was refused %s", r.req.Tool.Name, grantText(p))
	}
	return Errorf(KindDenied, "permission", "permissions in abl.yaml deny %s", grantText(p))
}

func grantText(p tool.Permission) string { return p.Kind + ":" + p.Op + ":" + p.Resource }

func joinGrants(list []tool.Permission, between string) string {
	texts := make([]string, len(list))
	for i, p := range list {
		texts[i] = grantText(p)
	}
	return strings.Join(texts, between)
}

// isCovered reports whether one of the permissions in by matches the access p. An empty part of
// such a permission matches everything; a * in a part matches any text.
func isCovered(p tool.Permission, by []tool.Permission) bool {
	for _, b := range by {
		if matchesPattern(p.Kind, b.Kind) && matchesPattern(p.Op, b.Op) && matchesPattern(p.Resource, b.Resource) {
			return true
		}
	}
	return false
}

func matchesPattern(text, pattern string) bool {
	text, pattern = strings.ToLower(text), strings.ToLower(pattern)
	parts := strings.Split(pattern, "*")
	if pattern == "" || len(parts) == 1 {
		return pattern == "" || text == pattern
	}
	first, last := parts[0], parts[len(parts)-1]
	if len(text) < len(first)+len(last) || !strings.HasPrefix(text, first) || !strings.HasSuffix(text, last) {
		return false
	}
	text = text[len(first) : len(text)-len(last)]
	for _, part := range parts[1 : len(parts)-1] {
		_, rest, ok := strings.Cut(text, part)
		if !ok {
			return false
		}
		text = rest
	}
	return true
}

// WebAccesses returns the accesses by which a project may name a request to u. Their op is method
// in lower case. Their resource is the host with or without its port, with or without the scheme,
// and with any beginning of the path.
func WebAccesses(method string, u *url.URL) []tool.Permission {
	op := strings.ToLower(method)
	name, port := strings.TrimSuffix(u.Hostname(), "."), PortOf(u) // a trailing dot names the same host
	withPort, paths := net.JoinHostPort(name, port), pathVariants(u)
	list := make([]tool.Permission, 0, 1+4*len(paths)*(1+2*strings.Count(paths[0], "/")))
	list = append(list, tool.Permission{Kind: "web", Op: op, Resource: name})
	for _, host := range []string{withPort, withPort[:len(withPort)-len(":"+port)]} {
		for _, urlPath := range paths {
			whole := u.Scheme + "://" + host + urlPath
			named := len(u.Scheme) + len("://")
			for end := named + len(host); end <= len(whole); end++ {
				if end == len(whole) || whole[end] == '/' || whole[end-1] == '/' {
					list = append(list, tool.Permission{Kind: "web", Op: op, Resource: whole[named:end]},
						tool.Permission{Kind: "web", Op: op, Resource: whole[:end]})
				}
			}
		}
	}
	return list
}

// WebAccesses returns the accesses of a request to u that the project may deny. It returns nil if
// the project denies nothing.
func (e *Environment) WebAccesses(method string, u *url.URL) []tool.Permission {
	if len(e.Permissions.Deny) == 0 {
		return nil
	}
	return WebAccesses(method, u)
}

// pathVariants returns the paths by which a URL may be named: the path that is sent, and, if it
// differs, the path that a server may read after it resolves //, /x/../ and %61.
func pathVariants(u *url.URL) []string {
	sent := u.EscapedPath()
	if u.Path == "" {
		return []string{sent}
	}
	meant := path.Clean("/" + u.Path)
	if strings.HasSuffix(u.Path, "/") && meant != "/" {
		meant += "/"
	}
	if meant == sent {
		return []string{sent}
	}
	return []string{sent, meant}
}

var defaultPorts = map[string]string{"http": "80", "https": "443", "ws": "80", "wss": "443"}

// PortOf returns the port of a URL, or the default port of its scheme if the URL has none.
func PortOf(u *url.URL) string {
	return cmp.Or(u.Port(), defaultPorts[u.Scheme])
}
