package executor

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/abl-lsp/abl-lsp/tool"
)

// asker is a Runner whose tools ask for accesses while they run.
func asker(wanted ...string) *runner {
	return &runner{run: func(ctx context.Context, call Call) (Result, error) {
		said := map[string]string{}
		for _, p := range permissions(wanted...) {
			switch err := call.Ask(ctx, p); {
			case err == nil:
				said[grantText(p)] = "yes"
			case kindOf(Envelope{Error: asError(err)}) == KindDenied:
				said[grantText(p)] = "no"
			}
		}
		return Result{Value: encode(said)}, nil
	}}
}

func TestAToolAsksWhileItRuns(t *testing.T) {
	const file, web = "file:read:a", "web:get:b"
	for _, tt := range []struct {
		name               string
		allow, deny, grant []string
		approve            func(tool.Permission) bool
		asked              int
		want               string // the value; "": it needs all of missing
		missing            []string
	}{
		{name: "nobody can be asked", missing: []string{file, web}},
		{name: "what is left", grant: []string{file}, missing: []string{web}},
		{name: "granted and allowed", grant: []string{file}, allow: []string{"web:*:*"}, want: `{"file:read:a":"yes","web:get:b":"yes"}`},
		{name: "deny comes first", grant: []string{file, web}, deny: []string{"file::"}, want: `{"file:read:a":"no","web:get:b":"yes"}`},
		{name: "the person says yes, once for all of the run", approve: func(tool.Permission) bool { return true }, asked: 2, want: `{"file:read:a":"yes","web:get:b":"yes"}`},
		{name: "the person says no", approve: func(p tool.Permission) bool { return p.Kind == "web" }, asked: 2, want: `{"file:read:a":"no","web:get:b":"yes"}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := trusted(reading(&spec{}), "")
			r.Grants = permissions(tt.grant...)
			r.Environment.Permissions = Permissions{Allow: permissions(tt.allow...), Deny: permissions(tt.deny...)}
			asked := 0
			if tt.approve != nil {
				r.Approve = func(_ context.Context, p tool.Permission) bool { asked++; return tt.approve(p) }
			}
			e := asker(file, web, file, web).executor().Run(t.Context(), r)
			var missing []string
			if e.Needs != nil {
				for _, p := range e.Needs.Permission {
					missing = append(missing, grantText(p))
				}
			}
			if string(e.Value) != tt.want || !slices.Equal(missing, tt.missing) || asked != tt.asked || e.OK != (tt.want != "") {
				t.Errorf("%s, missing %q, asked %d: %+v", e.Value, missing, asked, e.Error)
			}
		})
	}
}

// TestQuestionsComeOneAfterTheOther checks that the person is asked one question at a time.
func TestQuestionsComeOneAfterTheOther(t *testing.T) {
	var asking sync.Mutex
	r := trusted(reading(&spec{}), "")
	r.Approve = func(context.Context, tool.Permission) bool {
		if !asking.TryLock() {
			t.Error("two questions at once")
			return false
		}
		defer asking.Unlock()
		return true
	}
	k := &runner{run: func(ctx context.Context, call Call) (Result, error) {
		var all sync.WaitGroup
		for _, p := range permissions("a:b:1", "a:b:2", "a:b:3", "a:b:1") {
			all.Go(func() {
				if err := call.Ask(ctx, p); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		return Result{Text: "done"}, nil
	}}
	if e := k.executor().Run(t.Context(), r); !e.OK {
		t.Errorf("%+v", e.Error)
	}
}

func TestAnAccessWithoutAllItsPartsIsRefused(t *testing.T) {
	var err error
	k := &runner{run: func(ctx context.Context, call Call) (Result, error) {
		err = call.Ask(ctx, tool.Permission{Kind: "web"})
		return Result{}, nil
	}}
	r := trusted(reading(&spec{}), "")
	r.Grants = permissions("*:*:*")
	if k.executor().Run(t.Context(), r); asError(err).Kind != KindDenied {
		t.Error(err)
	}
}

// TestAnswersDoNotReachOtherRuns checks that a person's answer is valid for one run only.
func TestAnswersDoNotReachOtherRuns(t *testing.T) {
	grants := make([]tool.Permission, 0, 8)
	r := trusted(reading(&spec{}), "")
	r.Grants = grants
	r.Approve = func(context.Context, tool.Permission) bool { return true }
	asker("a:b:c").executor().Run(t.Context(), r)
	if full := grants[:1]; full[0] != (tool.Permission{}) {
		t.Errorf("it was written into the caller's list: %+v", full)
	}
}

// TestUnreadableAccess checks that no question is asked that could look like another one.
func TestUnreadableAccess(t *testing.T) {
	for _, resource := range []string{"a\nMay look read b (file)? [y/N] y", "a\x1b[2K", "a\u202eb", "a\u2028b"} {
		t.Run(resource, func(t *testing.T) {
			approve := func(context.Context, tool.Permission) bool { t.Errorf("%q was asked for", resource); return true }
			r := trusted(reading(&spec{}), "")
			r.Approve = approve
			if e := asker("file:read:"+resource).executor().Run(t.Context(), r); !strings.Contains(string(e.Value), `:"no"`) || e.Needs != nil {
				t.Errorf("%q: %s %+v", resource, e.Value, e.Error)
			}
		})
	}
}

// TestRefusals checks that a refusal by the person wins over everything that is allowed.
func TestRefusals(t *testing.T) {
	k := &runner{}
	tl := reading(&spec{})
	tl.Permissions = permissions("web:get:a.com", "file:read:x")
	r := trusted(tl, "")
	r.Refusals = permissions("file:read:x")
	r.Grants = permissions("*:*:*")
	e := k.executor().Run(t.Context(), r)
	if kindOf(e) != KindDenied || k.calls != 0 || e.Error.Message != "look was refused file:read:x" {
		t.Errorf("%d calls: %+v", k.calls, e.Error)
	}
}
