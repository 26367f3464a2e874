//go:build unix

package store

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"angler/store/config"
	"angler/store/secrets"
)

func modeOf(t *testing.T, path string) fs.FileMode {
	t.Helper()
	st, err := os.Stat(path)
	must(t, err)
	return st.Mode().Perm()
}

// made creates a workspace in a new folder.
func made(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "above", "ws")
	set := config.Default()
	set.Seeds = []string{"http://a.test/"}
	must(t, Create(dir, set))
	return dir
}

func TestModesOfAWorkspace(t *testing.T) {
	defer syscall.Umask(syscall.Umask(0)) // modes must not depend on it
	dir := made(t)
	w, err := Open(dir)
	must(t, err)
	defer w.Close()
	w.Announce("127.0.0.1:1")
	_, err = secrets.HostKey(dir)
	must(t, err)
	b, err := w.NewBacklog()
	must(t, err)
	defer b.Close()
	for name, want := range map[string]fs.FileMode{"": 0o700, "crawl.db": 0o600, "angler.toml": 0o600, "crawl.db.holder": 0o600, backlogFile: 0o600,
		"ssh": 0o700, "ssh/host_ed25519": 0o600, "ssh/known_hosts": 0o600} {
		if got := modeOf(t, filepath.Join(dir, name)); got != want {
			t.Errorf("%q has mode %04o, want %04o", name, got, want)
		}
	}
	if got := modeOf(t, filepath.Dir(dir)); got != 0o755 {
		t.Errorf("the folder above has mode %04o", got)
	}
	if notes := Exposed(dir); len(notes) > 0 {
		t.Errorf("a new workspace is exposed: %q", notes)
	}
}

func TestAModeThatWasGivenStays(t *testing.T) {
	dir := made(t)
	toml := filepath.Join(dir, config.Name)
	const nobody = 65534
	root := os.Geteuid() == 0
	must(t, os.Chmod(toml, 0o640))
	if root {
		must(t, os.Chown(toml, nobody, nobody))
	}
	w, err := Open(dir)
	must(t, err)
	defer w.Close()
	must(t, w.ChangeSettings(func(s *config.Settings) { s.Crawl.Delay = config.Duration(7 * time.Second) }))
	st, err := os.Stat(toml)
	must(t, err)
	if st.Mode().Perm() != 0o640 {
		t.Errorf("the mode is %04o", st.Mode().Perm())
	}
	if s, ok := st.Sys().(*syscall.Stat_t); root && (!ok || s.Uid != nobody || s.Gid != nobody) {
		t.Errorf("the owner is %d:%d", s.Uid, s.Gid)
	}
	text, err := os.ReadFile(toml)
	if must(t, err); !strings.Contains(string(text), "7s") {
		t.Errorf("the setting is not in the file:\n%s", text)
	}
}

func TestSettingsBehindALinkStayThere(t *testing.T) {
	dir := made(t)
	toml, there := filepath.Join(dir, config.Name), filepath.Join(t.TempDir(), "of-the-machine.toml")
	must(t, os.Rename(toml, there))
	must(t, os.Symlink(there, toml))
	w, err := Open(dir)
	must(t, err)
	defer w.Close()
	must(t, w.ChangeSettings(func(s *config.Settings) { s.Crawl.Delay = config.Duration(7 * time.Second) }))
	text, err := os.ReadFile(there)
	must(t, err)
	if st, err := os.Lstat(toml); err != nil || st.Mode()&fs.ModeSymlink == 0 || !strings.Contains(string(text), "7s") {
		t.Errorf("the link is %v, %v; it leads to\n%s", st, err, text)
	}
}

func TestExposed(t *testing.T) {
	dir := made(t)
	_, err := secrets.HostKey(dir)
	must(t, err)
	for _, c := range []struct {
		name string
		mode fs.FileMode
		says string
	}{
		{"ssh/host_ed25519", 0o640, "private key"}, {"angler.toml", 0o660, "written by others"},
		{"crawl.db", 0o644, "read by everybody"}, {"crawl.db", 0o620, "written by others"},
	} {
		path := filepath.Join(dir, c.name)
		was := modeOf(t, path)
		must(t, os.Chmod(path, c.mode))
		must(t, os.Chmod(dir, 0o755))
		if notes := Exposed(dir); len(notes) != 1 || !strings.Contains(notes[0], c.says) {
			t.Errorf("%s with mode %04o: %q", c.name, c.mode, notes)
		}
		must(t, os.Chmod(dir, 0o700))
		if notes := Exposed(dir); len(notes) > 0 {
			t.Errorf("%s in a closed folder: %q", c.name, notes)
		}
		must(t, os.Chmod(path, was))
	}
	must(t, os.Chmod(dir, 0o755))
	set, err := config.Read(dir)
	must(t, err)
	set.Crawl.Proxy = "http://u:secret@proxy:1"
	must(t, set.Write(filepath.Join(dir, config.Name)))
	must(t, os.Chmod(filepath.Join(dir, config.Name), 0o644))
	if notes := Exposed(dir); len(notes) != 1 || !strings.Contains(notes[0], "password of a proxy") {
		t.Errorf("a password: %q", notes)
	}
}
