package crawl_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"angler/crawl"
	"angler/store"
	"angler/store/config"
)

// brought stores notices of one host as a harvest does, and has them read.
func brought(t *testing.T, e *crawl.Engine, texts ...string) (ids []uint64) {
	t.Helper()
	w := e.Workspace()
	for i, text := range texts {
		address := fmt.Sprintf("http://ztb.taught.test/%d-%d.htm", w.Counts().URLs, i)
		if _, err := w.Seed([]string{address}); err != nil {
			t.Fatal(err)
		}
		id, ok := w.Lookup(address)
		if !ok {
			t.Fatalf("%s is not known", address)
		}
		n := &store.Notice{ID: id, URL: address, Title: fmt.Sprintf("第%d号显微镜采购招标公告", i), Text: text, FirstSeen: time.Unix(1_770_000_000, 0)}
		body := []byte("<p>" + text)
		c := &store.Capture{ID: id, State: store.Complete, Body: store.Compress(body), Notice: n,
			Page: &store.Page{URL: address, Status: 200, Hash: store.KeyOf(body), Fetched: n.FirstSeen}}
		if _, err := w.Commit(nil, []*store.Capture{c}); err != nil {
			t.Fatal(err)
		}
		ids = append(ids, id)
	}
	e.Facts.Again(ids)
	if err := e.Facts.Idle(context.Background()); err != nil {
		t.Fatal(err)
	}
	return ids
}

// saysOf is what a notice says of a field; "" is nothing.
func saysOf(t *testing.T, e *crawl.Engine, id uint64, field string) string {
	t.Helper()
	if err := e.Facts.Idle(context.Background()); err != nil {
		t.Fatal(err)
	}
	s, err := e.Facts.Said(id)
	if err != nil || s == nil {
		t.Fatalf("notice %d: %v, %v", id, s, err)
	}
	if v := s.Result.Of(field); len(v) > 0 {
		return v[0].Norm
	}
	return ""
}

func taughtWorkspace(t *testing.T) (string, *crawl.Engine) {
	t.Helper()
	dir := t.TempDir() + "/ws"
	set := config.Default()
	set.Seeds, set.Store.ExpectedURLs, set.Harvest.Fields = []string{"http://ztb.taught.test/"}, 1000, "tenders"
	if err := store.Create(dir, set); err != nil {
		t.Fatal(err)
	}
	e, err := crawl.Open(context.Background(), dir, crawl.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return dir, e
}

// A label that no field knows counts on a host whose notices agree on it, also after the
// workspace was closed and opened again, and on no other label.
func TestHostsTeachTheirLabels(t *testing.T) {
	dir, e := taughtWorkspace(t)
	var texts []string
	for _, school := range []string{"东湖大学", "南屏医科大学", "西山师范学院", "北岭理工大学"} {
		texts = append(texts, "华夏招标有限公司受"+school+"的委托，就显微镜采购项目进行公开招标。\n用货方："+school+"\n经办处：华夏招标有限公司\n显微镜 3 台。")
	}
	brought(t, e, texts...)
	next := brought(t, e, "用货方：白塔音乐学院\n琴房空调 12 台。", "出资方：白塔音乐学院\n琴房空调 12 台。")
	if got := saysOf(t, e, next[0], "buyer"); got != "白塔音乐学院" {
		t.Errorf("the host's label is not taken: %q", got)
	}
	if got := saysOf(t, e, next[1], "buyer"); got != "" {
		t.Errorf("a label that nobody has taught says %q", got)
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	e, err := crawl.Open(context.Background(), dir, crawl.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	more := brought(t, e, "用货方：东泽海洋大学\n教学船一艘。")
	if got := saysOf(t, e, more[0], "buyer"); got != "东泽海洋大学" {
		t.Errorf("opened again, the host's label is not taken: %q", got)
	}
}

// A correction teaches the label before the right value to the other notices of the
// host, those that came before and those that come, also to who reads beside; undone, it
// teaches nothing.
func TestCorrectionsTeach(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	dir, e := taughtWorkspace(t)
	defer e.Close()
	ids := brought(t, e, "用货方：东湖大学\n备款：92.28万元\n显微镜 3 台。", "用货方：西山学院\n备款：15万元\n显微镜 1 台。")
	for _, id := range ids {
		if got := saysOf(t, e, id, "budget"); got != "" {
			t.Fatalf("read without being taught: %q", got)
		}
	}
	if err := e.Facts.SetValue(ids[0], "budget", "92.28万"); err != nil {
		t.Fatal(err)
	}
	if got := saysOf(t, e, ids[0], "budget"); got != "922800" {
		t.Errorf("the corrected notice says %q", got)
	}
	if got := saysOf(t, e, ids[1], "budget"); got != "150000" {
		t.Errorf("the other notice of the host says %q", got)
	}
	later := brought(t, e, "备款：30万元\n显微镜 2 台。")
	if got := saysOf(t, e, later[0], "budget"); got != "300000" {
		t.Errorf("a later notice of the host says %q", got)
	}
	r, err := crawl.Open(context.Background(), dir, crawl.Options{Reading: true})
	if err != nil {
		t.Fatal(err)
	}
	if got := saysOf(t, r, later[0], "budget"); got != "300000" {
		t.Errorf("to who only reads, a later notice of the host says %q", got)
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := e.Topic.Undo(); err != nil {
		t.Fatal(err)
	}
	for _, id := range append(ids, later...) {
		if got := saysOf(t, e, id, "budget"); got != "" {
			t.Errorf("undone, notice %d still says %q", id, got)
		}
	}
}

// One corrected notice takes no label from the others of its host, however many values
// stand behind it. Two do; undone, the label means what it meant, though the notices had
// others agree meanwhile on what stands behind it.
func TestALabelIsGivenBack(t *testing.T) {
	_, e := taughtWorkspace(t)
	defer e.Close()
	texts := []string{"各包如下。<table><tr><td>包号<td>内容<td>预算金额（万元）<tr><td>1<td>显微镜<td>92.28<tr><td>2<td>离心机<td>15</table>"}
	for i := range 5 {
		texts = append(texts, fmt.Sprintf("预算金额：3%d万元\n最高限价：3%d万元\n显微镜 3 台。", i, i))
	}
	ids := brought(t, e, texts...)
	says := func(when string, want func(i int) string) {
		t.Helper()
		for i, id := range ids {
			if got := saysOf(t, e, id, "budget"); got != want(i) {
				t.Errorf("%s, notice %d says %q, want %q", when, i, got, want(i))
			}
		}
	}
	read := func(i int) string {
		if i == 0 {
			return "922800"
		}
		return fmt.Sprintf("3%d0000", i-1)
	}
	says("as read", read)
	corrects := func(id uint64) {
		t.Helper()
		if err := e.Facts.SetValue(id, "budget", ""); err != nil {
			t.Fatal(err)
		}
	}
	corrects(ids[0])
	says("one corrected", func(i int) string {
		if i == 0 {
			return ""
		}
		return read(i)
	})
	corrects(ids[1])
	says("two corrected", func(int) string { return "" })
	for range 2 {
		if _, err := e.Topic.Undo(); err != nil {
			t.Fatal(err)
		}
	}
	says("undone", read)
}
