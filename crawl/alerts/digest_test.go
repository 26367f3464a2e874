package alerts

import (
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"angler/crawl/view"
	"angler/store/config"
	"angler/store/records"
)

var at = time.Date(2026, 11, 20, 8, 30, 0, 0, time.UTC)

func sample(language string) *Digest {
	return &Digest{Workspace: "高校招标", Notify: "morning", Language: language, At: at, Sections: []digestSection{
		{Tells: config.TellDue, Items: []digestItem{{Title: "琴房楼空调采购", URL: "http://ztb.ntu.test/1", Site: "ntu", Deadline: at.Add(5 * time.Hour), Clocked: true, Budget: 922_800, Buyer: "南通大学"}}},
		{Tells: config.TellNew, Items: []digestItem{
			{Title: "电梯", URL: "http://ztb.ntu.test/2", Site: "ntu", Date: "2026-11-19"},
			{Title: "设备", URL: "http://www.hainu.test/3", Site: "hainu", Kind: "招标", Also: 2},
			{Title: "家具", URL: "http://ztb.ntu.test/4", Site: "ntu"}}},
		{Tells: config.TellChanged, Items: []digestItem{{Title: "更正", URL: "javascript:alert(1)", Site: "ntu", Change: "开标时间 9:00 → 9:30"}}},
		{Tells: config.TellWon, Items: []digestItem{{Title: "中标公告", URL: "http://ztb.ntu.test/5", Site: "ntu", Winner: "某公司", Amount: 1_234_567_890}}},
		{Tells: config.TellLists, Lists: []view.ListAlarm{{Title: "采购信息", URL: "http://www.hainu.test/list", Host: "www.hainu.test", Kind: view.ListStale, Newest: at.AddDate(0, 0, -40), Days: 40, Usual: 9}}},
	}}
}

func TestText(t *testing.T) {
	for language, want := range map[string][]string{
		"zh": {"高校招标：即将截止 1 条，新公告 3 条，变更 1 条，中标 1 条，异常列表页 1 个\n", "预算 92.28万元", "截止 2026-11-20 13:30（还有 5 小时）", "采购人 南通大学", "中标金额 12.3457亿元", "另有 2 个地址", "变更：开标时间 9:00 → 9:30", "最新条目停在 2026-10-11，已 40 天没有更新（以往间隔最长 9 天）"},
		"en": {"高校招标: 1 due soon, 3 new, 1 changed, 1 won, lists that broke: 1\n", "budget CNY 922,800", "due 2026-11-20 13:30 (5 hours left)", "amount CNY 1,234,567,890", "newest entry of 2026-10-11, 40 days ago"},
	} {
		text := sample(language).Text()
		for _, w := range want {
			if !strings.Contains(text, w) {
				t.Errorf("%s lacks %q:\n%s", language, w, text)
			}
		}
		if strings.Contains(text, "javascript") || strings.Index(text, "家具") > strings.Index(text, "设备") {
			t.Errorf("an address acts, or a site stands twice:\n%s", text)
		}
	}
	// What is one is said so, and of what is due that it is new.
	d := sample("en")
	it := &digestItem{Title: "a", Deadline: d.At.Add(30 * time.Hour), New: true, Also: 1}
	if got := strings.Join(d.facts(it), " · "); got != "new · due "+it.Deadline.Format(time.DateOnly)+" (1 day left) · at 1 other address" {
		t.Errorf("an item is told as %q", got)
	}
	if got := (&Digest{Workspace: "x", Language: "zh"}).title(); got != "x：没有新内容" {
		t.Errorf("nothing is told as %q", got)
	}
}

func TestSplitLosesNothing(t *testing.T) {
	d := sample("zh")
	for most := 1; most < 9; most++ {
		n := 0
		for i, p := range d.split(most) {
			if p.size() > most || i > 0 && p.Part != i+1 {
				t.Errorf("part %d (%d) of %d rows, at most %d", i, p.Part, p.size(), most)
			}
			n += p.size()
		}
		if n != d.size() {
			t.Errorf("%d of %d rows in parts of %d", n, d.size(), most)
		}
	}
	if parts := (&Digest{}).split(5); len(parts) != 1 {
		t.Errorf("an empty digest is %d messages", len(parts))
	}
}

func TestCut(t *testing.T) {
	for s, want := range map[string]string{"abc": "abc", "中文字符": "中文…", "abcdefghij": "abcdef…"} {
		if got := cutBytes(s, 9); got != want {
			t.Errorf("%q is cut to %q, want %q", s, got, want)
		}
	}
}

// Whatever a page calls itself, no form of a digest lets it act.
func FuzzForms(f *testing.F) {
	f.Add("<script>alert(1)</script>", "http://x.test/\"><img src=x>", "[x](http://evil.test)")
	f.Add("a", "http://x.test@evil.test/@all", "b")
	f.Add("a\x1b[31m\u202eb\nc", "https://x.test/?a=(b)&c=<d>", "<at id=all></at> ![p](http://e.test/p)")
	f.Fuzz(func(t *testing.T, title, address, site string) {
		d := &Digest{Workspace: site, Language: "zh", At: at, Sections: []digestSection{
			{Tells: config.TellNew, Items: []digestItem{{Title: title, URL: address, Site: site, Buyer: title, Change: site, Model: records.SaidYes, Quote: title}}},
			{Tells: config.TellLists, Lists: []view.ListAlarm{{Title: title, URL: address, Host: site, Kind: view.ListFails, Why: title}}}}}
		if strings.ContainsAny(d.Text(), "\x1b\u202e\x00") {
			t.Fatalf("%q", d.Text())
		}
		tokens := html.NewTokenizer(strings.NewReader(d.html()))
		for tokens.Next() != html.ErrorToken {
			switch x := tokens.Token(); x.Data {
			case "script", "img", "iframe", "style", "object", "form":
				if x.Type != html.TextToken {
					t.Fatalf("%s in %s", x, d.html())
				}
			case "a":
				for _, a := range x.Attr {
					if a.Key == "href" && !strings.HasPrefix(a.Val, "http://") && !strings.HasPrefix(a.Val, "https://") || strings.HasPrefix(a.Key, "on") {
						t.Fatalf("%s", x)
					}
				}
			}
		}
		text := d.markdown()
		if strings.Count(text, "](") > 2 || strings.ContainsAny(text, "<>@`") {
			t.Fatalf("%q", text)
		}
	})
}
