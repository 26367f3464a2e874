package records_test

import (
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"angler/store"
	"angler/store/config"
	"angler/store/records"
)

// The commit that makes an address known stores its request. A visit of the list replaces it. If
// the old request had expired, a failed address is tried again.
func TestRequestTravelsWithItsLink(t *testing.T) {
	dir, set := t.TempDir(), config.Default()
	set.Seeds = []string{"http://h.test/"}
	must(t, store.Create(dir, set))
	w, err := store.Open(dir)
	must(t, err)
	defer w.Close()
	const list, second = "http://h.test/list.aspx", "http://h.test/list.aspx#post:page=2"
	if _, err := w.Seed([]string{list}); err != nil {
		t.Fatal(err)
	}
	root, _ := w.Lookup(list)
	if r, err := records.RequestOf(w, root); r != nil || err != nil {
		t.Fatalf("the list itself has the request %v, %v", r, err)
	}
	began := time.Unix(1_800_000_000, 0).UTC()
	row := &records.Request{Method: "POST", Body: []byte("__VIEWSTATE=" + strings.Repeat("A1b2", 5000)), ContentType: "application/x-www-form-urlencoded",
		Header: map[string]string{"X-Requested-With": "x"}, Root: root, Page: 2, Source: "postback", Expires: true, Made: began}
	link := store.Link{URL: second, Flat: true, Request: row}
	read := func(at time.Time, c *store.Capture) uint64 {
		t.Helper()
		row.Made = at
		c.ID, c.State, c.Page, c.Links = root, store.Complete, &store.Page{URL: list, Status: 200}, []store.Link{link}
		if _, err := w.Commit(nil, []*store.Capture{c}); err != nil {
			t.Fatal(err)
		}
		id, ok := w.Lookup(second)
		if !ok {
			t.Fatal("the second page is not known")
		}
		return id
	}
	id := read(began, &store.Capture{Body: store.Compress([]byte("<p>list")), Terms: []byte{}})
	got, err := records.RequestOf(w, id)
	if err != nil || !reflect.DeepEqual(got, row) {
		t.Fatalf("stored was %+v, %v", got, err)
	}
	if got.Stale(began) || !got.Stale(began.Add(time.Second)) {
		t.Errorf("stale in its own run %v, in the next %v", got.Stale(began), got.Stale(began.Add(time.Second)))
	}
	if _, err := w.Commit(nil, []*store.Capture{{ID: id, State: store.Exception, Fails: 3, Failure: store.ReadFailure("HTTP status 500"), Retry: began.Add(time.Hour)}}); err != nil {
		t.Fatal(err)
	}
	// The list is unchanged: its links stay, and the request is new.
	later := began.Add(time.Hour)
	if again := read(later, &store.Capture{Unchanged: true}); again != id {
		t.Errorf("the second page was %d and is %d", id, again)
	}
	u, err := w.URL(id)
	if err != nil || u.State != store.Waiting || u.Fails != 0 || !u.Retry.IsZero() {
		t.Errorf("after its list was read again: %+v, %v", u, err)
	}
	if got, _ := records.RequestOf(w, id); got == nil || got.Stale(later) {
		t.Errorf("its request is %+v", got)
	}
	if body, err := w.Body(root, 1<<20); err != nil || string(body) != "<p>list" {
		t.Errorf("the body of the list is %q, %v", body, err)
	}
	row.Body = make([]byte, records.MaxRequestBody+1)
	if _, err := w.Commit(nil, []*store.Capture{{ID: root, State: store.Complete, Page: &store.Page{URL: list}, Unchanged: true, Links: []store.Link{link}}}); !errors.Is(err, records.ErrRequestTooLong) {
		t.Errorf("a body of more than 1 MB: %v", err)
	}
}
