package export

import (
	"bufio"
	"cmp"
	"fmt"
	"maps"
	"math"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// This file draws charts of the rows: by day, by site, by budget, and by nearest deadline.

// The columns that charts use; the first one that a table has.
var (
	dayColumns   = []string{"date", "first_seen", "fetched_at"}
	siteColumns  = []string{"site", "host", "url"}
	moneyColumns = []string{"budget", "ceiling", "amount", "price", "salary"}
	dueColumns   = []string{"deadline", "due"}
)

// The sizes of charts.
const (
	mostBars  = 60 // days, months or years shown, the newest
	mostSites = 12
	dueDays   = 14
)

type charts struct {
	day, site, money, due int // columns; -1: none
	at                    time.Time

	rows   int
	days   map[string]int
	sites  map[string]int
	purses [len(purses)]int
	paid   int
	dues   [dueDays]int
	coming int
}

// purses are classes of amounts, in 元.
var purses = [...]struct {
	below float64
	name  string
}{{1e5, "< 10万"}, {5e5, "10–50万"}, {1e6, "50–100万"}, {5e6, "100–500万"}, {1e7, "500–1000万"}, {1e8, "1000万–1亿"},
	{math.MaxFloat64, "≥ 1亿"}}

// purseOf returns the class of an amount.
func purseOf(x float64) int {
	for i, p := range purses {
		if x < p.below {
			return i
		}
	}
	return len(purses) - 1
}

// siteBound bounds the number of counted sites.
const siteBound = 100_000

func (c *charts) begin(columns []Column, at time.Time) {
	find := func(names []string) int {
		for _, name := range names {
			if i := slices.IndexFunc(columns, func(c Column) bool { return c.Name == name }); i >= 0 {
				return i
			}
		}
		return -1
	}
	c.day, c.site, c.money, c.due, c.at = find(dayColumns), find(siteColumns), find(moneyColumns), find(dueColumns), at
	c.days, c.sites = map[string]int{}, map[string]int{}
}

func (c *charts) count(row []Value) {
	c.rows++
	if c.day >= 0 && row[c.day].Kind == Time {
		c.days[row[c.day].Time.Format(time.DateOnly)]++
	}
	if c.site >= 0 && row[c.site].Text != "" {
		name := row[c.site].Text
		if u, err := url.Parse(name); err == nil && u.Host != "" {
			name = u.Host
		}
		if _, known := c.sites[name]; known || len(c.sites) < siteBound {
			c.sites[name]++
		}
	}
	if c.money >= 0 && row[c.money].Kind == Money {
		c.purses[purseOf(row[c.money].Number)]++
		c.paid++
	}
	if c.due >= 0 && row[c.due].Kind == Time {
		if n := daysUntil(c.at, row[c.due].Time); n >= 0 && n < dueDays {
			c.dues[n]++
			c.coming++
		}
	}
}

// daysUntil counts the calendar days from one day to another.
func daysUntil(from, to time.Time) int {
	day := func(t time.Time) int64 {
		return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, time.UTC).Unix() / 86400
	}
	return int(day(to) - day(from))
}

// bar is one bar of a chart.
type bar struct {
	name string
	n    int
	late bool // highlighted
}

func (c *charts) write(w *bufio.Writer, say func(string) string) {
	if c.rows == 0 {
		return
	}
	fmt.Fprintf(w, `<section aria-labelledby="ch"><h2 id="ch">%s</h2><div class="charts">`+"\n",
		esc(say("At a glance")))
	if title, bars := c.byTime(say); len(bars) > 0 {
		upright(w, title, bars, say)
	}
	if len(c.sites) > 0 {
		lying(w, say("By site"), c.bySite(say))
	}
	if c.paid > 0 {
		var bars []bar
		for i, n := range c.purses {
			bars = append(bars, bar{name: purses[i].name, n: n})
		}
		lying(w, say("By amount, in 元"), bars)
	}
	if c.coming > 0 {
		var bars []bar
		for i, n := range c.dues {
			bars = append(bars, bar{c.at.AddDate(0, 0, i).Format("01-02"), n, i < 3})
		}
		upright(w, fmt.Sprintf(say("Due in the next %d days: %d"), dueDays, c.coming), bars, say)
	}
	w.WriteString("</div></section>\n")
}

// units are the units of time: days or, if there are too many, months or years.
var units = []struct {
	title, form         string
	years, months, days int
}{{"By day", time.DateOnly, 0, 0, 1}, {"By month", "2006-01", 0, 1, 0}, {"By year", "2006", 1, 0, 0}}

// byTime counts the rows by the finest unit with at most mostBars bars. The title names the first
// and last time, and how many rows have another date or none.
func (c *charts) byTime(say func(string) string) (title string, bars []bar) {
	known := slices.Sorted(maps.Keys(c.days))
	if !c.at.IsZero() { // a misread date must not hide all others
		end := c.at.AddDate(0, 0, 2).Format(time.DateOnly)
		known = slices.DeleteFunc(known, func(day string) bool { return day > end })
	}
	if len(known) == 0 {
		return "", nil
	}
	counted := 0
	for i, u := range units {
		first, _ := time.Parse(u.form, known[0][:len(u.form)])
		at, err := time.Parse(u.form, known[len(known)-1][:len(u.form)])
		if err != nil {
			return "", nil // a year of five digits
		}
		n := map[string]int{}
		for _, day := range known {
			n[day[:len(u.form)]] += c.days[day]
		}
		title, bars, counted = say(u.title), nil, 0
		for ; len(bars) < mostBars && !at.Before(first); at = at.AddDate(-u.years, -u.months, -u.days) {
			name := at.Format(u.form)
			bars = append(bars, bar{name: name, n: n[name]})
			counted += n[name]
		}
		if at.Before(first) || i == len(units)-1 {
			break
		}
	}
	slices.Reverse(bars)
	title += ", " + bars[0].name + " … " + bars[len(bars)-1].name
	if counted < c.rows {
		title += ": " + fmt.Sprintf(say("%d of %d rows"), counted, c.rows)
	}
	return title, bars
}

// bySite returns the sites with the most rows, and the sum of all others.
func (c *charts) bySite(say func(string) string) []bar {
	var bars []bar
	for name, n := range c.sites {
		bars = append(bars, bar{name: name, n: n})
	}
	slices.SortFunc(bars, func(a, b bar) int { return cmp.Or(cmp.Compare(b.n, a.n), strings.Compare(a.name, b.name)) })
	if len(bars) > mostSites {
		rest := 0
		for _, b := range bars[mostSites:] {
			rest += b.n
		}
		bars = append(bars[:mostSites], bar{name: fmt.Sprintf(say("%d others"), len(bars)-mostSites), n: rest})
	}
	return bars
}

// figure starts a chart: a picture with a name, and the same data as text for screen readers.
func figure(w *bufio.Writer, title string, bars []bar, width, height int) {
	var words []string
	for _, b := range bars {
		if b.n > 0 && len(words) < 40 {
			words = append(words, fmt.Sprintf("%s: %d", b.name, b.n))
		}
	}
	fmt.Fprintf(w, `<figure><figcaption>%s</figcaption><svg viewBox="0 0 %d %d" role="img" aria-label="%s">`,
		esc(title), width, height, esc(title+". "+strings.Join(words, ", ")))
}

func highest(bars []bar) (n int) {
	for _, b := range bars {
		n = max(n, b.n)
	}
	return max(n, 1)
}

func class(b bar) string {
	if b.late {
		return "late"
	}
	return "bar"
}

// upright draws vertical bars side by side.
func upright(w *bufio.Writer, title string, bars []bar, say func(string) string) {
	const width, height, foot, top = 480, 180, 22, 14
	figure(w, title, bars, width, height)
	most := highest(bars)
	step := float64(width) / float64(max(len(bars), 1))
	each := max(1, len(bars)/6)
	for i, b := range bars {
		h := float64(b.n) / float64(most) * (height - foot - top)
		x := float64(i) * step
		if b.n > 0 {
			fmt.Fprintf(w, `<rect class="%s" x="%.1f" y="%.1f" width="%.1f" height="%.1f"><title>%s: %d</title></rect>`,
				class(b), x+step*.1, height-foot-h, max(step*.8, .8), h, esc(b.name), b.n)
		}
		if b.n > 0 && len(bars) <= 20 {
			fmt.Fprintf(w, `<text x="%.1f" y="%.1f" text-anchor="middle">%d</text>`, x+step/2, height-foot-h-3, b.n)
		}
		if i%each == 0 && i+each/2 <= len(bars) {
			half := 3 * float64(len(b.name))
			fmt.Fprintf(w, `<text class="soft" x="%.1f" y="%d" text-anchor="middle">%s</text>`,
				min(max(x+step/2, half), width-half), height-6, esc(b.name))
		}
	}
	fmt.Fprintf(w, `<line x1="0" y1="%d" x2="%d" y2="%d"/>`, height-foot, width, height-foot)
	if len(bars) > 20 {
		fmt.Fprintf(w, `<text class="soft" x="2" y="11">%s</text>`, esc(fmt.Sprintf(say("at most %d"), most)))
	}
	w.WriteString("</svg></figure>\n")
}

// lying draws horizontal bars with their names.
func lying(w *bufio.Writer, title string, bars []bar) {
	const width, line, names = 480, 20, 150
	figure(w, title, bars, width, line*len(bars)+4)
	most := highest(bars)
	for i, b := range bars {
		y := i * line
		name := b.name
		if utf8.RuneCountInString(name) > 22 {
			name = clip(name, 21)
		}
		length := float64(b.n) / float64(most) * (width - names - 50)
		fmt.Fprintf(w, `<text x="%d" y="%d" text-anchor="end">%s</text><rect class="%s" x="%d" y="%d" width="%.1f" height="%d"><title>%s: %d</title></rect><text class="soft" x="%.1f" y="%d">%d</text>`,
			names-6, y+14, esc(name), class(b), names, y+3, length, line-6, esc(b.name), b.n, names+length+5, y+14, b.n)
	}
	w.WriteString("</svg></figure>\n")
}

// inChinese translates the words of the report.
func inChinese(s string) string {
	if zh, ok := chinese[s]; ok {
		return zh
	}
	return s
}

var chinese = map[string]string{
	"to the table": "跳到表格", "%d rows": "共 %d 条", "Table": "明细", "Filter:": "筛选：", "# of @": "@ 条中的 # 条",
	"The first %d of %d rows; the charts count all.": "只列出前 %d 条，共 %d 条；图表统计的是全部。", "Nothing to list.": "没有符合条件的内容。",
	"Filter and sorting need JavaScript; the table is whole without.": "筛选和排序需要启用 JavaScript；不启用时表格内容仍然完整。",
	"At a glance": "概览", "By day": "按日期", "By site": "按网站", "By amount, in 元": "按金额（元）",
	"Due in the next %d days: %d": "未来 %d 天内截止：%d 条",
	"%d others":                   "其他 %d 个", "at most %d": "最多 %d 条", "By month": "按月份", "By year": "按年份",
	"%d of %d rows": "%[2]d 条中的 %[1]d 条",
}
