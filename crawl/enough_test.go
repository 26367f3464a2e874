package crawl_test

import (
	"fmt"
	"net/http"
	"testing"

	"angler/crawl"
	"angler/crawl/demo/demotest"
	"angler/crawl/run"
	"angler/crawl/view"
	"angler/topic"
)

// A discovery stops at a share of the lists, says so, and the next one goes on to the end.
func TestUntilStopsAndGoesOn(t *testing.T) {
	if testing.Short() {
		t.Skip("crawls for some seconds; -short leaves it out")
	}
	b := openDemo(t, "", crawl.Options{By: "wang"})
	sampled(t, b, 3)
	s := discover(t, b.Runs, run.Options{Until: .5})
	x := s.Tally.Recall
	if s.Tally.End != view.Spent || s.End != "about 50 % of the lists are found" || x.Share < .5 || x.Waiting == 0 || x.Pages < 100 ||
		x.Lists+x.Near < 10 {
		t.Errorf("the run ended %s, %q, with %+v", s.Tally.End, s.End, x)
	}
	if n := demotest.Saying(b.Engine, "stopped: about", "of the lists are found"); n != 1 {
		t.Errorf("%d events tell of the end", n)
	}
	if again := b.Snapshot().Run.Recall; again != x {
		t.Errorf("the snapshot has %+v, the run %+v", again, x)
	}
	pages := b.Snapshot().Counts.Pages
	if s = discover(t, b.Runs); s.Tally.End != view.Through {
		t.Fatalf("the next run ended %s", s.Tally.End)
	}
	if now := b.Snapshot().Counts; now.Pages <= pages || now.Waiting > 0 {
		t.Errorf("the next run left %+v; %d pages were stored before", now, pages)
	}
}

// Without evidence nothing stops: a site with one page, and a topic without lists, are crawled to their end.
func TestUntilNeedsEvidence(t *testing.T) {
	for name, pages := range map[string]int{"one page": 0, "a topic without lists": 150} {
		t.Run(name, func(t *testing.T) {
			e, _ := demotest.Site(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				body := "<p>学校简介，建校一百年。</p>"
				if r.URL.Path == "/" {
					for i := range pages {
						body += fmt.Sprintf("<p><a href=/p%d.htm>%s</a></p>", i, demotest.Thing(i))
					}
				}
				demotest.Page(body+demotest.Thing(len(r.URL.Path)))(w, r)
			}), nil)
			defer demotest.Close(t, e)
			addSample(t, e.Topic, "http://a.test/")
			s := discover(t, e.Runs, run.Options{Until: .5})
			if s.Tally.End != view.Through || s.Pages < pages {
				t.Errorf("ended %s, %q with %d pages", s.Tally.End, s.End, s.Pages)
			}
			if x := s.Tally.Recall; !(x.Share >= 0 && x.Share <= 1) {
				t.Errorf("%+v", x)
			}
		})
	}
}

// Ten answers that the older ones knew change nothing; answers against the judge still pay.
func TestLabelsPay(t *testing.T) {
	if testing.Short() {
		t.Skip("crawls for some seconds; -short leaves it out")
	}
	b := crawledDemo(t, "", crawl.Options{By: "wang"}, 3)
	scores := b.Topic.Scores()
	top, _ := scores.Top(scores.Above(scores.Theta))
	low := scores.Between(0, scores.Theta/2, 20)
	give := func(ids []uint64, l topic.Label) {
		for _, id := range ids {
			must(t, b.Labels.SetLabel(id, l))
		}
	}
	give(top[:4], topic.Yes)
	give(low[:5], topic.No)
	if p, err := b.Labels.LabelsPay(); err != nil || p.Newest != 0 || p.Settled() {
		t.Errorf("nine answers: %+v, %v", p, err)
	}
	give(low[5:6], topic.No)
	if p, err := b.Labels.LabelsPay(); err != nil || p.Newest != 10 || p.Agree != 10 || !p.Settled() {
		t.Errorf("ten answers that the judge knew: %+v, %v", p, err)
	}
	give(low[6:10], topic.Yes)
	if p, err := b.Labels.LabelsPay(); err != nil || p.Newest != 10 || p.Agree > 6 || p.Settled() {
		t.Errorf("four answers against the judge: %+v, %v", p, err)
	}
}
