package store

import (
	"testing"
	"time"
)

// Reopened URLs wait as if they had never failed; stored data of their pages and other URLs stay.
func TestReopen(t *testing.T) {
	w, _ := create(t)
	names := []string{"http://a.test/", "http://a.test/gone", "http://b.test/dns", "http://b.test/later", "http://b.test/new"}
	if _, err := w.Seed(names); err != nil {
		t.Fatal(err)
	}
	id := map[string]uint64{}
	for _, n := range names {
		id[n], _ = w.Lookup(n)
	}
	soon := time.Now().Add(time.Hour)
	page := &Page{URL: names[1], Status: 200, Fetched: time.Now(), Changed: time.Now()}
	_, err := w.Commit(nil, []*Capture{
		{ID: id[names[0]], State: Complete, Page: &Page{URL: names[0], Status: 200, Fetched: time.Now(), Changed: time.Now()}},
		{ID: id[names[1]], State: Complete, Page: page},
	})
	must(t, err)
	_, err = w.Commit(nil, []*Capture{
		{ID: id[names[1]], State: Exception, Fails: 1, Failure: ReadFailure("HTTP status 404"), Retry: soon},
		{ID: id[names[2]], State: Exception, Fails: 4, Failure: ReadFailure("dns: no such host"), Retry: soon},
		{ID: id[names[3]], State: Waiting, Fails: 2, Failure: ReadFailure("timeout"), Retry: soon},
	})
	must(t, err)
	if u, err := w.URL(id[names[2]]); err != nil || u.Retry.Unix() != soon.Unix() {
		t.Fatalf("an exception does not keep the time of its retry: %+v, %v", u, err)
	}
	found, err := Reopen(w, func(u *URL) bool { return u.Failure.Kind == "dns" })
	if err != nil || len(found) != 1 || found[0].Row.URL != names[2] {
		t.Fatalf("%+v, %v; want the one that dns failed", found, err)
	}
	if n := w.Counts(); n.Waiting != 3 || n.Exception != 1 || n.Complete != 1 {
		t.Errorf("%+v", n)
	}
	if found, err = Reopen(w, func(*URL) bool { return true }); err != nil || len(found) != 2 {
		t.Errorf("all: %+v, %v; want the two that are left", found, err)
	}
	for u, err := range w.URLs() {
		must(t, err)
		if u.Troubled() || u.Failure != (Failure{}) {
			t.Errorf("%+v is still marked", u)
		}
	}
	if p, err := w.Page(id[names[1]]); err != nil || p == nil {
		t.Errorf("the page of a reopened URL is gone: %v", err)
	}
	if problems, err := CheckQuickly(w); err != nil || len(problems) > 0 {
		t.Errorf("%q, %v", problems, err)
	}
}
