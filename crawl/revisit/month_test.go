package revisit

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path"
	"slices"
	"sort"
	"strings"
	"testing"
	"text/tabwriter"
	"time"

	"angler/crawl/webtest/realpages"
)

// simulated is a list of a simulated span: its name and the times of its new notices, sorted.
type simulated struct {
	name string
	news []time.Time
}

// planner decides when list i is visited next. The visit at time at found news new notices; times are those of a run.
type planner func(i int, at time.Time, news int) time.Time

// tally is what a planner brought in.
type tally struct {
	visits int
	delays []time.Duration // of each notice, sorted
}

// within returns the share of notices brought in within d.
func (c tally) within(d time.Duration) float64 {
	n, _ := slices.BinarySearch(c.delays, d+1)
	return float64(n) / float64(len(c.delays))
}

func (c tally) quantile(q float64) time.Duration {
	return c.delays[min(len(c.delays)-1, int(q*float64(len(c.delays))))]
}

func (c tally) mean() time.Duration {
	var sum time.Duration
	for _, d := range c.delays {
		sum += d
	}
	return sum / time.Duration(len(c.delays))
}

// live visits lists from begun for days as a schedule does: a harvest visits all that are due, and the next starts when
// another is due, a quarter of an hour to an hour later. Notices of the span that no visit found wait for its end.
func live(lists []simulated, begun time.Time, days int, first []time.Time, next planner) (c tally) {
	end := begun.AddDate(0, 0, days)
	due := slices.Clone(first)
	read := make([]int, len(lists))
	for now := begun; now.Before(end); {
		wait := time.Hour
		for i, l := range lists {
			if !due[i].After(now) {
				n := sort.Search(len(l.news), func(k int) bool { return l.news[k].After(now) })
				for _, at := range l.news[read[i]:n] {
					if !at.Before(begun) {
						c.delays = append(c.delays, now.Sub(at))
					}
				}
				c.visits++
				due[i] = next(i, now, n-read[i])
				read[i] = n
			}
			if d := due[i].Sub(now); d > 0 {
				wait = min(wait, d)
			}
		}
		now = now.Add(max(wait, 15*time.Minute))
	}
	for i, l := range lists {
		for _, at := range l.news[read[i]:] {
			if at.Before(end) && !at.Before(begun) {
				c.delays = append(c.delays, end.Sub(at))
			}
		}
	}
	slices.Sort(c.delays)
	return c
}

// policy is the planner of this package.
func policy(n int, s Settings) planner {
	hs := make([]History, n)
	visits := 0
	return func(i int, at time.Time, news int) time.Time {
		hs[i] = hs[i].Visit(at, news > 0, news)
		if visits++; visits%n == 1 {
			s.All = new(weeks)
			for i := range hs {
				s.All.add(&hs[i].Week)
			}
		}
		return hs[i].Next(at, Aggregation, s)
	}
}

// staggered are first visits spread over an interval.
func staggered(n int, begun time.Time, every time.Duration) []time.Time {
	first := make([]time.Time, n)
	for i := range first {
		first[i] = begun.Add(every * time.Duration(i) / time.Duration(n))
	}
	return first
}

// synthetic returns the lists of a month: Poisson lists of several rates with working hours in China and quiet
// weekends, some with bursts, some around the clock, dead ones, one that wakes up and one that falls asleep.
func synthetic(begun time.Time, days int, seed uint64) []simulated {
	r := rand.New(rand.NewPCG(seed, 3))
	office := func(at time.Time) float64 {
		at = at.Add(8 * time.Hour)
		w := 0.02
		switch h := at.Hour(); {
		case h >= 9 && h < 12, h >= 14 && h < 18:
			w = 1
		case h >= 8 && h < 20:
			w = .35
		}
		if d := at.Weekday(); d == time.Saturday || d == time.Sunday {
			w *= .08
		}
		return w
	}
	always := func(time.Time) float64 { return 1 }
	evening := func(at time.Time) float64 {
		if h := at.Add(8 * time.Hour).Hour(); h == 17 {
			return 1
		}
		return .01
	}
	var lists []simulated
	add := func(name string, perWeek float64, when func(time.Time) float64, burst int, from, to int) {
		var mass float64
		for h := range 7 * 24 {
			mass += when(begun.Add(time.Duration(h) * time.Hour))
		}
		l := simulated{name: name}
		for h := from * 24; h < to*24; h++ {
			hour := begun.Add(time.Duration(h) * time.Hour)
			mean := perWeek / float64(burst) * when(hour) / mass
			for x := r.ExpFloat64(); x < mean; x += r.ExpFloat64() {
				at := hour.Add(time.Duration(r.Float64() * float64(time.Hour)))
				for range 1 + r.IntN(2*burst-1) {
					l.news = append(l.news, at)
					at = at.Add(time.Duration(r.IntN(120)) * time.Second)
				}
			}
		}
		slices.SortFunc(l.news, time.Time.Compare)
		lists = append(lists, l)
	}
	for i, perWeek := range []float64{.25, .5, 1, 2, 4, 8, 16, 40, 100} {
		add(fmt.Sprintf("office %v a week", perWeek), perWeek, office, 1, 0, days)
		add(fmt.Sprintf("office %v a week, bursts", perWeek), perWeek, office, 5, 0, days)
		if i%2 == 0 {
			add(fmt.Sprintf("always %v a week", perWeek), perWeek, always, 1, 0, days)
			add(fmt.Sprintf("evening %v a week", perWeek), perWeek, evening, 1, 0, days)
		}
	}
	add("dead", 0, always, 1, 0, days)
	add("dead too", 0, always, 1, 0, days)
	add("wakes up", 20, office, 1, days/2, days)
	add("falls asleep", 20, office, 1, 0, days/2)
	return lists
}

// tenders returns the recorded times of 400 notices by region, its weeks laid over each other to four.
func tenders(t *testing.T, begun time.Time) (lists []simulated, clock []time.Duration) {
	byArea := map[string][]time.Time{}
	eachLine(t, realpages.Path(t, "tenders", "hospital-notice-titles.jsonl"), func(line []byte) {
		var n struct {
			Area        string
			PublishTime int64
		}
		if err := json.Unmarshal(line, &n); err != nil {
			t.Fatal(err)
		}
		at := time.Unix(n.PublishTime, 0).UTC()
		clock = append(clock, at.Add(8*time.Hour).Sub(at.Add(8*time.Hour).Truncate(day)))
		since := at.Sub(begun) % (28 * day)
		if since < 0 {
			since += 28 * day
		}
		byArea[n.Area] = append(byArea[n.Area], begun.Add(since))
	})
	return sorted(byArea), clock
}

// columns returns the recorded dates of the columns of a site, in the year with the most of them, and the year's start.
// Their times of day are drawn from those of clock.
func columns(t *testing.T, site string, clock []time.Duration) (lists []simulated, begun time.Time) {
	byColumn := map[string][]time.Time{}
	years := map[int]int{}
	seen := map[string]bool{}
	r := rand.New(rand.NewPCG(1, 4))
	eachLine(t, realpages.Path(t, "sites", site, "GOLD.jsonl"), func(line []byte) {
		var p struct {
			Path, Type string
			Records    []struct{ Title, Href, Date string }
		}
		if err := json.Unmarshal(line, &p); err != nil {
			t.Fatal(err)
		}
		if p.Type != "list" {
			return
		}
		name := strings.TrimRight(strings.TrimSuffix(strings.TrimSuffix(p.Path, ".htm"), ".html"), "0123456789")
		name = strings.TrimSuffix(strings.TrimSuffix(name, "/list"), "/")
		if name == "" {
			name = path.Dir(p.Path)
		}
		for _, x := range p.Records {
			at, err := time.Parse(time.DateOnly, x.Date)
			if key := x.Href + x.Title; err != nil || seen[key] {
				continue
			} else {
				seen[key] = true
			}
			years[at.Year()]++
			byColumn[name] = append(byColumn[name], at.Add(clock[r.IntN(len(clock))]-8*time.Hour))
		}
	})
	best := 0
	for y, n := range years {
		if n > years[best] || n == years[best] && y > best {
			best = y
		}
	}
	return sorted(byColumn), time.Date(best, 1, 1, 0, 0, 0, 0, time.UTC)
}

func sorted(by map[string][]time.Time) (lists []simulated) {
	for name, news := range by {
		slices.SortFunc(news, time.Time.Compare)
		lists = append(lists, simulated{name, news})
	}
	slices.SortFunc(lists, func(a, b simulated) int { return strings.Compare(a.name, b.name) })
	return lists
}

func eachLine(t *testing.T, file string, f func([]byte)) {
	t.Helper()
	in, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		f(lines.Bytes())
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
}

// starts are the times of day at which simulations begin: what a policy brings in must not depend on one.
var starts = []time.Duration{0, 7 * time.Hour, 14 * time.Hour, 21 * time.Hour}

// pooled lives through a span once for each of starts.
func pooled(lists []simulated, begun time.Time, days int, plan func(begun time.Time) ([]time.Time, planner)) (c tally) {
	for _, shift := range starts {
		first, next := plan(begun.Add(shift))
		x := live(lists, begun.Add(shift), days, first, next)
		c.visits += x.visits
		c.delays = append(c.delays, x.delays...)
	}
	slices.Sort(c.delays)
	return c
}

// compared holds what each planner brought in.
type compared struct {
	ours, elsewhere, daily, evening, same, oracle tally
	every                                         time.Duration // the interval of same
}

// compare lives through a span with each planner.
func compare(lists []simulated, begun time.Time, days int) (c compared) {
	n := len(lists)
	revisits := func(zone *time.Location) tally {
		s := Default()
		s.Zone = zone
		return pooled(lists, begun, days, func(time.Time) ([]time.Time, planner) { return make([]time.Time, n), policy(n, s) })
	}
	c.ours, c.elsewhere = revisits(china), revisits(time.FixedZone("", -4*3600))
	every := func(d time.Duration) tally {
		return pooled(lists, begun, days, func(b time.Time) ([]time.Time, planner) {
			return staggered(n, b, d), func(_ int, at time.Time, _ int) time.Time { return at.Add(d) }
		})
	}
	c.daily = every(day)
	c.evening = pooled(lists, begun, days, func(time.Time) ([]time.Time, planner) {
		return make([]time.Time, n), func(_ int, at time.Time, _ int) time.Time {
			return at.In(china).Add(4 * time.Hour).Truncate(day).Add(day + 12*time.Hour) // 20:00
		}
	})
	c.same, c.every = atMost(c.ours.visits, every)
	c.oracle, _ = atMost(c.ours.visits, func(gap time.Duration) tally {
		after := func(i int, at time.Time, _ int) time.Time {
			news := lists[i].news
			if k := sort.Search(len(news), func(k int) bool { return news[k].After(at) }); k < len(news) {
				return latest(news[k], at.Add(gap))
			}
			return at.Add(1000 * day)
		}
		return pooled(lists, begun, days, func(b time.Time) ([]time.Time, planner) {
			first := make([]time.Time, n)
			for i := range first {
				first[i] = after(i, b, 0)
			}
			return first, after
		})
	})
	return c
}

func latest(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// atMost finds the shortest interval with at most so many visits.
func atMost(visits int, run func(time.Duration) tally) (tally, time.Duration) {
	lo, hi := time.Duration(0), 48*time.Hour
	for hi-lo > 5*time.Minute {
		if mid := (lo + hi) / 2; run(mid).visits > visits {
			lo = mid
		} else {
			hi = mid
		}
	}
	return run(hi), hi
}

// report adds the rows of a table.
func (c compared) report(w io.Writer, name string, lists int) {
	fmt.Fprintf(w, "%s, %d lists\tvisits\tnotices\t1 d\t4 h\t1 h\tmean\tmedian\tp90\n", name, lists)
	for _, x := range []struct {
		name string
		tally
	}{{"revisit", c.ours}, {"revisit, 12 time zones off", c.elsewhere}, {"daily", c.daily}, {"daily at 20:00", c.evening},
		{fmt.Sprintf("every %v", c.every.Round(time.Minute)), c.same}, {"oracle", c.oracle}} {
		n := len(starts)
		fmt.Fprintf(w, "%s\t%d\t%d\t%.1f %%\t%.1f %%\t%.1f %%\t%.2f h\t%.2f h\t%.2f h\n", x.name, x.visits/n, len(x.delays)/n,
			100*x.within(day), 100*x.within(4*time.Hour), 100*x.within(time.Hour), x.mean().Hours(), x.quantile(.5).Hours(), x.quantile(.9).Hours())
	}
}

var china = time.FixedZone("", 8*3600)

// A month of new notices comes in sooner than by fixed visits, daily or as many as ours: TestMonth -v shows how soon,
// and how far from an oracle that visits right after publications. Nothing here depends on the machine's time.
func TestMonth(t *testing.T) {
	var out strings.Builder
	w := tabwriter.NewWriter(&out, 0, 0, 2, ' ', 0)
	begun := time.Date(2026, 11, 1, 16, 0, 0, 0, time.UTC) // a Monday in China
	for seed := range uint64(3) {
		lists := synthetic(begun, 31, seed)
		c := compare(lists, begun, 30)
		c.report(w, fmt.Sprintf("synthetic %d", seed), len(lists))
		check(t, c, .65, 1.8)
		learns(t, c)
	}
	w.Flush()
	t.Log("\n" + out.String())
}

// TestRecordedTimes compares the same for recorded times: 400 notices of public buyers, by region, and the columns of
// three sites, whose dates get times of day of the 400.
func TestRecordedTimes(t *testing.T) {
	var out strings.Builder
	w := tabwriter.NewWriter(&out, 0, 0, 2, ' ', 0)
	begun := time.Date(2026, 11, 1, 16, 0, 0, 0, time.UTC)
	lists, clock := tenders(t, begun)
	c := compare(lists, begun, 28)
	c.report(w, "buyers", len(lists))
	check(t, c, .8, 1.4)
	learns(t, c)
	for _, site := range []string{"cs.fudan.edu.cn", "rs.henu.edu.cn", "yjszs.cqjtu.edu.cn"} {
		lists, begun := columns(t, site, clock)
		c := compare(lists, begun, 365)
		c.report(w, site, len(lists))
		check(t, c, .9, 1.03)
	}
	w.Flush()
	t.Log("\n" + out.String())
}

// check fails unless our delays are at most so much of those of as many visits at a fixed interval, and our visits at
// most so much of daily ones.
func check(t *testing.T, c compared, delay, visits float64) {
	t.Helper()
	if c.ours.within(day) < .999 {
		t.Errorf("%.4f of the notices came in within a day", c.ours.within(day))
	}
	if c.ours.within(4*time.Hour) < c.same.within(4*time.Hour) || c.ours.within(time.Hour) < c.same.within(time.Hour) {
		t.Errorf("fewer notices came in within hours than by as many visits at a fixed interval")
	}
	if ours, same := c.ours.mean().Hours(), c.same.mean().Hours(); ours > delay*same {
		t.Errorf("a notice waits %.2f h, %.2f h with as many visits at a fixed interval", ours, same)
	}
	if ours, daily := float64(c.ours.visits), float64(c.daily.visits); ours > visits*daily {
		t.Errorf("%.0f visits, daily %.0f", ours, daily)
	}
}

// learns fails unless lists whose hours are first taken for others come in sooner than at a fixed interval, too.
func learns(t *testing.T, c compared) {
	t.Helper()
	if ours, same := c.elsewhere.mean().Hours(), c.same.mean().Hours(); ours > .85*same {
		t.Errorf("twelve time zones off a notice waits %.2f h, %.2f h with as many visits at a fixed interval", ours, same)
	}
}
