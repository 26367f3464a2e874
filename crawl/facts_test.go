package crawl_test

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"math"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"angler/crawl"
	"angler/crawl/demo"
	"angler/crawl/extract"
	"angler/crawl/facts"
	"angler/crawl/inbox"
	"angler/crawl/query"
	"angler/store/config"
	"angler/store/export"
)

// Every notice that a harvest brings home has its values read in the background, and
// listeners are told.
func TestFactsFollowAHarvest(t *testing.T) {
	alone(t)
	b := openDemo(t, "", crawl.Options{Override: func(s *config.Settings) { s.Crawl.Depth = 20 }})
	sampled(t, b, 3)
	ctx := context.Background()
	discover(t, b.Runs)
	harvest(t, b.Runs)
	must(t, b.Facts.Idle(ctx))
	n, stated := 0, 0
	must(t, b.Facts.Each(ctx, func(s *facts.NoticeFacts) error {
		n++
		stated += len(s.Result.Values)
		return nil
	}))
	if all := b.Workspace().Counts().Notices; n != all || n < 60 {
		t.Errorf("%d of %d notices were read", n, all)
	}
	t.Logf("%d notices, %d values", n, stated)
	consistent(t, b.Engine)
	list := func(query string) *inbox.Listing {
		in, err := b.Inbox.List(ctx, inbox.Request{Query: query})
		if err != nil {
			t.Fatalf("%s: %v", query, err)
		}
		return in
	}
	all, bytes := list(""), 0
	for _, r := range all.Rows {
		bytes += r.Facts.Bytes()
	}
	if per := bytes / len(all.Rows); per > 150 {
		t.Errorf("the values of a notice take %d bytes in memory", per)
	}
	for _, x := range []struct {
		query string
		holds func(r *inbox.ListedNotice) bool
	}{
		{"budget>100w", func(r *inbox.ListedNotice) bool { v, ok := r.Facts.Number("budget"); return ok && v > 1e6 }},
		{"预算>100万", func(r *inbox.ListedNotice) bool { v, ok := r.Facts.Number("budget"); return ok && v > 1e6 }},
		{"has:winner kind:中标", func(r *inbox.ListedNotice) bool { return r.Facts.Has("winner") }},
		{"-has:budget", func(r *inbox.ListedNotice) bool { return !r.Facts.Has("budget") }},
		{"buyer:大学", func(r *inbox.ListedNotice) bool {
			return strings.Contains(strings.Join(r.Facts.Texts("buyer", r.Title), " "), "大学")
		}},
		{"deadline>=2026-01-01 deadline<2027-01-01", func(r *inbox.ListedNotice) bool {
			at := r.Facts.Time("deadline")
			return at.Year() == 2026
		}},
	} {
		in := list(x.query)
		if len(in.Rows) == 0 || len(in.Rows) == len(all.Rows) {
			t.Errorf("%s lets %d of %d pass", x.query, len(in.Rows), len(all.Rows))
		}
		want := 0
		for i := range all.Rows {
			if x.holds(&all.Rows[i]) {
				want++
			}
		}
		got := 0
		for i := range in.Rows {
			if x.holds(&in.Rows[i]) {
				got++
			}
		}
		if got != len(in.Rows) || got != want && !strings.Contains(x.query, "kind") {
			t.Errorf("%s: %d rows, %d of them as they should be, %d of all", x.query, len(in.Rows), got, want)
		}
	}
	if err := b.Inbox.CheckFilter("budget:viel"); err == nil {
		t.Error("a sum that is none is taken")
	}
	testExportedFacts(t, b)
	testFactsAreTrue(t, b)
	testCorrectedFacts(t, b, all.Rows)
}

// testFactsAreTrue compares what was read of the demo web's notices with what it is
// made of: the truth is taken from the layouts of its texts, which stand in testdata/web.
func testFactsAreTrue(t *testing.T, b *demo.Engine) {
	var gold bytes.Buffer
	n := 0
	for truth := range b.Web().Truths() {
		if !truth.Tender || truth.Type != "detail" {
			continue
		}
		if f := demoFields(truth.Title, truth.Text); len(f) > 0 {
			line, err := json.Marshal(map[string]any{"url": truth.URL, "fields": f})
			must(t, err)
			gold.Write(append(line, '\n'))
			n++
		}
	}
	x, err := extract.New("", b.Snapshot().At, os.ReadFile)
	must(t, err)
	x.Fields = b.Facts.Set()
	r, err := x.MeasureFields(&gold, "", b.Facts.At)
	must(t, err)
	if r.Stored < 60 {
		t.Errorf("%d of %d notices with known fields are stored", r.Stored, n)
	}
	for _, s := range r.Scores {
		t.Logf("%-9s P %.3f R %.3f of %d", s.Field, s.P, s.R, s.Stated)
		if s.P < .99 || s.R < .99 {
			t.Errorf("%s is read with P %.3f, R %.3f", s.Field, s.P, s.R)
		}
	}
	for i, m := range r.Misses {
		if i < 12 {
			t.Logf("%+v", m)
		}
	}
}

// demoFields are the fields of a notice of the demo web by the layout of its text; nil
// says that the notice does not state one.
func demoFields(title, text string) map[string]any {
	behind := func(pattern string) any {
		if m := regexp.MustCompile(pattern).FindStringSubmatch(text); m != nil {
			return m[1]
		}
		return nil
	}
	yuan := func(pattern string, wan bool) any {
		var sums []any
		for _, m := range regexp.MustCompile(pattern).FindAllStringSubmatch(text, -1) {
			v, err := strconv.ParseFloat(m[1], 64)
			if err != nil {
				return nil
			}
			if wan {
				v *= 10_000
			}
			sums = append(sums, math.Round(v*100)/100)
		}
		if len(sums) == 0 {
			return nil
		}
		return sums
	}
	day := func(pattern, clock string) any {
		m := regexp.MustCompile(pattern).FindStringSubmatch(text)
		if m == nil {
			return nil
		}
		at, err := time.Parse("2006年1月2日", m[1])
		if err != nil {
			return nil
		}
		return at.Format("2006-01-02T") + clock
	}
	const date = `(\d{4}年\d+月\d+日)`
	f := map[string]any{"number": behind(`([A-Z]+-ZC\d{8})`)}
	switch {
	case strings.Contains(text, "欢迎符合条件的投标人参加投标"):
		f["budget"], f["ceiling"] = yuan(`预算金额\t([\d.]+)万元`, true), yuan(`最高限价\t([\d.]+)万元`, true)
		f["buyer"], f["agent"] = behind(`采购单位\t(.+)`), behind(`代理机构\t(.+)`)
		f["deadline"] = day(`投标截止时间\t`+date, "09:30")
	case strings.Contains(text, "现公开邀请合格投标人"):
		f["budget"] = yuan(`采购预算：人民币([\d.]+)万元`, true)
		f["buyer"], f["agent"] = behind(`\n采购人：(.+?)，`), behind(`采购代理机构：(.+?)，`)
		f["deadline"] = day(`投标截止时间及开标时间为`+date, "09:00")
		f["opening"] = f["deadline"]
	case strings.Contains(text, "欢迎具备资质的供应商前来投标"):
		f["ceiling"] = yuan(`\n\d\t.+\t\d+\t[项套批]\t([\d.]+)`, true)
		f["opening"] = day(`开标时间：`+date, "09:30")
	case strings.Contains(text, "现面向社会公开询价"):
		f["ceiling"], f["deadline"] = yuan(`控制价\t([\d.]+)万元`, true), day(`报价截止时间\t`+date, "16:00")
	case strings.HasPrefix(text, "一、采购项目"):
		f["budget"] = yuan(`预算金额：([\d.]+)万元`, true)
	case strings.Contains(text, "近期采购意向"):
		f["budget"] = yuan(`\n\d\t.+\t(\d+)\t\d{4}年`, true)
	case strings.Contains(text, "采购人联系方式"):
		f["winner"], f["amount"] = behind(`中标供应商\t(.+)`), yuan(`中标金额\t([\d.]+)元`, false)
	case strings.Contains(text, "中标价为"):
		f["winner"], f["amount"] = behind(`经评审，确定(.+?)为中标人`), yuan(`中标价为([\d.]+)元`, false)
		f["buyer"], f["agent"] = behind(`\n采购单位：(.+?)。`), behind(`代理机构：(.+?)。`)
	default:
		return nil
	}
	if m := regexp.MustCompile(`([A-Z]+-ZC\d{8})`).FindString(title); m != "" {
		f["number"] = m
	}
	if regexp.MustCompile(`流标|废标|终止`).MatchString(title) { // its text says something else
		delete(f, "winner")
		delete(f, "amount")
	}
	return f
}

// testCorrectedFacts corrects a value, sees it everywhere, and takes it back.
func testCorrectedFacts(t *testing.T, b *demo.Engine, rows []inbox.ListedNotice) {
	ctx := context.Background()
	i := slices.IndexFunc(rows, func(r inbox.ListedNotice) bool { _, ok := r.Facts.Number("budget"); return ok })
	id := rows[i].ID
	read, _ := rows[i].Facts.Number("budget")
	budget := func() (float64, bool) {
		t.Helper()
		s, err := b.Facts.Of(id)
		if err != nil || s == nil {
			t.Fatalf("%v %v", s, err)
		}
		must(t, b.Facts.Idle(ctx))
		in, err := b.Inbox.List(ctx, inbox.Request{})
		must(t, err)
		for _, r := range in.Rows {
			if r.ID == id {
				v, ok := r.Facts.Number("budget")
				if said := s.Result.Of("budget"); ok != (len(said) > 0) {
					t.Errorf("the list says %v %v, the notice %+v", v, ok, said)
				}
				if r.Facts.Corrected() != (len(s.Corrected) > 0) {
					t.Error("the list does not know that the notice was corrected")
				}
				return v, ok
			}
		}
		t.Fatal("the notice is gone")
		return 0, false
	}
	if err := b.Facts.SetValue(id, "budget", "viel"); err == nil {
		t.Error("a sum that is none is taken")
	}
	must(t, b.Facts.SetValue(id, "budget", "77.5万"))
	if v, ok := budget(); !ok || v != 775_000 {
		t.Errorf("corrected: %v %v", v, ok)
	}
	must(t, b.Facts.SetValue(id, "budget", ""))
	if v, ok := budget(); ok {
		t.Errorf("not said: %v", v)
	}
	for range 2 {
		undo(t, b.Topic)
	}
	if v, ok := budget(); !ok || v != read {
		t.Errorf("undone: %v %v, read was %v", v, ok, read)
	}
	must(t, errOf(b.Topic.Redo()))
	if v, ok := budget(); !ok || v != 775_000 {
		t.Errorf("done again: %v %v", v, ok)
	}
	must(t, b.Facts.AsRead(id, "budget"))
	if v, ok := budget(); !ok || v != read {
		t.Errorf("as read: %v %v, read was %v", v, ok, read)
	}
	consistent(t, b.Engine)
}

// testExportedFacts compares what exports say with what is known.
func testExportedFacts(t *testing.T, b *demo.Engine) {
	ctx := context.Background()
	budgets := map[string]string{}
	said := map[string]map[string]any{}
	for _, row := range exportedMaps(t, b.Engine) {
		f, _ := row["fields"].(map[string]any)
		said[row["url"].(string)] = f
		if v, ok := f["budget"]; ok {
			if text, err := json.Marshal(v); err == nil && text[0] != '[' {
				budgets[row["url"].(string)] = string(text)
			}
		}
	}
	if len(budgets) < 15 {
		t.Errorf("%d of %d notices say a budget", len(budgets), len(said))
	}
	var out bytes.Buffer
	must(t, errOf(b.Pages.Export(ctx, query.ExportPlan{What: "notices", Format: export.CSV, Filter: "has:budget"}, &out)))
	lines, err := csv.NewReader(&out).ReadAll()
	must(t, err)
	at, column := slices.Index(lines[0], "url"), slices.Index(lines[0], "budget")
	if column < 0 || slices.Contains(lines[0], "fields") {
		t.Fatalf("columns %q", lines[0])
	}
	for _, line := range lines[1:] {
		if want := budgets[line[at]]; want != "" {
			a, _ := strconv.ParseFloat(want, 64)
			if b, err := strconv.ParseFloat(line[column], 64); err != nil || a != b {
				t.Errorf("%s: CSV says %q, JSON lines %s", line[at], line[column], want)
			}
		}
	}
	out.Reset()
	if _, err := b.Pages.Export(ctx, query.ExportPlan{What: "notices", Format: export.Atom, Newest: 400}, &out); err != nil || !strings.Contains(out.String(), "预算：") {
		t.Errorf("Atom has no line of values, %v", err)
	}
}

// exportedMaps are the notices as JSON lines have them.
func exportedMaps(t *testing.T, e *crawl.Engine) []map[string]any {
	return exported[map[string]any](t, e, "notices")
}
