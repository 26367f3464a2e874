package notices

import (
	"testing"
	"time"

	"angler/crawl/fields"
)

func TestTheNameIsWhatTheNoticesOfAProjectShare(t *testing.T) {
	for _, same := range [][]string{
		{"东湖大学物理学院气相色谱仪采购项目公开招标公告", "东湖大学物理学院气相色谱仪采购项目中标公告", "关于东湖大学物理学院气相色谱仪采购项目的更正公告", "东湖大学物理学院气相色谱仪采购项目（第二次更正）更正公告", "东湖大学物理学院气相色谱仪采购项目", "东湖大学物理学院气相色谱仪采购项目废标公告", "东湖大学物理学院气相色谱仪采购项目合同公告"},
		{"学生宿舍空调租赁服务竞争性磋商公告", "学生宿舍空调租赁服务竞争性磋商成交结果公告", "学生宿舍空调租赁服务成交公示", "关于学生宿舍空调租赁服务终止公告", "中标公告：学生宿舍空调租赁服务"},
		{"2026年度校园绿化养护（二标段）招标公告", "2026年度校园绿化养护二标段中标候选人公示"},
	} {
		want := projectName(same[0], "东湖大学")
		if want == "" {
			t.Errorf("%s has no name", same[0])
		}
		for _, title := range same[1:] {
			if got := projectName(title, "东湖大学"); got != want {
				t.Errorf("%s is %q, the others are %q", title, got, want)
			}
		}
	}
	for _, other := range [][2]string{
		{"2026年度校园绿化养护招标公告", "2025年度校园绿化养护招标公告"},
		{"校园绿化养护（一标段）招标公告", "校园绿化养护（二标段）招标公告"},
		{"2026年第3批零星采购询价公告", "2026年第4批零星采购询价公告"},
	} {
		if a, b := projectName(other[0], ""), projectName(other[1], ""); a == b {
			t.Errorf("%s and %s are both %q", other[0], other[1], a)
		}
	}
	for _, title := range []string{"采购公告", "中标公告", "关于采购的公告", ""} {
		if got := projectName(title, ""); got != "" {
			t.Errorf("%q is %q", title, got)
		}
	}
}

func TestNumbers(t *testing.T) {
	for _, same := range [][]string{{"DHU-2026-0012", "dhu 2026 0012", "ＤＨＵ２０２６－００１２", "[DHU]2026-0012号"[:len("[DHU]2026-0012")]}, {"浙财采（2026）12号", "浙财采[2026]12号"}} {
		want, _ := plainNumber(same[0])
		for _, s := range same {
			if got, _ := plainNumber(s); got != want || got == "" {
				t.Errorf("%s is %q, want %q", s, got, want)
			}
		}
	}
	for s, want := range map[string]bool{"DHU-2026-0012": true, "2026-001": false, "E3203010380001304001001": true} {
		if _, alone := plainNumber(s); alone != want {
			t.Errorf("%s stands alone: %v", s, alone)
		}
	}
	for _, s := range []string{"", "无", "详见附件", "12", "A1"} {
		if got, _ := plainNumber(s); got != "" {
			t.Errorf("%q is a number: %q", s, got)
		}
	}
}

func TestStand(t *testing.T) {
	at := func(d int) time.Time { return time.Date(2026, 3, d, 9, 0, 0, 0, time.UTC) }
	step := func(kind string, d, deadline int) projectStep {
		s := projectStep{ID: uint64(d), Kind: StateOf(kind), At: at(d)}
		if deadline > 0 {
			s.Deadline = at(deadline)
		}
		return s
	}
	for _, c := range []struct {
		name     string
		steps    []projectStep
		want     ProjectState
		deadline int
	}{
		{"a tender", []projectStep{step(fields.Tender, 1, 20)}, Tendered, 20},
		{"corrected: the newest deadline holds", []projectStep{step(fields.Correction, 5, 25), step(fields.Tender, 1, 20)}, Corrected, 25},
		{"a correction without a deadline", []projectStep{step(fields.Tender, 1, 20), step(fields.Correction, 5, 0)}, Corrected, 20},
		{"awarded, its correction after it", []projectStep{step(fields.Tender, 1, 20), step(fields.Award, 21, 0), step(fields.Correction, 22, 0)}, Awarded, 20},
		{"candidates are no award", []projectStep{step(fields.Tender, 1, 20), step(fields.Candidates, 21, 0)}, Nominated, 20},
		{"stopped after candidates", []projectStep{step(fields.Tender, 1, 20), step(fields.Candidates, 21, 0), step(fields.Stopped, 23, 0)}, Stopped, 20},
		{"stopped", []projectStep{step(fields.Tender, 1, 20), step(fields.Stopped, 21, 0)}, Stopped, 20},
		{"stopped and tendered again", []projectStep{step(fields.Tender, 1, 20), step(fields.Stopped, 21, 0), step(fields.Tender, 24, 30)}, Tendered, 30},
		{"from intention to contract", []projectStep{step(fields.Contract, 28, 0), step(fields.Award, 21, 0), step(fields.Tender, 5, 20), step(fields.Intention, 1, 0)}, Contracted, 20},
		{"on one day the kinds tell the order", []projectStep{step(fields.Award, 1, 0), step(fields.Tender, 1, 1)}, Awarded, 1},
		{"nothing is known", []projectStep{{ID: 1}}, StateUnknown, 0},
	} {
		sortSteps(c.steps)
		got, deadline := stateAfter(c.steps)
		want := time.Time{}
		if c.deadline > 0 {
			want = at(c.deadline)
		}
		if got != c.want || !deadline.Equal(want) {
			t.Errorf("%s: %v %v, want %v %v", c.name, got, deadline, c.want, want)
		}
	}
}

func FuzzName(f *testing.F) {
	f.Add("东湖大学气相色谱仪采购项目公开招标公告", "东湖大学")
	f.Fuzz(func(t *testing.T, title, buyer string) {
		if n := projectName(title, buyer); n != "" && projectName(n, "") == "" && len(n) > 400 {
			t.Errorf("%q", n)
		}
		plainNumber(title)
		titleOrdinal(title)
	})
}
