//go:build linux

package crawl_test

import (
	"runtime/metrics"
	"testing"

	"angler/crawl"
	"angler/crawl/decisions"
	"angler/topic"
)

// BenchmarkLabelsPay asks whether more labels pay, with the rule and with the learner as judge. A tenth of the pages, at
// most 1,000, has a label. It reports the time of a call, and how long a goroutine waits meanwhile that takes the lock of
// the index again and again, as a run does for every page.
//
//	export ANGLER_BENCH_PAGES=100000 ANGLER_BENCH_OPENED=/var/tmp/opened
//	go test ./crawl -run '^$' -bench LabelsPay -benchtime 20x -timeout 1h
func BenchmarkLabelsPay(b *testing.B) {
	e := opened(b, openedDir(b), crawl.Options{})
	_, err := e.Pages.Candidates(b.Context()) // waits for the scores
	must(b, err)
	_, pages := benchWeb(b)
	labelPages(b, e, min(pages/10, 1000))
	for _, judge := range []string{decisions.JudgeRule, decisions.JudgeLearner} {
		must(b, e.Topic.SetJudge(judge))
		b.Run(judge, func(b *testing.B) { askWhetherLabelsPay(b, e) })
	}
}

// labelPages labels the n pages with the highest scores: yes from θ on, else no.
func labelPages(b *testing.B, e *crawl.Engine, n int) {
	s := e.Topic.Scores()
	ids, values := s.Top(n)
	var rows []topic.LabelRow
	for i, id := range ids {
		u, err := e.Workspace().URL(id)
		must(b, err)
		l := topic.No
		if float64(values[i]) >= s.Theta {
			l = topic.Yes
		}
		rows = append(rows, topic.LabelRow{URL: u.URL, Label: l})
	}
	_, _, err := e.Labels.LabelURLs(rows, "many")
	must(b, err)
}

func askWhetherLabelsPay(b *testing.B, e *crawl.Engine) {
	waited := []metrics.Sample{{Name: "/sync/mutex/wait/total:seconds"}}
	metrics.Read(waited)
	before := waited[0].Value.Float64()
	for b.Loop() {
		e.Topic.Scores() // a screen shows them already
		asked := make(chan error)
		go func() {
			_, err := e.Labels.LabelsPay()
			asked <- err
		}()
		for asking := true; asking; {
			select {
			case err := <-asked:
				must(b, err)
				asking = false
			default:
				e.Indexed()
			}
		}
	}
	metrics.Read(waited)
	b.ReportMetric(1000*(waited[0].Value.Float64()-before)/float64(b.N), "waited-ms/op")
}
