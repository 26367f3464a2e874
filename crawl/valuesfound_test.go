package crawl_test

import (
	"context"
	"testing"

	"angler/crawl"
	"angler/crawl/inbox"
)

// A search finds a notice by its corrected buyer, says where it found
// it, and no longer once that is undone; the same in the inbox, in another opening, and in
// a workspace that is only read.
func TestCorrectionsAreFound(t *testing.T) {
	dir, e := valuesWorkspace(t)
	ids := brought(t, e, "采购人：东湖大学\n显微镜 3 台，供货期限三十天。", "采购人：西山学院\n显微镜 1 台，另与南屏医科大学共用，地点见附件。")
	found := func(e *crawl.Engine, query string, want ...uint64) *inbox.FoundNotices {
		t.Helper()
		got, err := e.Inbox.Search(t.Context(), inbox.SearchRequest{Query: query})
		must(t, err)
		var have []uint64
		for _, r := range got.Rows {
			have = append(have, r.ID)
		}
		in := list(t, e, inbox.Request{Query: query})
		if len(have) != len(want) || len(in.Rows) != len(want) {
			t.Fatalf("%s finds %v and %d rows of the inbox, want %v", query, have, len(in.Rows), want)
		}
		for i := range want {
			if have[i] != want[i] {
				t.Errorf("%s finds %v, want %v", query, have, want)
			}
		}
		return got
	}
	if p := e.SearchReady(t.Context()); !p.Ready {
		t.Fatalf("there is no index: %s", p.Why)
	}
	found(e, "南屏医科大学", ids[1])
	found(e, "2026-08-10")
	for field, text := range map[string]string{"buyer": "南屏医科大学", "number": "NPYK-2026-077", "budget": "77.5万", "deadline": "2026-08-10 09:30"} {
		must(t, e.Facts.SetValue(ids[0], field, text))
	}
	must(t, e.Facts.Idle(context.Background()))
	for _, query := range []string{"npyk-2026-077", "NPYK", "775000", "77.5万元", "2026-08-10", "2026年8月10日", "医科 -西山"} {
		found(e, query, ids[0])
	}
	if got := found(e, "南屏医科大学", ids...); got.Rows[0].Match <= got.Rows[1].Match {
		t.Errorf("its buyer is as relevant as %v, who is mentioned %v", got.Rows[0].Match, got.Rows[1].Match)
	} else if r := got.Rows[0]; r.Snippet != "采购人：南屏医科大学" || len(r.Lit) != 1 || r.Snippet[r.Lit[0].From:r.Lit[0].To] != "南屏医科大学" {
		t.Errorf("it is shown as %q, %v", r.Snippet, r.Lit)
	}
	must(t, e.Close())
	beside := searching(t, dir, "li")
	found(beside, "南屏医科大学", ids...)
	must(t, beside.Close())
	e = opened(t, dir, crawl.Options{})
	if p := e.SearchReady(t.Context()); !p.Ready {
		t.Fatalf("there is no index: %s", p.Why)
	}
	found(e, "南屏医科大学", ids...)
	for range 4 {
		must(t, errOf(e.Topic.UndoLate(true)))
	}
	found(e, "南屏医科大学", ids[1])
	found(e, "NPYK")
	found(e, "2026-08-10")
}
