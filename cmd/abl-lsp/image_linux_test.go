package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"

	"github.com/abl-lsp/abl-lsp/internal/testdeps"
)

// image is what deploy/Dockerfile makes: the program alone, as a user without rights, on a file system
// that cannot be written.
type image struct {
	dockerfile string
	folders    string // where the pod's folders are on this machine
}

// command returns the command that runs the program in the image.
func (i image) command(t *testing.T, words ...string) *exec.Cmd {
	t.Helper()
	bwrap := testdeps.FindProgram(t, "bwrap")
	program, err := filepath.EvalSymlinks(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	args := []string{
		"--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--cap-drop", "ALL", "--die-with-parent", "--clearenv",
		"--uid", "65532", "--gid", "65532",
		"--tmpfs", "/", "--proc", "/proc", "--dev", "/dev", "--ro-bind", program, "/abl-lsp",
		"--ro-bind", "/lib", "/lib", "--ro-bind-try", "/lib64", "/lib64", // this program is not linked statically
		"--ro-bind", i.folders, "/pod", "--symlink", "/pod/tools", "/tools", "--symlink", "/pod/config", "/config", "--symlink", "/pod/secret", "/secret",
		"--tmpfs", "/tmp", "--tmpfs", "/var/lib/abl-lsp", "--setenv", asProgram, "1",
	}
	for line := range strings.Lines(i.dockerfile) {
		variables, ok := strings.CutPrefix(line, "ENV ")
		for _, v := range strings.Fields(variables) {
			if name, value, _ := strings.Cut(v, "="); ok {
				args = append(args, "--setenv", name, value)
			}
		}
	}
	args = append(args, "--remount-ro", "/", "/abl-lsp")
	return exec.CommandContext(t.Context(), bwrap, append(args, words...)...)
}

// mountConfigMap writes the files of a ConfigMap as a cluster does: by links to a folder that it
// replaces as a whole.
func mountConfigMap(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	data := filepath.Join(dir, "..2026_11_29_12_00_00.1")
	if err := os.MkdirAll(data, 0o755); err != nil {
		t.Fatal(err)
	}
	errs := []error{os.Symlink(filepath.Base(data), filepath.Join(dir, "..data"))}
	for name, text := range files {
		errs = append(errs, os.WriteFile(filepath.Join(data, name), []byte(text), 0o644), os.Symlink("..data/"+name, filepath.Join(dir, name)))
	}
	for _, err := range errs {
		if err != nil {
			t.Fatal(err)
		}
	}
}

// readConfigMaps returns the files of the manifests' ConfigMaps, by the map's name.
func readConfigMaps(t *testing.T) map[string]map[string]string {
	t.Helper()
	text, err := os.ReadFile("../../deploy/kubernetes/abl-lsp.yaml")
	if err != nil {
		t.Fatal(err)
	}
	maps := map[string]map[string]string{}
	for part := range bytes.SplitSeq(text, []byte("\n---\n")) {
		var m struct {
			Kind     string
			Metadata struct{ Name string }
			Data     map[string]string
		}
		if err := yaml.Unmarshal(part, &m); err != nil {
			t.Fatal(err)
		}
		if m.Kind == "ConfigMap" {
			maps[m.Metadata.Name] = m.Data
		}
	}
	return maps
}

// TestImage runs the tools of the cluster's ConfigMap as the image does.
func TestImage(t *testing.T) {
	dockerfile, err := os.ReadFile("../../deploy/Dockerfile")
	if err != nil {
		t.Fatal(err)
	}
	i := image{string(dockerfile), t.TempDir()}
	files := readConfigMaps(t)
	for folder, m := range map[string]string{"tools": "abl-lsp-tools", "config": "abl-lsp-operator"} {
		mountConfigMap(t, filepath.Join(i.folders, folder), files[m])
	}
	for name, tt := range map[string]struct {
		words []string
		want  string
	}{
		"the sandbox": {[]string{"run", "/tools/text.tools.abl", "count_words", "--args", `{"text": "one two three"}`}, `"words": 3`},
		"the folder":  {[]string{"tools", "/tools"}, "count_words"},
		"a check":     {[]string{"check", "/tools"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			out, err := i.command(t, tt.words...).CombinedOutput()
			if err != nil || !strings.Contains(string(out), tt.want) {
				t.Errorf("%v: %s", err, out)
			}
		})
	}
}
