package webtest

import (
	"bytes"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// demo makes a web of the repository's material.
func demo(t testing.TB, o Options) *Web {
	t.Helper()
	w, err := Demo(o)
	must(t, err)
	return w
}

func TestSameSeedSameWeb(t *testing.T) {
	a, b, c := demo(t, Options{Seed: 1}), demo(t, Options{Seed: 1}), demo(t, Options{Seed: 2})
	differ := 0
	for truth := range a.Truths() {
		host, path := split(truth.URL)
		pa, pb, pc := a.Page(host, path), b.Page(host, path), c.Page(host, path)
		if !bytes.Equal(pa.Body, pb.Body) || pa.ETag != pb.ETag {
			t.Fatalf("%s differs between two webs of one seed", truth.URL)
		}
		if !bytes.Equal(pa.Body, pc.Body) {
			differ++
		}
	}
	if n := a.Len(); differ < n*99/100 {
		t.Errorf("with another seed only %d of %d pages differ", differ, n)
	}
}

func TestDemoIsTheWebThatWasAskedFor(t *testing.T) {
	w := demo(t, Options{Seed: 1})
	if n := len(w.Hosts()); n < 12 || n > 18 {
		t.Errorf("%d hosts, want 12 to 18", n)
	}
	if n := len(w.Seeds()); n < 6 {
		t.Errorf("%d universities, want at least 6", n)
	}
	pages, size, gbk, hubs := map[string]int{}, map[string]int{}, map[string]bool{}, map[string]int{}
	total, tenders, tenderHosts, withTable := 0, map[string]int{}, 0, 0
	for truth := range w.Truths() {
		host, path := split(truth.URL)
		total++
		pages[host]++
		res := w.Page(host, path)
		if truth.Type != "other" {
			size[truth.Type] += len(res.Body)
			hubs[truth.Type]++
		}
		if truth.Charset == "gb18030" && truth.Type == "hub" {
			gbk[host] = true
			if res.ContentType != "text/html" {
				t.Errorf("%s: Content-Type %q gives the charset away", truth.URL, res.ContentType)
			}
		}
		if truth.Tender && truth.Type == "detail" {
			tenders[host]++
			if strings.Contains(truth.Text, "\t") {
				withTable++
			}
		}
	}
	if total != w.Len() {
		t.Errorf("Truths yields %d pages, Len says %d", total, w.Len())
	}
	if total < 2200 || total > 3700 {
		t.Errorf("%d pages in all", total)
	}
	if n := len(gbk); n < len(pages)*2/5 || n > len(pages)*3/5 {
		t.Errorf("%d of %d hosts in GBK, want about half", n, len(pages))
	}
	sum := 0
	for host, n := range tenders {
		sum += n
		if n >= 30 {
			tenderHosts++
		}
		if pages[host]-n < 100 {
			t.Errorf("%s: only %d pages beside its tenders", host, pages[host]-n)
		}
	}
	if tenderHosts < 6 || withTable < sum/4 || withTable > sum*9/10 {
		t.Errorf("%d hosts with 30 tender notices or more; %d notices, %d with a table", tenderHosts, sum, withTable)
	}
	for kind, n := range hubs {
		if mean := size[kind] / n; mean < 7_000 || mean > 16_000 {
			t.Errorf("a %s page has %d bytes on average", kind, mean)
		}
	}
	t.Logf("%d pages, %d tender notices on %d hosts, page counts %v", total, sum, len(tenders), pages)
}

// A million pages must cost the memory of their hosts only.
func TestAnySize(t *testing.T) {
	for _, c := range []struct {
		name         string
		pages, hosts int
		megabytes    uint64
	}{
		{"one host", 120, 1, 1},
		{"ten thousand pages", 10_000, 20, 1},
		{"a million pages", 1_000_000, 0, 1},
		{"a million pages on many hosts", 1_000_000, 4_000, 8},
	} {
		t.Run(c.name, func(t *testing.T) {
			fsys, err := FindMaterial()
			must(t, err)
			m, err := Load(fsys)
			must(t, err)
			var before, after runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&before)
			w, err := New(m, Options{Seed: 7, Pages: c.pages, Hosts: c.hosts})
			must(t, err)
			runtime.GC()
			runtime.ReadMemStats(&after)
			if used := (max(after.HeapAlloc, before.HeapAlloc) - before.HeapAlloc) >> 20; used > c.megabytes {
				t.Errorf("the web holds %d MB", used)
			}
			if n := w.Len(); n < c.pages*97/100 || n > c.pages*103/100+10 {
				t.Errorf("%d pages, asked for %d", n, c.pages)
			}
			if c.hosts > 0 && len(w.Hosts()) != c.hosts {
				t.Errorf("%d hosts, asked for %d", len(w.Hosts()), c.hosts)
			}
			rng := random(99)
			for range 500 { // any page, found by its address alone
				h := w.hosts[rng.below(len(w.hosts))]
				col := rng.below(len(h.plan.columns))
				pg := ref{kind: kindDetail, col: col, n: rng.below(h.plan.columns[col].items)}
				path := string(h.appendPath(nil, pg, 0))
				got, ok := h.find(path, "", 0)
				if !ok || got != pg {
					t.Fatalf("%s/%s found as %v, want %v", h.addr, path, got, pg)
				}
				if res := w.Page(h.addr, "/"+path); res.Status != 200 || len(res.Body) < 4000 {
					t.Fatalf("%s/%s: status %d, %d bytes", h.addr, path, res.Status, len(res.Body))
				}
			}
			runtime.KeepAlive(w)
		})
	}
}

func TestDatesFallDownAList(t *testing.T) {
	w := demo(t, Options{Seed: 3, Pages: 30_000, Hosts: 3})
	for _, h := range w.hosts {
		for col := range h.plan.columns {
			for j := 1; j < h.plan.columns[col].items+5; j++ {
				if h.itemTime(col, j).Before(h.itemTime(col, j-1)) {
					t.Fatalf("%s column %d: item %d is older than item %d", h.addr, col, j, j-1)
				}
			}
		}
	}
}

func TestPublish(t *testing.T) {
	w := demo(t, Options{Seed: 1})
	addr := w.Hosts()[1] // a VSB tender office
	list, _ := w.Truth("http://" + addr + "/zbgg.htm")
	standing, _ := w.Truth(list.Records[3].URL)
	host, path := split(standing.URL)
	before := w.Page(host, path)
	count := w.Len()
	_, listPath := split(list.URL)
	oldTag := w.Page(host, listPath).ETag

	w.Publish(2)
	now, _ := w.Truth("http://" + addr + "/zbgg.htm")
	if !slices.Equal(now.Records[2:], list.Records[:len(list.Records)-2]) {
		t.Error("the list did not move down by the two new records")
	}
	if now.Records[0].Date < list.Records[0].Date || now.Records[0].Title == list.Records[0].Title {
		t.Errorf("the newest record is %+v after %+v", now.Records[0], list.Records[0])
	}
	if w.Page(host, listPath).ETag == oldTag {
		t.Error("the list kept its entity tag")
	}
	if after := w.Page(host, path); after.ETag != before.ETag || !bytes.Equal(after.Body, before.Body) {
		t.Error("a standing notice changed")
	}
	fresh, ok := w.Truth(now.Records[0].URL)
	if !ok || fresh.Type != "detail" || !fresh.Tender {
		t.Errorf("the published notice: %+v, %v", fresh, ok)
	}
	if w.Len() < count+2*len(w.Hosts()) {
		t.Errorf("%d pages after %d", w.Len(), count)
	}
}

func TestOptionsOutOfRange(t *testing.T) {
	for name, o := range map[string]Options{
		"negative hosts": {Hosts: -1}, "too many hosts": {Hosts: 100_001}, "negative pages": {Pages: -5},
		"too many pages on one host": {Pages: 2_000_000_000, Hosts: 1},
	} {
		if _, err := Demo(o); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}

// Words must tell tender lists from the others, and not by one word alone.
func TestTopicsDifferAndOverlap(t *testing.T) {
	w := demo(t, Options{Seed: 1})
	marks := []string{"招标", "中标", "采购", "询价", "成交", "磋商", "谈判", "比选", "遴选", "竞价", "流标", "废标", "单一来源", "更正", "评标", "论证"}
	var tender, tenderMarked, other, otherMarked, mixed int
	for truth := range w.Truths() {
		share := 0
		for _, r := range truth.Records {
			marked := slices.ContainsFunc(marks, func(m string) bool { return strings.Contains(r.Title, m) })
			if r.Tender {
				share++
				tender++
				if marked {
					tenderMarked++
				}
			} else {
				other++
				if marked {
					otherMarked++
				}
			}
		}
		if share > 0 && share < len(truth.Records) {
			mixed++
		}
	}
	if tenderMarked < tender*95/100 {
		t.Errorf("%d of %d tender titles say so", tenderMarked, tender)
	}
	if otherMarked == 0 || otherMarked > other/10 {
		t.Errorf("%d of %d other titles speak of tenders", otherMarked, other)
	}
	if mixed < 10 {
		t.Errorf("%d mixed lists", mixed)
	}
}

// split cuts an address of the web into host and path with query.
func split(address string) (host, path string) {
	host, path, _ = strings.Cut(strings.TrimPrefix(address, "http://"), "/")
	return host, "/" + path
}

func BenchmarkRender(b *testing.B) {
	w := demo(b, Options{Seed: 1, Pages: 1_000_000})
	for _, c := range []struct {
		name string
		kind kind
		host string
	}{
		{"list/vsb-utf8", kindList, "www.donghu.test"}, {"list/vsb-gbk", kindList, "zbb.donghu.test"},
		{"list/webplus-utf8", kindList, "cgzx.jiangting.test"}, {"list/webplus-gbk", kindList, "ztb.linlan.test"},
		{"detail/vsb-utf8", kindDetail, "www.donghu.test"}, {"detail/vsb-gbk", kindDetail, "zbb.donghu.test"},
		{"detail/webplus-utf8", kindDetail, "cgzx.jiangting.test"}, {"detail/webplus-gbk", kindDetail, "ztb.linlan.test"},
	} {
		h := w.byAddr[c.host]
		paths := make([]string, 997)
		for i := range paths {
			pg := ref{kind: c.kind, col: i % len(h.plan.columns), n: 2 + i*7%50}
			paths[i] = string(h.appendPath(nil, pg, h.plan.columns[pg.col].items))
		}
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			r := new(renderer)
			size := 0
			for i := range b.N {
				res := w.respond(r, c.host, paths[i%len(paths)], "")
				if res.Status != 200 {
					b.Fatal(fmt.Sprint(res.Status, paths[i%len(paths)]))
				}
				size += len(res.Body)
			}
			b.ReportMetric(float64(size)/float64(b.N), "B/page")
		})
	}
}
