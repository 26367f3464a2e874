package notices_test

import (
	"os"
	"regexp"
	"slices"
	"testing"

	"angler/crawl/fields"
	"angler/crawl/notices"
	"angler/crawl/webtest"
	"angler/store/config"
)

func caseOf(s *notices.FamilySet, id uint64, title, text string) notices.CheckCase {
	return notices.CheckCase{ID: id, Title: title, Aside: notices.IsOffTopicTitle(title), Size: len(text), Families: s.Look(title, text), Words: notices.SimhashOf(text).Words}
}

// P0 requires only true notices. Trainings about procurement on the demo web match the title patterns but are not
// notices.
func TestTheDemoWebsTrainingsAreDoubtfulAndNoTenderIs(t *testing.T) {
	m, err := webtest.Load(os.DirFS("../../testdata/web"))
	if err != nil {
		t.Fatal(err)
	}
	web, err := webtest.New(m, webtest.Options{})
	if err != nil {
		t.Fatal(err)
	}
	set := notices.NewFamilySet(fields.Tenders, nil)
	patterns := regexp.MustCompile(config.TenderPatterns[0])
	var cases []notices.CheckCase
	tender, announced := map[uint64]bool{}, map[uint64]bool{}
	for x := range web.Truths() {
		if x.Type != "detail" {
			continue
		}
		id := uint64(len(cases) + 1)
		cases = append(cases, caseOf(set, id, x.Title, x.Text))
		tender[id], announced[id] = x.Tender, patterns.MatchString(x.Title)
	}
	j := notices.NewJudge(set, cases, nil)
	accepted, strangers, right, others, let := 0, 0, 0, 0, 0
	for i := range cases {
		c := &cases[i]
		f := j.Of(c)
		switch {
		case tender[c.ID]:
			if accepted++; f.Doubtful {
				t.Errorf("a true notice is doubtful: %s: %+v %v", c.Title, f, set.Names(c.Families))
			}
		case announced[c.ID]:
			if strangers++; f.Doubtful {
				right++
			} else {
				t.Logf("let in: %s: %+v", c.Title, f)
			}
		default:
			if others++; !f.Doubtful {
				let++
			}
		}
	}
	p := float64(accepted) / float64(accepted+strangers-right)
	t.Logf("%d tenders, %d strangers that the patterns take, P %.4f; of %d other pages %d look like tenders", accepted, strangers, p, others, let)
	if accepted < 300 || strangers < 20 || p < .99 || let*100 > others {
		t.Errorf("P %.4f of %d tenders and %d strangers, %d of %d others let in", p, accepted, strangers, let, others)
	}
}

const training = "各学院、各部门：为提高我校采购业务水平，定于下周举办招标采购业务培训，请各单位派人参加，报名截止时间为本周五，联系人：李老师。"

func TestWhatIsSaidTeaches(t *testing.T) {
	set := notices.NewFamilySet(fields.Tenders, nil)
	var cases []notices.CheckCase
	add := func(title, text string) uint64 {
		id := uint64(len(cases) + 1)
		cases = append(cases, caseOf(set, id, title, text))
		return id
	}
	first := add("关于举办招标采购业务培训的通知", training)
	second := add("关于举办招标采购业务培训（第2期）的通知", "培训安排另行通知。")
	tender := add("显微镜采购公告", "项目编号：DHU-2026-0012\n预算金额：92万元\n采购人：东湖大学\n投标截止时间：3月20日\n供应商须具有独立法人资格。")
	bare := add("显微镜采购中标公告", "详见附件。")
	of := func(verdicts map[uint64]bool, id uint64) notices.Finding {
		return notices.NewJudge(set, cases, verdicts).Of(&cases[id-1])
	}
	for _, c := range []struct {
		name     string
		verdicts map[uint64]bool
		id       uint64
		doubtful bool
		reason   notices.CheckReason
	}{
		{"a training", nil, first, true, notices.CheckedByFamily},
		{"a tender", nil, tender, false, notices.CheckedByFamily},
		{"a title and hardly a text", nil, bare, false, notices.CheckedByShort},
		{"overruled", map[uint64]bool{first: true}, first, false, notices.CheckedByPerson},
		{"overruled the other way", map[uint64]bool{tender: false}, tender, true, notices.CheckedByPerson},
		{"the same title but for figures follows", map[uint64]bool{first: true}, second, false, notices.CheckedByExample},
		{"a tender does not follow a training", map[uint64]bool{first: false}, tender, false, notices.CheckedByFamily},
	} {
		f := of(c.verdicts, c.id)
		if f.Doubtful != c.doubtful || f.Reason != c.reason {
			t.Errorf("%s: %+v", c.name, f)
		}
	}
}

func TestOtherTopics(t *testing.T) {
	jobs, prices, none := notices.NewFamilySet(fields.Jobs, nil), notices.NewFamilySet(fields.Prices, nil), notices.NewFamilySet("none", nil)
	own := notices.NewFamilySet("none", []fields.Field{{Name: "warranty", Title: "质保期", Labels: []string{"质保期", "保修期"}}, {Name: "model", Labels: []string{"型号"}}})
	for _, c := range []struct {
		name, title, text string
		set               *notices.FamilySet
		doubtful          bool
		reason            notices.CheckReason
	}{
		{"a job", "东湖大学2026年辅导员招聘公告", "招聘岗位：专职辅导员\n招聘人数：5名\n学历要求：硕士研究生及以上\n报名时间：3月1日至3月20日\n联系人：王老师", jobs, false, notices.CheckedByFamily},
		{"news, for jobs", "我校举办春季运动会", "四月的校园春意盎然，全校师生欢聚一堂，开幕式上各学院方阵精神抖擞地走过主席台，赛场上健儿们奋力拼搏。", jobs, true, notices.CheckedByFamily},
		{"a price", "3月1日蔬菜批发价格", "品名\t最低价\t最高价\t平均价\t单位\n白菜\t1.2\t1.6\t1.4\t元/公斤\n市场：东郊批发市场，价格比上周上涨。", prices, false, notices.CheckedByFamily},
		{"news, for prices", "我校举办春季运动会", "四月的校园春意盎然，全校师生欢聚一堂，开幕式上各学院方阵精神抖擞地走过主席台，赛场上健儿们奋力拼搏。", prices, true, notices.CheckedByFamily},
		{"nothing to look for", "我校举办春季运动会", "四月的校园春意盎然。", none, false, notices.CheckOff},
		{"an analyst's own words", "显微镜", "型号：X200\n质保期：三年", own, false, notices.CheckedByFamily},
		{"without an analyst's own words", "春季运动会", "四月的校园春意盎然，全校师生欢聚一堂，开幕式上各学院方阵精神抖擞地走过主席台。", own, true, notices.CheckedByFamily},
	} {
		x := caseOf(c.set, 1, c.title, c.text)
		if f := notices.NewJudge(c.set, []notices.CheckCase{x}, nil).Of(&x); f.Doubtful != c.doubtful || f.Reason != c.reason {
			t.Errorf("%s: %+v, families %v", c.name, f, c.set.Names(x.Families))
		}
	}
	if jobs.Print() == prices.Print() {
		t.Error("two sets of families have one fingerprint")
	}
	if got := own.Names(own.Look("", "保修期")); !slices.Equal(got, []string{"质保期"}) {
		t.Errorf("families %v", got)
	}
}

func FuzzLook(f *testing.F) {
	set := notices.NewFamilySet(fields.Tenders, nil)
	f.Add("采购公告", training)
	f.Fuzz(func(t *testing.T, title, text string) {
		c := caseOf(set, 1, title, text)
		notices.NewJudge(set, []notices.CheckCase{c}, map[uint64]bool{2: true}).Of(&c)
	})
}

func BenchmarkLook(b *testing.B) {
	set := notices.NewFamilySet(fields.Tenders, nil)
	for b.Loop() {
		set.Look("采购公告", training)
	}
}
