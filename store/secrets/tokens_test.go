package secrets

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestTokens(t *testing.T) {
	dir := t.TempDir()
	must(t, os.Chmod(dir, 0o700))
	now := time.Date(2026, 11, 20, 8, 0, 0, 0, time.UTC)
	token, err := AddToken(dir, "calendar", "viewer", now)
	must(t, err)
	other, err := AddToken(dir, "报表", "analyst", now)
	if err != nil || other == token || len(token) != len(TokenPrefix)+43 {
		t.Fatal(other, token, err)
	}
	for _, name := range []string{"calendar", "", "a/b", "../x", "a b", strings.Repeat("x", 64), "a\n"} {
		if _, err := AddToken(dir, name, "viewer", now); err == nil {
			t.Errorf("%q names a token", name)
		}
	}
	files, err := filepath.Glob(filepath.Join(dir, "tokens", "*"))
	if err != nil || len(files) != 2 {
		t.Fatal(files, err)
	}
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil || strings.Contains(string(b), strings.TrimPrefix(token, TokenPrefix)) {
			t.Errorf("%s holds the token: %s, %v", f, b, err)
		}
		if st, err := os.Stat(f); err != nil || st.Mode().Perm() != 0o600 {
			t.Errorf("%v, %v", st, err)
		}
	}
	x, err := FindToken(dir, token)
	if err != nil || x == nil || x.Name != "calendar" || x.Role != "viewer" || !x.Used.IsZero() {
		t.Fatalf("%+v, %v", x, err)
	}
	for _, wrong := range []string{"", token[:len(token)-1], token + "x", strings.ToUpper(token)} {
		if x, err := FindToken(dir, wrong); x != nil || err != nil {
			t.Errorf("%q is %+v, %v", wrong, x, err)
		}
	}
	for i, at := range []time.Duration{0, 30 * time.Second, 2 * time.Minute} {
		must(t, x.Use(now.Add(at)))
		list, err := Tokens(dir)
		want := now.Add([]time.Duration{0, 0, 2 * time.Minute}[i])
		if err != nil || len(list) != 2 || !list[0].Used.Equal(want) {
			t.Errorf("after %v: %+v, %v", at, list, err)
		}
	}
	must(t, RemoveToken(dir, "calendar"))
	if err := RemoveToken(dir, "calendar"); err == nil {
		t.Error("a token is removed twice")
	}
	if got, err := FindToken(dir, token); got != nil || err != nil || x.Valid() {
		t.Errorf("a removed token is %+v, %v", got, err)
	}
	must(t, os.Chmod(filepath.Join(dir, "tokens"), 0o777))
	if x, err := FindToken(dir, other); x != nil || err == nil {
		t.Errorf("a folder that all can write gives %+v", x)
	}
}
