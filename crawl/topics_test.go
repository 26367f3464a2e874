package crawl_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"angler/crawl/lab"
)

// P4's figure 3: several topics on one stored crawl, which is read once for all of them.
func TestLabComparesTopics(t *testing.T) {
	alone(t)
	b := crawled(t, 0)
	var tenders, news strings.Builder
	lists := map[string]bool{}
	for x := range b.Web().Truths() {
		switch {
		case x.Type != "list" || len(x.Records) < 10:
		case x.Tender:
			tenders.WriteString(x.URL + ",yes\n")
			lists[x.URL] = true
		default:
			tenders.WriteString(x.URL + ",no\n")
			news.WriteString(`{"url":"` + x.URL + `","label":"yes"}` + "\n")
		}
	}
	var topics []*lab.Topic
	for _, f := range []struct{ name, text string }{{"/a/b/tenders.csv", tenders.String()}, {"news.jsonl", news.String() + "nonsense\n"}} {
		x, problems, err := lab.ReadTopic(f.name, strings.NewReader(f.text))
		if err != nil {
			t.Fatal(err)
		}
		if want := strings.Count(f.text, "nonsense"); len(problems) != want {
			t.Errorf("%s: %d lines skipped, want %d", f.name, len(problems), want)
		}
		topics = append(topics, x)
	}
	read, ran := 0, map[string]int{}
	got, err := b.Lab.Topics(context.Background(), lab.Topics{Topics: topics, Strategies: []string{"bfs", "shark", lab.OracleName}, Draws: 2,
		Replay: lab.ReplayOptions{Progress: func(done, total int) {
			if done == total {
				read++
			}
		}},
		Report: func(topic string, _ lab.Progress) { ran[topic]++ }})
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != 2 || got[0].Topic != "tenders" || got[1].Topic != "news" {
		t.Fatalf("%d topics: %+v", len(got), got)
	}
	if read != 1 || ran["tenders"] != 6 || ran["news"] != 6 {
		t.Errorf("the pages were read %d times; %v runs", read, ran)
	}
	if n := got[0].Replay.Targets + got[0].Replay.Unreached + got[0].Replay.Unknown; n != len(lists) {
		t.Errorf("%d pages of the topic are told, %d were named", n, len(lists))
	}
	if got[0].Replay.Pages != got[1].Replay.Pages || got[0].Replay.Targets == got[1].Replay.Targets {
		t.Errorf("tenders %d of %d, news %d of %d pages", got[0].Replay.Targets, got[0].Replay.Pages, got[1].Replay.Targets, got[1].Replay.Pages)
	}
	for _, r := range got {
		rows := r.TopicRows()
		for i, row := range rows {
			for _, m := range []string{"0.1", "0.25", "0.5"} {
				if d := row.DriftAt[m]; math.Abs(d.Mean+row.HarvestAt[m]-1) > 1e-9 || d.Min > d.Mean || d.Mean > d.Max {
					t.Errorf("%s, %s at %s: drift %v beside a harvest rate of %v", r.Topic, row.Strategy, m, d, row.HarvestAt[m])
				}
			}
			if row.Topic != r.Topic || row.Targets != r.Replay.Targets || row.Every[len(row.Every)-1].Fetched != r.Replay.Pages {
				t.Errorf("row %d: %+v", i, row)
			}
		}
		if oracle, bfs := rows[2].DriftAt["0.1"].Mean, rows[0].DriftAt["0.1"].Mean; oracle >= bfs {
			t.Errorf("%s: the oracle drifts %.3f, breadth-first %.3f", r.Topic, oracle, bfs)
		}
	}
}

func TestTopicFilesThatNameNothing(t *testing.T) {
	for _, text := range []string{"", "http://a.cn/x.htm,no\n", "nonsense"} {
		if _, _, err := lab.ReadTopic("x.csv", strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), "labelled yes") {
			t.Errorf("%q: %v", text, err)
		}
	}
	b := crawled(t, 20)
	x, _, err := lab.ReadTopic("x.csv", strings.NewReader("http://nowhere.test/,yes\n"))
	if err != nil {
		t.Fatal(err)
	}
	_, err = b.Lab.Topics(context.Background(), lab.Topics{Topics: []*lab.Topic{x}, Strategies: []string{"bfs"}, Draws: 1})
	if err == nil || !strings.Contains(err.Error(), "topic x: none of the 1 target addresses is a stored page") {
		t.Errorf("error %v", err)
	}
}
