package view

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"angler/crawl/revisit"
	"angler/message"
	"angler/store"
	"angler/store/records"
)

// This file defines each figure of a run once. Panes, the status line, Home, command status and metrics use these
// definitions.

// Tally holds the figures of one run. The zero value means no run.
//
//	fetched       ended fetches, whatever their result
//	missed        fetches without a page
//	errors        URLs that this run fetched and gave up, by cause;
//	              Counts.Exception covers all runs
//	to retry      URLs whose last fetch failed and that wait for the next
//	notices       addresses that show a notice. Minus the copies, they are
//	              the notices that people count: "21 notices (25 addresses)"
//	error rate    missed ÷ fetched
//	came home     the run's goal: lists found by a discovery, new notices
//	              of a harvest
//	harvest rate  came home ÷ fetched (P4 5.1, formula 5)
//	pace          fetches that ended in each second
//	rate          fetches per second: over the last ten seconds, or over an ended run
//
// Two figures are not here. The queue is Counts.Waiting: all addresses that wait for a fetch. "New" means first seen
// today, see Today; the inbox counts unread and Inbox.New since its reader's last look.
type Tally struct {
	Task      string
	End       RunEnd // "" while the run is active
	Began     time.Time
	Earlier   bool          // ended before the workspace was opened
	Took      time.Duration // since fetching began
	Fetched   int
	Unchanged int                       // of Fetched: known pages without a change
	Missed    int                       // fetches without a page
	Errors    []FailureGroup            // failed URLs by kind, most frequent first; see KindOf
	Reasons   map[store.FailureKind]int // failed URLs by cause; do not change
	Retries   int                       // URLs that wait for the next attempt
	Pages     int                       // pages stored since the run began
	Lists     int                       // aggregation pages gained since the run began
	// how far Lists fell from its maximum during the run: lists that no longer qualify
	Unlisted  int
	Visited   int               // of a harvest: lists done, with their further pages
	GaveUp    int               // of a harvest: lists given up after failures
	ToVisit   int               // of a harvest: all its lists
	NotDue    revisit.NotDue    // of a harvest: lists skipped as not due
	Notices   int               // notice addresses gained
	Copies    int               // of Notices: duplicate addresses, as far as compared
	Changed   int               // notices with a new version
	Withdrawn int               // notices withdrawn because their list no longer qualifies
	Unmatched int               // entries of visited lists whose titles do not match the patterns
	Patterns  string            // notice kind of these patterns; "" = an analyst's patterns, or unknown
	Recall    records.RunRecall // of a discovery: newest estimate of the lists found
	Lacking   int               // visited lists with content that could not be followed
	Blind     bool              // no page could be judged: no sample and no label
	Ahead     int               // known fetches still to come
	Open      bool              // Ahead may grow
	Bound     int               // the run ends after this many fetches; 0 = no limit
	Deadline  time.Time         // the run ends at this time; zero = no limit
	Pace      []int             // fetches in each of the last seconds, newest last, at most PaceSeconds
}

// PaceSeconds is the maximum length of Tally.Pace.
const PaceSeconds = 60

// RunEnd says how a run ended.
type RunEnd string

// The ends of a run.
const (
	Through RunEnd = "through" // the queue is empty
	Spent   RunEnd = "spent"   // the limit of fetches was reached
	Timed   RunEnd = "timed"   // the time limit was reached
	Stopped RunEnd = "stopped" // a person stopped it
	Failed  RunEnd = "failed"
	Killed  RunEnd = "killed" // the process died, see records.RunKilled
)

// Failed returns the number of failed URLs.
func (t *Tally) Failed() int {
	n := 0
	for _, e := range t.Errors {
		n += e.N
	}
	return n
}

// ErrorRate returns missed ÷ fetched, 0 … 1.
func (t *Tally) ErrorRate() float64 { return share(t.Missed, t.Fetched) }

// Home returns the yield: notices of a harvest, lists of a discovery.
func (t *Tally) Home() int {
	if t.Task == Harvest {
		return t.Notices
	}
	return t.Lists
}

// HarvestRate returns Home ÷ fetched, 0 … 1.
func (t *Tally) HarvestRate() float64 { return share(t.Home(), t.Fetched) }

// Rate returns fetches per second.
func (t *Tally) Rate() float64 {
	if t.End == "" && len(t.Pace) > 0 {
		return mean(t.Pace, rateSeconds)
	}
	if t.Took <= 0 {
		return 0
	}
	return float64(t.Fetched) / t.Took.Seconds()
}

// Pacing returns fetches per second over all of Pace; 0 if Pace is empty.
func (t *Tally) Pacing() float64 { return mean(t.Pace, PaceSeconds) }

// rateSeconds is long enough for a steady figure and short enough to follow changes.
const rateSeconds = 10

// Left returns the estimated time to the run's end; 0 means unknown. While Open it is a lower bound.
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

// ChangedAndWithdrawn continues a sentence about new notices: ", 3 changed" and ", 15 withdrawn: their list no
// longer qualifies". A count of 0 adds nothing.
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

func mean(pace []int, limit int) float64 {
	pace = pace[max(0, len(pace)-limit):]
	sum := 0
	for _, n := range pace {
		sum += n
	}
	if len(pace) == 0 {
		return 0
	}
	return float64(sum) / float64(len(pace))
}

// TallyOf converts a stored run, one that ended before the workspace was opened.
func TallyOf(r *records.Run) Tally {
	t := Tally{Task: r.Task, Began: r.Start, Earlier: true, Took: time.Duration(r.Took * float64(time.Second)),
		Fetched: r.Fetched, Unchanged: r.Unchanged, Missed: r.Missed, Errors: Kinds(r.Kinds),
		Retries: r.Retries, Pages: r.Pages,
		Lists: r.Lists, Visited: r.Visited, ToVisit: r.Visited, Notices: r.Notices, Changed: r.Changed,
		Withdrawn: r.Withdrawn, Lacking: r.Lacking, Unmatched: r.Unmatched, Blind: r.Blind,
		NotDue: revisit.NotDue{N: r.NotDue, Next: r.NextDue}}
	switch r.End {
	case "":
	case records.RunFinished:
		t.End = Through
	case records.RunKilled:
		t.End = Killed
	case records.RunStopped:
		t.End = Stopped
	default:
		t.End = Failed
	}
	return t
}

// Take copies the figures of a run into the snapshot.
func (s *Snapshot) Take(t Tally) {
	s.Run = t
	s.Fetched, s.Bound, s.Rate = t.Fetched, t.Bound, t.Rate()
	s.HarvestRate, s.ErrorRate = t.HarvestRate(), t.ErrorRate()
}

// idleAfter is the pause before a screen explains idleness: a polite crawl often waits.
const idleAfter = 5 * time.Second

// WhyIdle returns why no page comes in; "" while pages come in, even with waits for hosts between them.
func (s *Snapshot) WhyIdle() string {
	if s.Patient && s.At.Sub(s.Moved) < idleAfter {
		return ""
	}
	return s.Why
}

// Progress is the progress of a run or job, with the estimated time left.
type Progress struct {
	Done, Total int           // Total 0 = unknown
	Lists       bool          // counts lists; else fetches or units of a job
	Open        bool          // Total may grow
	Left        time.Duration // 0 = unknown
}

// Progress returns the progress of the active run; false means no run.
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

// Progress extrapolates Left from the elapsed time.
func (j *Job) Progress(now time.Time) Progress {
	p := Progress{Done: j.Done, Total: j.Total}
	if j.Done > 0 && j.Total > j.Done && !j.Since.IsZero() {
		p.Left = time.Duration(float64(now.Sub(j.Since)) * float64(j.Total-j.Done) / float64(j.Done))
	}
	return p
}

// Today reports whether at falls on the present day of the local calendar; it defines "new".
func Today(at, now time.Time) bool {
	return !at.IsZero() && at.Local().Format(time.DateOnly) == now.Local().Format(time.DateOnly)
}

// The kinds of errors, by remedy.
const (
	Gone        = "gone"        // no such page: 404, 410, or an error page with status 200
	Refused     = "refused"     // the host refuses us or asks for a login: 401, 403, 429 …
	Faulty      = "faulty"      // server errors: 500 and above, or a page that says so
	Unreachable = "unreachable" // no answer, or an unreadable one
	Barred      = "barred"      // forbidden by robots.txt or our own rules
	NoPage      = "no page"     // the reply is not a page
)

// KindOf returns the error kind of a failure.
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
	case store.FailedBusy:
		return Faulty
	case store.FailedNoPage, store.FailedRecipe, store.FailedSitemap:
		return NoPage
	case store.FailedRobots, store.FailedGuard, store.FailedBadURL, store.FailedRedirect:
		return Barred
	}
	return Unreachable
}

// Urgent reports whether an error kind needs a person. Other errors are normal, or retried automatically.
func Urgent(kind string) bool { return kind == Refused }

// Kinds sums failure counts by error kind, most frequent first.
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
