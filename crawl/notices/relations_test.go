package notices

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

func day(n int) time.Time { return time.Date(2026, 3, 1+n, 0, 0, 0, 0, time.UTC) }

const long = "东湖大学拟采购气相色谱仪一台，预算金额92.28万元，投标截止时间为2026年3月20日9时30分，欢迎符合条件的供应商参加投标。联系人：王老师，电话：027-87654321。"

func TestTheSameNoticeOnSeveralHosts(t *testing.T) {
	text := SimhashOf(long)
	other := SimhashOf(strings.Replace(long, "92.28", "93.28", 1))
	base := RelatedNotice{ID: 10, Host: "a.test", Title: "气相色谱仪采购招标公告", At: day(0), Kind: Tendered, Number: "DHU-2026-0012", Buyer: "东湖大学", Sketch: text}
	for _, c := range []struct {
		name   string
		change func(*RelatedNotice)
		want   bool
	}{
		{"the same text", func(x *RelatedNotice) { x.Title, x.Number, x.Buyer = "另一个标题", "", "" }, true},
		{"the same text on the same host", func(x *RelatedNotice) { x.Host = "a.test" }, true},
		{"the same title and another text", func(x *RelatedNotice) { x.Number, x.Buyer, x.Sketch = "", "", other }, false},
		{"number and buyer, another text", func(x *RelatedNotice) { x.Sketch = other }, true},
		{"number and buyer on the same host, another text", func(x *RelatedNotice) { x.Host, x.Sketch = "a.test", other }, false},
		{"number and another buyer", func(x *RelatedNotice) { x.Buyer, x.Sketch = "西山大学", other }, false},
		{"number and buyer, another kind", func(x *RelatedNotice) { x.Kind, x.Sketch = Corrected, other }, false},
		{"the second correction", func(x *RelatedNotice) { x.Title, x.Sketch = "气相色谱仪采购第二次招标公告", other }, false},
		{"number and buyer, another deadline", func(x *RelatedNotice) { x.Deadline, x.Sketch = day(9), other }, false},
		{"half a year later", func(x *RelatedNotice) { x.At, x.Sketch = day(180), other }, false},
		{"the same text of another lot", func(x *RelatedNotice) { x.Title = "气相色谱仪采购（二标段）招标公告" }, false},
	} {
		a, b := base, base
		a.Deadline = day(19)
		b.Deadline, b.ID, b.Host = day(19), 20, "b.test"
		c.change(&b)
		k := Relate([]RelatedNotice{b, a}, Corrections{})
		if got := k.Group(20) != nil; got != c.want || got && (k.Group(10) != k.Group(20) || k.Group(20).IDs[0] != 10 || k.Copies != 1) {
			t.Errorf("%s: one notice: %v, want %v", c.name, got, c.want)
		}
		if k := Relate([]RelatedNotice{a, b}, Corrections{Apart: map[uint64]bool{20: true}}); k.Group(20) != nil || k.Copies != 0 {
			t.Errorf("%s: it was detached", c.name)
		}
	}
}

// Similar short notices of a buyer are separate projects if their titles name different ones. They are the same if
// one title only adds detail.
func TestShortNoticesWrittenAlike(t *testing.T) {
	for _, c := range []struct {
		a, b string
		one  bool
	}{
		{"江北大学学生公寓空调采购项目竞争性磋商公告", "江北大学实训车床采购项目竞争性磋商公告", false},
		{"江北大学实训车床采购项目竞争性磋商公告", "[工学院] 实训车床采购竞争性磋商公告", true},
	} {
		item := func(id uint64, title string) RelatedNotice {
			return RelatedNotice{ID: id, Host: fmt.Sprint(id, ".test"), Title: title, At: day(0), Kind: Tendered, Buyer: "江北大学",
				Sketch: SimhashOf(title + "。采购人为江北大学，预算金额为27万元。供应商应当在规定的时间内递交响应文件，逾期送达的响应文件不予接收。\n联系人：王老师。公告期限为五个工作日，详情请咨询采购人。供应商应当具有独立承担民事责任的能力，具有良好的商业信誉和健全的财务会计制度，近三年内没有重大违法记录。")}
		}
		a, b := item(1, c.a), item(2, c.b)
		if !a.Sketch.same(b.Sketch) || a.Sketch.Words == b.Sketch.Words {
			t.Fatalf("%s and %s: the texts are not nearly the same", c.a, c.b)
		}
		if got := Relate([]RelatedNotice{a, b}, Corrections{}).Group(1) != nil; got != c.one {
			t.Errorf("%s and %s are one: %v", c.a, c.b, got)
		}
	}
}

func TestThreads(t *testing.T) {
	tender := RelatedNotice{ID: 1, Host: "a.test", Title: "东湖大学气相色谱仪采购项目公开招标公告", At: day(0), Kind: Tendered, Number: "DHU-2026-0012", Buyer: "东湖大学", Deadline: day(20)}
	with := func(id uint64, f func(*RelatedNotice)) RelatedNotice {
		x := RelatedNotice{ID: id, Host: "a.test", At: day(int(id)), Buyer: "东湖大学"}
		f(&x)
		return x
	}
	correction := with(2, func(x *RelatedNotice) {
		x.Title, x.Kind, x.Number, x.Deadline = "气相色谱仪采购更正公告", Corrected, "dhu2026-0012", day(25)
	})
	award := with(3, func(x *RelatedNotice) {
		x.Title, x.Kind, x.Host = "东湖大学气相色谱仪采购项目中标公告", Awarded, "b.test"
	})
	for _, c := range []struct {
		name  string
		items []RelatedNotice
		said  Corrections
		want  string // ids of the thread of the first item, its state and deadline
	}{
		{"by number, then by name and buyer", []RelatedNotice{tender, correction, award}, Corrections{}, "[1 2 3] 中标 26"},
		{"alone", []RelatedNotice{tender}, Corrections{}, ""},
		{"another number speaks against the name", []RelatedNotice{tender, with(3, func(x *RelatedNotice) { *x = award; x.Number = "DHU-2026-0099" })}, Corrections{}, ""},
		{"another buyer speaks against the name", []RelatedNotice{tender, with(3, func(x *RelatedNotice) { *x = award; x.Buyer, x.Host = "西山大学", "a.test" })}, Corrections{}, ""},
		{"the same again half a year later", []RelatedNotice{tender, with(3, func(x *RelatedNotice) { *x = tender; x.ID, x.At, x.Number = 3, day(180), "" })}, Corrections{}, ""},
		{"a year later", []RelatedNotice{tender, with(3, func(x *RelatedNotice) { *x = award; x.At = day(365) })}, Corrections{}, ""},
		{"a short number on another host", []RelatedNotice{with(1, func(x *RelatedNotice) { x.Number, x.Buyer = "2026-01", "" }), with(2, func(x *RelatedNotice) { x.Number, x.Host, x.Buyer = "2026-01", "b.test", "" })}, Corrections{}, ""},
		{"a short number on the same host", []RelatedNotice{with(1, func(x *RelatedNotice) { x.Number = "2026-01" }), with(2, func(x *RelatedNotice) { x.Number = "2026-01" })}, Corrections{}, "[1 2]  0"},
		{"cut", []RelatedNotice{tender, correction, award}, Corrections{Alone: map[uint64]bool{3: true}}, "[1 2] 更正 26"},
		{"joined", []RelatedNotice{tender, with(9, func(x *RelatedNotice) { x.Title, x.Kind = "结果公示", Awarded })}, Corrections{Joined: map[uint64]uint64{9: 1}}, "[1 9] 中标 21"},
		{"joined to one that is gone", []RelatedNotice{tender, with(9, func(x *RelatedNotice) {})}, Corrections{Joined: map[uint64]uint64{9: 77}}, ""},
	} {
		got := ""
		if th := Relate(c.items, c.said).Thread(c.items[0].ID); th != nil {
			ids := []uint64{}
			for _, s := range th.Steps {
				ids = append(ids, s.ID)
			}
			d := 0
			if !th.Deadline.IsZero() {
				d = th.Deadline.Day()
			}
			got = fmt.Sprintf("%v %s %d", ids, th.State, d)
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestCopiesStandInAThreadOnce(t *testing.T) {
	a := RelatedNotice{ID: 1, Host: "a.test", Title: "气相色谱仪采购招标公告", At: day(0), Kind: Tendered, Number: "DHU-2026-0012", Buyer: "东湖大学", Sketch: SimhashOf(long)}
	b := a
	b.ID, b.Host = 2, "b.test"
	k := Relate([]RelatedNotice{a, b}, Corrections{})
	if k.Thread(1) != nil || k.Group(1) == nil {
		t.Error("one notice at two addresses is no thread")
	}
	c := a
	c.ID, c.Kind, c.Title, c.At, c.Sketch = 3, Awarded, "气相色谱仪采购中标公告", day(30), Simhash{}
	k = Relate([]RelatedNotice{a, b, c}, Corrections{})
	if th := k.Thread(2); th == nil || len(th.Steps) != 2 || th != k.Thread(3) {
		t.Errorf("the thread is %+v", th)
	}
}

func BenchmarkBuild(b *testing.B) {
	var items []RelatedNotice
	for i := range 100_000 {
		x := RelatedNotice{ID: uint64(i + 1), Host: fmt.Sprint("h", i%500, ".test"), Title: fmt.Sprintf("%s大学第%d实验室显微镜采购项目公告", string(rune('一'+i%300)), i/3), At: day(i % 365),
			Kind: ProjectState(1 + i%6), Number: fmt.Sprintf("DHU-2026-%06d", i/3), Buyer: fmt.Sprint(string(rune('一'+i%300)), "大学")}
		x.Sketch = Simhash{Words: uint64(i) * 0x9e3779b97f4a7c15, Figures: uint64(i / 2), Long: true}
		items = append(items, x)
	}
	for b.Loop() {
		Relate(items, Corrections{})
	}
}

// Every reason has a text.
func TestReasonsAreSaid(t *testing.T) {
	for _, w := range []MatchReason{MatchedByText, MatchedByNumberAbroad, MatchedByNumber, MatchedByName, MatchedByPerson} {
		if says := w.Says(); says == string(w) || says == "" {
			t.Errorf("%s is told as %q", w, says)
		}
	}
}
