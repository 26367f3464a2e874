package filter

import (
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

type row struct {
	title, host, buyer string
	date, due          time.Time
	budget             float64
	read               bool
}

var now = time.Date(2026, 11, 22, 15, 0, 0, 0, time.FixedZone("CST", 8*3600))

func on(y int, m time.Month, d int) time.Time { return time.Date(y, m, d, 9, 30, 0, 0, now.Location()) }

// What another part adds is a line: buyer, due and budget stand here as they would.
var language = &Language[row]{
	Word: func(w Word) func(*row) bool { return func(r *row) bool { return w.In(r.title) } },
	Fields: []Field[row]{
		{Name: "site", Also: []string{"站点"}, Help: "site:ntu", Text: func(r *row) []string { return []string{r.host} }},
		{Name: "buyer", Help: "buyer:大学", Text: func(r *row) []string { return []string{r.buyer} }},
		{Name: "date", Also: []string{"日期"}, Help: "date>=2026-01-31", Day: func(r *row) time.Time { return r.date }},
		{Name: "age", Help: "age<7d", Until: func(r *row) time.Time { return r.date }},
		{Name: "due", Help: "due<7d", Until: func(r *row) time.Time { return r.due }, Ahead: true},
		{Name: "budget", Also: []string{"预算"}, Help: "budget>100w", Number: func(r *row) (float64, bool) { return r.budget, r.budget > 0 }},
		{Name: "is", Help: "is:unread", Flags: map[string]func(*row) bool{"unread": func(r *row) bool { return !r.read }}, Shown: map[string]string{"未读": "unread"}},
	},
}

func TestMatch(t *testing.T) {
	rows := map[string]row{
		"new":  {title: "琴房楼空调招标公告 ABC", host: "ztb.ntu.test", buyer: "南通大学", date: on(2026, 11, 20), due: on(2026, 11, 25), budget: 2_000_000},
		"old":  {title: "更正公告：空调", host: "www.hainu.test", buyer: "海南大学", date: on(2025, 12, 31), due: on(2026, 1, 5), budget: 900_000, read: true},
		"bare": {title: "世界石油大会 服务"},
	}
	for query, want := range map[string]string{
		"":                             "bare new old",
		"空调":                           "new old",
		"空调 公告":                        "new old",
		"空调 -更正":                       "new",
		"空调 !更正":                       "new",
		`"石油大会 服务"`:                    "bare",
		"“石油大会 服务”":                    "bare",
		"abc":                          "new",
		"site:NTU":                     "new",
		"-site:ntu":                    "bare old",
		"站点：ntu":                       "new",
		"buyer:大学 is:unread":           "new",
		"is:未读":                        "bare new",
		"date>=2026-01-01":             "new",
		"日期＞＝2026-01-01":               "new",
		"date≥2026":                    "new",
		"date<2026":                    "old",
		"date>2025":                    "new",
		"date<=2025-12":                "old",
		"date:2025-12-31":              "old",
		"date:2026/11":                 "new",
		"date>=yesterday":              "",
		"age<7d":                       "new",
		"age>10m":                      "old",
		"age<1周":                       "new",
		"due<7d":                       "new",
		"due>0d":                       "new",
		"budget>100w":                  "new",
		"budget>100万 buyer:大学":         "new",
		"预算<=90万元":                     "old",
		"budget>=900,000":              "new old",
		"budget<1亿":                    "new old",
		"http://x.test":                "",
		"琴房空调":                         "",
		"琴房空调~":                        "new",
		"琴房空调~1 -更正":                   "new",
		"天房空凋楼~":                       "",
		"空调招彪~":                        "new",
		"“空调照彪公告”～2":                   "new",
		"石油大会~":                        "bare",
		"世界石油代表会~2":                    "bare",
		"abd~":                         "new",
		"site:\"hainu.test\" 空调":       "old",
		`"unclosed quote`:              "",
		"is:unread -budget>100w":       "bare",
		"  空调\t site:hainu　is:unread ": "",
	} {
		f, err := language.Parse(query, now)
		if err != nil {
			t.Errorf("%q: %v", query, err)
			continue
		}
		var got []string
		for name, r := range rows {
			if f.Match(&r) {
				got = append(got, name)
			}
		}
		slices.Sort(got)
		if s := strings.Join(got, " "); s != want {
			t.Errorf("%q lets %q pass, want %q", query, s, want)
		}
	}
}

func TestErrors(t *testing.T) {
	for query, want := range map[string]string{
		"空调 buyers:大学":              "“buyers:大学” at 4: no field buyers; there are site buyer date age due budget is; in quotes it is text",
		"site:":                     "“site:” at 1: a value is missing: site:ntu",
		"is:red":                    "it is none of what can be asked: is:unread",
		"date>soon":                 "it is no day: date>=2026-01-31",
		"age<7":                     "it is no span of time: age<7d",
		"budget>a lot":              "it is no number: budget>100w",
		"site>3":                    "it is a text and takes : only",
		`""`:                        "it asks for nothing",
		"空调 ，。！":                    "“，。！” at 4: it is punctuation only",
		"-":                         "it is punctuation only",
		"路~":                        "~1 takes words of 3 to 63 characters",
		"空调招标~2 路面~2":               "“路面~2” at 8: ~2 takes words of 4",
		strings.Repeat("设", 10_000): "it has 10000 characters; a filter has at most 2000",
		strings.Repeat("设备 ", 65):   "“设备” at 193: a filter holds at most 64 terms",
	} {
		_, err := language.Parse(query, now)
		var at *Error
		if !errors.As(err, &at) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", query, err, want)
		}
	}
}

func TestReaches(t *testing.T) {
	rows := []row{{title: "空调", host: "a.test"}, {title: "电梯", host: "b.test"}, {title: "电梯", host: "c.test"}}
	f, err := language.Parse("电梯 site:a", now)
	if err != nil {
		t.Fatal(err)
	}
	got := f.Reaches(func(yield func(*row) bool) {
		for i := range rows {
			if !yield(&rows[i]) {
				return
			}
		}
	})
	want := []TermMatches{{Term: "电梯", Alone: 2, Without: 1}, {Term: "site:a", Alone: 1, Without: 2}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	if w := f.Words(); !slices.Equal(w, []string{"电梯"}) {
		t.Errorf("the words to light are %q", w)
	}
}

// For a value of no notice the values that exist are listed.
func TestReachesTellWhatThereIs(t *testing.T) {
	rows := []row{{title: "空调", host: "a.test", budget: 922_800, date: now.AddDate(0, 0, -3)}, {title: "电梯", host: "b.test", budget: 3, date: now}, {host: "b.test"}}
	for query, want := range map[string]TermMatches{
		"budget>1亿":   {Least: "3", Most: "92.28w"},
		"site:nobody": {Values: []string{"b.test", "a.test"}},
		"date>2100":   {Least: now.AddDate(0, 0, -3).Local().Format(time.DateOnly), Most: now.Local().Format(time.DateOnly)},
		"-site:b":     {},
	} {
		f, err := language.Parse(query, now)
		if err != nil {
			t.Fatal(err)
		}
		got := f.Reaches(slices.Values([]*row{&rows[0], &rows[1], &rows[2]}))[0]
		if got.Least != want.Least || got.Most != want.Most || !slices.Equal(got.Values, want.Values) {
			t.Errorf("%s: %+v, want %+v", query, got, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{`a "b c" -site:x date>=2026-01-01`, "“", "-", "石油大会~", "abc~2 “x y”～1", "~", "a~b", "budget>1e309", "age<9999999999999999d", "is:", "：：", "≤"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		filter, err := language.Parse(s, now)
		if err != nil {
			var at *Error
			if !errors.As(err, &at) || at.At < 0 || at.At > len([]rune(s)) {
				t.Fatalf("%q: %v", s, err)
			}
			return
		}
		filter.Match(&row{title: s, date: now, due: now, budget: 1})
		for _, w := range filter.Asked() {
			if from, to := w.Place(s, 0); from >= 0 && (to < from || to > len(s)) {
				t.Fatalf("%q: %q stands at %d to %d", s, w.Text, from, to)
			}
		}
	})
}
