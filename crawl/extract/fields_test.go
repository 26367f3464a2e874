package extract

import (
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"angler/crawl/fields"
)

// fieldFiles are documents by name.
var fieldFiles = map[string]string{
	"notice.html": `<html><head><title>东湖大学电镜采购公告</title></head><body><div><h1>东湖大学电镜采购公告</h1><p>江城招标有限公司受东湖大学委托，就电镜采购进行公开招标，欢迎合格的供应商前来投标。</p>
<table><tr><td>项目编号</td><td>DH-2026-17</td></tr><tr><td>预算金额</td><td>详见附件</td></tr><tr><td>最高限价（万元）</td><td>92.28</td></tr><tr><td>投标截止时间</td><td>2026年7月18日9时30分</td></tr></table>
<p>供应商应当具有独立承担民事责任的能力，并提供有效的营业执照，逾期送达的投标文件不予受理。</p></div></body></html>`,
	"notice.txt":   "东湖大学电镜成交公告\n成交供应商：东山仪器有限公司\n\x1b[31m成交金额\x1b[0m：92.28万\n",
	"menus.html":   `<html><head><title>东湖大学电镜采购公告</title></head><body>` + strings.Repeat(`<div><ul><li><a href="/a/">首页</a></li><li><a href="/b/">政策法规</a></li><li><a href="/c/">购买服务</a></li></ul></div>`, 30) + `<h1>东湖大学电镜采购公告</h1><div><p>采购人：东湖大学</p><p>项目编号：DH-2026-17</p><p>预算金额：92.28万元</p></div></body></html>`,
	"deadline.txt": "东湖大学电镜更正公告\n原投标截止时间：2026年7月8日9时30分，现变更为：2026年7月18日9时30分。\n开标时间：2026年7月18日9时30分\n",
	"signed.txt":   "东湖大学电镜采购公告\n投标截止时间：2026年7月18日9时30分\n东湖大学\n2026年6月27日\n",
	"list.html": "<html><body><h1>招标公告</h1><ul>" + strings.Repeat(`<li><a href="/2026/0718/c1a2/page.htm">东湖大学某项目招标公告，项目编号：A-2026-1</a><span>2026-07-18</span></li>
<li><a href="/2026/0719/c1a3/page.htm">西湖大学另一项目招标公告，项目编号：A-2026-2</a><span>2026-07-19</span></li>`, 10) + "</ul></body></html>",
}

func fieldExtractor(t *testing.T) *Extractor {
	t.Helper()
	x, err := New("", time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC), func(path string) ([]byte, error) {
		if s, ok := fieldFiles[strings.TrimPrefix(path, "g/")]; ok {
			return []byte(s), nil
		}
		return nil, os.ErrNotExist
	})
	must(t, err)
	if x.Fields, err = fields.Preset(fields.Tenders); err != nil {
		t.Fatal(err)
	}
	return x
}

func TestFieldsInTheOutput(t *testing.T) {
	x := fieldExtractor(t)
	for file, want := range map[string]string{
		"notice.html": `"fields":{"kind":"招标","number":"DH-2026-17","buyer":"东湖大学","agent":"江城招标有限公司","ceiling":922800,"deadline":"2026-07-18T09:30"}`,
		"notice.txt":  `"title":"东湖大学电镜成交公告"`,
		"menus.html":  `"number":"DH-2026-17","buyer":"东湖大学","budget":922800`,
		"list.html":   `"title":"招标公告"`,
	} {
		out := x.Extract(Document{File: file})
		b, err := json.Marshal(out)
		if err != nil || !strings.Contains(string(b), want) {
			t.Errorf("%s: %s, %v; want %s", file, b, err, want)
		}
		if isFields := strings.Contains(string(b), `"fields"`); isFields != (file != "list.html") {
			t.Errorf("%s: fields %v", file, isFields)
		}
	}
	b, _ := json.Marshal(x.Extract(Document{File: "notice.txt"}).Fields)
	if want := `{"kind":"中标","winner":"东山仪器有限公司","amount":922800}`; string(b) != want {
		t.Errorf("%s, want %s", b, want)
	}
	for file, want := range map[string]string{"deadline.txt": `"date":"","text"`, "signed.txt": `"date":"2026-06-27","text"`} {
		if b, _ := json.Marshal(x.Extract(Document{File: file})); !strings.Contains(string(b), want) || !strings.Contains(string(b), `"deadline":"2026-07-18T09:30"`) {
			t.Errorf("%s: %s, want %s", file, b, want)
		}
	}
	x.Spans = true
	out := x.Extract(Document{File: "notice.txt"})
	if v := out.Values.Of("amount"); len(v) != 1 || v[0].Text != "92.28万" || v[0].Sure < fields.MinConfidence || out.Text[v[0].From:v[0].To] != v[0].Text {
		t.Errorf("%+v", v)
	}
}

func TestFieldsMeasuredOnGold(t *testing.T) {
	x := fieldExtractor(t)
	gold := `{"id":"a","file":"notice.html","fields":{"number":"DH-2026-17","max_price_yuan":922800.0,"budget_yuan":null,"buyer":["东湖大学（本部）","东湖大学"],"deadline":"2026-07-18T09:30","opening":"2026-07-18T09:30"}}
{"id":"b","title":"成交公告","text":"成交供应商：东山仪器有限公司\n成交金额：1万元","fields":{"winner":"西山仪器有限公司","amount_yuan":null}}`
	r, err := x.MeasureFields(strings.NewReader(gold), "g", nil)
	must(t, err)
	got := map[string]fieldScore{}
	for _, s := range r.Scores {
		got[s.Field] = s
	}
	for field, want := range map[string]fieldScore{
		"number":  {Stated: 1, Right: 1, P: 1, R: 1, F1: 1},
		"buyer":   {Stated: 1, Right: 1, P: 1, R: 1, F1: 1},
		"ceiling": {Stated: 1, Right: 1, P: 1, R: 1, F1: 1},
		"budget":  {},
		"opening": {Stated: 1, Missed: 1},
		"winner":  {Stated: 1, Wrong: 1},
		"amount":  {Wrong: 1},
	} {
		want.Field = field
		if got[field] != want {
			t.Errorf("%+v, want %+v", got[field], want)
		}
	}
	if r.Notices != 2 || len(r.Misses) != 3 {
		t.Errorf("%+v", r)
	}
	for name, text := range map[string]string{"no json": "x", "no fields": `{"text":"a"}`, "a missing file": `{"file":"gone.html","fields":{"number":"1"}}`} {
		if _, err := x.MeasureFields(strings.NewReader(text), "g", nil); err == nil || !strings.Contains(err.Error(), "line 1") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := x.MeasureFields(strings.NewReader(""), "g", nil); !errors.Is(err, errFieldGold) {
		t.Errorf("empty: %v", err)
	}
}
