package view

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"angler/crawl/revisit"
	"angler/message"
	"angler/store"
	"angler/store/runs"
)

// This file defines the figures of a run, each once. Panes, the status line, Home,
// the status of commands and the metrics all take them from here.

// Tally is what one run has done, so far or in all. The zero value is no run.
//
//	fetched       attempts: fetches that ended, whatever came of them
//	missed        attempts that brought no page
//	errors        failed URLs: those that this run asked for and gave up, by what went wrong.
//	              Counts.Exception are those of all runs
//	to retry      URLs whose last attempt failed and that wait for their next one
//	notices       addresses that show a notice; less the copies, further addresses of the
//	              same, they are the notices that people count: "21 notices (25 addresses)"
//	error rate    missed ÷ fetched
//	came home     what the run is for: lists that a discovery has found, notices
//	              that are new of a harvest
//	harvest rate  came home ÷ fetched (P4 5.1, formula 5)
//	pace          fetches that ended in each second
//	rate          fetches a second: over the last ten seconds, of an ended run in all
//
// What is no figure of a run: the queue is Counts.Waiting, all addresses that wait to be
// fetched; what is new was first seen today, see Today. (The inbox tells besides what came
// since its reader has looked, as unread and as Inbox.New.)
type Tally struct {
	Task      string
	End       RunEnd // "" while the run goes on
	Began     time.Time
	Earlier   bool          // it ended before the workspace was opened
	Took      time.Duration // since the fetching began
	Fetched   int
	Unchanged int                       // of them: known pages that were as before
	Missed    int                       // fetches that brought no page
	Errors    []FailureGroup            // failed URLs by kind, see KindOf; the most frequent first
	Reasons   map[store.FailureKind]int // failed URLs by what failed them; not to be changed
	Retries   int                       // URLs that wait for their next try
	Pages     int                       // known now and not when the run began
	Lists     int                       // aggregation pages that were none when the run began
	Unlisted  int                       // by how many Lists was larger during the run: they no longer qualify
	Visited   int                       // of a harvest's lists, how many have been visited; the pages behind a list count with it
	GaveUp    int                       // of them, how many were not to be had
	ToVisit   int                       // all lists of a harvest
	NotDue    revisit.NotDue            // of a harvest
	Notices   int                       // addresses that came to show a notice
	Copies    int                       // of Notices: further addresses of others, as far as they were compared
	Changed   int                       // notices that say something else than before
	Withdrawn int                       // notices that are none any more: their list no longer qualifies
	Unmatched int                       // entries of the visited lists whose titles do not match the patterns
	Patterns  string                    // the kind of notices that these choose; "" = an analyst's own, or unknown
	Lacking   int                       // lists that show more than could be followed, of those that were visited
	Blind     bool                      // nothing could be judged: there was no sample and no label
	Ahead     int                       // fetches that are still to come, as far as is known
	Open      bool                      // more may become known
	Bound     int                       // fetches after which the run ends by itself; 0 = none
	Deadline  time.Time                 // when it ends by itself; zero = never
	Pace      []int                     // of the last seconds, at most PaceSeconds, the newest last
}

// PaceSeconds is how many seconds Tally.Pace holds.
const PaceSeconds = 60

// RunEnd says how a run came to its end.
type RunEnd string

// The ends of a run.
const (
	Through RunEnd = "through" // nothing is left
	Spent   RunEnd = "spent"   // its bound of fetches was reached
	Timed   RunEnd = "timed"   // its time was up
	Stopped RunEnd = "stopped" // a person stopped it
	Failed  RunEnd = "failed"
	Killed  RunEnd = "killed" // its process ended without a word, see runs.Killed
)

// Failed counts the URLs that failed.
func (t *Tally) Failed() int {
	n := 0
	for _, e := range t.Errors {
		n += e.N
	}
	return n
}

// ErrorRate is the share of the fetches that brought no page, 0 … 1.
func (t *Tally) ErrorRate() float64 { return share(t.Missed, t.Fetched) }

// Home is what the run has brought of what it is for.
func (t *Tally) Home() int {
	if t.Task == Harvest {
		return t.Notices
	}
	return t.Lists
}

// HarvestRate is what came home ÷ fetched, 0 … 1.
func (t *Tally) HarvestRate() float64 { return share(t.Home(), t.Fetched) }

// Rate is fetches a second.
func (t *Tally) Rate() float64 {
	if t.End == "" && len(t.Pace) > 0 {
		return mean(t.Pace, rateSeconds)
	}
	if t.Took <= 0 {
		return 0
	}
	return float64(t.Fetched) / t.Took.Seconds()
}

// Pacing is fetches a second over all that is known of the run's pace, 0 … PaceSeconds
// seconds; 0 before the first of them.
func (t *Tally) Pacing() float64 { return mean(t.Pace, PaceSeconds) }

// rateSeconds are long enough for a number that can be read, and short enough to
// follow what happens.
const rateSeconds = 10

// Left is how long the run still takes; 0 = that cannot be told. It is at least so
// long while Open.
func (t *Tally) Left(now time.Time) time.Duration {
	var left time.Duration
	if pace := t.Pacing(); pace > 0 && t.Ahead > 0 {
		left = time.Duration(float64(t.Ahead) / pace * float64(time.Second))
	}
	if !t.Deadline.IsZero() {
		if till := max(0, t.Deadline.Sub(now)); left == 0 || till < left {
			left = till
		}
	}
	return left
}

// ChangedAndWithdrawn follows a number of new notices in a sentence: ", 3 changed" and
// ", 15 withdrawn: their list no longer qualifies". A count of 0 adds nothing.
func ChangedAndWithdrawn(changed, withdrawn int) message.Text {
	switch {
	case changed > 0 && withdrawn > 0:
		return message.Of(", %d changed, %d withdrawn: their list no longer qualifies", changed, withdrawn)
	case changed > 0:
		return message.Of(", %d changed", changed)
	case withdrawn > 0:
		return message.Of(", %d withdrawn: their list no longer qualifies", withdrawn)
	}
	return ""
}

func share(part, whole int) float64 {
	if whole == 0 {
		return 0
	}
	return min(1, float64(part)/float64(whole))
}

func mean(pace []int, most int) float64 {
	pace = pace[max(0, len(pace)-most):]
	sum := 0
	for _, n := range pace {
		sum += n
	}
	if len(pace) == 0 {
		return 0
	}
	return float64(sum) / float64(len(pace))
}

// TallyOf is what a run of the history has done: one of before the opening.
func TallyOf(r *runs.Row) Tally {
	t := Tally{Task: r.Task, Began: r.Start, Earlier: true, Took: time.Duration(r.Took * float64(time.Second)), Fetched: r.Fetched, Unchanged: r.Unchanged, Missed: r.Missed, Errors: Kinds(r.Kinds), Retries: r.Retries, Pages: r.Pages,
		Lists: r.Lists, Visited: r.Visited, ToVisit: r.Visited, Notices: r.Notices, Changed: r.Changed, Withdrawn: r.Withdrawn, Lacking: r.Lacking, Unmatched: r.Unmatched, Blind: r.Blind, NotDue: revisit.NotDue{N: r.NotDue, Next: r.NextDue}}
	switch r.End {
	case "":
	case runs.Finished:
		t.End = Through
	case runs.Killed:
		t.End = Killed
	case runs.Stopped:
		t.End = Stopped
	default:
		t.End = Failed
	}
	return t
}

// Take fills what a snapshot tells of a run.
func (s *Snapshot) Take(t Tally) {
	s.Run = t
	s.Fetched, s.Bound, s.Rate = t.Fetched, t.Bound, t.Rate()
	s.HarvestRate, s.ErrorRate = t.HarvestRate(), t.ErrorRate()
}

// idleAfter is how long nothing may come before anybody is told why: a polite crawl
// waits all the time.
const idleAfter = 5 * time.Second

// WhyIdle is why nothing moves; "" while pages come in, waits for hosts between them
// or not.
func (s *Snapshot) WhyIdle() string {
	if s.Patient && s.At.Sub(s.Moved) < idleAfter {
		return ""
	}
	return s.Why
}

// Progress is how far work has come, and how long it still takes.
type Progress struct {
	Done, Total int           // Total 0 = not known
	Lists       bool          // counts lists; otherwise fetches, or what a job counts
	Open        bool          // the total may grow
	Left        time.Duration // 0 = that cannot be told
}

// Progress is that of the run under way; false when there is none.
func (s *Snapshot) Progress() (Progress, bool) {
	t := &s.Run
	if s.Task == "" || t.End != "" {
		return Progress{}, false
	}
	p := Progress{Done: t.Fetched, Total: t.Fetched + t.Ahead, Open: t.Open, Left: t.Left(s.At)}
	if t.Task == Harvest && t.ToVisit > 0 {
		p.Done, p.Total, p.Lists, p.Open = t.Visited+t.GaveUp, t.ToVisit, true, false
	}
	if s.State != Running {
		p.Left = 0
	}
	return p, true
}

// Progress is that of a job; Left follows from how long it took so far.
func (j *Job) Progress(now time.Time) Progress {
	p := Progress{Done: j.Done, Total: j.Total}
	if j.Done > 0 && j.Total > j.Done && !j.Since.IsZero() {
		p.Left = time.Duration(float64(now.Sub(j.Since)) * float64(j.Total-j.Done) / float64(j.Done))
	}
	return p
}

// Today reports whether something that was first seen at a time counts as new: it
// came on the present day of the local calendar.
func Today(at, now time.Time) bool {
	return !at.IsZero() && at.Local().Format(time.DateOnly) == now.Local().Format(time.DateOnly)
}

// The kinds of errors, by what can be done about them.
const (
	Gone        = "gone"        // there is no page: 404, 410, an error page with status 200
	Refused     = "refused"     // the host does not want us, or wants a login: 401, 403, 429 …
	Faulty      = "faulty"      // the host fails: 500 and above
	Unreachable = "unreachable" // nothing answers, or nothing that can be read
	Barred      = "barred"      // robots.txt or our own rules keep us away
	NoPage      = "no page"     // what came is none
)

// KindOf is the kind of a failure by what can be done about it.
func KindOf(f store.FailureKind) string {
	switch code := f.Status(); {
	case code == 404 || code == 410:
		return Gone
	case code == 401 || code == 403 || code == 407 || code == 429 || code == 451:
		return Refused
	case code >= 500:
		return Faulty
	case code != 0:
		return NoPage
	}
	switch f {
	case store.FailedSoft404, store.FailedRow:
		return Gone
	case store.FailedCaptcha:
		return Refused
	case store.FailedNoPage, store.FailedRecipe, store.FailedSitemap:
		return NoPage
	case store.FailedRobots, store.FailedGuard, store.FailedBadURL, store.FailedRedirect:
		return Barred
	}
	return Unreachable
}

// Urgent reports whether a kind of error needs a person: the rest is in the nature of
// the web, or is tried again without anybody.
func Urgent(kind string) bool { return kind == Refused }

// Kinds puts counts of failures together by what can be done about them, the most
// frequent first.
func Kinds[K ~string](reasons map[K]int) []FailureGroup {
	sums := map[string]int{}
	for reason, n := range reasons {
		sums[KindOf(store.FailureKind(reason))] += n
	}
	var out []FailureGroup
	for kind, n := range sums {
		if n > 0 {
			out = append(out, FailureGroup{Reason: kind, N: n})
		}
	}
	slices.SortFunc(out, func(a, b FailureGroup) int { return cmp.Or(b.N-a.N, strings.Compare(a.Reason, b.Reason)) })
	return out
}
