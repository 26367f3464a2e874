package inbox

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"angler/crawl/decisions"
	"angler/crawl/facts"
	"angler/crawl/fields"
	"angler/crawl/webtest/realpages"
	"angler/topic"
)

// publication is a notice of the evaluation with what a profile asks of it.
type publication struct {
	head   *NoticeHead
	region string
	budget float64
}

// profile is a simulated person.
type profile struct {
	regions, words []string // nil = any
	least, most    float64  // yuan; 0 = any
}

func (p *profile) wants(n *publication) bool {
	among := func(list []string, s string) bool {
		return list == nil || slices.ContainsFunc(list, func(x string) bool { return strings.Contains(s, x) })
	}
	return among(p.regions, n.region) && among(p.words, n.head.Title) && n.budget >= p.least &&
		(p.most == 0 || n.budget > 0 && n.budget < p.most)
}

// profilesOf returns all combinations.
func profilesOf(regions, words [][]string, budgets [][2]float64) (out []profile) {
	for _, r := range regions {
		for _, w := range words {
			for _, b := range budgets {
				out = append(out, profile{r, w, b[0], b[1]})
			}
		}
	}
	return out
}

// publications makes heads as the inbox does, newest first.
type publications struct {
	set   *fields.Set
	words *facts.Words
	all   []publication
}

func newPublications(t testing.TB) *publications {
	t.Helper()
	set, err := fields.Preset(fields.Tenders)
	must(t, err)
	return &publications{set: set, words: facts.NewWords()}
}

func (p *publications) add(title, text, region string, budget float64, at time.Time) {
	h := &NoticeHead{ID: uint64(len(p.all) + 1), Title: title, At: at, words: wordTokens(title, text)}
	h.take(p.words, &facts.NoticeFacts{Set: p.set, Result: p.set.Extract(fields.Notice{Title: title, Text: text})})
	p.all = append(p.all, publication{h, region, budget})
}

func (p *publications) newestFirst() []publication {
	slices.SortStableFunc(p.all, func(a, b publication) int { return b.head.At.Compare(a.head.At) })
	return p.all
}

// published reads the published notices: 400 titles with their published fields, and 40 whole notices.
func published(t *testing.T) []publication {
	dir := realpages.Path(t)
	out := newPublications(t)
	each := func(file string, take func(line []byte) error) {
		in, err := os.Open(filepath.Join(dir, file))
		must(t, err)
		defer in.Close()
		lines := bufio.NewScanner(in)
		lines.Buffer(nil, 1<<22)
		for lines.Scan() {
			if err := take(lines.Bytes()); err != nil {
				t.Fatalf("%s: %v", file, err)
			}
		}
		must(t, lines.Err())
	}
	each("tenders/hospital-notice-titles.jsonl", func(line []byte) error {
		var x struct {
			Title, Area, City, Buyer string
			Budget, BidAmount        float64
			PublishTime              int64
		}
		if err := json.Unmarshal(line, &x); err != nil {
			return err
		}
		text := "采购人：" + x.Buyer + "\n地区：" + x.Area + x.City + "\n"
		if x.Budget > 0 {
			text += fmt.Sprintf("预算金额：%.0f元\n", x.Budget)
		} else if x.BidAmount > 0 {
			text += fmt.Sprintf("成交金额：%.0f元\n", x.BidAmount)
		}
		out.add(x.Title, text, x.Area, cmp.Or(x.Budget, x.BidAmount), time.Unix(x.PublishTime, 0))
		return nil
	})
	each("fields/notices.jsonl", func(line []byte) error {
		var x struct {
			Title, Text, Published string
			Fields                 struct {
				Region any
				Budget any `json:"budget_yuan"`
			}
		}
		if err := json.Unmarshal(line, &x); err != nil {
			return err
		}
		day, err := time.Parse(time.DateOnly, x.Published[:min(len(x.Published), len(time.DateOnly))])
		region, _ := x.Fields.Region.(string)
		budget, _ := x.Fields.Budget.(float64)
		out.add(x.Title, x.Text, region, budget, day)
		return err
	})
	return out.newestFirst()
}

const (
	readRows  = 60 // rows that a simulated person reads at a time, three screens
	session   = 5  // verdicts at a time
	mostStars = 3  // of them stars, on the first wanted rows; the rest are dones, on the first unwanted ones
	firstRows = 20
)

// simulate returns the precision of the first 20 notices without a verdict after each number of verdicts.
func simulate(t *testing.T, all []publication, p *profile, after []int) (out []float64) {
	in := New(Config{})
	person := &in.person("").tastes
	judged := map[uint64]bool{}
	order := slices.Clone(all)
	for len(out) < len(after) {
		if len(person.verdicts) > 0 {
			person.train()
		}
		if l := person.learner; l != nil {
			order = slices.Clone(all)
			slices.SortStableFunc(order, func(a, b publication) int {
				return cmp.Compare(l.Probability(b.head.words, b.head.values), l.Probability(a.head.words, a.head.values))
			})
		}
		open := slices.DeleteFunc(slices.Clone(order), func(n publication) bool { return judged[n.head.ID] })
		if len(person.verdicts) >= after[len(out)] {
			out = append(out, precision(open, p))
		}
		rows := open[:min(len(open), readRows)]
		before := len(judged)
		say := func(yes bool, until int) {
			for i := range rows {
				if id := rows[i].head.ID; !judged[id] && p.wants(&rows[i]) == yes && len(judged) < before+until {
					judged[id] = true
					person.verdicts = append(person.verdicts, verdict{head: rows[i].head, yes: yes})
				}
			}
		}
		say(true, mostStars)
		say(false, session)
		say(true, session)
		if len(judged) == before {
			t.Fatal("no notice is left to judge")
		}
	}
	return out
}

func precision(list []publication, p *profile) float64 {
	wanted := 0
	for i := range list[:min(len(list), firstRows)] {
		if p.wants(&list[i]) {
			wanted++
		}
	}
	return float64(wanted) / float64(firstRows)
}

var verdictCounts = []int{5, 10, 20, 50}

// evaluate prints the mean precision over the profiles that date order serves badly and enough notices match, and
// returns it with that of date order.
func evaluate(t *testing.T, name string, all []publication, profiles []profile, topicScore func(*publication) float64) (after []float64, byDate float64) {
	t.Helper()
	const least = 60 // wanted notices: fewer are used up by the stars
	byTopic, n := 0.0, 0.0
	after = make([]float64, len(verdictCounts))
	ranked := slices.Clone(all)
	slices.SortStableFunc(ranked, func(a, b publication) int { return cmp.Compare(topicScore(&b), topicScore(&a)) })
	for i := range profiles {
		p := &profiles[i]
		wanted := 0
		for k := range all {
			if p.wants(&all[k]) {
				wanted++
			}
		}
		date := precision(all, p)
		if wanted < least || date > .25 {
			continue
		}
		got := simulate(t, all, p, verdictCounts)
		t.Logf("%v: %d of %d wanted; by date %.2f, by topic %.2f, after %v verdicts %.2f", *p, wanted, len(all), date,
			precision(ranked, p), verdictCounts, got)
		for k := range got {
			after[k] += got[k]
		}
		byDate, byTopic, n = byDate+date, byTopic+precision(ranked, p), n+1
	}
	if n < 8 {
		t.Fatalf("%s: only %v profiles have enough notices", name, n)
	}
	for k := range after {
		after[k] /= n
	}
	t.Logf("%s: mean of %v profiles: by date %.3f, by topic score %.3f, after %v verdicts %.3f", name, n, byDate/n, byTopic/n,
		verdictCounts, after)
	return after, byDate / n
}

// After 20 verdicts, four fifths of the first twenty notices are wanted, on profiles that no constant was chosen on.
func TestRelevanceOfPublishedNotices(t *testing.T) {
	all := published(t)
	topicScore := topicScores(all)
	evaluate(t, "chosen on", all, profilesOf(
		[][]string{nil, {"浙江", "江苏", "上海", "安徽", "福建", "江西", "山东"},
			{"广东", "福建", "广西", "海南", "湖南", "湖北", "四川", "重庆"}},
		[][]string{{"行为管理"}, {"洗涤", "被服", "织物", "布草"}, {"信息", "软件", "平台"}, {"系统"}, {"行为管理", "信息", "软件"}},
		[][2]float64{{0, 0}, {1e6, 0}, {3e5, 0}, {0, 5e6}}), topicScore)
	got, byDate := evaluate(t, "held out", all, profilesOf(
		[][]string{nil, {"北京", "天津", "河北", "山东", "河南", "浙江", "江苏"},
			{"四川", "重庆", "贵州", "云南", "陕西", "广东", "广西"}, {"浙江", "福建", "广东", "上海"}},
		[][]string{{"更衣", "衣柜", "鞋柜", "智能柜", "发放"}, {"数字化", "净化", "一体化", "建设", "工程"}, {"设备", "家具"},
			{"手术室"}, {"更衣", "衣柜", "行为管理"}},
		[][2]float64{{0, 0}, {5e5, 0}, {8e5, 0}, {0, 1e7}}), topicScore)
	if byDate > .25 || got[2] < .8 {
		t.Errorf("after 20 verdicts %.3f of the first twenty are wanted, by date %.3f; want .8 and at most .25", got[2], byDate)
	}
}

// topicScores returns the cosine of each notice's words to the counts of the words of all notices, but for a constant: the
// score of a topic whose samples are lists of these notices. It is the same for every person.
func topicScores(all []publication) func(*publication) float64 {
	count := map[uint32]float64{}
	for i := range all {
		for _, w := range all[i].head.words {
			count[w]++
		}
	}
	return func(n *publication) float64 {
		sum := 0.0
		for _, w := range n.head.words {
			sum += count[w]
		}
		return sum / math.Sqrt(float64(len(n.head.words)+1))
	}
}

// lessons are notices of two kinds, and verdicts on the first of each.
func lessons(t *testing.T, stars, dones int) (*tastes, []publication) {
	t.Helper()
	out := newPublications(t)
	for i := range 40 {
		at := inboxDay.AddDate(0, 0, -i)
		if i%4 == 0 {
			out.add(fmt.Sprintf("安徽某大学激光显微镜%d号采购公告", i), "采购人：安徽某大学\n预算金额：200万元", "安徽", 2e6, at)
		} else {
			out.add(fmt.Sprintf("上海某医院保洁服务第%d包结果公告", i), "采购人：上海某医院\n预算金额：20万元", "上海", 2e5, at)
		}
	}
	x := &tastes{}
	for i := range out.all {
		switch h := out.all[i].head; {
		case i%4 == 0 && stars > 0:
			x.verdicts, stars = append(x.verdicts, verdict{head: h, yes: true}), stars-1
		case i%4 != 0 && dones > 0:
			x.verdicts, dones = append(x.verdicts, verdict{head: h}), dones-1
		}
	}
	x.train()
	return x, out.all
}

var inboxDay = time.Date(2026, 11, 20, 8, 0, 0, 0, time.UTC)

func TestLearnerNeedsVerdictsOfBothClasses(t *testing.T) {
	for _, c := range []struct {
		stars, dones int
		ready        bool
	}{{0, 0, false}, {2, 2, false}, {5, 0, false}, {0, 5, false}, {4, 1, true}, {1, 4, true}} {
		x, _ := lessons(t, c.stars, c.dones)
		if x.learned.Yes != c.stars || x.learned.No != c.dones || x.learned.Ready != c.ready || (x.learner != nil) != c.ready {
			t.Errorf("%d stars and %d dones: %+v", c.stars, c.dones, x.learned)
		}
	}
}

func TestLearnerOrdersAndExplains(t *testing.T) {
	x, all := lessons(t, 3, 3)
	again, _ := lessons(t, 3, 3)
	for i := range all {
		h := all[i].head
		p := x.learner.Probability(h.words, h.values)
		if p != again.learner.Probability(h.words, h.values) {
			t.Fatalf("equal verdicts give other values for %s", h.Title)
		}
		if (p >= LikelyForMe) != (i%4 == 0) || !(p > 0 && p < 1) {
			t.Errorf("%s has %v", h.Title, p)
		}
	}
	why := &WhyForMe{}
	why.explain(x, all[36].head, "")
	if words := strings.Join(why.Words, " "); !why.Yes || why.Alike != 3 || !strings.Contains(words, "显微镜") {
		t.Errorf("a microscope is explained by %+v", why)
	}
	if !slices.Contains(why.Fields, fieldReason{"buyer", "安徽某大学"}) {
		t.Errorf("the buyer is no reason: %+v", why.Fields)
	}
	why = &WhyForMe{}
	if why.explain(x, all[39].head, ""); why.Yes || why.Alike != 3 || len(why.Words) == 0 {
		t.Errorf("cleaning is explained by %+v", why)
	}
	why = &WhyForMe{}
	why.explain(x, &NoticeHead{Title: "∅"}, "")
	if len(why.Words)+len(why.Fields) > 0 || math.IsNaN(why.Value) {
		t.Errorf("a notice without words is explained by %+v", why)
	}
}

// Equal notices with opposite verdicts leave the learner uncertain, without values that are no numbers.
func TestLearnerTellsContradictions(t *testing.T) {
	x, all := lessons(t, 0, 0)
	for i := range 8 {
		x.verdicts = append(x.verdicts, verdict{head: all[0].head, yes: i%2 == 0})
	}
	x.train()
	if p := x.learner.Probability(all[0].head.words); !x.learned.Uncertain || math.IsNaN(p) {
		t.Errorf("value %v, %+v", p, x.learned)
	}
}

// After 10 verdicts on generated notices the wanted ones come first, where date order has a quarter.
func TestRelevanceOfGeneratedNotices(t *testing.T) {
	x, all := lessons(t, 4, 6)
	ranked := slices.DeleteFunc(slices.Clone(all), func(n publication) bool {
		return slices.ContainsFunc(x.verdicts, func(v verdict) bool { return v.head == n.head })
	})
	slices.SortStableFunc(ranked, func(a, b publication) int {
		return cmp.Compare(x.learner.Probability(b.head.words, b.head.values), x.learner.Probability(a.head.words, a.head.values))
	})
	for i := range ranked[:6] {
		if ranked[i].region != "安徽" {
			t.Errorf("place %d of those without a verdict has %s", i+1, ranked[i].head.Title)
		}
	}
}

// What marks say of a notice to one person.
func TestVerdictsOfMarks(t *testing.T) {
	at := func(minute int) time.Time { return inboxDay.Add(time.Duration(minute) * time.Minute) }
	by := func(name string, minute int) *decisions.Remark { return &decisions.Remark{By: name, At: at(minute)} }
	for name, c := range map[string]struct {
		marks        decisions.Marks
		opened       time.Time
		says         bool
		yes, differs bool
	}{
		"a star":                   {marks: decisions.Marks{Star: by("wang", 1)}, says: true, yes: true},
		"a colleague's star":       {marks: decisions.Marks{Star: by("li", 1)}},
		"done without opening":     {marks: decisions.Marks{Done: by("wang", 1)}, says: true},
		"done after opening":       {marks: decisions.Marks{Done: by("wang", 2)}, opened: at(1)},
		"opened after done":        {marks: decisions.Marks{Done: by("wang", 1)}, opened: at(2), says: true},
		"starred and done":         {marks: decisions.Marks{Star: by("wang", 1), Done: by("wang", 2)}, says: true, yes: true},
		"yes":                      {marks: decisions.Marks{Judged: by("wang", 1), Verdict: topic.Yes}, says: true, yes: true},
		"unsure":                   {marks: decisions.Marks{Judged: by("wang", 1), Verdict: topic.Unsure}},
		"a star, then no":          {marks: decisions.Marks{Star: by("wang", 1), Judged: by("wang", 2), Verdict: topic.No}, says: true, differs: true},
		"no, then a star":          {marks: decisions.Marks{Star: by("wang", 2), Judged: by("wang", 1), Verdict: topic.No}, says: true, yes: true, differs: true},
		"a colleague's no on mine": {marks: decisions.Marks{Star: by("wang", 1), Judged: by("li", 2), Verdict: topic.No}, says: true, yes: true},
	} {
		v, differs := verdictOf(&c.marks, "wang", c.opened)
		if v.at.IsZero() == c.says || v.yes != c.yes || differs != c.differs {
			t.Errorf("%s: says %v, yes %v, contradicts %v", name, !v.at.IsZero(), v.yes, differs)
		}
	}
}

// BenchmarkForMe scores 100,000 notices for one person.
func BenchmarkForMe(b *testing.B) {
	out := newPublications(b)
	for i := range 200 {
		out.add(fmt.Sprintf("安徽某大学激光显微镜%d号及配套设备采购项目公开招标公告", i), strings.Repeat("采购人：安徽某大学 预算金额：200万元 ", 6), "", 0, inboxDay)
	}
	x := &tastes{}
	for i := range out.all[:50] {
		x.verdicts = append(x.verdicts, verdict{head: out.all[i].head, yes: i%2 == 0})
	}
	x.train()
	for b.Loop() {
		for i := range 100_000 {
			h := out.all[i%len(out.all)].head
			x.learner.Probability(h.words, h.values)
		}
	}
}
