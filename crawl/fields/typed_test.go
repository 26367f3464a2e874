package fields

import "testing"

// Typed values are parsed like printed ones, and invalid ones are refused.
func TestTyped(t *testing.T) {
	set := preset(t, Tenders)
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
