package reader

import (
	"testing"

	"angler/crawl/urls"
	"angler/store"
	"angler/store/config"
)

// What addresses leave out is known to the next process.
func TestIgnoredPartsAreKept(t *testing.T) {
	dir := t.TempDir() + "/ws"
	if err := store.Create(dir, config.Default()); err != nil {
		t.Fatal(err)
	}
	ws, err := store.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer ws.Close()
	r := New(Config{Store: ws, Resolver: urls.NewResolver(0)})
	for _, want := range []bool{true, false} {
		if fresh, err := r.Ignore("a.test", "sid"); fresh != want || err != nil {
			t.Errorf("%v, %v", fresh, err)
		}
	}
	later := urls.NewResolver(0)
	New(Config{Store: ws, Resolver: later})
	if got, err := later.Canonical("http://a.test/l.jsp?sid=9f86d081"); got != "http://a.test/l.jsp" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
}
