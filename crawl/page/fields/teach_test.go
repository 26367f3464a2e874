package fields

import "testing"

// What people type is read as notices print it, and what is none is refused.
func TestTyped(t *testing.T) {
	set, err := Preset(Tenders)
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct {
		field, typed, want string
	}{
		{"budget", "92.28万", "922800"},
		{"budget", "1,200,000.50 元", "1200000.5"},
		{"budget", "902460", "902460"},
		{"budget", "详见附件", ""},
		{"budget", "12 days", ""},
		{"deadline", "2026-07-18 09:30", "2026-07-18T09:30+08:00"},
		{"deadline", "2026年7月18日上午9时30分", "2026-07-18T09:30+08:00"},
		{"deadline", "2026/7/18", "2026-07-18+08:00"},
		{"deadline", "next week", ""},
		{"deadline", "2026-13-18", ""},
		{"buyer", "东湖大学", "东湖大学"},
		{"number", "DHU-2026-017", "DHU-2026-017"},
		{"kind", "更正", "更正"},
		{"kind", "哈哈", ""},
		{"phone", "027-87654321", "027-87654321"},
		{"phone", "nobody", ""},
		{"project", "  显微镜  采购 ", "显微镜 采购"},
	} {
		v, ok := set.Typed(set.Named(x.field), x.typed)
		if ok != (x.want != "") || ok && v.Norm != x.want {
			t.Errorf("%s %q is %q, %v; want %q", x.field, x.typed, v.Norm, ok, x.want)
		}
	}
}

// A label that a site taught counts on its notices, and one that was taught to be
// nobody's counts nowhere.
func TestTaught(t *testing.T) {
	plain, err := Preset(Tenders)
	if err != nil {
		t.Fatal(err)
	}
	n := Notice{Title: "显微镜采购招标公告", Text: "项目编号：DHU-2026-017\n使用方：东湖大学\n备用金上限：92.28万元\n采购单位：西山学院"}
	set := plain.Taught(map[string]string{"使用方": "buyer", "备用金上限": "budget", "采购单位": ""})
	r := set.Extract(n)
	if b := r.Of("buyer"); len(b) != 1 || b[0].Norm != "东湖大学" {
		t.Errorf("buyer %+v", b)
	}
	if b := r.Of("budget"); len(b) != 1 || b[0].Norm != "922800" {
		t.Errorf("budget %+v", b)
	}
	if b := plain.Extract(n).Of("budget"); len(b) != 0 {
		t.Errorf("the preset itself has learned: %+v", b)
	}
}

// Pairs are found in lines and tables, with labels that nobody knows.
func TestPairs(t *testing.T) {
	set, err := Preset(Tenders)
	if err != nil {
		t.Fatal(err)
	}
	n := Notice{Text: "使用方：东湖大学\n见 http://a.test/", Tables: []Table{
		NewTable([][]string{{"备用金上限（万元）", "92.28"}, {"项目编号", "DHU-2026-017"}}),
		NewTable([][]string{{"标的", "承接商", "定标额"}, {"1", "上海某某科技有限公司", "90万元"}}),
	}}
	got := map[string]string{}
	for _, p := range set.Pairs(n) {
		got[p.Label] = p.Field + "=" + p.Text
	}
	for label, want := range map[string]string{"使用方": "=东湖大学", "备用金上限": "=92.28", "项目编号": "number=DHU-2026-017", "承接商": "=上海某某科技有限公司", "定标额": "=90万元"} {
		if got[label] != want {
			t.Errorf("%s: %q, want %q", label, got[label], want)
		}
	}
	if !set.Says(&Pair{Label: "备用金上限", Printed: "备用金上限（万元）", Text: "92.28"}, &Value{Field: "budget", Norm: "922800"}) {
		t.Error("92.28 under 万元 is not 922800")
	}
}
