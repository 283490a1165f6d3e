package packed

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

var content = bytes.Repeat([]byte("wasm 🧭 "), 10_000)

func pack(t *testing.T) []byte {
	t.Helper()
	packed, err := Pack(content)
	if err != nil {
		t.Fatal(err)
	}
	if len(packed) > len(content)/10 {
		t.Errorf("%d bytes take %d", len(content), len(packed))
	}
	return packed
}

func TestUnpack(t *testing.T) {
	packed := pack(t)
	if got, err := Unpack(packed); err != nil || !bytes.Equal(got, content) {
		t.Errorf("%d bytes, %v", len(got), err)
	}
	wrong := bytes.Clone(packed)
	wrong[0]++
	for name, broken := range map[string][]byte{"cut off": packed[:len(packed)/2], "with another sum": wrong, "empty": nil} {
		t.Run(name, func(t *testing.T) {
			if _, err := Unpack(broken); err == nil {
				t.Errorf("%s: no error", name)
			}
		})
	}
}

// TestUnpackIn checks that the file is cached, and repaired if it is broken.
func TestUnpackIn(t *testing.T) {
	packed, dir := pack(t), filepath.Join(t.TempDir(), "new")
	unpack := func() {
		t.Helper()
		if got, err := UnpackIn(dir, "a.wasm", packed); err != nil || !bytes.Equal(got, content) {
			t.Errorf("%d bytes, %v", len(got), err)
		}
	}
	unpack()
	kept, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(kept) != 1 {
		t.Fatalf("%v, %v", kept, err)
	}
	unpack()
	if err := os.WriteFile(kept[0], content[1:], 0o600); err != nil {
		t.Fatal(err)
	}
	unpack()
	if now, err := os.ReadFile(kept[0]); err != nil || !bytes.Equal(now, content) {
		t.Errorf("a broken file was not replaced: %d bytes, %v", len(now), err)
	}
}

// TestUnpackInNowhere checks that a folder that cannot be created only costs time.
func TestUnpackInNowhere(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, dir := range map[string]string{
		"no folder":    "",
		"below a file": filepath.Join(file, "below"),
	} {
		t.Run(name, func(t *testing.T) {
			if got, err := UnpackIn(dir, "a.wasm", pack(t)); err != nil || !bytes.Equal(got, content) {
				t.Errorf("%q: %d bytes, %v", dir, len(got), err)
			}
		})
	}
}
