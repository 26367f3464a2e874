package kin

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"angler/crawl/notice/alike"
	"angler/crawl/notice/project"
)

func day(n int) time.Time { return time.Date(2026, 3, 1+n, 0, 0, 0, 0, time.UTC) }

const long = "东湖大学拟采购气相色谱仪一台，预算金额92.28万元，投标截止时间为2026年3月20日9时30分，欢迎符合条件的供应商参加投标。联系人：王老师，电话：027-87654321。"

func TestTheSameNoticeOnSeveralHosts(t *testing.T) {
	text := alike.Of(long)
	other := alike.Of(strings.Replace(long, "92.28", "93.28", 1))
	base := Item{ID: 10, Host: "a.test", Title: "气相色谱仪采购招标公告", At: day(0), Kind: project.Tendered, Number: "DHU-2026-0012", Buyer: "东湖大学", Sketch: text}
	for _, c := range []struct {
		name   string
		change func(*Item)
		want   bool
	}{
		{"the same text", func(x *Item) { x.Title, x.Number, x.Buyer = "另一个标题", "", "" }, true},
		{"the same text on the same host", func(x *Item) { x.Host = "a.test" }, true},
		{"the same title and another text", func(x *Item) { x.Number, x.Buyer, x.Sketch = "", "", other }, false},
		{"number and buyer, another text", func(x *Item) { x.Sketch = other }, true},
		{"number and buyer on the same host, another text", func(x *Item) { x.Host, x.Sketch = "a.test", other }, false},
		{"number and another buyer", func(x *Item) { x.Buyer, x.Sketch = "西山大学", other }, false},
		{"number and buyer, another kind", func(x *Item) { x.Kind, x.Sketch = project.Corrected, other }, false},
		{"the second correction", func(x *Item) { x.Title, x.Sketch = "气相色谱仪采购第二次招标公告", other }, false},
		{"number and buyer, another deadline", func(x *Item) { x.Deadline, x.Sketch = day(9), other }, false},
		{"half a year later", func(x *Item) { x.At, x.Sketch = day(180), other }, false},
		{"the same text of another lot", func(x *Item) { x.Title = "气相色谱仪采购（二标段）招标公告" }, false},
	} {
		a, b := base, base
		a.Deadline = day(19)
		b.Deadline, b.ID, b.Host = day(19), 20, "b.test"
		c.change(&b)
		k := Build([]Item{b, a}, Said{})
		if got := k.Group(20) != nil; got != c.want || got && (k.Group(10) != k.Group(20) || k.Group(20).IDs[0] != 10 || k.Copies != 1) {
			t.Errorf("%s: one notice: %v, want %v", c.name, got, c.want)
		}
		if k := Build([]Item{a, b}, Said{Apart: map[uint64]bool{20: true}}); k.Group(20) != nil || k.Copies != 0 {
			t.Errorf("%s: it was detached", c.name)
		}
	}
}

// Short notices that a buyer writes alike are of different projects where their titles
// name them so, and the same where one title only says more.
func TestShortNoticesWrittenAlike(t *testing.T) {
	for _, c := range []struct {
		a, b string
		one  bool
	}{
		{"江北大学学生公寓空调采购项目竞争性磋商公告", "江北大学实训车床采购项目竞争性磋商公告", false},
		{"江北大学实训车床采购项目竞争性磋商公告", "[工学院] 实训车床采购竞争性磋商公告", true},
	} {
		item := func(id uint64, title string) Item {
			return Item{ID: id, Host: fmt.Sprint(id, ".test"), Title: title, At: day(0), Kind: project.Tendered, Buyer: "江北大学",
				Sketch: alike.Of(title + "。采购人为江北大学，预算金额为27万元。供应商应当在规定的时间内递交响应文件，逾期送达的响应文件不予接收。\n联系人：王老师。公告期限为五个工作日，详情请咨询采购人。供应商应当具有独立承担民事责任的能力，具有良好的商业信誉和健全的财务会计制度，近三年内没有重大违法记录。")}
		}
		a, b := item(1, c.a), item(2, c.b)
		if !a.Sketch.Same(b.Sketch) || a.Sketch.Words == b.Sketch.Words {
			t.Fatalf("%s and %s: the texts are not nearly the same", c.a, c.b)
		}
		if got := Build([]Item{a, b}, Said{}).Group(1) != nil; got != c.one {
			t.Errorf("%s and %s are one: %v", c.a, c.b, got)
		}
	}
}

func TestThreads(t *testing.T) {
	tender := Item{ID: 1, Host: "a.test", Title: "东湖大学气相色谱仪采购项目公开招标公告", At: day(0), Kind: project.Tendered, Number: "DHU-2026-0012", Buyer: "东湖大学", Deadline: day(20)}
	with := func(id uint64, f func(*Item)) Item {
		x := Item{ID: id, Host: "a.test", At: day(int(id)), Buyer: "东湖大学"}
		f(&x)
		return x
	}
	correction := with(2, func(x *Item) {
		x.Title, x.Kind, x.Number, x.Deadline = "气相色谱仪采购更正公告", project.Corrected, "dhu2026-0012", day(25)
	})
	award := with(3, func(x *Item) {
		x.Title, x.Kind, x.Host = "东湖大学气相色谱仪采购项目中标公告", project.Awarded, "b.test"
	})
	for _, c := range []struct {
		name  string
		items []Item
		said  Said
		want  string // ids of the thread of the first item, its state and deadline
	}{
		{"by number, then by name and buyer", []Item{tender, correction, award}, Said{}, "[1 2 3] 中标 26"},
		{"alone", []Item{tender}, Said{}, ""},
		{"another number speaks against the name", []Item{tender, with(3, func(x *Item) { *x = award; x.Number = "DHU-2026-0099" })}, Said{}, ""},
		{"another buyer speaks against the name", []Item{tender, with(3, func(x *Item) { *x = award; x.Buyer, x.Host = "西山大学", "a.test" })}, Said{}, ""},
		{"the same again half a year later", []Item{tender, with(3, func(x *Item) { *x = tender; x.ID, x.At, x.Number = 3, day(180), "" })}, Said{}, ""},
		{"a year later", []Item{tender, with(3, func(x *Item) { *x = award; x.At = day(365) })}, Said{}, ""},
		{"a short number on another host", []Item{with(1, func(x *Item) { x.Number, x.Buyer = "2026-01", "" }), with(2, func(x *Item) { x.Number, x.Host, x.Buyer = "2026-01", "b.test", "" })}, Said{}, ""},
		{"a short number on the same host", []Item{with(1, func(x *Item) { x.Number = "2026-01" }), with(2, func(x *Item) { x.Number = "2026-01" })}, Said{}, "[1 2]  0"},
		{"cut", []Item{tender, correction, award}, Said{Alone: map[uint64]bool{3: true}}, "[1 2] 更正 26"},
		{"joined", []Item{tender, with(9, func(x *Item) { x.Title, x.Kind = "结果公示", project.Awarded })}, Said{Joined: map[uint64]uint64{9: 1}}, "[1 9] 中标 21"},
		{"joined to one that is gone", []Item{tender, with(9, func(x *Item) {})}, Said{Joined: map[uint64]uint64{9: 77}}, ""},
	} {
		got := ""
		if th := Build(c.items, c.said).Thread(c.items[0].ID); th != nil {
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
	a := Item{ID: 1, Host: "a.test", Title: "气相色谱仪采购招标公告", At: day(0), Kind: project.Tendered, Number: "DHU-2026-0012", Buyer: "东湖大学", Sketch: alike.Of(long)}
	b := a
	b.ID, b.Host = 2, "b.test"
	k := Build([]Item{a, b}, Said{})
	if k.Thread(1) != nil || k.Group(1) == nil {
		t.Error("one notice at two addresses is no thread")
	}
	c := a
	c.ID, c.Kind, c.Title, c.At, c.Sketch = 3, project.Awarded, "气相色谱仪采购中标公告", day(30), alike.Sketch{}
	k = Build([]Item{a, b, c}, Said{})
	if th := k.Thread(2); th == nil || len(th.Steps) != 2 || th != k.Thread(3) {
		t.Errorf("the thread is %+v", th)
	}
}

func BenchmarkBuild(b *testing.B) {
	var items []Item
	for i := range 100_000 {
		x := Item{ID: uint64(i + 1), Host: fmt.Sprint("h", i%500, ".test"), Title: fmt.Sprintf("%s大学第%d实验室显微镜采购项目公告", string(rune('一'+i%300)), i/3), At: day(i % 365),
			Kind: project.State(1 + i%6), Number: fmt.Sprintf("DHU-2026-%06d", i/3), Buyer: fmt.Sprint(string(rune('一'+i%300)), "大学")}
		x.Sketch = alike.Sketch{Words: uint64(i) * 0x9e3779b97f4a7c15, Figures: uint64(i / 2), Long: true}
		items = append(items, x)
	}
	for b.Loop() {
		Build(items, Said{})
	}
}

// Every reason is told in words: "by project" says nothing of the number.
func TestReasonsAreSaid(t *testing.T) {
	for _, w := range []Why{SameText, SameNumber, ByNumber, ByName, ByPerson} {
		if says := w.Says(); says == string(w) || says == "" {
			t.Errorf("%s is told as %q", w, says)
		}
	}
}
