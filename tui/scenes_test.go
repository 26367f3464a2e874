package tui

import (
	"sync"
	"time"

	"angler/crawl/decisions"
	"angler/crawl/view"
	"angler/topic"
	"angler/tui/tuitest"
)

// The moments of the invented web in the golden files.
var (
	bare     = scene(0, decided{}, nil)                                                                  // before the first crawl
	unjudged = scene(20, decided{}, func(s *view.Snapshot) { s.Story = view.Story{Seeds: 6, Sites: 3} }) // pages, and nothing decided
	sampled  = scene(400, decided{samples: marked}, inDiscovery)                                         // three samples, in the middle of a discovery
	labelled = scene(400, decided{samples: marked, labels: answers(16)}, afterwards)                     // and 16 answers of an analyst
	taught   = scene(400, decided{samples: marked, labels: answers(20), learner: true},                  // the learner decides
		afterwards)
	ruled    = scene(400, decided{samples: marked, rules: rules}, underRules) // rules over the frontier
	unwanted = scene(400, decided{samples: marked, negative: []uint64{128}},  // a negative sample
		afterwards)
)

// A discovery with remote workers, and one that waits for them.
var (
	crowded = scene(400, decided{samples: marked}, func(s *view.Snapshot) {
		inDiscovery(s)
		s.Machines = inventedWorkers()
	})
	lonely = scene(400, decided{samples: marked}, func(s *view.Snapshot) {
		inDiscovery(s)
		s.Machines = &view.Machines{Invite: "angler workers join nats://192.0.2.1:4222 --token-file FILE"}
	})
)

// between is the time between two runs: stored data are shown.
var between = scene(400, decided{samples: marked}, func(s *view.Snapshot) {
	inDiscovery(s)
	s.State, s.Task, s.Why, s.Busy, s.Rate, s.InFlight, s.Curve = view.Idle, "", "no run", 0, 0, nil, nil
	s.Counts.Processing, s.Counts.Waiting, s.Fetched = 0, len(s.Frontier), 0
	s.Last = inventedRun()
})

// The moments for Home.
var (
	seeded = scene(0, decided{}, func(s *view.Snapshot) { s.Story = view.Story{Seeds: 6, Sites: 3} })
	// samples were chosen after a look at the seeds
	unharvested = scene(20, decided{samples: marked}, func(s *view.Snapshot) {
		s.Story, s.Counts.Exception = view.Story{Seeds: 6, Sites: 3}, 47
	})
	// on schedule, with unread notices
	harvested = scene(400, decided{samples: marked, labels: answers(16)}, func(s *view.Snapshot) {
		s.Notices, s.Counts.Notices, s.Counts.Exception = inventedNotices(), 3102, 61
		s.Story = view.Story{Seeds: 6, Sites: 3, Today: 581, Broken: 1, Next: tuitest.Start.Add(5 * time.Hour)}
	})
)

// scene makes a moment on first use; pages are those beside the lists.
func scene(pages int, d decided, change func(*view.Snapshot)) func() *moment {
	return sync.OnceValue(func() *moment { return invent(pages, 0).at(d, change) })
}

var marked = []uint64{101, 102, 109}

// answers are the first n of an analyst who wants tender lists and is unsure about mixed ones.
func answers(n int) map[uint64]topic.Label {
	all := []struct {
		id    uint64
		label topic.Label
	}{
		{116, topic.No}, {268, topic.Yes}, {208, topic.No}, {133, topic.Yes}, {171, topic.No}, {142, topic.Yes}, {221, topic.Unsure}, {141, topic.Yes},
		{164, topic.No}, {118, topic.Yes}, {215, topic.No}, {117, topic.Yes}, {158, topic.No}, {126, topic.Yes}, {266, topic.No}, {125, topic.Yes},
		{188, topic.Yes}, {134, topic.Yes}, {197, topic.Unsure}, {110, topic.Yes},
	}
	out := map[uint64]topic.Label{}
	for _, a := range all[:n] {
		out[a.id] = a.label
	}
	return out
}

// afterwards is the discovery after a decision.
func afterwards(s *view.Snapshot) {
	inDiscovery(s)
	s.Counts.Complete = s.Counts.Pages
}

var rules = []decisions.Rule{
	{Pattern: `//www\.baita\.test/`, Action: decisions.Drop, By: "wang", At: tuitest.Start},
	{Pattern: `/c\d+5/`, Action: decisions.Boost, By: "wang", At: tuitest.Start},
}

func underRules(s *view.Snapshot) {
	afterwards(s)
	s.Frontier = steered(rules)
}
