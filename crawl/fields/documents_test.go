package fields

import "testing"

func TestDocuments(t *testing.T) {
	set := NewSet(tenders)
	read := func(text string, documents ...Document) map[string]Value {
		out := map[string]Value{}
		for _, v := range set.Extract(Notice{Title: "某校设备采购招标公告", Text: text, Documents: documents}).Values {
			if old, twice := out[v.Field]; twice {
				t.Errorf("%s twice: %+v, %+v", v.Field, old, v)
			}
			out[v.Field] = v
		}
		return out
	}
	a := Document{"a.pdf", "采购人：临江大学\n项目编号：LJ-2026-001"}
	if v := read("", a)["buyer"]; v.Norm != "临江大学" || v.Source != FromAttachment || v.Label != "a.pdf" {
		t.Errorf("of the document: %+v", v)
	}
	alone := read("采购人：临江大学")["buyer"]
	if v := read("", a)["buyer"]; v.Sure >= alone.Sure {
		t.Errorf("a document is believed as much as the notice: %.2f, %.2f", v.Sure, alone.Sure)
	}
	if v := read("采购人：别处大学", a)["buyer"]; v.Norm != "别处大学" || v.Source == FromAttachment || v.Agree != 0 {
		t.Errorf("against the notice: %+v", v)
	}
	if v := read("采购人：临江大学", a)["buyer"]; v.Source == FromAttachment || v.Agree != alone.Agree+1 {
		t.Errorf("with the notice: %+v", v)
	}
	both := read("", a, Document{"b.pdf", "采购人：临江大学\n项目编号：LJ-2026-002"})
	if _, is := both["number"]; is || both["buyer"].Norm != "临江大学" {
		t.Errorf("documents that contradict each other: %+v", both)
	}
	if got := read("", Document{"c.pdf", "中标人：某某科技有限公司\n中标金额：1000元"}); len(got["winner"].Norm)+len(got["amount"].Norm) > 0 {
		t.Errorf("a tender has a winner: %+v", got)
	}
}
