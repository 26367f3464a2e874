package benchtest

import (
	"fmt"
	"sort"
	"strings"
	"time"

	"angler/crawl/page"
	"angler/crawl/view"
	"angler/topic"
)

// The invented web: six universities, each with a tender list of three pages,
// a news list and an award list, and any number of other pages.

var schools = []struct{ name, host string }{
	{"云溪大学", "ztb.yunxi.test"}, {"北岭师范学院", "zbcg.beiling.test"}, {"江渡理工大学", "cgb.jiangdu.test"},
	{"白塔音乐学院", "www.baita.test"}, {"南屏医科大学", "zb.nanping.test"}, {"东泽海洋大学", "hqc.dongze.test"},
}

var things = []string{"琴房楼空调", "实验室设备", "学生宿舍家具", "图书馆书架", "食堂燃气管道", "网络安全服务", "体育馆灯光", "教学楼电梯维保", "校园绿化养护", "科研用显微镜", "档案数字化", "会议室音响"}

var departments = []string{"基建处", "后勤保障部", "国有资产管理处", "图书馆", "医学院", "信息中心", "海洋学院", "附属中学"}

type kind struct {
	section string
	verbs   []string
	list    bool
}

var kinds = []kind{
	{"招标公告", []string{"采购项目招标公告", "公开招标公告", "竞争性磋商公告", "询价采购公告"}, true},
	{"中标公示", []string{"采购项目中标公示", "成交结果公告"}, true},
	{"学校新闻", []string{"讲座顺利举行", "运动会开幕", "志愿者座谈会召开", "校友返校交流"}, true},
	{"通知公告", []string{"放假安排通知", "停水停电通知", "研究生复试通知"}, true},
}

func (b *Bench) fill(n int) {
	id := uint64(100)
	for s, school := range schools {
		for k, kd := range kinds {
			for p := 1; p <= 2; p++ {
				id++
				title := school.name + " " + kd.section
				url := fmt.Sprintf("http://%s/%s/list.htm", school.host, []string{"zbgg", "zbgs", "xyxw", "tzgg"}[k])
				if p > 1 {
					title += fmt.Sprintf(" 第%d页", p)
					url = strings.Replace(url, "list", fmt.Sprintf("list%d", p), 1)
				}
				var rec []page.Record
				for i := 0; i < 14+(s*5+k*3+p)%7; i++ {
					day := Start.AddDate(0, 0, -i*2-p*30-s)
					t := things[(i*7+s*3+k+p)%len(things)] + kd.verbs[(i+s)%len(kd.verbs)]
					if k == 3 && i%5 == 0 { // a mixed list: what makes θ worth moving
						t = things[(i+s)%len(things)] + "招标公告"
					}
					rec = append(rec, page.Record{Title: t, URL: fmt.Sprintf("http://%s/info/%d/%d.htm", school.host, 1000+k, 2000+i),
						Date: page.Date{Time: day, Precision: page.Day}})
				}
				b.addPage(id, url, school.host, title, page.List, rec, len(rec), 1)
			}
		}
	}
	// Department pages mix tenders and news in every share: what makes a
	// threshold worth moving.
	for i := 0; i < min(n, 120); i++ {
		id++
		school := schools[i%len(schools)]
		share := (i*i*7 + i*31) % 101
		var rec []page.Record
		for j := 0; j < 6+i%9; j++ {
			t := things[(i+j*5)%len(things)] + kinds[2].verbs[(i+j)%4]
			if (j*37+i*11)%100 < share*share/100 {
				t = things[(i+j)%len(things)] + kinds[0].verbs[(i+j)%4]
			}
			rec = append(rec, page.Record{Title: t, URL: fmt.Sprintf("http://%s/xy%d/%d.htm", school.host, i, j),
				Date: page.Date{Time: Start.AddDate(0, 0, -j-i), Precision: page.Day}})
		}
		b.addPage(id, fmt.Sprintf("http://%s/xy%d/list.htm", school.host, i), school.host, school.name+" "+departments[i%len(departments)]+" 信息公开", page.List, rec, len(rec), 2)
	}
	for i := 0; i < n; i++ {
		id++
		school := schools[i%len(schools)]
		title := fmt.Sprintf("%s：%s%s", school.name, things[i%len(things)], kinds[2].verbs[i%4])
		b.addPage(id, fmt.Sprintf("http://%s/info/%d/%d.htm", school.host, 1020+i%6, 4000+i), school.host, title, page.Detail, nil, 0, 2+i%3)
	}
}

func (b *Bench) addPage(id uint64, url, host, title string, typ page.Type, rec []page.Record, dated, depth int) {
	var text strings.Builder
	text.WriteString(title + "\n首页 学校概况 联系我们\n")
	list := map[string]int{}
	count(list, title)
	for _, r := range rec {
		fmt.Fprintf(&text, "%s\t%s\n", r.Title, r.Date)
		count(list, r.Title)
	}
	if typ == page.Detail {
		text.WriteString("根据工作安排，现将有关事项通知如下。请各单位认真组织，按时完成。\n项目名称\t" + title + "\n联系电话\t0000-1234567\n")
	}
	full := map[string]int{"首页": 1, "学校": 2, "联系": 1}
	for w, n := range list {
		full[w] += n
	}
	beta := .2
	if typ == page.List {
		beta = 1.4 + float64(id%7)/5
	}
	d := page.Date{}
	if typ == page.Detail {
		d = page.Date{Time: Start.AddDate(0, 0, -int(id%90)), Precision: page.Day}
	}
	p := pageData{
		row:  view.CandidateRow{ID: id, URL: url, Host: host, Title: title, Type: typ, Records: len(rec), Dated: dated, Beta: beta, Depth: depth},
		show: view.Preview{ID: id, URL: url, Title: title, Charset: "gb18030", Type: typ, Date: d, Beta: beta, Records: rec, Dated: dated, Text: text.String()},
		doc:  topic.Doc{Full: b.vector(full), List: b.vector(list), Records: len(rec), Dated: dated},
	}
	b.byID[id] = len(b.pages)
	b.pages = append(b.pages, p)
	b.index.Add(id, p.doc)
}

// vocabulary is all this world can say; a real segmenter is not under test.
var vocabulary = []string{"竞争性磋商", "招标", "公告", "采购", "项目", "公开", "中标", "公示", "成交", "结果", "询价", "空调", "设备", "实验室", "宿舍", "家具", "图书馆", "书架", "食堂", "燃气", "网络", "安全", "服务", "灯光", "电梯", "绿化", "显微镜", "档案", "音响", "讲座", "举行", "运动会", "座谈会", "校友", "放假", "通知", "停水", "复试", "新闻", "大学", "学院", "音乐"}

func count(into map[string]int, text string) {
	for _, w := range vocabulary {
		if n := strings.Count(text, w); n > 0 {
			into[w] += n
		}
	}
}

func (b *Bench) vector(words map[string]int) topic.Vector {
	var v topic.Vector
	spelled := make([]string, 0, len(words))
	for w := range words {
		spelled = append(spelled, w)
	}
	sort.Strings(spelled) // ids, and so ties, are the same in every run
	for _, w := range spelled {
		n := words[w]
		id, ok := b.wordID[w]
		if !ok {
			id = uint32(len(b.words))
			b.words = append(b.words, w)
			b.wordID[w] = id
		}
		v = append(v, topic.Term{ID: id, N: uint32(n)})
	}
	sort.Slice(v, func(i, j int) bool { return v[i].ID < v[j].ID })
	return v
}

func frontier() []view.FrontierRow {
	var out []view.FrontierRow
	anchors := []string{"采购公告", "下一页", "更多>>", "招标信息", "中标公示", "信息公开", "国有资产管理处", "学院新闻"}
	for i := 0; i < 60; i++ {
		s := schools[i%len(schools)]
		r := view.FrontierRow{ID: uint64(9000 + i), Host: s.host, Anchor: anchors[i%len(anchors)], Priority: .93 - float64(i)*.011, Depth: 1 + i%4,
			URL: fmt.Sprintf("http://%s/c%d/list.htm", s.host, i), Why: fmt.Sprintf("hub .%d anchor .%d", 9-i%7, 9-i%5)}
		if i%3 == 1 {
			r.Next = Start.Add(time.Duration(i) * 100 * time.Millisecond)
		}
		out = append(out, r)
	}
	return out
}

func hosts() []view.HostRow {
	var out []view.HostRow
	for i, s := range schools {
		out = append(out, view.HostRow{Host: s.host, Waiting: 1204 - i*190, Busy: 1, Done: 310 - i*20, Next: Start.Add(400 * time.Millisecond), Delay: time.Second, Why: "politeness"})
	}
	return append(out, view.HostRow{Host: "www.silent.test", Waiting: 88, Failed: 9, Next: Start.Add(9 * time.Minute), Delay: time.Second, Why: "failures"})
}

func requests() []view.Request {
	var out []view.Request
	for i := range 16 {
		s := schools[i%len(schools)]
		out = append(out, view.Request{ID: uint64(9500 + i), Host: s.host, URL: fmt.Sprintf("http://%s/c%d/list%d.htm", s.host, 60+i, i+2), Since: Start.Add(-time.Duration(7200>>i) * time.Millisecond)})
	}
	return out
}

func notices() []view.NoticeRow {
	var out []view.NoticeRow
	for i := 0; i < 80; i++ {
		s := schools[i%len(schools)]
		out = append(out, view.NoticeRow{ID: uint64(149 + i%40), URL: fmt.Sprintf("http://%s/info/1000/%d.htm", s.host, 2000+i), Host: s.host,
			Title: s.name + things[i%len(things)] + kinds[0].verbs[i%4], Date: page.Date{Time: Start.AddDate(0, 0, -i), Precision: page.Day}, At: Start})
	}
	return out
}

func events() []view.Event {
	return []view.Event{
		{At: Start.Add(-40 * time.Second), Kind: "info", Text: "discovery started"},
		{At: Start.Add(-31 * time.Second), Kind: "warn", Text: "429 · http://zb.nanping.test/zbgg/ · asked again in 30s"},
		{At: Start.Add(-12 * time.Second), Kind: "error", Text: "timeout · http://www.silent.test/"},
		{At: Start.Add(-2 * time.Second), Kind: "info", Text: "sitemap http://hqc.dongze.test/sitemap.xml: 310 addresses, 2 sitemaps"},
	}
}

func curve() []view.CurvePoint {
	var out []view.CurvePoint
	found := 0.0
	for i := 1; i <= 200; i++ {
		found += 40 / (1 + float64(i)/14)
		out = append(out, view.CurvePoint{Fetched: i * 91, Found: int(found)})
	}
	return out
}
