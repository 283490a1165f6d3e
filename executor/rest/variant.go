package rest

import (
	"cmp"
	"context"
	"fmt"
	"net/textproto"
	"slices"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/expression"
	"github.com/abl-lsp/abl-lsp/tool"
)

// SelectVariant returns the binding with only the request that a call makes: the first of
// request_variants whose condition holds, else the default variant, else the tool's own request.
// It also merges the request with the source that it names.
func SelectVariant(ctx context.Context, call executor.Call, s *tool.HTTP) (*tool.HTTP, error) {
	chosen, err := selectedVariant(ctx, call, s)
	if err != nil {
		return nil, err
	}
	return mergeSource(call, chosen)
}

func selectedVariant(ctx context.Context, call executor.Call, s *tool.HTTP) (*tool.HTTP, error) {
	if len(s.RequestVariants) == 0 {
		return s, nil
	}
	chosen := tool.RequestVariant{}
	if i := slices.IndexFunc(s.RequestVariants, func(v tool.RequestVariant) bool { return v.Default.Is(true) }); i >= 0 {
		chosen = s.RequestVariants[i]
	}
	variables := call.Variables()
	for i, v := range s.RequestVariants {
		holds, err := conditionHolds(ctx, v, variables)
		if err != nil {
			return nil, executor.DefinitionError("variant", "request_variants: %s: %w", cmp.Or(v.Name, fmt.Sprint("number ", i+1)), err)
		}
		if holds {
			chosen = v
			break
		}
	}
	return mergeVariant(s, chosen), nil
}

func conditionHolds(ctx context.Context, v tool.RequestVariant, variables map[string]any) (bool, error) {
	if v.When == "" {
		return false, nil
	}
	holds, err := expression.Holds(ctx, v.When, variables)
	if err != nil {
		return false, fmt.Errorf("when: %w", err)
	}
	return holds, nil
}

// mergeVariant returns the tool's own request, overridden by a variant. Headers and query
// parameters are merged by name; every other property is replaced as a whole.
func mergeVariant(s *tool.HTTP, v tool.RequestVariant) *tool.HTTP {
	out := *s
	out.RequestVariants = nil
	out.Endpoint = cmp.Or(v.Endpoint, s.Endpoint)
	out.Method = cmp.Or(v.Method, s.Method)
	out.BodyTemplate = cmp.Or(v.BodyTemplate, s.BodyTemplate)
	out.BodyType = cmp.Or(v.BodyType, s.BodyType)
	out.BodyMode = cmp.Or(v.BodyMode, s.BodyMode)
	out.BodySchema = cmp.Or(v.BodySchema, s.BodySchema)
	out.UseBodySchema = cmp.Or(v.UseBodySchema, s.UseBodySchema)
	out.Headers = mergeHeaders(v.Headers, s.Headers)
	out.QueryParams = slices.DeleteFunc(slices.Clone(s.QueryParams), func(p tool.Pair) bool {
		return slices.ContainsFunc(v.QueryParams, func(q tool.Pair) bool { return q.Key == p.Key })
	})
	out.QueryParams = append(out.QueryParams, v.QueryParams...)
	return &out
}

// mergeHeaders merges headers regardless of the case of their names. own wins over shared.
func mergeHeaders(own, shared map[string]string) map[string]string {
	out := map[string]string{}
	for name, v := range shared {
		out[textproto.CanonicalMIMEHeaderKey(name)] = v
	}
	for name, v := range own {
		out[textproto.CanonicalMIMEHeaderKey(name)] = v
	}
	return out
}
