package crawl_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"angler/crawl"
	"angler/crawl/query"
	"angler/store"
	"angler/store/config"
	"angler/store/export"
)

// brought stores notices of one host as a harvest does, and has them read.
func brought(t *testing.T, e *crawl.Engine, texts ...string) (ids []uint64) {
	t.Helper()
	w := e.Workspace()
	for i, text := range texts {
		address := fmt.Sprintf("http://ztb.test/%d-%d.htm", w.Counts().URLs, i)
		must(t, errOf(w.Seed([]string{address})))
		id, ok := w.Lookup(address)
		if !ok {
			t.Fatalf("%s is not known", address)
		}
		n := &store.Notice{ID: id, URL: address, Title: fmt.Sprintf("第%d号显微镜采购招标公告", i), Text: text, FirstSeen: time.Unix(1_770_000_000, 0)}
		body := []byte("<p>" + text)
		c := &store.Capture{ID: id, State: store.Complete, Body: store.Compress(body), Notice: n,
			Page: &store.Page{URL: address, Status: 200, Hash: store.KeyOf(body), Fetched: n.FirstSeen}}
		must(t, errOf(w.Commit(nil, []*store.Capture{c})))
		ids = append(ids, id)
	}
	e.Facts.Again(ids)
	must(t, e.Facts.Idle(context.Background()))
	return ids
}

// saysOf is what a notice says of a field; "" is nothing.
func saysOf(t *testing.T, e *crawl.Engine, id uint64, field string) string {
	t.Helper()
	must(t, e.Facts.Idle(context.Background()))
	s, err := e.Facts.Of(id)
	if err != nil || s == nil {
		t.Fatalf("notice %d: %v, %v", id, s, err)
	}
	if v := s.Result.Of(field); len(v) > 0 {
		return v[0].Norm
	}
	return ""
}

func valuesWorkspace(t *testing.T) (string, *crawl.Engine) {
	t.Helper()
	dir := created(t, func(set *config.Settings) {
		set.Seeds, set.Store.ExpectedURLs, set.Harvest.Fields = []string{"http://ztb.test/"}, 1000, "tenders"
	})
	e := opened(t, dir, crawl.Options{})
	return dir, e
}

// An analyst's label of a field counts beside those that the field has, on the notices
// that are stored and on those that come, also after the workspace was opened again.
func TestLabelsOfAnAnalyst(t *testing.T) {
	dir, e := valuesWorkspace(t)
	ids := brought(t, e, "用货方：东湖大学\n显微镜 3 台。", "采购人：西山学院\n显微镜 1 台。")
	if got := saysOf(t, e, ids[0], "buyer"); got != "" {
		t.Fatalf("a label of no field says %q", got)
	}
	must(t, e.Close())
	e = opened(t, dir, crawl.Options{Override: func(s *config.Settings) {
		s.Fields = []config.Field{{Name: "buyer", Labels: []string{"用货方"}}}
	}})
	ids = append(ids, brought(t, e, "用货方：东泽海洋大学\n教学船一艘。")...)
	for i, want := range []string{"东湖大学", "西山学院", "东泽海洋大学"} {
		if got := saysOf(t, e, ids[i], "buyer"); got != want {
			t.Errorf("notice %d says %q, want %q", i, got, want)
		}
	}
}

// A correction changes the corrected notice alone, also for an engine that only reads;
// undone, it changes nothing.
func TestCorrectionsChangeOneNotice(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	dir, e := valuesWorkspace(t)
	defer e.Close()
	ids := brought(t, e, "用货方：东湖大学\n备款：92.28万元\n显微镜 3 台。", "用货方：西山学院\n备款：15万元\n显微镜 1 台。")
	says := func(e *crawl.Engine, when string, first string) {
		t.Helper()
		for i, want := range []string{first, ""} {
			if got := saysOf(t, e, ids[i], "budget"); got != want {
				t.Errorf("%s, notice %d says %q, want %q", when, i, got, want)
			}
		}
	}
	says(e, "as read", "")
	must(t, e.Facts.SetValue(ids[0], "budget", "92.28万"))
	says(e, "corrected", "922800")
	r := opened(t, dir, crawl.Options{Reading: true})
	says(r, "to an engine that reads", "922800")
	must(t, r.Close())
	undo(t, e.Topic)
	says(e, "undone", "")
}

// A feed that may not read fields tells those that are stored, and leaves out those of an earlier choice of fields.
func TestFeedsOfStoredFields(t *testing.T) {
	dir, e := valuesWorkspace(t)
	ids := brought(t, e, "采购人：西山学院\n显微镜 1 台。")
	buyers := func(e *crawl.Engine, known bool) int {
		t.Helper()
		var b strings.Builder
		plan := query.ExportPlan{What: "notices", Format: export.Atom, IDs: ids, Known: known}
		must(t, errOf(e.Pages.Export(t.Context(), plan, &b)))
		return strings.Count(b.String(), "西山学院") // once in the text
	}
	if n := buyers(e, true); n != 2 {
		t.Errorf("with stored fields the buyer is told %d times, want 2", n)
	}
	must(t, e.Close())
	// A copy is read-only. Otherwise the outdated fields would be extracted again in the background.
	reading := opened(t, dir, crawl.Options{Reading: true, Copy: true, Override: func(s *config.Settings) {
		s.Fields = append(s.Fields, config.Field{Name: "buyer", Labels: []string{"用货方"}})
	}})
	for known, want := range map[bool]int{true: 1, false: 2} {
		if n := buyers(reading, known); n != want {
			t.Errorf("with outdated fields, known only: %v, the buyer is told %d times, want %d", known, n, want)
		}
	}
}
