package revisit

import (
	"math"
	"time"
)

// week records when the notices of a list appear. The zero value means unknown, so all times are
// alike. It is a value type. Times are UTC.
type week struct {
	Hours, Days part // by the hour of the day, and by the day of the week, Sunday first
}

// part compares the notices that visits found in each hour, or on each day, with those expected if
// all were alike. So it does not matter which times visits cover more narrowly.
type part struct {
	Found, Expected [24]uint16 // in units; of days only 7
}

const (
	unit    = 1 << 10 // of a notice
	most    = 32      // notices expected in an hour or on a day; then all numbers are halved
	trust   = 6       // notices after which own times count as much as those assumed before
	quiet   = .04     // share of the notices that may appear at any time
	longest = 7 * day
)

// pace holds how many notices appear in each hour and on each day, relative to the mean.
type pace struct{ hours, days [24]float64 }

// at returns the pace at a time.
func (p *pace) at(t time.Time) float64 {
	return quiet + (1-quiet)*p.hours[t.Hour()]*p.days[t.Weekday()]
}

// sums are those of the parts of many lists, in notices.
type sums struct{ found, expected [24]float64 }

func (s *sums) add(p *part) {
	for i := range s.found {
		s.found[i] += float64(p.Found[i]) / unit
		s.expected[i] += float64(p.Expected[i]) / unit
	}
}

// blend returns the pace of the first n of s, with a mean of 1. base counts as much as trust
// expected notices.
func (s *sums) blend(n int, base *[24]float64) (out [24]float64) {
	mean := 0.
	for i := range n {
		out[i] = (s.found[i] + base[i]*trust/float64(n)) / (s.expected[i] + trust/float64(n))
		mean += out[i] / float64(n)
	}
	for i := range n {
		out[i] /= mean
	}
	return out
}

// alike is the pace of unknown times.
var alike = func() (p pace) {
	for i := range p.hours {
		p.hours[i], p.days[i] = 1, 1
	}
	return p
}()

// pace returns the pace of a list. base is that of all lists, which a list with few notices follows.
func (w *week) pace(base *pace) pace {
	var hours, days sums
	hours.add(&w.Hours)
	days.add(&w.Days)
	return pace{hours.blend(24, &base.hours), days.blend(7, &base.days)}
}

// eachHour calls f with the parts, in days, of a span that lie in one hour, for at most longest.
func eachHour(from time.Time, span time.Duration, f func(at time.Time, days float64)) {
	for end := from.Add(min(span, longest)); from.Before(end); {
		next := from.Truncate(time.Hour).Add(time.Hour)
		if next.After(end) {
			next = end
		}
		f(from, next.Sub(from).Hours()/24)
		from = next
	}
}

// between returns a span in days, in which an hour counts as much as its pace. A span longer than a
// week counts as it is.
func (w *week) between(from time.Time, span time.Duration) (days float64) {
	if span >= longest || *w == (week{}) {
		return span.Hours() / 24
	}
	p := w.pace(&alike)
	eachHour(from, span, func(at time.Time, x float64) { days += x * p.at(at) })
	return days
}

// visit returns w after a visit that did or did not find new records of a span. rate is the number
// of notices a day. The times of new records are unknown: each hour of the span gets its share by
// the pace. A span counts the less the less it tells: a day says nothing about the hour.
func (w week) visit(from time.Time, span time.Duration, found bool, rate float64) week {
	p := w.pace(&alike)
	work := w.between(from, span)
	notices := 0.
	if found { // at least one
		notices = rate * work / -math.Expm1(-rate*work)
	}
	hour, week := max(0, 1-span.Hours()/24), max(0, 1-span.Hours()/24/7)
	var hours, days sums
	eachHour(from, span, func(at time.Time, x float64) {
		f, e := notices*x*p.at(at)/work, rate*x
		hours.found[at.Hour()] += hour * f
		hours.expected[at.Hour()] += hour * e
		days.found[at.Weekday()] += week * f
		days.expected[at.Weekday()] += week * e
	})
	w.Hours.count(&hours)
	w.Days.count(&days)
	return w
}

// count adds notices.
func (p *part) count(s *sums) {
	full := false
	for i := range p.Found {
		p.Found[i] += units(s.found[i])
		p.Expected[i] += units(s.expected[i])
		full = full || max(p.Found[i], p.Expected[i]) >= most*unit
	}
	for i := range p.Found {
		if full {
			p.Found[i] /= 2
			p.Expected[i] /= 2
		}
	}
}

func units(notices float64) uint16 { return uint16(math.Round(min(notices, most-1) * unit)) }

// weeks sums up when the notices of many lists appear. The zero value holds none.
type weeks struct{ hours, days sums }

func (s *weeks) add(w *week) {
	s.hours.add(&w.Hours)
	s.days.add(&w.Days)
}

// pace returns the pace of all lists. With little evidence it is that of an office in zone: notices
// appear from 9 to 18 o'clock, half as many until 21, Monday to Friday.
func (s *weeks) pace(now time.Time, zone *time.Location) pace {
	if s == nil {
		s = new(weeks)
	}
	_, offset := now.In(zone).Zone()
	var hours [24]float64
	for i := range hours {
		switch local := (i + offset/3600 + 24) % 24; {
		case local >= 9 && local < 18:
			hours[i] = 24 / 10.5
		case local >= 18 && local < 21:
			hours[i] = 12 / 10.5
		}
	}
	return pace{s.hours.blend(24, &hours), s.days.blend(7, &[24]float64{0, 1.4, 1.4, 1.4, 1.4, 1.4, 0})}
}

// slots is the number of intervals up to the longest one that plan compares, horizon how many of
// their steps it looks ahead.
const (
	slots   = 24
	horizon = 7 * slots
)

// plan returns how long after the visit at from a list is visited next, within the bounds. rate are
// its notices per day, price the notice-days that a visit costs. Of all sequences of visits over the
// next seven longest intervals, it begins the cheapest: visits and waiting of notices cost least.
// Dynamic programming finds it in about ten microseconds. Without a pattern of hours, the interval is
// √(2·price/rate).
func (p *pace) plan(from time.Time, rate, price float64, b Bounds) time.Duration {
	rate = max(rate, price/2/math.Pow(b.Max.Hours()/24, 2)) // a rarer list also has a best hour
	slot := b.Max / slots
	shortest := max(1, min(slots, int((b.Min+slot-1)/slot)))
	long := slot.Hours() / 24
	// news are the notices up to a slot, moment is the sum of their times, and visit the cost from a
	// visit in a slot on, with its waiting counted from the first.
	var news, moment, visit [horizon + slots + 1]float64
	at := from.Add(slot / 2)
	for i := range len(news) - 1 {
		x := rate * long * p.at(at)
		news[i+1] = news[i] + x
		moment[i+1] = moment[i] + x*(float64(i)+.5)*long
		at = at.Add(slot)
	}
	// The cost after the end, per day, is that of regular visits.
	every := min(max(math.Sqrt(2*price/rate), b.Min.Hours()/24), b.Max.Hours()/24)
	mean := price/every + rate*every/2
	best := 0
	for i := len(visit) - 1; i >= 0; i-- {
		after := -mean * float64(i-horizon) * long
		if i < horizon {
			after = math.Inf(1)
			days := float64(i+shortest) * long
			for k, x := range visit[i+shortest : i+slots+1] {
				if c := x - days*news[i]; c < after {
					after, best = c, k+shortest
				}
				days += long
			}
			after += moment[i]
		}
		visit[i] = price + float64(i)*long*news[i] - moment[i] + after
	}
	return min(max(time.Duration(best)*slot, b.Min), b.Max)
}
