package store

import (
	"errors"
	"strings"
	"testing"

	"angler/store/config"
)

func TestLockedWorkspaceTellsHowToJoin(t *testing.T) {
	dir := t.TempDir() + "/ws"
	set := config.Default()
	set.Seeds = []string{"http://a.test/"}
	must(t, Create(dir, set))
	w, err := Open(dir)
	must(t, err)
	for _, c := range []struct{ listen, want string }{{"", "close it there first"}, {"127.0.0.1:2222", "serves it on 127.0.0.1:2222; join it with: angler attach " + dir}} {
		if c.listen != "" {
			w.Announce(c.listen)
		}
		if _, err := Open(dir); !errors.Is(err, ErrLocked) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v", c.listen, err)
		}
		if got := Served(dir); got != c.listen {
			t.Errorf("served at %q, want %q", got, c.listen)
		}
	}
	must(t, w.Close())
	if got := Served(dir); got != "" {
		t.Errorf("served at %q after the end", got)
	}
}
