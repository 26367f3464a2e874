package tui

import (
	"fmt"
	"sort"
	"strings"

	"angler/crawl/article"
	"angler/crawl/listpage"
	"angler/crawl/page"
	"angler/crawl/query"
	"angler/topic"
	"angler/tui/tuitest"
)

// The invented web of the golden files: six universities, each with a tender list of two pages, a
// news list and an award list, and any number of other pages. All text is invented.
type invented struct {
	pages  []inventedPage
	byID   map[uint64]int
	words  []string
	wordID map[string]uint32
}

type inventedPage struct {
	row  query.CandidateRow
	show query.Preview
	doc  topic.Doc
}

// invent makes the web with n pages beside the lists, none for 0, and grown more lists.
func invent(n, grown int) *invented {
	w := &invented{byID: map[uint64]int{}, wordID: map[string]uint32{}}
	if n > 0 {
		w.fill(n)
	}
	next := uint64(len(w.pages) + 10_000)
	for i := range grown {
		s := schools[i%len(schools)]
		rec := []listpage.Record{{Title: things[i%len(things)] + "招标公告", Date: article.Date{Time: tuitest.Start.AddDate(0, 0, -i%400), Precision: article.Day}}}
		w.add(next+uint64(i), fmt.Sprintf("http://%s/g%d/list.htm", s.host, i), s.host, fmt.Sprintf("%s %s 第%d栏", s.name, departments[i%len(departments)], i), page.List, rec, 1, 3)
	}
	return w
}

// Word implements topic.Names.
func (w *invented) Word(id uint32) string {
	if int(id) < len(w.words) {
		return w.words[id]
	}
	return ""
}

// Lookup implements topic.Names.
func (w *invented) Lookup(word string) (uint32, bool) { id, ok := w.wordID[word]; return id, ok }

var schools = []struct{ name, host string }{
	{"云溪大学", "ztb.yunxi.test"}, {"北岭师范学院", "zbcg.beiling.test"}, {"江渡理工大学", "cgb.jiangdu.test"},
	{"白塔音乐学院", "www.baita.test"}, {"南屏医科大学", "zb.nanping.test"}, {"东泽海洋大学", "hqc.dongze.test"},
}

var things = strings.Fields(`
琴房楼空调 实验室设备 学生宿舍家具 图书馆书架 食堂燃气管道 网络安全服务 体育馆灯光 教学楼电梯维保 校园绿化养护
科研用显微镜 档案数字化 会议室音响`)

var departments = strings.Fields(`
基建处 后勤保障部 国有资产管理处 图书馆 医学院 信息中心 海洋学院 附属中学`)

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

func (w *invented) fill(n int) {
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
				var rec []listpage.Record
				for i := 0; i < 14+(s*5+k*3+p)%7; i++ {
					day := tuitest.Start.AddDate(0, 0, -i*2-p*30-s)
					t := things[(i*7+s*3+k+p)%len(things)] + kd.verbs[(i+s)%len(kd.verbs)]
					if k == 3 && i%5 == 0 { // a mixed list, whose entries depend on θ
						t = things[(i+s)%len(things)] + "招标公告"
					}
					rec = append(rec, listpage.Record{Title: t, URL: fmt.Sprintf("http://%s/info/%d/%d.htm", school.host, 1000+k, 2000+i),
						Date: article.Date{Time: day, Precision: article.Day}})
				}
				w.add(id, url, school.host, title, page.List, rec, len(rec), 1)
			}
		}
	}
	// Department pages mix tenders and news in every proportion, so that θ matters.
	for i := 0; i < min(n, 120); i++ {
		id++
		school := schools[i%len(schools)]
		share := (i*i*7 + i*31) % 101
		var rec []listpage.Record
		for j := 0; j < 6+i%9; j++ {
			t := things[(i+j*5)%len(things)] + kinds[2].verbs[(i+j)%4]
			if (j*37+i*11)%100 < share*share/100 {
				t = things[(i+j)%len(things)] + kinds[0].verbs[(i+j)%4]
			}
			rec = append(rec, listpage.Record{Title: t, URL: fmt.Sprintf("http://%s/xy%d/%d.htm", school.host, i, j),
				Date: article.Date{Time: tuitest.Start.AddDate(0, 0, -j-i), Precision: article.Day}})
		}
		w.add(id, fmt.Sprintf("http://%s/xy%d/list.htm", school.host, i), school.host, school.name+" "+departments[i%len(departments)]+" 信息公开", page.List, rec, len(rec), 2)
	}
	for i := 0; i < n; i++ {
		id++
		school := schools[i%len(schools)]
		title := fmt.Sprintf("%s：%s%s", school.name, things[i%len(things)], kinds[2].verbs[i%4])
		w.add(id, fmt.Sprintf("http://%s/info/%d/%d.htm", school.host, 1020+i%6, 4000+i), school.host, title, page.Detail, nil, 0, 2+i%3)
	}
}

func (w *invented) add(id uint64, url, host, title string, typ page.Type, rec []listpage.Record, dated, depth int) {
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
	d := article.Date{}
	if typ == page.Detail {
		d = article.Date{Time: tuitest.Start.AddDate(0, 0, -int(id%90)), Precision: article.Day}
	}
	p := inventedPage{
		row:  query.CandidateRow{ID: id, URL: url, Host: host, Title: title, Type: typ, Records: len(rec), Dated: dated, Beta: beta, Depth: depth},
		show: query.Preview{ID: id, URL: url, Title: title, Charset: "gb18030", Type: typ, Date: d, Beta: beta, Records: rec, Dated: dated, Text: text.String()},
		doc:  topic.Doc{Full: w.vector(full), List: w.vector(list), Records: len(rec), Dated: dated},
	}
	w.byID[id] = len(w.pages)
	w.pages = append(w.pages, p)
}

// vocables is the whole vocabulary of this web; a real segmenter is not under test.
var vocables = strings.Fields(`
竞争性磋商 招标 公告 采购 项目 公开 中标 公示 成交 结果 询价 空调 设备 实验室 宿舍 家具 图书馆 书架
食堂 燃气 网络 安全 服务 灯光 电梯 绿化 显微镜 档案 音响 讲座 举行 运动会 座谈会 校友 放假 通知 停水
复试 新闻 大学 学院 音乐`)

func count(into map[string]int, text string) {
	for _, w := range vocables {
		if n := strings.Count(text, w); n > 0 {
			into[w] += n
		}
	}
}

func (w *invented) vector(words map[string]int) topic.Vector {
	var v topic.Vector
	spelled := make([]string, 0, len(words))
	for w := range words {
		spelled = append(spelled, w)
	}
	sort.Strings(spelled) // ids, and so ties, are equal in every run
	for _, s := range spelled {
		n := words[s]
		id, ok := w.wordID[s]
		if !ok {
			id = uint32(len(w.words))
			w.words = append(w.words, s)
			w.wordID[s] = id
		}
		v = append(v, topic.Term{ID: id, N: uint32(n)})
	}
	sort.Slice(v, func(i, j int) bool { return v[i].ID < v[j].ID })
	return v
}
