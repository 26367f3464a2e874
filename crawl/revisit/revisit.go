// Package revisit decides when to fetch a page or a host again.
//
// History, about 30 bytes per page, records how often a page changed (P2, incremental crawling), and
// week, about 120 bytes per list, when its notices appear. A page that changes often is visited
// often, within the bounds of its kind, and a list in the hours of its notices. One visit is little
// evidence, so an interval first grows by a bounded factor at a time; it may shrink at once. Every
// function of a History is pure: it reads no clock.
//
// HostMonitor distinguishes three failures that look alike in one request: of a page, a ban by the
// host, and a network outage. Several consecutive refusals of one host are a ban. Several
// unreachable hosts without a response in between are an outage, which one request to a host that
// responded before confirms. In both cases the monitor hands back the URLs that led to the verdict,
// so that they are not penalized. A report costs some hundred nanoseconds; memory is bounded.
//
// P0 … P4: see docs/papers.md.
package revisit

import (
	"cmp"
	"fmt"
	"math"
	"time"
)

// Kind is the kind of a page for the schedule.
type Kind uint8

// The kinds. Aggregation pages show new notices and are visited at least daily.
const (
	Other Kind = iota
	Aggregation
)

// Bounds are the shortest and the longest interval between two visits.
type Bounds struct {
	Min, Max time.Duration // 0 < Min ≤ Max ≤ maxInterval
}

// maxInterval is the longest interval in settings, and the longest that counts as one comparison.
const maxInterval = 365 * 24 * time.Hour

// Settings configures the revisit intervals.
type Settings struct {
	Aggregation, Other Bounds
	Chance             float64        // wanted chance that a visit finds a change, inside (0, 1): higher means rarer visits
	Growth             float64        // maximum factor between consecutive intervals, > 1
	All                *weeks         // the hours of all lists; nil = unknown
	Zone               *time.Location // where lists are assumed to keep office hours; nil = UTC
}

// Default returns 1 h … 24 h for aggregation pages, 6 h … 30 d for others, and a chance of .5 that
// a visit finds a change.
func Default() Settings {
	return Settings{
		Aggregation: Bounds{time.Hour, 24 * time.Hour},
		Other:       Bounds{6 * time.Hour, 30 * 24 * time.Hour},
		Chance:      0.5,
		Growth:      2,
	}
}

// validate returns an error that names the first setting out of range.
func (s Settings) validate() error {
	for _, b := range []struct {
		name string
		Bounds
	}{{"aggregation pages", s.Aggregation}, {"other pages", s.Other}} {
		if b.Min <= 0 || b.Max < b.Min || b.Max > maxInterval {
			return fmt.Errorf("revisit interval of %s is %v … %v: give a shortest above 0 and a longest not below it, at most %v", b.name, b.Min, b.Max, maxInterval)
		}
	}
	if !(s.Chance > 0 && s.Chance < 1) {
		return fmt.Errorf("revisit chance %v: give a number between 0 and 1", s.Chance)
	}
	if !(s.Growth > 1) || math.IsInf(s.Growth, 0) {
		return fmt.Errorf("revisit growth %v: give a factor above 1", s.Growth)
	}
	return nil
}

// bounds returns the bounds of a kind.
func (s Settings) bounds(k Kind) Bounds {
	if k == Aggregation {
		return s.Aggregation
	}
	return s.Other
}

// Next returns when the page is to be visited again. A time not after now means due; an earlier one
// is more overdue. A page never visited is due now, one visited once after the shortest interval.
// Later intervals lie within the bounds. Growth limits them until a list has shown its habit, and
// always for another page.
//
// A list is visited when a visit costs least beside the waiting of its notices (see pace.plan). So
// the interval shrinks with the square root of the rate, and visits fall into the hours in which
// notices appear. Another page is visited after the time in which a Poisson process of the estimated
// rate λ changes at least once with the wanted chance p, −ln(1−p)/λ.
//
// The result is at most the longest interval after now. A page whose last visit lies in the future
// is due now: the clock was ahead then, or is behind now. s must be valid.
func (h History) Next(now time.Time, k Kind, s Settings) time.Time {
	if h.Visits == 0 || ahead(h.Last, now) {
		return now
	}
	from := h.Last
	if from.After(now) {
		from = now
	}
	b := s.bounds(k)
	if h.Compared == 0 {
		return from.Add(b.Min)
	}
	days := s.Growth * max(h.Step.Hours()/24, h.interval())
	if k == Aggregation {
		if h.Compared >= enough && h.Differed > 0 {
			days = math.Inf(1)
		}
		all := s.All.pace(from, cmp.Or(s.Zone, time.UTC))
		p := h.Week.pace(&all)
		days = min(days, p.plan(from, h.likelyRate(), s.price(), b).Hours()/24)
	} else if rate := h.Rate(); rate > 0 {
		days = min(days, -math.Log1p(-s.Chance)/rate)
	}
	if days >= b.Max.Hours()/24 {
		return from.Add(b.Max)
	}
	return from.Add(max(b.Min, time.Duration(days*24*float64(time.Hour)).Round(time.Second)))
}

// enough is the number of compared visits after which the interval of a list may grow freely.
const enough = 6

// price returns how many days of waiting of one notice a visit to a list is worth. At this price a
// visit finds a change with the wanted chance if the interval is half the longest one.
func (s Settings) price() float64 {
	return -math.Log1p(-s.Chance) * s.Aggregation.Max.Hours() / 24 / 4
}

// likelyRate returns the changes per day that are plausible after at least one compared visit, > 0:
// the estimate of Rate for half a change more than was found.
func (h History) likelyRate() float64 {
	n, x := float64(h.Compared), float64(h.Differed)
	return -math.Log((n-x+0.5)/(n+1)) / max(h.interval(), sameVisit.Hours()/24)
}
