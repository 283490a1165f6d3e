package servercache

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/tool"
)

const root = "/project 🚀"

// discoveryOf returns what a server lists: tools given as NAME=DESCRIPTION.
func discoveryOf(server string, tools ...string) executor.Discovery {
	d := executor.Discovery{Root: root, Server: server}
	for _, t := range tools {
		name, text, _ := strings.Cut(t, "=")
		d.Tools = append(d.Tools, tool.ServerTool{Name: name, Description: text, InputSchema: []byte(`{"title":"<&>"}`)})
	}
	return d
}

func shown(tools []tool.ServerTool) string {
	var all []string
	for _, t := range tools {
		all = append(all, t.Name+"="+t.Description)
	}
	return strings.Join(all, " ")
}

func want(t *testing.T, s *Store, server, tools, accepted string) {
	t.Helper()
	listing := s.Listings(root)[server]
	if shown(listing.Tools) != tools || shown(listing.Accepted) != accepted || listing.ListedAt.IsZero() {
		t.Errorf("%s says %q, accepted %q, at %v; want %q, %q", server, shown(listing.Tools), shown(listing.Accepted), listing.ListedAt, tools, accepted)
	}
}

// TestAddDiscoveryAndAccept checks that a tool is accepted as it is first listed, that
// later changes of it are not, and that a removed tool stays removed.
func TestAddDiscoveryAndAccept(t *testing.T) {
	for name, dir := range map[string]string{
		"in memory":   "",
		"in a folder": t.TempDir(),
	} {
		t.Run(name, func(t *testing.T) {
			s := New(dir, time.Now)
			var told []string
			stop := s.Watch(func(root string) { told = append(told, root) })
			s.AddDiscovery(discoveryOf("a 🧭", "x=1", "y=1"))
			want(t, s, "a 🧭", "x=1 y=1", "x=1 y=1")
			seen := s.Listings(root)["a 🧭"].Digest()
			s.AddDiscovery(discoveryOf("a 🧭", "x=2", "z=1"))
			want(t, s, "a 🧭", "x=2 z=1", "x=1 y=1 z=1")
			if s.Accept(model.Acceptance{Root: root, Server: "a 🧭", Digest: seen}) {
				t.Error("what nobody has seen was accepted")
			}
			if now := s.Listings(root)["a 🧭"].Digest(); !s.Accept(model.Acceptance{Root: root, Server: "a 🧭", Digest: now}) {
				t.Error("what is said now was not accepted")
			}
			want(t, s, "a 🧭", "x=2 z=1", "x=2 z=1")
			stop()
			s.AddDiscovery(discoveryOf("b", "x=1"))
			if !slices.Equal(told, []string{root, root, root}) {
				t.Errorf("told %q", told)
			}
			if len(s.Listings("/elsewhere")) != 0 {
				t.Error("another project knows something")
			}
		})
	}
}

// TestKept checks that another process knows a listing at once, and adds to it.
func TestKept(t *testing.T) {
	dir := t.TempDir()
	one, two := New(dir, time.Now), New(dir, time.Now)
	if len(two.Listings(root)) != 0 {
		t.Error("something is known before anybody has spoken")
	}
	one.AddDiscovery(discoveryOf("a", "x=1"))
	want(t, two, "a", "x=1", "x=1")
	two.AddDiscovery(discoveryOf("b", "y=1"))
	one.AddDiscovery(discoveryOf("a", "x=2"))
	want(t, two, "a", "x=2", "x=1")
	want(t, one, "b", "y=1", "y=1")
	two.Accept(model.Acceptance{Root: root, Server: "a", Digest: two.Listings(root)["a"].Digest()})
	one.AddDiscovery(discoveryOf("a", "x=2", "z=1"))
	want(t, New(dir, time.Now), "a", "x=2 z=1", "x=2 z=1")

	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if info, _ := d.Info(); path != dir && info.Mode().Perm()&0o077 != 0 && filepath.Separator == '/' {
			t.Errorf("%s is open to others: %v", path, info.Mode())
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// TestUnreadable checks that a file of another program, or half a file, counts as no
// file.
func TestUnreadable(t *testing.T) {
	dir := t.TempDir()
	New(dir, time.Now).AddDiscovery(discoveryOf("a", "x=1"))
	New(dir, time.Now).AddDiscovery(discoveryOf("b", "y=1"))
	files, _ := filepath.Glob(filepath.Join(dir, "servers", "*", "*.json"))
	if len(files) != 2 {
		t.Fatalf("%d files", len(files))
	}
	kept := filepath.Join(filepath.Dir(files[0]), hashName("b")+".json")
	broken := filepath.Join(filepath.Dir(files[0]), hashName("a")+".json")
	whole, _ := os.ReadFile(kept)
	for name, content := range map[string][]byte{
		"empty": nil, "half": whole[:len(whole)/2], "another server's": whole, "no JSON": []byte("\x00"),
		"too long": []byte(strings.Repeat(" ", 4*maxBytes)), "another shape": []byte(`{"tools": 1}`),
	} {
		t.Run(name, func(t *testing.T) {
			if err := os.WriteFile(broken, content, 0o600); err != nil {
				t.Fatal(err)
			}
			if said := New(dir, time.Now).Listings(root); len(said) != 1 || len(said["b"].Tools) != 1 {
				t.Errorf("%s: %v", name, said)
			}
		})
	}
	s := New(filepath.Join(kept, "below a file"), time.Now)
	s.AddDiscovery(discoveryOf("a", "x=1"))
	want(t, s, "a", "x=1", "x=1")
}

func TestBounded(t *testing.T) {
	s := New(t.TempDir(), time.Now)
	var many []string
	for i := range maxTools + 1 {
		many = append(many, fmt.Sprintf("t%d=", i))
	}
	s.AddDiscovery(discoveryOf("many", many...))
	s.AddDiscovery(discoveryOf("large", "a=small", "b="+strings.Repeat("x", maxBytes)))
	s.AddDiscovery(discoveryOf("few", "a=small"))
	told := discoveryOf("told", "a=small")
	told.More = true
	s.AddDiscovery(told)
	for range 2 {
		if many := s.Listings(root)["many"]; len(many.Tools) != maxTools || !many.More {
			t.Errorf("%d tools are kept, more %v", len(many.Tools), many.More)
		}
		want(t, s, "large", "a=small", "a=small")
		if of := s.Listings(root); !of["large"].More || of["few"].More || !of["told"].More {
			t.Error("what was left out is not said")
		}
		s = New(string(s.folder), time.Now)
	}
}

// TestConcurrent adds listings while others are read.
func TestConcurrent(t *testing.T) {
	dir := t.TempDir()
	s, other := New(dir, time.Now), New(dir, time.Now)
	s.Watch(func(root string) { s.Listings(root) })
	var all sync.WaitGroup
	for i := range 20 {
		all.Go(func() { s.AddDiscovery(discoveryOf(fmt.Sprintf("server %d", i%4), "x=1")) })
		all.Go(func() { other.Listings(root) })
	}
	all.Wait()
	if n := len(other.Listings(root)); n != 4 {
		t.Errorf("%d servers are known", n)
	}
}

// TestExtend checks that a workspace gets the listings of each project once.
func TestExtend(t *testing.T) {
	s := New("", time.Now)
	dir, _ := filepath.Abs("project")
	tools, project := filepath.Join(dir, "deep", "a.tools.abl"), filepath.Join(dir, "abl.yaml")
	d := discoveryOf("a", "x=1")
	d.Root = dir
	s.AddDiscovery(d)
	w := model.Workspace{}.With(project, syntax.Parse("servers: {a: {}}\n")).With(tools, syntax.Parse("TOOLS:\n"))
	w = model.ReadImports(w, tools, func(string) (string, model.Absence) { return "", model.NotFound })
	if w.Servers(tools).Server("a") != nil {
		t.Error("known before anybody told")
	}
	w = s.Extend(w, tools)
	if a := w.Servers(tools).Server("a"); a == nil || a.Tool("x") == nil || a.Tool("y") != nil || a.Root != dir {
		t.Errorf("%+v", a)
	}
	if again := s.Refresh(w); again.Servers(tools) != w.Servers(tools) {
		t.Error("nothing new, and told all the same")
	}
	d.Server = "b"
	s.AddDiscovery(d)
	if again := s.Refresh(w); again.Servers(tools).Server("b") == nil {
		t.Error("the new word is not told")
	}
	if s.Extend(w, tools).Servers(tools) != w.Servers(tools) {
		t.Error("a workspace that knows was told again")
	}
	if (*Store)(nil).Extend(w, tools).Servers(tools) != w.Servers(tools) {
		t.Error("no store knows better")
	}
}
