package page

import (
	"net/http"
	"net/http/httptest"
	"reflect"
	"testing"
	"time"

	"angler/crawl/article"
	"angler/crawl/webtest"
)

// pagesOfWeb returns at most most documents of a generated web.
func pagesOfWeb(t *testing.T, most int) (all []Source) {
	web, err := webtest.Demo(webtest.Options{Hosts: 6, Pages: most, Seed: 5})
	must(t, err)
	for truth := range web.Truths() {
		w := httptest.NewRecorder()
		web.ServeHTTP(w, httptest.NewRequest(http.MethodGet, truth.URL, nil))
		if w.Code == 200 && len(all) < most {
			all = append(all, Source{URL: truth.URL, ContentType: w.Header().Get("Content-Type"), Body: w.Body.Bytes()})
		}
	}
	return all
}

// Options.Notice gives the same notice as a parse with the notice's options, and leaves the page
// unchanged. While the host dependencies hold, another parse gives an equal notice.
func TestNoticeBesides(t *testing.T) {
	now := time.Date(2026, 11, 25, 9, 0, 0, 0, time.UTC)
	as := Announced{Method: article.MethodAuto, Title: "关于采购一批设备的公告", Date: article.Date{Time: now.AddDate(0, 0, -3), Precision: article.Day}}
	var host Boilerplate
	read, held, fell, learned := 0, 0, 0, 0
	all := pagesOfWeb(t, 300)
	type kept struct {
		src   Source
		heard HostDependencies
		was   *Notice
	}
	var before []kept
	for i, src := range all {
		plain, err := Parse(src, Options{Now: now, Host: host.Profile()})
		if err != nil {
			continue
		}
		opt := as.Options()
		opt.Now, opt.Host = now, host.Profile()
		alone := mustParse(t, src, opt)
		both := mustParse(t, src, Options{Now: now, Host: host.Profile(), Notice: &as})
		n := both.Notice
		if want := alone.AsNotice(); n.Title != want.Title || !reflect.DeepEqual(n.Date, want.Date) || n.Main != want.Main || n.MainMethod != want.MainMethod || !reflect.DeepEqual(n.Attachments, want.Attachments) {
			t.Fatalf("%s: as a notice besides\n%+v, alone\n%+v", src.URL, n, want)
		}
		if both.Notice = nil; !reflect.DeepEqual(both, plain) {
			t.Fatalf("%s: the page is another one", src.URL)
		}
		if !host.Profile().Holds(&n.HostDependencies) || n.HostDependencies.Truncated {
			t.Fatalf("%s: the new host dependencies do not hold", src.URL)
		}
		read++
		before = append(before, kept{src, n.HostDependencies, n})
		if i%2 == 0 {
			host.Learn(SampledPage{Key: uint64(i * 7919 % 301), ID: uint64(i)}, plain, nil)
			learned++
		}
	}
	for _, k := range before {
		again := mustParse(t, k.src, Options{Now: now, Host: host.Profile(), Notice: &as})
		n := again.Notice
		equal := n.Title == k.was.Title && n.Main == k.was.Main && reflect.DeepEqual(n.Date, k.was.Date) && reflect.DeepEqual(n.Attachments, k.was.Attachments)
		switch holds := host.Profile().Holds(&k.heard); {
		case holds && !equal:
			t.Fatalf("%s: the notice differs, and its host dependencies still hold", k.src.URL)
		case holds:
			held++
		default:
			fell++
		}
	}
	if read < 200 || held == 0 || fell == 0 {
		t.Errorf("%d pages read, %d learned from; of %d it holds, of %d not: all of that should have happened", read, learned, held, fell)
	}
}

// Truncated host dependencies never hold.
func TestTooManyHostDependencies(t *testing.T) {
	var p HostProfile
	h := &HostDependencies{}
	for i := range uint32(2 * MaxHostDependencies) {
		h.Lines[0] = append(h.Lines[0], i)
	}
	if h.normalize(); !h.Truncated || len(h.Lines[0]) != MaxHostDependencies || p.Holds(h) {
		t.Errorf("%d lines are written down, over %v, holds %v", len(h.Lines[0]), h.Truncated, p.Holds(h))
	}
}
