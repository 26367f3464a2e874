package secrets

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/crypto/ssh"
)

func TestHostKey(t *testing.T) {
	dir := t.TempDir()
	key, err := HostKey(dir)
	must(t, err)
	path := dir + "/ssh/host_ed25519"
	st, err := os.Stat(path)
	if err != nil || st.Mode().Perm() != 0o600 {
		t.Fatalf("mode %v, %v; want 0600", st.Mode(), err)
	}
	signer, err := ssh.ParsePrivateKey(key)
	if err != nil || signer.PublicKey().Type() != ssh.KeyAlgoED25519 {
		t.Fatalf("key %v, %v", signer, err)
	}
	known, err := os.ReadFile(KnownHostsPath(dir))
	if err != nil || !strings.HasPrefix(string(known), "angler "+strings.TrimSpace(string(ssh.MarshalAuthorizedKey(signer.PublicKey())))) {
		t.Errorf("known_hosts %q, %v", known, err)
	}
	again, err := HostKey(dir)
	if err != nil || string(again) != string(key) {
		t.Errorf("another key at the second start: %v", err)
	}
	must(t, os.Chmod(path, 0o644))
	if _, err := HostKey(dir); err == nil || !strings.Contains(err.Error(), "chmod 600") {
		t.Errorf("a key that others can read: %v", err)
	}
}

func TestAuthorizedKeys(t *testing.T) {
	dir := t.TempDir()
	if b, err := AuthorizedKeys(dir); err != nil || len(b) != 0 {
		t.Errorf("no file: %q, %v", b, err)
	}
	if _, err := HostKey(dir); err != nil {
		t.Fatal(err)
	}
	for mode, bad := range map[os.FileMode]bool{0o600: false, 0o644: false, 0o664: true, 0o602: true} {
		must(t, os.WriteFile(AuthorizedKeysPath(dir), []byte("keys"), 0o600))
		must(t, os.Chmod(AuthorizedKeysPath(dir), mode))
		b, err := AuthorizedKeys(dir)
		if bad != (err != nil) || !bad && string(b) != "keys" {
			t.Errorf("mode %04o: %q, %v", mode, b, err)
		}
	}
	must(t, os.Chmod(AuthorizedKeysPath(dir), 0o600))
	for _, folder := range []string{dir, filepath.Dir(AuthorizedKeysPath(dir))} {
		for mode, bad := range map[os.FileMode]bool{0o700: false, 0o755: false, 0o775: true, 0o757: true, 0o777 | os.ModeSticky: false} {
			must(t, os.Chmod(folder, mode))
			if b, err := AuthorizedKeys(dir); bad != (err != nil) || !bad && string(b) != "keys" {
				t.Errorf("folder %s with mode %04o: %q, %v", filepath.Base(folder), mode, b, err)
			}
			must(t, os.Chmod(folder, 0o755))
		}
	}
}

// must fails the test at an error.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
