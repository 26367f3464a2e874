//go:build heavy

package crawl_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"angler/crawl"
	"angler/crawl/lab"
)

// TestDriftOverTopics measures P4 5.2, figures 2 and 3, on the demo web: the harvest rate
// of four link orders every 500 pages, and how far they drift from two topics. Each draw
// learns a topic from three of its pages. The topic drift rate is 1 − the harvest rate.
// See docs/papers.md.
func TestDriftOverTopics(t *testing.T) {
	alone(t)
	ctx := context.Background()
	b := openFull(t, "", crawl.Options{})
	sampled(t, b, 3)
	discover(t, b.Runs)
	must(t, b.Words(ctx))
	var tenders, others []string
	for x := range b.Web().Truths() {
		switch {
		case x.Type != "list":
		case x.Tender:
			tenders = append(tenders, x.URL)
		default:
			others = append(others, x.URL)
		}
	}
	strategies := []string{"shark", "hits", "block-shark", "learned"}
	for _, topic := range []struct {
		name  string
		pages []string
	}{{"tender lists", tenders}, {"other lists", others}} {
		file := filepath.Join(t.TempDir(), "topic")
		must(t, os.WriteFile(file, []byte(strings.Join(topic.pages, "\n")), 0o600))
		rule, err := lab.ParseTargetRule("file:" + file)
		must(t, err)
		replay, err := b.Lab.Replay(ctx, lab.ReplayOptions{Targets: rule, Samples: 3})
		must(t, err)
		t.Logf("%s: %d of %d pages within reach of the seeds, %d unreached, %d not stored", topic.name, replay.Targets, replay.Pages, replay.Unreached, replay.Unknown)
		rows, err := lab.Compare(ctx, lab.Plan{Strategies: strategies, Draws: 3, Graph: replay.Graph, Make: b.Lab.Strategy})
		must(t, err)
		drift := func(s *lab.Summary, pages int) lab.Spread {
			return s.Spread(func(c lab.Curve) float64 { return 1 - c.Harvest(pages) })
		}
		for _, s := range rows {
			var harvest []string
			for at := 500; at < s.Pages; at += 500 {
				harvest = append(harvest, fmt.Sprintf("%.3f", 1-drift(s, at).Mean))
			}
			d := drift(s, s.Pages/4)
			t.Logf("%s: harvest rate every 500 pages %s; drift rate after a quarter %.3f (%.3f … %.3f)", s.Strategy, strings.Join(harvest, ", "), d.Mean, d.Min, d.Max)
		}
		learned := drift(rows[3], rows[3].Pages/4).Mean
		for _, s := range rows[:3] {
			if d := drift(s, s.Pages/4).Mean; learned > d {
				t.Errorf("%s: after a quarter learned drifts %.3f, %s %.3f", topic.name, learned, s.Strategy, d)
			}
		}
	}
}
