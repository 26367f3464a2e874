package page

import (
	"fmt"
	"strings"
	"testing"
)

// A row whose link shows no title has its title beside the link. Words of that title do not change the date of
// the row.
func TestTitlesBesideLinks(t *testing.T) {
	titles := []string{"清溪镇中心小学课桌椅公开招标公告", "清溪镇中学多媒体教室延期开标公告", "镇卫生院更正公告", "图书馆书架成交结果公告", "体育馆座椅采购公告"}
	const head = "<tr><th>序号</th><th>采购单位</th><th>项目名称</th><th>发布日期</th><th>操作</th></tr>"
	for name, row := range map[string]string{ // {i} the number, {t} the title, {d} the day
		"table":       `<tr><td>{i}</td><td>{t}</td><td>清溪镇政府</td><td>2026-05-{d}</td><td><a href="/info/{i}.htm">查看</a></td></tr>`,
		"long buyer":  head + `<tr><td>{i}</td><td>清溪镇政府后勤管理与物资设备采购中心</td><td>{t}</td><td>2026-05-{d}</td><td><a href="/info/{i}.htm">查看</a></td></tr>`,
		"numbers":     `<tr><td><a href="/info/{i}.htm">QX-2026-{i}</a></td><td>{t}</td><td>2026-05-{d}</td></tr>`,
		"heading":     `<div class=it><h4>{t}</h4><span>2026-05-{d}</span><a href="/info/{i}.htm">查看详情</a></div>`,
		"summary":     `<div class=it><h3>{t}</h3><p>就该项目进行公开招标，欢迎符合条件的供应商参加投标。</p><span>2026-05-{d}</span><a href="/info/{i}.htm">阅读全文</a></div>`,
		"picture":     `<li><a href="/info/{i}.htm"><img src="/{i}.jpg"></a><p>{t}</p><span>2026-05-{d}</span></li>`,
		"badge":       `<li><a href="/info/{i}.htm">{t}<em>NEW</em></a><span>2026-05-{d}</span></li>`,
		"time":        `<li><a href="/info/{i}.htm">{t}</a><time datetime="2026-05-{d}">3天前</time></li>`,
		"tip":         `<li><a href="/info/{i}.htm">{t}</a><span title="2026-05-{d}">05-{d}</span></li>`,
		"no such tip": `<li><a href="/info/{i}.htm" title="{t}">{t}</a><span>2026-05-{d}</span></li>`,
	} {
		rows := ""
		for i, title := range titles {
			r := strings.NewReplacer("{i}", fmt.Sprint(10+i), "{t}", title, "{d}", fmt.Sprint(28-i))
			rows += r.Replace(row)
		}
		if row[1] == 't' {
			rows = "<table>" + rows + "</table>"
		}
		p := readShell(t, "采购公告", `<div><a href="/">首页</a> <a href="/a.htm">机构设置</a> <a href="/b.htm">政策法规</a></div><div>`+rows+`</div>`)
		if len(p.Records) != len(titles) {
			t.Errorf("%s: %d records: %+v", name, len(p.Records), p.Records)
			continue
		}
		for i, r := range p.Records {
			if r.Title != titles[i] || r.URL != fmt.Sprintf("http://school.test/info/%d.htm", 10+i) || r.Date.String() != fmt.Sprintf("2026-05-%d", 28-i) {
				t.Errorf("%s: row %d: %+v", name, i, r)
			}
		}
	}
}
