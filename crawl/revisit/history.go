package revisit

import (
	"math"
	"time"
)

// memory is the number of remembered comparisons: each new one reduces the weight of older ones by
// 1/memory. A changed habit of a page is learned after about two or three times as many visits. The
// estimate for a steady page scatters by about 1/√memory.
const memory = 24

// sameVisit is the time within which a second visit is no evidence.
const sameVisit = time.Minute

// History summarizes the visits to one page. The zero value means never visited. It is a value
// type: Visit returns the next one. Times are UTC, in whole seconds.
type History struct {
	Visits  uint32
	Changes uint32    // visits that found other content than the one before; < Visits, or 0
	Records uint32    // new records over all visits
	First   time.Time // first visit
	Last    time.Time // last visit
	Changed time.Time // visit that found the last change; zero = none

	Step time.Duration // time between the last two compared visits, 0 … maxInterval

	// Fading memory for Rate.
	Compared float32 // compared visits, 0 … memory
	Differed float32 // compared visits that found a change
	Span     float32 // days between the compared visits, weighted by Week

	Week week // when new records appear
}

// Visit returns h after a visit at time at. changed means that the content differs from the visit
// before (ignored on the first); records is the number of new records. A visit within a minute of
// the last one is counted but does not affect the rate. Neither does one before it, because the
// clock was set back, or more than maxInterval after it, because the clock was set ahead. If the
// clock was ahead only for the last visit, its comparison is undone. New records also tell at which
// hours they appear.
func (h History) Visit(at time.Time, changed bool, records int) History {
	at = time.Unix(min(max(at.Unix(), 0), maxUnix), 0).UTC()
	first := h.Visits == 0
	h.Visits = addSaturating(h.Visits, 1)
	h.Records = addSaturating(h.Records, records)
	if first {
		h.First, h.Last = at, at
		return h
	}
	step := at.Sub(h.Last)
	if step < -sameVisit && h.Step >= -step {
		h = h.forgetLast()
	}
	h.Last = at
	if step < 0 {
		if h.First.After(at) {
			h.First = at
		}
		if h.Changed.After(at) {
			h.Changed = at
		}
	}
	if changed {
		h.Changes, h.Changed = min(addSaturating(h.Changes, 1), h.Visits-1), at
	}
	if step < sameVisit || step > maxInterval {
		return h
	}
	h.Step = step
	h.Compared = h.Compared*fade + 1
	h.Differed *= fade
	if changed {
		h.Differed++
	}
	from := at.Add(-step)
	work := h.Week.between(from, step)
	h.Span = h.Span*fade + float32(work)
	if h.Week != (week{}) || records > 0 {
		h.Week = h.Week.visit(from, step, records > 0, h.likelyRate())
	}
	return h
}

// fade is the weight of a comparison after the next one.
const fade = 1 - 1.0/memory

// forgetLast undoes the last comparison. The interval before it is unknown; the mean replaces it.
func (h History) forgetLast() History {
	differed := float32(0)
	if h.Changed.Equal(h.Last) {
		differed = 1
	}
	h.Compared = max(0, (h.Compared-1)/fade)
	if h.Compared < 0.5 { // it was the only one
		h.Compared, h.Differed, h.Span, h.Step = 0, 0, 0, 0
		return h
	}
	h.Differed = min(max(0, (h.Differed-differed)/fade), h.Compared)
	h.Span = max(0, (h.Span-float32(h.Week.between(h.Last.Add(-h.Step), h.Step)))/fade)
	h.Step = min(time.Duration(h.interval()*24*float64(time.Hour)).Round(time.Second), maxInterval)
	return h
}

// addSaturating adds n ≥ 0 and stops at the largest number.
func addSaturating(a uint32, n int) uint32 {
	return uint32(min(uint64(a)+uint64(max(n, 0)), math.MaxUint32))
}

// interval returns the mean time between compared visits, in days.
func (h History) interval() float64 {
	if h.Compared <= 0 {
		return 0
	}
	return float64(h.Span) / float64(h.Compared)
}

// Rate estimates the changes per day, ≥ 0; 0 if no visit found a change. It is the bias-reduced
// estimator of Cho and Garcia-Molina (Estimating Frequency of Change, ACM TOIT 3(3) 2003, section
// 4.2). The model is a Poisson process of which each visit only shows whether anything changed.
// With n compared visits, x of them with a change, and I days between them, λ =
// −ln((n−x+½)/(n+½))/I. The usual x/(n·I) would miss all but one of the changes between two visits.
// I is the mean interval of the fading memory.
func (h History) Rate() float64 {
	interval := h.interval()
	if h.Differed <= 0 || interval <= 0 {
		return 0
	}
	n, x := float64(h.Compared), float64(h.Differed)
	return -math.Log((n-x+0.5)/(n+0.5)) / interval
}
