package crawl_test

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"angler/crawl"
	"angler/crawl/archive"
	"angler/crawl/decisions"
	"angler/crawl/view"
	"angler/message"
	"angler/store"
	"angler/store/config"
	"angler/store/records"
	"angler/store/sealed"
	"angler/store/warc"
	"angler/topic"
)

// TestWhatIsKeptLongEnoughGoes deletes bodies, decisions and runs after some time,
// and finds what is needed to judge where it was.
func TestWhatIsKeptLongEnoughGoes(t *testing.T) {
	ctx := context.Background()
	var archived bytes.Buffer
	w := warc.NewWriter(&archived)
	list := "<html><head><meta charset=utf-8><title>招标公告</title></head><body><ul>"
	put := func(path, html string) {
		if _, _, err := w.Write(warc.Response, warc.NewID(), time.Now(), []byte("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"+html),
			warc.Field{Name: "WARC-Target-URI", Value: "http://a.test/" + path}, warc.Field{Name: "Content-Type", Value: "application/http"}); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 400 {
		put(fmt.Sprintf("n/%d.htm", i), fmt.Sprintf("<html><head><meta charset=utf-8><title>第%d批设备采购招标公告</title></head><body><p>%s</p></body></html>", i, strings.Repeat(fmt.Sprintf("项目编号 %d，预算金额 %d 万元。", i*i, i), 20)))
		list += fmt.Sprintf(`<li><a href="/n/%d.htm">第%d批设备采购招标公告</a> <span>2026-11-%02d</span></li>`, i, i, i%20+1)
	}
	put("", list+"</ul></body></html>")
	set := config.Default()
	set.Seeds = []string{"http://a.test/"}
	b, _, err := takenIn(t, crawl.Options{}, set, archived.Bytes())
	must(t, err)
	dir := b.Workspace().Dir()
	addSample(t, b.Topic, "http://a.test/")
	const labelled, noticed = "http://a.test/n/7.htm", "http://a.test/n/8.htm"
	if _, _, err := b.Labels.LabelURLs([]topic.LabelRow{{URL: labelled, Label: topic.No}}, "label"); err != nil {
		t.Fatal(err)
	}
	id, _ := b.Workspace().Lookup(noticed)
	must(t, errOf(b.Workspace().Commit(nil, []*store.Capture{{ID: id, State: store.Complete, Notice: &store.Notice{ID: id, URL: noticed, Title: "x"}}})))
	for name, notices := range map[string][]uint64{"old": {id}, "starred": {id, 1 << 40}} {
		hash, file, err := records.KeepDocument(b.Workspace().Dir(), []byte(name), ".pdf")
		if err == nil {
			err = records.PutDocuments(b.Workspace(), &records.Document{URL: "http://a.test/" + name + ".pdf", State: records.DocumentKept, Hash: hash, File: file, Size: 3, Notices: notices, At: time.Now()})
		}
		must(t, err)
	}
	star := store.Set(store.FirstTopic, "star", fmt.Sprint(uint64(1<<40)), decisions.Remark{By: "li", At: time.Now()})
	must(t, errOf(b.Workspace().Decisions.Do("li", "star", star)))
	must(t, b.Workspace().Write(func(tx sealed.Tx) error {
		return records.KeepVersion(tx, id, records.NoticeVersion{Title: "before", Until: time.Now()}, 5)
	}))
	before := exported[view.PageRow](t, b, "pages")
	lists := exported[view.PageRow](t, b, "aggregations")
	var samples []string
	for _, s := range b.Topic.Samples() {
		samples = append(samples, s.URL)
	}
	if d, err := b.Archive.Retain(ctx, false); err != nil || !d.Empty() {
		t.Errorf("without a setting: %+v, %v", d, err)
	}
	must(t, b.Close())

	later := func() time.Time { return time.Now().AddDate(0, 0, 40) }
	e := opened(t, dir, crawl.Options{Now: later, Override: func(s *config.Settings) {
		s.Retention = config.Retention{BodyDays: 30, NoticeBodyDays: 50, VersionDays: 30, AttachmentDays: 30, EventDays: 39, RunDays: 30}
	}})
	must(t, e.Words(ctx))
	notices, err := e.Workspace().NoticeIDs()
	if err != nil || len(notices) == 0 {
		t.Fatal("no notices", err)
	}
	_, free := store.Sizes(e.Workspace())
	would, err := e.Archive.Retain(ctx, true)
	if err != nil || would.Bodies < 200 || would.Notices != 0 || would.Events < 2 || would.Versions != 1 || would.Files != 1 || would.BodyBytes < 1<<14 {
		t.Errorf("%+v would go, %v", would, err)
	}
	if _, now := store.Sizes(e.Workspace()); now != free {
		t.Error("a dry run writes")
	}
	did, err := e.Archive.Retain(ctx, false)
	if err != nil || did != would {
		t.Errorf("%+v went of %+v, %v", did, would, err)
	}
	if again, err := e.Archive.Retain(ctx, false); err != nil || !again.Empty() {
		t.Errorf("a second time %+v, %v", again, err)
	}
	for _, url := range append(append([]string{labelled}, samples...), addresses(lists)...) {
		if body := bodyOf(t, e.Workspace(), url); len(bytes.TrimSpace(body)) == 0 {
			t.Errorf("%s has lost its body", url)
		}
	}
	for _, id := range notices {
		if n, err := store.BodySize(e.Workspace(), id); err != nil || n == 0 {
			t.Errorf("notice %d has lost its body, %v", id, err)
		}
	}
	gone := 0
	for _, p := range before {
		if bodyOf(t, e.Workspace(), p.URL) == nil && p.Status == 200 {
			gone++
		}
	}
	if gone != did.Bodies {
		t.Errorf("%d bodies are gone of %d", gone, did.Bodies)
	}
	files, err := records.Documents(e.Workspace())
	if err != nil || len(files) != 2 {
		t.Fatal(files, err)
	}
	for _, f := range files {
		if old := strings.Contains(f.URL, "old"); old != (f.State == records.DocumentSkipped) || old != (f.File == "") {
			t.Errorf("%+v", f)
		} else if _, err := records.ReadDocument(e.Workspace().Dir(), f); !old && err != nil {
			t.Error(err)
		}
	}
	if left, err := filepath.Glob(filepath.Join(dir, records.AttachmentsFolder, "*", "*")); err != nil || len(left) != 1 {
		t.Errorf("files %v, %v", left, err)
	}
	if n := versionRows(t, e.Workspace()); n != 0 {
		t.Errorf("%d versions are left", n)
	}
	must(t, e.Words(ctx))
	after := exported[view.PageRow](t, e, "pages")
	for i := range after {
		if after[i].URL != before[i].URL || after[i].Score != before[i].Score || after[i].Aggregation != before[i].Aggregation || after[i].Label != before[i].Label {
			t.Fatalf("%+v became %+v", before[i], after[i])
		}
	}
	consistent(t, e)
	if events, err := e.Workspace().Decisions.Events(100); err != nil || len(events) != 0 {
		t.Errorf("%d events are left, %v", len(events), err)
	}
}

func addresses(rows []view.PageRow) (urls []string) {
	for _, r := range rows {
		urls = append(urls, r.URL)
	}
	return urls
}

// TestUndoneDecisionsAreKeptTogether drops no event that a kept one takes back.
func TestUndoneDecisionsAreKeptTogether(t *testing.T) {
	dir := created(t, nil)
	w, err := store.Open(dir)
	must(t, err)
	defer w.Close()
	do := func(key string) {
		must(t, errOf(w.Decisions.Do("li", message.Plain(key), store.Set(store.FirstTopic, "star", key, true))))
	}
	for _, key := range []string{"1", "2", "3"} {
		do(key)
	}
	cut := time.Now()
	if _, err := w.Decisions.Undo("li", func(*store.Standing) error { return nil }); err != nil { // of 3
		t.Fatal(err)
	}
	if n, _, err := archive.DropEvents(w, cut, false); err != nil || n != 2 {
		t.Errorf("%d events went, %v", n, err)
	}
	left, err := w.Decisions.Events(10)
	if err != nil || len(left) != 2 || left[0].Seq != 3 || left[1].Undoes != 3 {
		t.Errorf("%+v, %v", left, err)
	}
	if n, _, err := archive.DropEvents(w, time.Now().Add(time.Hour), false); err != nil || n != 2 {
		t.Errorf("%d events went, %v", n, err)
	}
	if stars, err := w.Decisions.Values(store.FirstTopic, "star"); err != nil || len(stars) != 2 {
		t.Errorf("%v are starred, %v", stars, err)
	}
}

// versionRows returns how many versions of notices are kept.
func versionRows(t *testing.T, w *store.Workspace) (n int) {
	t.Helper()
	err := w.View(func(tx sealed.Tx) error {
		return tx.Bucket(records.VersionsBucket).ForEach(func(_, _ []byte) error { n++; return nil })
	})
	must(t, err)
	return n
}
