package fields

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

func table(rows ...string) []Table {
	var cells [][]string
	for _, row := range rows {
		cells = append(cells, strings.Split(row, "|"))
	}
	return []Table{newTable(cells)}
}

// Notices of prices in the layouts of markets, offices and shops. Values of one thing stay
// together, and never mix with those of another.
func TestPricesInManyLayouts(t *testing.T) {
	merged := table("市场名称|商品名称|批发价|零售价|计价单位", "东湖市场|大白菜|1.2-1.4|2.0|元/公斤", "西湖市场|大白菜|1.3|2.2|元/公斤")
	merged[0].Rows[2][1].id, merged[0].Rows[2][4].id = merged[0].Rows[1][1].id, merged[0].Rows[1][4].id
	two := table("材料名称|规格|单位|价格|价格", "材料名称|规格|单位|除税价|含税价", "热轧带肋钢筋|HRB400|t|3230.09|3650.00", "商品混凝土|C30|m³|451.46|465")
	for k := range 3 {
		two[0].Rows[1][k].id = two[0].Rows[0][k].id
	}
	two[0].Rows[0][4].id = two[0].Rows[0][3].id
	total := table("货物名称|规格型号|数量|计量单位|单价（元）|金额（元）", "离心管|50ml|200|包|68.00|13,600.00", "丁腈手套|M|300|盒|39|11,700.00", "合计|合计|合计|合计|合计|25,300.00")
	for k := range 5 {
		total[0].Rows[3][k].id = total[0].Rows[3][0].id
	}
	for name, c := range map[string]struct {
		n    Notice
		want string
	}{
		"a market's day": {Notice{Title: "江城蔬菜批发市场2026年11月20日价格行情", Tables: table("序号|品名|规格|单位|最低价|最高价|均价|产地", "1|大白菜|一级|元/公斤|0.80|1.20|1.00|湖北", "2|土豆|黄心|元/公斤|2.10|2.60|2.35|甘肃")},
			"product@1=大白菜 product@2=土豆 spec@1=一级 spec@2=黄心 price@1=1 price@2=2.35 low@1=0.8 low@2=2.1 high@1=1.2 high@2=2.6 unit@1=元/公斤 unit@2=元/公斤 market@1=湖北 market@2=甘肃 date=2026-11-20"},
		"an award by quotation": {Notice{Title: "实验室耗材询价成交结果公示", Text: "报价日期：2026年11月18日", Tables: total},
			"product@1=离心管 product@2=丁腈手套 spec@1=50ml spec@2=M price@1=68 price@2=39 unit@1=包 unit@2=盒 quantity@1=200 quantity@2=300 date=2026-11-18"},
		"a head of two rows": {Notice{Title: "建设工程材料信息价", Text: "单位：元", Tables: two},
			"product@1=热轧带肋钢筋 product@2=商品混凝土 spec@1=HRB400 spec@2=C30 price@1=3650 price@2=465 unit@1=t unit@2=m³"},
		"rows on lines": {Notice{Title: "成品油价格调整通知", Text: "执行日期：2026年11月22日\n品名\t零售价（元/升）\t最高价（元/升）\n92号汽油\t7.45\t7.55\n95号汽油\t7.93\t8.03"},
			"product@1=92号汽油 product@2=95号汽油 price@1=7.45 price@2=7.93 high@1=7.55 high@2=8.03 unit@1=元/升 unit@2=元/升 date=2026-11-22"},
		"one after the other": {Notice{Title: "猪肉采购报价表", Text: "市场：东湖市场\n商品名称：五花肉\n单价：28.50元/公斤\n数量：500公斤\n商品名称：里脊肉\n单价：32元/公斤\n数量：200公斤\n合计：20,650.00元"},
			"product@1=五花肉 product@2=里脊肉 price@1=28.5 price@2=32 unit@1=元/公斤 unit@2=元/公斤 quantity@1=500 quantity@2=200 market=东湖市场"},
		"equal prices of different things": {Notice{Title: "钢材价格行情", Tables: table("品种|市场|价格(元/吨)|涨跌|日期", "螺纹钢|江城|3,420|+20|2026-11-20", "热轧卷板|江城|3,510|-10|2026-11-20", "中厚板|江北|3,510|—|2026-11-20")},
			"product@1=螺纹钢 product@2=热轧卷板 product@3=中厚板 price@1=3420 price@2=3510 price@3=3510 unit@1=元/吨 unit@2=元/吨 unit@3=元/吨 market@1=江城 market@2=江城 market@3=江北 date=2026-11-20"},
		"one thing, labels beside values": {Notice{Title: "投影机成交公告", Text: "采购人信息\n名称：东湖大学", Tables: table("产品名称|激光投影机", "数量|12", "单位|台", "单价|1.58万元", "成交价|189,600.00元")},
			"product=激光投影机 price=15800 unit=台 quantity=12"},
		"two things a row": {Notice{Title: "2026年11月20日水果批发价（元/斤）", Tables: table("品种|价格|品种|价格", "红富士苹果|4.5|砂糖橘|3.8", "香蕉|3.2||")},
			"product@1=红富士苹果 product@2=砂糖橘 product@3=香蕉 price@1=4.5 price@2=3.8 price@3=3.2 unit=元/斤 date=2026-11-20"},
		"from to, and cells merged over rows": {Notice{Title: "大白菜价格", Tables: merged},
			"product@1=大白菜 product@2=大白菜 price@2=1.3 low@1=1.2 high@1=1.4 unit@1=元/公斤 unit@2=元/公斤 market@1=东湖市场 market@2=西湖市场"},
		"few labels that are known": {Notice{Title: "猪肉价格", Tables: table("品名|昨日|涨跌|今日价格|备注", "五花肉|28.1|0.4|28.5|稳", "里脊肉|31|1|32|涨")},
			"product@1=五花肉 product@2=里脊肉 price@1=28.5 price@2=32"},
		"prices that are none": {Notice{Title: "猪肉价格", Tables: table("品名|单价|单位", "五花肉|面议|元/公斤", "里脊肉|—|元/公斤", "合计|60.5|")},
			"product@1=五花肉 product@2=里脊肉 unit@1=元/公斤 unit@2=元/公斤"},
		"English": {Notice{Title: "Vegetables", Text: "Date: 20 November 2026", Tables: table("Product|Unit|Price (CNY)", "Cabbage|kg|1.20", "Potato|kg|2.35")},
			"product@1=Cabbage product@2=Potato price@1=1.2 price@2=2.35 unit@1=kg unit@2=kg date=2026-11-20"},
	} {
		set := preset(t, Prices)
		var names []string
		for _, f := range set.Fields() {
			names = append(names, f.Name)
		}
		if got := valueLine(set.Extract(c.n), names...); got != c.want {
			t.Errorf("%s:\ngot  %s\nwant %s", name, got, c.want)
		}
	}
}

// JSON has each thing as an object, even if it is incomplete.
func TestThingsInJSON(t *testing.T) {
	set := preset(t, Prices)
	many := []string{"品名|单价|单位"}
	for i := range 12 {
		many = append(many, fmt.Sprintf("货%d号|%d|个", i+1, 3+i%2))
	}
	many[3] = "货3号|面议|个"
	b, err := json.Marshal(PlainNotice{set, set.Extract(Notice{Title: "价格", Tables: table(many...)})})
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Items []map[string]any `json:"items"`
	}
	if err := json.Unmarshal(b, &got); err != nil || len(got.Items) != 12 {
		t.Fatalf("%v: %s", err, b)
	}
	if x, y := got.Items[2], got.Items[11]; len(x) != 2 || x["product"] != "货3号" || y["product"] != "货12号" || y["price"] != 4. {
		t.Errorf("%v, %v", x, y)
	}
}

// Things of a document do not mix with those of the notice.
func TestThingsOfDocumentsStayThere(t *testing.T) {
	set := preset(t, Prices)
	r := set.Extract(Notice{Title: "价格", Text: "商品名称：五花肉\n数量：500公斤", Documents: []Document{{Name: "a.xlsx", Text: "品名\t单价\n显微镜\t300\n离心机\t200"}}})
	if got := valueLine(r, "product", "price"); got != "product=五花肉" {
		t.Error(got)
	}
	r = set.Extract(Notice{Title: "价格", Text: "见附件", Documents: []Document{{Name: "a.xlsx", Text: "品名\t单价\n显微镜\t300\n离心机\t200"}}})
	if got := valueLine(r, "product", "price"); got != "product@1=显微镜 product@2=离心机 price@1=300 price@2=200" {
		t.Error(got)
	}
}

// An endless list is cut and reports that.
func TestThingsAreBounded(t *testing.T) {
	set := preset(t, Prices)
	rows := []string{"品名|单价"}
	for i := range 500 {
		rows = append(rows, fmt.Sprintf("货%d号|%d", i, i+1))
	}
	r := set.Extract(Notice{Title: "价格", Tables: table(rows...)})
	if n := len(r.Of("price")); n != maxItems || len(r.Limits) != 1 || r.Limits[0] != "candidates" {
		t.Errorf("%d prices, %q", n, r.Limits)
	}
}

// TestHeadsOfPosts reads tables of posts whose heads contain unknown labels.
func TestHeadsOfPosts(t *testing.T) {
	set := preset(t, Jobs)
	for _, c := range []struct {
		name, text string
		want       string
	}{
		{"a head between labels", "岗位\t职数\t专业要求\n资料员\t3\t不限\n出纳员\t2\t会计学", "position@1=资料员 position@2=出纳员 posts@1=3 posts@2=2"},
		{"a word that is no label", "岗位\t编额\t专业要求\n资料员\t3\t不限\n出纳员\t2\t会计学", "position@1=资料员 position@2=出纳员"},
		{"such a word in two columns", "岗位名称\t编额\n资料员\t3\n出纳员\t2", "position@1=资料员 position@2=出纳员"},
		{"pairs", "岗位\t资料员\t人数\t3", "position=资料员 posts=3"},
	} {
		if got := valueLine(set.Extract(Notice{Title: "某馆招聘启事", Text: c.text}), "position", "posts"); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// TestContactsOfOneRow takes name and number of a contact from one row or line.
func TestContactsOfOneRow(t *testing.T) {
	set := preset(t, Jobs)
	table := "招聘单位\t联系人\t联系电话\n文史部\t焦老师\t13500000001\n理工部\t赵老师\t13500000002\n体育部\t赵老师\t13500000003\n艺术部\t赵老师\t13500000004"
	if got := valueLine(set.Extract(Notice{Title: "某校招聘启事", Text: table}), "contact", "phone"); got != "contact=焦老师 phone=13500000001" {
		t.Errorf("a table: %s", got)
	}
	text := "1.采购人信息\n名称：某某县第二中学\n联系方式：0755-23000001\n2.采购代理机构信息\n名称：某某招标有限公司\n联系方式：0755-23000002\n" +
		"3.项目联系方式\n项目联系人：李工\n电话：23000003\n质疑咨询电话：0755-23000002"
	if got := valueLine(tender(t).Extract(Notice{Title: "空调采购中标公告", Text: text}), "contact", "phone"); got != "contact=李工 phone=23000003" {
		t.Errorf("lines: %s", got)
	}
}

// newTable makes a table of rows of text without merged cells.
func newTable(rows [][]string) Table {
	var t Table
	for i, row := range rows {
		cells := make([]Cell, len(row))
		for k, text := range row {
			cells[k] = Cell{Text: text, id: int32(i*1000 + k + 1)}
		}
		t.Rows = append(t.Rows, cells)
	}
	return t
}
