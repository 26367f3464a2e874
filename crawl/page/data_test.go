package page

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode"

	"angler/crawl/urls"

	"golang.org/x/text/unicode/norm"
)

// The tests of this file measure on real pages that are kept outside the
// repository, because a page's text belongs to its publisher.

// dataDir returns the folder of real pages or skips the test.
func dataDir(t testing.TB) string {
	dir := os.Getenv("ANGLER_DATA")
	if dir == "" {
		dir = "../../../shared/data"
	}
	if _, err := os.Stat(filepath.Join(dir, "sites")); err != nil {
		t.Skip("no folder of real pages: set ANGLER_DATA")
	}
	return dir
}

var crawled = time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)

type goldRow struct {
	Path, Type, Title, Date, Text string
	Records                       []struct{ Title, Href, Date string }
}

// goldSite is one mirrored site: its gold rows and its parsed pages.
type goldSite struct {
	name  string
	rows  []goldRow
	pages []*Page
}

func loadSite(t testing.TB, name, method string) goldSite {
	dir := filepath.Join(dataDir(t), "sites", name)
	f, err := os.Open(filepath.Join(dir, "GOLD.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	s := goldSite{name: name}
	sc := bufio.NewScanner(f)
	sc.Buffer(nil, 4<<20)
	for sc.Scan() {
		var r goldRow
		if err := json.Unmarshal(sc.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		s.rows = append(s.rows, r)
	}
	// what a crawl knows: the host's boilerplate from a first pass
	host := &Boilerplate{}
	r := urls.NewResolver(nil, 1<<16)
	for pass := range 2 {
		s.pages = s.pages[:0]
		for _, row := range s.rows {
			body, err := os.ReadFile(filepath.Join(dir, row.Path))
			if err != nil {
				t.Fatal(err)
			}
			opt := Options{Now: crawled, Resolver: r, Host: host}
			if pass == 1 {
				opt.Main = method
			}
			p, err := Parse(Source{URL: "http://" + name + "/" + row.Path, Body: body}, opt)
			if err != nil {
				t.Fatalf("%s: %v", row.Path, err)
			}
			if pass == 0 {
				host.Learn(p)
			}
			s.pages = append(s.pages, p)
		}
	}
	return s
}

// plainTitle folds what two spellings of one title may differ in.
func plainTitle(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || unsafeRune(r) {
			return -1
		}
		return r
	}, norm.NFKC.String(s))
}

func grams(s string) map[string]int {
	var runes []rune
	for _, r := range norm.NFKC.String(s) {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			runes = append(runes, r)
		}
	}
	m := map[string]int{}
	for i := 0; i+4 <= len(runes); i++ {
		m[string(runes[i:i+4])]++
	}
	if len(runes) > 0 && len(runes) < 4 {
		m[string(runes)]++
	}
	return m
}

// textF1 is the F1 over character 4-grams, letters and digits after NFKC.
func textF1(gold, got string) float64 {
	g, p := grams(gold), grams(got)
	both, all := 0, 0
	for k, n := range g {
		both += min(n, p[k])
		all += n
	}
	for _, n := range p {
		all += n
	}
	if all == 0 {
		return 1
	}
	return 2 * float64(both) / float64(all)
}

// withoutFrame removes the links to the neighbouring notices and the closing
// button that the gold of one site keeps: its script took the whole form.
func withoutFrame(gold string) string {
	var keep []string
	for s := range strings.SplitSeq(gold, "\n") {
		if !strings.HasPrefix(s, "上一条：") && !strings.HasPrefix(s, "下一条：") && s != "【关闭】" {
			keep = append(keep, s)
		}
	}
	return strings.Join(keep, "\n")
}

func ratio(a, b int) float64 {
	if b == 0 {
		return 1
	}
	return float64(a) / float64(b)
}

func f1(p, r float64) float64 {
	if p+r == 0 {
		return 0
	}
	return 2 * p * r / (p + r)
}

func TestRealSites(t *testing.T) {
	verbose := os.Getenv("ANGLER_VERBOSE") != ""
	for _, want := range []struct {
		name                                  string
		recordP, recordR, listF1, title, date float64
		text                                  float64
	}{
		{"cs.fudan.edu.cn", .98, .95, .90, .98, .97, .97},
		{"rs.henu.edu.cn", 0, 0, 0, .98, .97, .9},
		{"yjszs.cqjtu.edu.cn", .98, .95, 0, .98, .97, .9},
	} {
		t.Run(want.name, func(t *testing.T) {
			s := loadSite(t, want.name, MethodAuto)
			var right, found, given, gold, titles, dates int
			var listTP, listFP, listFN int
			var details, titleOK, withDate, dateOK, withText int
			var text, noticeText float64
			var notices int
			for i, row := range s.rows {
				p := s.pages[i]
				isList := len(row.Records) >= 3
				if isList && p.Type == List {
					listTP++
				} else if p.Type == List && row.Type != "list" && row.Type != "column" {
					listFP++
					if verbose {
						t.Logf("no list: %s %s dated=%d/%d %v", row.Type, row.Path, p.Dated, len(p.Records), p.Head)
					}
				} else if isList {
					listFN++
					if verbose {
						t.Logf("missed list: %s %s dated=%d/%d gold=%d", row.Type, row.Path, p.Dated, len(p.Records), len(row.Records))
					}
				}
				if row.Type == "list" && len(row.Records) > 0 {
					c := compareRecords(t, verbose, row, p)
					right, found, given, gold = right+c.right, found+c.found, given+c.given, gold+c.gold
					titles, dates = titles+c.titles, dates+c.dates
				}
				if row.Type != "detail" {
					continue
				}
				details++
				if plainTitle(row.Title) == plainTitle(p.Title) {
					titleOK++
				} else if verbose {
					t.Logf("title %s %q (%s) want %q", row.Path, p.Title, p.TitleWhy, row.Title)
				}
				if row.Date != "" {
					withDate++
					if len(p.Date.String()) >= 10 && p.Date.String()[:10] == row.Date {
						dateOK++
					} else if verbose {
						t.Logf("date %s %q (%s) want %q", row.Path, p.Date, p.DateWhy, row.Date)
					}
				}
				if row.Text != "" {
					withText++
					f := textF1(withoutFrame(row.Text), p.Main)
					text += f
					if row.Date != "" {
						noticeText += f
						notices++
					}
					if verbose && f < .95 {
						t.Logf("text %s %.3f gold %d got %d\n\tgot  %.200q\n\twant %.200q", row.Path, f, len(row.Text), len(p.Main), p.Main, row.Text)
					}
				}
			}
			rp, rr := ratio(right, given), ratio(found, gold)
			lf := f1(ratio(listTP, listTP+listFP), ratio(listTP, listTP+listFN))
			tf := text / float64(max(1, withText))
			t.Logf("records P %.4f R %.4f (%d given, %d gold), their titles %.4f dates %.4f; lists F1 %.3f (+%d fp %d fn %d); details %d: title %.4f date %.4f (%d) text F1 %.4f (%d), dated ones %.4f (%d)",
				rp, rr, given, gold, ratio(titles, right), ratio(dates, right), lf, listTP, listFP, listFN,
				details, ratio(titleOK, details), ratio(dateOK, withDate), withDate, tf, withText, noticeText/float64(max(1, notices)), notices)
			for what, v := range map[string][2]float64{
				"record precision": {rp, want.recordP}, "record recall": {rr, want.recordR}, "lists F1": {lf, want.listF1},
				"detail titles": {ratio(titleOK, details), want.title}, "detail dates": {ratio(dateOK, withDate), want.date},
				"main text F1 of notices": {noticeText / float64(max(1, notices)), want.text}, // teachers' pages have no useful gold
			} {
				if v[0] < v[1] {
					t.Errorf("%s %.4f, must be at least %.2f", what, v[0], v[1])
				}
			}
		})
	}
}

// recordCounts compares the records of one page: right ones among the given,
// gold ones (of those the mirror kept a link of), and among the right the
// exact titles and dates.
type recordCounts struct{ right, found, given, gold, titles, dates int }

func compareRecords(t *testing.T, verbose bool, row goldRow, p *Page) recordCounts {
	type entry struct{ title, date string }
	byURL, byTitle := map[string]entry{}, map[string]entry{}
	r := urls.NewResolver(nil, 256)
	for _, rec := range row.Records {
		byTitle[plainTitle(rec.Title)] = entry{rec.Title, rec.Date}
		if u, err := r.Resolve("http://"+hostOf(p.URL)+"/", rec.Href); err == nil && rec.Href != "" {
			byURL[u] = entry{rec.Title, rec.Date}
		}
	}
	c := recordCounts{given: len(p.Records), gold: len(byURL)}
	found := 0
	for _, rec := range p.Records {
		w, ok := byURL[rec.URL]
		if ok {
			found++
			delete(byURL, rec.URL)
		} else if w, ok = byTitle[plainTitle(rec.Title)]; !ok {
			if verbose {
				t.Logf("extra record %s: %q %s %s", row.Path, rec.Title, rec.Date, rec.URL)
			}
			continue
		}
		c.right++
		if plainTitle(w.title) == plainTitle(rec.Title) {
			c.titles++
		} else if verbose {
			t.Logf("record title %q want %q", rec.Title, w.title)
		}
		if w.date == rec.Date.String() || w.date == "" {
			c.dates++
		} else if verbose {
			t.Logf("record date %q want %q", rec.Date, w.date)
		}
	}
	c.found, c.gold = found, found+len(byURL)
	if verbose {
		for u, w := range byURL {
			t.Logf("missing record %s: %q %s", row.Path, w.title, u)
		}
	}
	return c
}

func TestRealArticles(t *testing.T) {
	dir := filepath.Join(dataDir(t), "articles")
	files, _ := filepath.Glob(filepath.Join(dir, "original", "*.html"))
	if len(files) == 0 {
		t.Skip("no articles")
	}
	for _, method := range Methods() {
		text, dates, dated := 0.0, 0, 0
		for _, file := range files {
			body, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			id := strings.TrimSuffix(filepath.Base(file), ".html")
			p, err := Parse(Source{URL: "http://example.test/article/" + id, Body: body}, Options{Main: method, Now: crawled})
			if err != nil {
				t.Fatal(err)
			}
			if n := garbled(p.Text); n > .005 { // three of the sources cut characters in half themselves
				t.Errorf("%s: %.4f of the text is garbled (%s)", id, n, p.Charset)
			}
			gold, _ := os.ReadFile(filepath.Join(dir, "cleaned", id+".txt"))
			goldText, _ := Decode(gold, "")
			f := textF1(goldText, p.Main)
			text += f
			date, _ := os.ReadFile(filepath.Join(dir, "date", id+".txt"))
			want, _, _, ok := FindDate(string(date), time.Time{})
			if ok {
				dated++
				if want.Time.Format("2006-01-02") == p.Date.Time.Format("2006-01-02") {
					dates++
				} else if method == MethodAuto {
					t.Logf("%s: date %s (%s), want %s", id, p.Date, p.DateWhy, want)
				}
			}
			if method == MethodAuto && f < .9 {
				t.Logf("%s: text %.3f (%s) title %q got %d gold %d\n\tgot  %.300q\n\twant %.200q", id, f, p.Charset, p.Title, len(p.Main), len(goldText), p.Main, goldText)
			}
		}
		f := text / float64(len(files))
		t.Logf("%s: text F1 %.4f of %d, dates %d of %d", method, f, len(files), dates, dated)
		if method == MethodAuto && (f < .85 || ratio(dates, dated) < .88) {
			t.Errorf("text F1 %.3f, dates %.3f", f, ratio(dates, dated))
		}
	}
}

func TestRealLists(t *testing.T) {
	dir := filepath.Join(dataDir(t), "lists")
	raw, err := os.ReadFile(filepath.Join(dir, "expected.json"))
	if err != nil {
		t.Fatal(err)
	}
	var want struct {
		Counts map[string]int `json:"list_records"`
	}
	if err := json.Unmarshal(raw, &want); err != nil {
		t.Fatal(err)
	}
	near := 0
	for name, n := range want.Counts {
		body, err := os.ReadFile(filepath.Join(dir, "list", name))
		if err != nil {
			t.Fatal(err)
		}
		p, err := Parse(Source{URL: "http://example.test/list/", Body: body}, Options{Now: crawled})
		if err != nil {
			t.Fatal(err)
		}
		if d := len(p.Records) - n; d >= -1 && d <= 1 {
			near++
		}
		first := Record{}
		if len(p.Records) > 0 {
			first = p.Records[0]
		}
		t.Logf("%-40s %4d records, want %4d, dated %d, %s, first %q %s %v", name, len(p.Records), n, p.Dated, p.Type, first.Title, first.Date, p.Limits)
	}
	// The others: two ranking pages whose expected counts are of one column
	// and of seventy tables, and a search result page counted otherwise.
	t.Logf("within one: %d of %d", near, len(want.Counts))
	if near < 6 {
		t.Errorf("%d of %d lists have the expected number of records", near, len(want.Counts))
	}
}

// TestRealTenders reads a procurement site's list and two of its notices.
func TestRealTenders(t *testing.T) {
	dir := filepath.Join(dataDir(t), "tenders")
	read := func(name string) *Page {
		body, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Skip("no tender pages")
		}
		p, err := Parse(Source{URL: "http://www.example.test/cggg/dfgg/" + name, Body: body}, Options{Main: MethodAuto, Now: crawled})
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	list := read("ccgp_list.html")
	t.Logf("list: %s, %d records, %d dated, first %+v", list.Type, len(list.Records), list.Dated, list.Records[0])
	if list.Type != List || len(list.Records) < 15 || list.Dated != len(list.Records) {
		t.Errorf("list: %s with %d records, %d dated", list.Type, len(list.Records), list.Dated)
	}
	for _, tender := range [][2]string{{"ccgp_detail.html", "包号\t货物名称\t数量\t采购预算\n1\t"}, {"jsggzy_detail.html", "招标条件"}} {
		name := tender[0]
		p := read(name)
		t.Logf("%s: %s %q (%s) %s (%s), %d attachments", name, p.Type, p.Title, p.TitleWhy, p.Date, p.DateWhy, len(p.Attachments))
		if p.Type != Detail || p.Date.IsZero() || siteName(p.Title) || !strings.Contains(p.Main, tender[1]) {
			t.Errorf("%s: %s, %s, %.300q", name, p.Type, p.Date, p.Main)
		}
	}
}
