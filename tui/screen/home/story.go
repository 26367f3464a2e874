package home

import (
	"cmp"
	"strings"

	"angler/crawl/auth"
	"angler/crawl/view"
	"angler/store/records"
	"angler/topic"
	"angler/tui/screen"
	"angler/tui/widget"
)

// step is one line of the story.
type step struct {
	name string
	at   int // its screen
	done func(*view.Snapshot) bool
	tell func(*screen.Shared, *view.Snapshot) string // what it holds
}

var steps = []step{
	{"seeds", crawl, func(s *view.Snapshot) bool { return s.Story.Seeds > 0 }, tellSeeds},
	{"sample the sites", samples, func(s *view.Snapshot) bool { return s.Counts.Pages > 0 && !probes(s) }, tellLook},
	{"samples", samples, func(s *view.Snapshot) bool { return s.Counts.Samples > 0 && s.TopicErr == "" }, tellSamples},
	{"threshold", threshold, func(s *view.Snapshot) bool {
		return s.Counts.Samples > 0 && s.TopicErr == "" && s.Counts.Aggregations > 0
	}, tellThreshold},
	{"harvest", harvest, func(s *view.Snapshot) bool { return s.Counts.Notices > 0 }, tellHarvest},
	{"teach", label, func(s *view.Snapshot) bool { return s.Learner.Ready }, tellTeach},
}

// The places in steps that follow names; reading stands below them, on the line
// of the day.
const (
	seedsStep = iota
	lookStep
	samplesStep
	thresholdStep
	harvestStep
	_
	dayLine
)

// kind says what enter does.
type kind uint8

const (
	going kind = iota // shows a screen
	probing
	harvesting
	reading
	nearing // lists what is due
	seeding
	deciding // takes the best judge
)

// next is the step that comes next.
type next struct {
	step   int // its place in steps, or dayLine
	kind   kind
	at     int // the screen of going
	action auth.Action
	does   string // in a few words
	why    string // in a sentence or two; %s is lists
	lists  int    // that why names; 0 = none
}

func goingTo(step, at int, does, why string) next {
	return next{step: step, at: at, action: auth.Own("next step"), does: does, why: why}
}

// unscheduled adds how the workspace is kept fresh, where nothing does so.
const unscheduled = "%s angler serve DIR --every 24h visits the lists by itself."

// probes reports whether a bounded look at the seeds is under way.
func probes(s *view.Snapshot) bool {
	return s.State != view.Idle && s.Task == view.Look && s.Bound > 0
}

// follow finds the next step; seen is the newest look for seeds whose proposals a person
// has looked at.
func follow(s *view.Snapshot, seen int) next {
	n := &s.Counts
	read := next{step: dayLine, kind: reading, action: auth.Own("read"), does: "read the newest notice",
		why: "Read the new notices. {yes} and {no} on a notice teach the program what you want."}
	if s.Story.Due > 0 {
		read.kind, read.does, read.why = nearing, "go to notices due soon",
			"Notices are due within 3 days: they come first, by their deadlines. {done} says of one that it is "+
				"done; when all are, {next_step} goes to the newest."
	}
	collect := next{step: harvestStep, kind: harvesting, action: auth.Harvest, does: "start the harvest",
		why: "The crawl visits the lists and fetches their new notices."}
	seeds := next{step: seedsStep, kind: seeding, at: crawl, action: auth.Own("next step"), does: "look for seeds",
		why: "A crawl begins at its seeds. Search the web for words of your topic, read a list of sites, or press " +
			"{seeds} on screen {screen_crawl} to type addresses."}
	if s.Story.Seeds > 0 || s.Proposed.Open > 0 {
		seeds.does, seeds.why = "look at the proposed seeds",
			"Hosts are proposed as seeds. Accept those that are worth a crawl, reject the others: a "+
				"rejected host is not proposed again."
	}
	watch := goingTo(lookStep, crawl, "watch the run",
		"A run is under way. Screen {screen_crawl} shows what it fetches; this page tells when it has ended.")
	if s.State != view.Idle {
		switch {
		case s.Task == view.Harvest && s.Story.Today > 0:
			return read
		case s.Task == view.Harvest:
			watch.step = harvestStep
			return watch
		case probes(s) && n.Pages > 0 && n.Samples == 0:
			return goingTo(samplesStep, samples, "choose samples",
				"The sites are still being sampled; choose from the pages that are there. Make the lists you want "+
					"samples with {sample}, two or three of them if you can.")
		case probes(s) || n.Pages == 0 || n.Samples > 0:
			return watch
		}
	}
	switch {
	case s.Story.Seeds == 0:
		return seeds
	case s.Proposed.New > 0 && s.Proposed.Round > seen:
		return seeds
	case n.Pages == 0 && n.Samples == 0:
		return next{step: lookStep, kind: probing, action: auth.Probe, does: "sample the sites",
			why: "A few pages of every seed are fetched, politely, so that there are lists to choose samples from."}
	case n.Samples == 0:
		return goingTo(samplesStep, samples, "choose samples",
			"Make two or three lists you want samples with {sample}: the words they share are the "+
				"topic. {screen_home} comes back here.")
	case s.TopicErr != "":
		return goingTo(samplesStep, samples, "look at the samples",
			"Nothing can be judged: the negative samples take all weight from the words of the samples. Take one "+
				"out with {negative} on screen {screen_samples}.")
	case n.Aggregations == 0 && n.Pages > 0 && !s.Unjudged():
		return goingTo(thresholdStep, threshold, "look at the threshold",
			"No page is as similar to the samples as θ asks. Lower it on screen {screen_threshold}, or press "+
				"{discovery} to bring more pages.")
	case s.Best.F1 > 0:
		return next{step: thresholdStep, kind: deciding, action: auth.Configure.As("next step"),
			does: "take the better judge",
			why: "Your labels agree better with another judge than with θ in force. {next_step} takes it, {undo} " +
				"undoes that."}
	case s.Story.Unvisited > 0 && n.Notices > 0 && !harvestedToday(s):
		collect.why, collect.lists = "%s accepted and not visited yet: {next_step} harvests them.", s.Story.Unvisited
		return collect
	case n.Notices == 0 || s.Story.Today == 0 && s.Story.Next.IsZero() && !harvestedToday(s):
		return collect
	}
	return read
}

// harvestedToday reports whether the last run was a harvest of this day, so that another one
// would bring nothing yet.
func harvestedToday(s *view.Snapshot) bool {
	return s.Last != nil && s.Last.Task == view.Harvest && s.Last.End == records.RunFinished &&
		view.Today(s.Last.Start, s.At)
}

func tellSeeds(sh *screen.Shared, s *view.Snapshot) string {
	proposed := ""
	if n := s.Proposed.Open; n > 0 {
		proposed = sh.F("%s proposed", sh.N(n, "host"))
	}
	if s.Story.Seeds == 0 {
		return joined(sh.T("none yet"), proposed)
	}
	return joined(sh.F("%s of %s", sh.N(s.Story.Seeds, "seed"), sh.N(s.Story.Sites, "host")), proposed)
}

func tellLook(sh *screen.Shared, s *view.Snapshot) string {
	if probes(s) {
		return screen.Probing(sh)
	}
	if s.Look != nil {
		return joined(amount(sh, s.Look.Pages, "page"), amount(sh, s.Look.Failures, "failed URL"))
	}
	return joined(amount(sh, s.Counts.Pages, "page"), amount(sh, s.Counts.Exception, "failed URL"))
}

func tellSamples(sh *screen.Shared, s *view.Snapshot) string {
	n := &s.Counts
	var out []string
	if n.Samples > 0 {
		out = append(out, strings.Repeat("●", min(n.Samples, 8))+" "+widget.Count(n.Samples))
	}
	if n.Negative > 0 {
		out = append(out, sh.N(n.Negative, "negative sample"))
	}
	return joined(append(out, screen.Advice(sh))...)
}

func tellThreshold(sh *screen.Shared, s *view.Snapshot) string {
	if n := s.Assistants; n > 0 { // first, because the rest of a line may be cut
		s := *s
		s.Assistants = 0
		return joined(sh.F("%s proposed by assistants", n), tellThreshold(sh, &s))
	}
	switch {
	case s.Counts.Samples == 0:
		return "–"
	case s.TopicErr != "":
		return sh.T("nothing can be judged")
	case s.Unjudged():
		return sh.Reading()
	case s.Learner.InUse:
		return joined(sh.T("learner decides"), sh.N(s.Counts.Aggregations, "list"))
	}
	theta := widget.Score(s.Theta, 3)
	if s.ThetaAuto {
		theta += sh.T(" auto")
	}
	return joined(sh.F("θ %s lets in %s", theta, sh.N(s.Counts.Aggregations, "list")), better(sh, s))
}

// better names the judge that agrees clearly better with the labels; "" if there is none.
func better(sh *screen.Shared, s *view.Snapshot) string {
	b := &s.Best
	switch f1, now := widget.Score(b.F1, 2), widget.Score(b.Now, 2); {
	case b.F1 == 0:
		return ""
	case b.Learner:
		return sh.F("your labels: learner F1 %s, now %s", f1, now)
	default:
		return sh.F("your labels: θ %s F1 %s, now %s", widget.Score(b.Theta, 3), f1, now)
	}
}

func tellHarvest(sh *screen.Shared, s *view.Snapshot) string {
	next := widget.Either(s.Story.Next.IsZero(), "", sh.F("next round %s", sh.When(s.Story.Next)))
	if s.Counts.Notices == 0 {
		return joined(next)
	}
	return joined(screen.Notices(sh.Lang, "notice", s.Counts.Notices, s.Counts.Copies), next)
}

func tellTeach(sh *screen.Shared, s *view.Snapshot) string {
	switch {
	case s.Learner.InUse:
		return joined(sh.N(s.Counts.Labels, "label"), sh.T("learner decides"))
	case s.Learner.Ready:
		return joined(sh.N(s.Counts.Labels, "label"), sh.T("enough for the learner"))
	}
	return joined(sh.F("%s of %s", s.Counts.Labels, sh.N(topic.MinLabels, "label")), sh.T("optional"))
}

// amount is a count with its noun; "" for none.
func amount(sh *screen.Shared, n int, noun string) string {
	if n == 0 {
		return ""
	}
	return sh.N(n, noun)
}

// joined joins the texts that are not empty; – if all are.
func joined(parts ...string) string { return cmp.Or(screen.Joined(parts...), "–") }
