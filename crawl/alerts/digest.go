package alerts

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"angler/crawl/htmldoc"
	"angler/crawl/view"
	"angler/store/config"
	"angler/store/records"
)

// digestItem is one notice of a digest.
type digestItem struct {
	ID       uint64    `json:"id,omitempty"`
	Title    string    `json:"title"`
	URL      string    `json:"url"`
	Site     string    `json:"site"`          // short name of the site
	New      bool      `json:"new,omitempty"` // in a due section: not sent before
	Date     string    `json:"date,omitempty"`
	Doubtful bool      `json:"doubtful,omitempty"` // possibly no notice
	Kind     string    `json:"kind,omitempty"`     // 招标, 更正, 中标 …
	Buyer    string    `json:"buyer,omitempty"`
	Budget   float64   `json:"budget,omitempty"` // 元
	Deadline time.Time `json:"deadline,omitzero"`
	Clocked  bool      `json:"clocked,omitempty"` // Deadline has a time of day
	Winner   string    `json:"winner,omitempty"`
	Amount   float64   `json:"amount,omitempty"` // 元
	Change   string    `json:"change,omitempty"` // summary of the changed lines
	Also     int       `json:"also,omitempty"`   // number of other addresses with the same text
	Model    string    `json:"model,omitempty"`  // answer of the optional model: yes, no or unsure
	Quote    string    `json:"quote,omitempty"`  // of the notice, for the answer
}

// digestSection holds the rows of one kind.
type digestSection struct {
	Tells string           `json:"tells"` // config.TellNew …
	Items []digestItem     `json:"items,omitempty"`
	Lists []view.ListAlarm `json:"lists,omitempty"`
}

// Digest is one message. It is immutable.
type Digest struct {
	Workspace string          `json:"workspace"`
	Notify    string          `json:"notify"`
	Language  string          `json:"-"` // zh or en
	At        time.Time       `json:"at"`
	Part      int             `json:"part,omitempty"` // number of the part, if a digest is split: 2, 3, …
	Test      bool            `json:"test,omitempty"`
	Sections  []digestSection `json:"sections"`
}

// size returns the number of rows.
func (d *Digest) size() (n int) {
	for i := range d.Sections {
		n += len(d.Sections[i].Items) + len(d.Sections[i].Lists)
	}
	return n
}

// saidYes returns the number of notices for which the model says yes.
func (d *Digest) saidYes() (n int) {
	for i := range d.Sections {
		for k := range d.Sections[i].Items {
			if d.Sections[i].Items[k].Model == records.SaidYes {
				n++
			}
		}
	}
	return n
}

// split divides a digest into parts of at most most rows each.
func (d *Digest) split(most int) []*Digest {
	var out []*Digest
	room := 0
	for _, s := range d.Sections {
		for len(s.Items)+len(s.Lists) > 0 {
			if room == 0 {
				part := *d
				part.Sections = nil
				if len(out) > 0 {
					part.Part = len(out) + 1
				}
				out, room = append(out, &part), most
			}
			items := min(room, len(s.Items))
			lists := min(room-items, len(s.Lists))
			to := out[len(out)-1]
			to.Sections = append(to.Sections, digestSection{s.Tells, s.Items[:items], s.Lists[:lists]})
			s.Items, s.Lists = s.Items[items:], s.Lists[lists:]
			room -= items + lists
		}
	}
	if len(out) == 0 {
		out = append(out, d)
	}
	return out
}

// title returns the subject: workspace and number of rows of each kind.
func (d *Digest) title() string {
	var parts []string
	for _, s := range d.Sections {
		if n := len(s.Items) + len(s.Lists); n > 0 {
			parts = append(parts, d.f("count "+s.Tells, n))
		}
	}
	if len(parts) == 0 {
		parts = append(parts, d.t("nothing"))
	}
	if yes := d.saidYes(); yes > 0 {
		parts = append(parts, d.f("count model", yes))
	}
	head := digestLine(d.Workspace, 60)
	if d.Test {
		head = d.t("test") + head
	}
	tail := strings.Join(parts, d.t("comma"))
	if d.Part > 1 {
		tail += d.f("part", d.Part)
	}
	return head + d.t("colon") + tail
}

// grouped sorts items by site, sites in the order of their first item.
func grouped(items []digestItem) []digestItem {
	at := map[string]int{}
	for i := range items {
		if _, ok := at[items[i].Site]; !ok {
			at[items[i].Site] = len(at)
		}
	}
	out := slices.Clone(items)
	slices.SortStableFunc(out, func(a, b digestItem) int { return cmp.Compare(at[a.Site], at[b.Site]) })
	return out
}

// facts returns the known values of an item, one short string each.
func (d *Digest) facts(it *digestItem) []string {
	var out []string
	add := func(key, v string) {
		if v != "" {
			out = append(out, d.t(key)+v)
		}
	}
	if it.New {
		out = append(out, d.t("fresh"))
	}
	if it.Doubtful {
		out = append(out, d.t("doubtful"))
	}
	switch quote := digestLine(it.Quote, 80); {
	case it.Model == records.SaidYes && quote != "":
		out = append(out, d.f("model quotes", quote))
	case it.Model != "":
		add("model", d.t("model "+it.Model))
	}
	add("", digestLine(it.Kind, 20))
	add("", it.Date)
	add("buyer", digestLine(it.Buyer, 80))
	add("budget", d.money(it.Budget))
	add("deadline", d.when(it))
	add("winner", digestLine(it.Winner, 80))
	add("amount", d.money(it.Amount))
	add("change", digestLine(it.Change, 200))
	if it.Also > 0 {
		out = append(out, d.n("also", it.Also))
	}
	return out
}

func (d *Digest) when(it *digestItem) string {
	if it.Deadline.IsZero() {
		return ""
	}
	form := time.DateOnly
	if it.Clocked {
		form = "2006-01-02 15:04"
	}
	s := it.Deadline.Format(form)
	if left := it.Deadline.Sub(d.At); left > 0 {
		if days := int(left.Hours() / 24); days > 0 {
			return s + d.n("days left", days)
		}
		return s + d.n("hours left", max(1, int(left.Hours())))
	}
	return s
}

// money formats an amount in 元: with 万 and 亿 in Chinese, with thousands separators in English.
func (d *Digest) money(v float64) string {
	if v <= 0 {
		return ""
	}
	if d.zh() {
		switch {
		case v >= 1e8:
			return trimmed(v/1e8) + "亿元"
		case v >= 1e4:
			return trimmed(v/1e4) + "万元"
		}
		return trimmed(v) + "元"
	}
	whole, rest, _ := strings.Cut(trimmed(v), ".")
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if rest != "" {
		whole += "." + rest
	}
	return "CNY " + whole
}

func trimmed(v float64) string {
	s := strconv.FormatFloat(v, 'f', 4, 64)
	return strings.TrimRight(strings.TrimRight(s, "0"), ".")
}

// digestLine returns a text in one line without control characters, at most most runes long.
func digestLine(s string, most int) string { return strings.TrimSpace(htmldoc.CleanLine(s, most)) }

// link returns an http or https address with unsafe characters escaped; "" for others. An unescaped
// @ could mention a person in a chat or change the host.
func link(s string) string {
	if !strings.HasPrefix(s, "http://") && !strings.HasPrefix(s, "https://") || len(s) > 2000 {
		return ""
	}
	var b strings.Builder
	for i := range len(s) {
		if c := s[i]; c <= ' ' || c == 0x7f || strings.IndexByte("\"'<>()[]`\\|*{}^@", c) >= 0 {
			fmt.Fprintf(&b, "%%%02X", c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}

// alarm describes the problem of a list in the digest's language.
func (d *Digest) alarm(a *view.ListAlarm) string {
	if !d.zh() {
		return digestLine(a.Says(), 200)
	}
	switch a.Kind {
	case view.ListFails:
		if a.Why == "" {
			return "上次访问失败"
		}
		return "上次访问失败：" + strings.Replace(digestLine(a.Why, 120), "HTTP status ", "HTTP 状态 ", 1)
	case view.ListLogin:
		return "返回的是登录页面"
	case view.ListMoved:
		return "转到了另一个地址：" + digestLine(a.Why, 200)
	case view.ListEmpty:
		return fmt.Sprintf("不再列出任何条目（此前带回 %d 条公告）", a.Notices)
	case view.ListStale:
		return fmt.Sprintf("最新条目停在 %s，已 %d 天没有更新（以往间隔最长 %d 天）", a.Newest.Format(time.DateOnly), a.Days, a.Usual)
	case view.ListPager:
		return "后面的分页没有全部访问到"
	case view.ListUnfollowed:
		return unfollowed(a)
	}
	return a.Kind
}

func (d *Digest) zh() bool { return d.Language == "zh" }

// t returns a text in the digest's language.
func (d *Digest) t(key string) string {
	if key == "" {
		return ""
	}
	w, ok := words[key]
	if !ok {
		return key
	}
	if d.zh() {
		return w[1]
	}
	return w[0]
}

// n is f that uses the singular text for 1, if there is one.
func (d *Digest) n(key string, n int) string {
	if _, ok := words["1 "+key]; ok && n == 1 {
		return d.t("1 " + key)
	}
	return d.f(key, n)
}

func (d *Digest) f(key string, args ...any) string { return fmt.Sprintf(d.t(key), args...) }

// words holds the texts of digests in English and Chinese.
var words = map[string][2]string{
	config.TellNew: {"New", "新公告"}, config.TellDue: {"Due soon", "即将截止"}, config.TellChanged: {"Changed", "内容有变"},
	config.TellWon: {"Won", "中标结果"}, config.TellLists: {"Lists that broke", "异常的列表页"},
	"count " + config.TellNew: {"%d new", "新公告 %d 条"}, "count " + config.TellDue: {"%d due soon", "即将截止 %d 条"},
	"count " + config.TellChanged: {"%d changed", "变更 %d 条"}, "count " + config.TellWon: {"%d won", "中标 %d 条"},
	"count " + config.TellLists: {"lists that broke: %d", "异常列表页 %d 个"},
	"nothing":                   {"nothing new", "没有新内容"}, "test": {"[test] ", "【测试】"}, "comma": {", ", "，"},
	"colon": {": ", "："},
	"part":  {" (part %d)", "（第 %d 部分）"}, "buyer": {"buyer ", "采购人 "}, "budget": {"budget ", "预算 "},
	"deadline": {"due ", "截止 "},
	"winner":   {"winner ", "中标人 "}, "amount": {"amount ", "中标金额 "}, "change": {"changed: ", "变更："},
	"also":      {"at %d other addresses", "另有 %d 个地址"},
	"days left": {" (%d days left)", "（还有 %d 天）"}, "hours left": {" (%d hours left)", "（还有 %d 小时）"},
	"fresh": {"new", "新"}, "doubtful": {"may be no notice", "存疑"},
	"count model": {"the model says yes to %d", "模型认可 %d 条"}, "model": {"the model says ", "模型："},
	"model quotes": {"the model says yes: “%s”", "模型：是（“%s”）"},
	"model yes":    {"yes", "是"}, "model no": {"no", "否"}, "model unsure": {"unsure", "不确定"},
	"1 also": {"at 1 other address", "另有 1 个地址"}, "1 days left": {" (1 day left)", "（还有 1 天）"},
	"1 hours left": {" (1 hour left)", "（还有 1 小时）"},
	"foot":         {"angler · workspace %s · notify %s", "angler · 工作区 %s · 通知 %s"},
}
