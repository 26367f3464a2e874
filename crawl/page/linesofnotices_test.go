package page

import (
	"strings"
	"testing"

	"angler/crawl/article"
)

// Lines of a notice that look like a byline stay in its text. Their dates are not its publication
// date.
func TestLinesOfNoticesThatLookLikeFurniture(t *testing.T) {
	page := func(head, body string) *Page {
		return parse(t, `<html><head><title>实验室设备采购竞争性磋商公告</title></head><body><h1>实验室设备采购竞争性磋商公告</h1>`+head+`<div>`+body+`</div></body></html>`, Options{Main: article.MethodMass})
	}
	const body = `<p>采购编号：XJ-20250617</p><p>采购预算(万元)：85.6</p><p>三、响应文件提交</p><p>截止时间：2025年07月18日 14点30分（北京时间）</p><p>地点：政务中心三楼</p>
<p>四、开启</p><p>时间：2025年07月18日 14点40分（北京时间）</p><p>地点：三楼开标室</p><p>五、采购内容</p><p>打印机</p><p>12台</p>`
	p := page("", body)
	for _, line := range []string{"采购编号：XJ-20250617", "时间：2025年07月18日 14点40分（北京时间）", "打印机"} {
		if !strings.Contains(p.Main, line) {
			t.Errorf("%q is missing in %q", line, p.Main)
		}
	}
	if !p.Date.IsZero() {
		t.Errorf("the notice is dated %v by a time of its own", p.Date)
	}
	p = page(`<div>发布时间：2025-06-20 来源：采购中心 浏览次数：12</div>`, body)
	if strings.Contains(p.Main, "浏览次数") || strings.Contains(p.Main, "发布时间") {
		t.Errorf("the line of source and date stands in %q", p.Main)
	}
	if p.Date.String() != "2025-06-20" {
		t.Errorf("the notice is dated %v", p.Date)
	}
	p = page(`<div>时间：2025-06-20</div>`, `<p>各供应商：</p><p>现对实验室设备进行采购，请有意者前来报名，并于截止前提交响应文件。</p>`)
	if p.Date.String() != "2025-06-20" || strings.Contains(p.Main, "2025-06-20") {
		t.Errorf("below its title a time is that of the notice: %v, %q", p.Date, p.Main)
	}
}
