package fields

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

func preset(t testing.TB, topic string) *Set {
	t.Helper()
	set, err := Preset(topic)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

func tender(t testing.TB) *Set { return preset(t, Tenders) }

// valueLine returns the values of the named fields: name=value, or name@lot=value.
func valueLine(r *Result, names ...string) string {
	var out []string
	for _, v := range r.Values {
		if slices.Contains(names, v.Field) {
			lot := ""
			if v.Lot != "" {
				lot = "@" + v.Lot
			}
			out = append(out, v.Field+lot+"="+strings.TrimSuffix(v.Norm, "+08:00"))
		}
	}
	return strings.Join(out, " ")
}

func TestMoney(t *testing.T) {
	for _, c := range []struct{ text, unit, want string }{
		{"92.28万", "", "922800"},
		{"40.000002万元", "", "400000.02"},
		{"人民币128.50万元，超过预算的投标无效", "", "1285000"},
		{"1.2亿元", "", "120000000"},
		{"¥149,000.00", "", "149000"},
		{"￥149,000.00元", "", "149000"},
		{"壹拾肆万玖仟元整（¥149,000.00）", "", "149000"},
		{"陆拾叁万玖仟元整", "", "639000"},
		{"叁佰零伍万零捌拾元伍角贰分", "", "3050080.52"},
		{"壹亿贰仟万元整", "", "120000000"},
		{"859.268348", "万元", "8592683.48"},
		{"902460元", "万元", "902460"},
		{"本项目设定最高限价，最高限价为：459.97万元。", "", "459.97万"},
		{"63.9 万元（人民币）", "", "639000"},
		{"详见附件", "万元", ""},
		{"0元", "", ""},
		{"0.0 万元（人民币）", "", ""},
		{"零元整", "", ""},
		{"1,2", "万元", ""},
		{"20%", "", ""},
		{"2026年7月", "", ""},
		{"99999999999999999999万元", "", ""},
		{"1.000000000000000000000000001元", "", ""},
		{"/", "元", ""},
		{"", "元", ""},
	} {
		a, ok := ParseMoney(fold(c.text).s, c.unit)
		if want := strings.Replace(c.want, "459.97万", "4599700", 1); a.Yuan != want || ok != (want != "") {
			t.Errorf("%q (%s): %q, want %q", c.text, c.unit, a.Yuan, want)
		}
	}
}

func TestTimes(t *testing.T) {
	for text, want := range map[string]string{
		"2026-08-20 14:30": "2026-08-20T14:30",
		"2026年8月10日（星期一）上午9时30分":    "2026-08-10T09:30",
		"2026年8月10日下午2点半（北京时间）":     "2026-08-10T14:30",
		"2026年 11 月 28 日 10 时 00 分": "2026-11-28T10:00",
		"2026/8/2 24:00":            "2026-08-02T23:59",
		"2026年8月2日24时":              "2026-08-02T23:59",
		"2026年8月2日24点00分":           "2026-08-02T23:59",
		"2026年8月2日0时":               "2026-08-02T00:00",
		"二〇二六年八月十日上午九时三十分":          "2026-08-10T09:30",
		"民国115年8月10日":               "2026-08-10",
		"2026.8.2":                  "2026-08-02",
		"2017年01月05日 10:00:00":      "2017-01-05T10:00",
		"18 July 2026, 09:30":       "2026-07-18T09:30",
		"July 18th, 2026 2:05 pm":   "2026-07-18T14:05",
		"2026年2月30日":                "",
		"2026年13月1日":                "",
		"12026-01-0112":             "",
		"25:61":                     "",
		"2026-08-20 25:10":          "2026-08-20",
	} {
		m, ok := ParseTime(fold(text).s)
		got := ""
		if ok {
			got = local(formatTime(m))
		}
		if got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestOrganisations(t *testing.T) {
	for text, want := range map[string]string{
		"东湖大学":                "东湖大学",
		"东湖大学 联系人：李老师":        "东湖大学",
		"东湖大学，联系电话：027-1":     "东湖大学",
		"东湖县公路局（盖章）":          "东湖县公路局",
		"东湖大学，现对该项目进行公开采购":    "东湖大学",
		"东湖大学，东湖县公路局":         "东湖大学，东湖县公路局",
		"Lakeside Co., Ltd.":  "Lakeside Co., Ltd",
		"达华工程管理（集团）有限公司":      "达华工程管理(集团)有限公司",
		"东湖设备有限公司 2026年7月1日":  "东湖设备有限公司",
		"东湖 大学":               "东湖大学",
		"Lakeside University": "Lakeside University",
		"详见附件":                "",
		"/":                   "",
		"无":                   "",
		"12345":               "",
		"技术要求.xlsx":           "",
		"东湖大学（以下简称采购人）":       "东湖大学",
	} {
		if got, _ := parseOrganisation(fold(text).s); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestKinds(t *testing.T) {
	for title, want := range map[string]string{
		"东湖大学合同管理系统采购项目公开招标公告":                      Tender,
		"东湖大学台式机采购结果公告":                             Award,
		"东湖大学台式机采购中标候选人公示":                          Candidates,
		"东湖大学台式机采购拟成交公示":                            Candidates,
		"招 标 公 告（东湖大学台式机采购，2026年8月更正）":              Tender,
		"东湖大学台式机采购 中　标　候　选　人　公　示":                   Candidates,
		"ＴＥＮＤＥＲ　ｆｏｒ　ｄｅｓｋｓ":                          Tender,
		"关于东湖大学台式机采购的更正公告":                          Correction,
		"东湖大学台式机采购中标结果更正公告（第二次）":                    Correction,
		"东湖大学台式机采购废标公告":                             Stopped,
		"东湖大学2026年8月政府采购意向":                         Intention,
		"东湖大学台式机采购合同公告":                             Contract,
		"东湖大学台式机竞争性磋商公告（资格后审）":                      Tender,
		"东湖大学报告厅改造延期开标公告":                           Correction,
		"Invitation to tender for laboratory desks": Tender,
	} {
		if got := valueLine(tender(t).Extract(Notice{Title: title}), "kind"); got != "kind="+want {
			t.Errorf("%s: %s, want %s", title, got, want)
		}
	}
	r := tender(t).Extract(Notice{Title: "台式机", Text: "  中 标 候 选 人 公 示  \n东湖大学台式机采购评标结束。"})
	if v := r.Of("kind"); len(v) != 1 || v[0].Norm != Candidates || v[0].Text != "中 标 候 选 人 公 示" {
		t.Errorf("a heading with spaces: %+v", v)
	}
}

// Names and numbers of contacts are combined in many ways.
func TestContactsOnOneLine(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{"联系人：张三 0591-1234567", "contact=张三 phone=0591-1234567"},
		{"联系人：张三 联系电话：0591-12345678", "contact=张三 phone=0591-12345678"},
		{"联系人：张三联系电话：0591-12345678", "contact=张三 phone=0591-12345678"},
		{"项目联系人：张三 电话：0591-12345678转801", "contact=张三 phone=0591-12345678-801"},
		{"采购单位联系人：张三 电 话：0591-12345678", "contact=张三 phone=0591-12345678"},
		{"联系人：张三　　0591-12345678", "contact=张三 phone=0591-12345678"},
		{"联系人：张三（13812345678）", "contact=张三 phone=13812345678"},
		{"联系人：张三13812345678", "contact=张三 phone=13812345678"},
		{"联系人：张三/0591-12345678", "contact=张三 phone=0591-12345678"},
		{"联系人：张三、李四 0591-12345678", "contact=张三、李四 phone=0591-12345678"},
		{"联系人：张老师 电话0591-12345678", "contact=张老师 phone=0591-12345678"},
		{"联系人：张三，联系电话 0591-12345678", "contact=张三 phone=0591-12345678"},
		{"联系人及电话：张三 0591-12345678", "contact=张三 phone=0591-12345678"},
		{"联系方式：张老师 0591-12345678", "contact=张老师 phone=0591-12345678"},
		{"联系人：张三；传真：0591-12345678", "contact=张三"},
		{"联系人：招标办公室 0591-12345678", "phone=0591-12345678"},
		{"监督联系人：张三 0591-12345678", "contact=张三"},
		{"联系人：详见附件", ""},
		{"电话：0591-12345678", "phone=0591-12345678"},
	} {
		for _, before := range []string{"", "八、联系方式\n", "1.采购人信息\n名称：东湖大学\n"} {
			n := Notice{Title: "东湖大学显微镜采购公告", Text: "东湖大学采购显微镜。\n" + before + c.line}
			if got := valueLine(tender(t).Extract(n), "contact", "phone"); got != c.want {
				t.Errorf("%q: %s, want %s", before+c.line, got, c.want)
			}
		}
	}
}

// notices are the usual forms of notices; none is a real one.
var notices = []struct {
	name   string
	notice Notice
	fields []string
	want   string
}{
	{"lines", Notice{Title: "东湖大学电镜采购公告", Text: "一、项目基本情况\n项目编号：DHDX-2026-017\n项目名称：电镜\n预算金额：92.28万元\n最高限价（如有）：90万\n二、申请人的资格要求\n四、提交投标文件截止时间、开标时间和地点\n2026年8月18日 9点30分（北京时间）\n地点：东湖\n七、联系方式\n1.采购人信息\n名 称：东湖大学\n地址：学府路1号\n联系方式：李老师 027-87654321\n2.采购代理机构信息\n名称：江城招标有限公司\n联系方式：027-81234567\n3.项目联系方式\n项目联系人：王芳\n电话：13800000000"},
		[]string{"number", "buyer", "agent", "budget", "ceiling", "deadline", "contact", "phone"},
		"number=DHDX-2026-017 buyer=东湖大学 agent=江城招标有限公司 budget=922800 ceiling=900000 deadline=2026-08-18T09:30 contact=王芳 phone=13800000000"},
	{"sentences that markup broke", Notice{Title: "电镜采购公告", Text: "江城招标有限\n公司\n（招标代理机构名称）受\n东湖大学\n的委托，就电镜采购组织招标。投标人应在网上获取招标文件，并于\n2026-08-20 14:30\n（北京时间）前递交投标文\n件。"},
		[]string{"buyer", "agent", "deadline"}, "buyer=东湖大学 agent=江城招标有限公司 deadline=2026-08-20T14:30"},
	{"several on a line", Notice{Title: "询价公告", Text: "采购人：东湖大学，地址：江城市学府路1号，联系人：李明老师，电话：027-87654321。\n采购代理机构：江城招标有限公司 联系人：韩敏 电话：027-81234567"},
		[]string{"buyer", "agent"}, "buyer=东湖大学 agent=江城招标有限公司"},
	{"spaced labels", Notice{Title: "招标公告", Text: "招 标 人：东湖大学\n项 目 编 号：DH-2026-1"}, []string{"number", "buyer"}, "number=DH-2026-1 buyer=东湖大学"},
	{"lots in rows", Notice{Title: "成交公告", Tables: table("包号|成交供应商名称|地址|成交金额（万元）", "包1|东山仪器有限公司|东山|63.9", "包2|西山仪器有限公司|西山|10")},
		[]string{"winner", "amount"}, "winner@1=东山仪器有限公司 winner@2=西山仪器有限公司 amount@1=639000 amount@2=100000"},
	{"lots with a total", Notice{Title: "招标公告", Text: "预算总金额：100万元\n包1预算金额：60万元；包2预算金额：40万元\n采购预算：包1：60万元；包2：40万元"}, []string{"budget"}, "budget=1000000 budget@1=600000 budget@2=400000"},
	{"candidates", Notice{Title: "中标候选人公示", Tables: table("排名|中标候选人名称|投标报价（元）", "1|东山建设有限公司|100200.50", "2|西山建设有限公司|99")}, []string{"winner", "amount"}, "winner=东山建设有限公司 amount=100200.5"},
	{"labels beside values", Notice{Title: "中标结果公示", Tables: table("项目法人|东湖建设集团|联系人|潘老师", "中标（选）候选人|第一中标（选）候选人|东山建设有限公司|", "中标（选）人|东山建设有限公司|中标（选）价（万元）|859.268348")},
		[]string{"buyer", "winner", "amount"}, "buyer=东湖建设集团 winner=东山建设有限公司 amount=8592683.48"},
	{"sentence of an award", Notice{Title: "食堂维修中标公示", Text: "食堂维修（DHDX-ZC20260652）经评审，确定东山建设有限公司为中标人，中标价为3676397.28元，工期为162日历天。"}, []string{"number", "winner", "amount"}, "number=DHDX-ZC20260652 winner=东山建设有限公司 amount=3676397.28"},
	{"cells on lines", Notice{Title: "成交公告", Text: "分包号：1\n分包内容\n金额（元）\n成交供应商\n地址\n单价、数量及规格型号\n数据库\n￥267,500.00\n东山科技有限公司"}, []string{"winner", "amount"}, "winner@1=东山科技有限公司 amount@1=267500"},
	{"three budgets", Notice{Title: "招标公告", Text: "预算金额：10万元\n预算金额：20万元\n预算金额：30万元"}, []string{"budget"}, "budget=100000"},
	{"no values", Notice{Title: "招标公告", Text: "预算金额：详见附件\n最高限价：0元\n采购预算：1,2\n项目编号：无\n采购人：/\n投标截止时间：另行通知"}, []string{"number", "buyer", "budget", "ceiling", "deadline"}, ""},
	{"a tender has no winner", Notice{Title: "招标公告", Text: "中标人：东山建设有限公司\n中标金额：10万元"}, []string{"winner", "amount"}, ""},
	{"not the time of questions", Notice{Title: "招标公告", Text: "质疑截止时间：2026年8月1日17时\n获取招标文件截止时间：2026年8月2日17时\n投标保证金缴纳截止时间：2026年8月3日17时"}, []string{"deadline"}, ""},
	{"documents from until", Notice{Title: "招标公告", Text: "三、获取招标文件\n时间：2026年7月1日至2026年7月8日\n地点：网上"}, []string{"documents", "deadline"}, "documents=2026-07-01+08:00/2026-07-08"},
	{"corrected in a sentence", Notice{Title: "电镜采购更正公告", Text: "二、更正信息\n首次公告日期：2026年7月1日\n更正内容：原公告中提交投标文件截止时间、开标时间：2026年7月30日09:30，现更正为：2026年8月4日09:30。\n更正日期：2026年7月29日"}, []string{"deadline", "opening"}, "deadline=2026-08-04T09:30 opening=2026-08-04T09:30"},
	{"corrected from to", Notice{Title: "电镜采购延期公告", Text: "投标截止时间及开标时间由2026年7月30日9时30分延期至2026年8月4日14时，其他内容不变。"}, []string{"deadline", "opening"}, "deadline=2026-08-04T14:00 opening=2026-08-04T14:00"},
	{"corrected before and after", Notice{Title: "电镜采购更正公告", Text: "更正前：\n提交投标文件截止时间：2026年7月30日9时30分\n更正后：\n提交投标文件截止时间：2026年8月4日9时30分"}, []string{"deadline"}, "deadline=2026-08-04T09:30"},
	{"corrected in a table", Notice{Title: "电镜采购更正公告", Tables: table("序号|更正项|更正前内容|更正后内容", "1|提交投标文件截止时间|2026年7月30日9:30|2026年8月4日9:30", "2|获取招标文件时间|2026年7月1日|2026年7月9日")}, []string{"deadline", "opening"}, "deadline=2026-08-04T09:30"},
	{"corrected on lines of their own", Notice{Title: "更正公告", Text: "二、更正信息\n更正内容：\n1、原招标文件中的开标时间：2026年7月30日09:30（北京时间）\n现更正为：\n2026年8月4日09:30（北京时间）"}, []string{"deadline", "opening"}, "opening=2026-08-04T09:30"},
	{"corrected in quotation marks", Notice{Title: "更正公告", Text: "一、投标截止时间由原来的“2026年7月30日09点30分”变更为“2026年8月4日09点30分”。\n更正日期：2026年7月29日"}, []string{"deadline", "opening"}, "deadline=2026-08-04T09:30"},
	{"corrected each", Notice{Title: "变更公告", Text: "递交投标文件截止时间更正为：2026-08-04 09:30:00；开标时间更正为：2026-08-05 09:30"}, []string{"deadline", "opening"}, "deadline=2026-08-04T09:30 opening=2026-08-05T09:30"},
	{"corrected under a heading", Notice{Title: "更正公告", Text: "1、提交投标文件截止时间、开标时间和地点\n原公告为：2026年7月30日 9:30\n更正为：2026年8月4日 9:30"}, []string{"deadline"}, "deadline=2026-08-04T09:30"},
	{"corrected with prefixes", Notice{Title: "更正公告", Text: "原提交投标文件截止时间：2026-07-30 09:30\n更正后提交投标文件截止时间：2026-08-04 09:30"}, []string{"deadline"}, "deadline=2026-08-04T09:30"},
	{"corrected on one line", Notice{Title: "更正公告", Text: "更正事项：投标截止时间\n更正前内容：2026-07-30 09:30 更正后内容：2026-08-04 09:30"}, []string{"deadline"}, "deadline=2026-08-04T09:30"},
	{"a correction of something else", Notice{Title: "更正公告", Text: "首次公告日期：2026年7月20日\n更正内容：第三章技术参数更正为：分辨率不低于1纳米。\n更正日期：2026年7月29日"}, []string{"deadline", "opening"}, ""},
	{"a correction that repeats the deadline", Notice{Title: "更正公告", Text: "更正内容：技术参数更正为：分辨率不低于1纳米。\n提交投标文件截止时间：2026年8月4日09:30，不变"}, []string{"deadline"}, "deadline=2026-08-04T09:30"},
	{"English", Notice{Title: "Invitation to tender", Text: "Tender number: LU-2026-17\nProcuring entity: Lakeside University\nBudget: CNY 902,460\nClosing date: 18 July 2026, 09:30"}, []string{"number", "buyer", "budget", "deadline"}, "number=LU-2026-17 buyer=Lakeside University budget=902460 deadline=2026-07-18T09:30"},
}

func TestFormsOfNotices(t *testing.T) {
	for _, c := range notices {
		t.Run(c.name, func(t *testing.T) {
			r := tender(t).Extract(c.notice)
			if got := valueLine(r, c.fields...); got != c.want {
				t.Errorf("\ngot  %s\nwant %s\n%+v\n%+v", got, c.want, r.Values, r.Doubtful)
			}
			for _, v := range r.Values {
				if v.To > v.From && v.Source != FromTitle && v.Source != FromTable && c.notice.Text[v.From:v.To] != v.Text {
					t.Errorf("%s: %q stands at %d:%d, where %q is", v.Field, v.Text, v.From, v.To, c.notice.Text[v.From:v.To])
				}
				if v.Sure < MinConfidence || v.Sure > 1 {
					t.Errorf("%s: sure %g", v.Field, v.Sure)
				}
			}
		})
	}
}

func TestADeadlineBeforeTheNoticesDateIsDoubtful(t *testing.T) {
	r := tender(t).Extract(Notice{Title: "招标公告", Text: "投标截止时间：2026年7月1日9时", Published: time.Date(2026, 7, 20, 0, 0, 0, 0, PrintedZone)})
	if len(r.Of("deadline")) != 0 || len(r.Doubtful) != 1 || !strings.Contains(r.Doubtful[0].Doubt, "before") {
		t.Errorf("%+v", r)
	}
}

func TestOwnFieldsReplaceAndFollowThePreset(t *testing.T) {
	set := tender(t).With([]Field{{Name: "warranty", Title: "质保期", Labels: []string{"质保期"}}, {Name: "budget", Labels: []string{"项目盘子"}}, {Name: "urgent", Type: Choice, Choices: []string{"是", "否"}, Labels: []string{"是否加急"}}})
	r := set.Extract(Notice{Title: "招标公告", Text: "质保期：三年\n项目盘子：12万元\n是否加急：否"})
	if got := valueLine(r, "warranty", "budget", "urgent"); got != "budget=120000 warranty=三年 urgent=否" {
		t.Errorf("%s\n%+v", got, r)
	}
	if f := set.Fields()[5]; f.Name != "budget" || f.Type != Money || f.Heading(false) != "预算" {
		t.Errorf("%+v", f)
	}
	if _, err := Preset("weather"); err == nil || !strings.Contains(err.Error(), "tenders, jobs, prices") {
		t.Errorf("%v", err)
	}
}

func TestJobsAndPrices(t *testing.T) {
	for _, c := range []struct {
		topic  string
		n      Notice
		fields []string
		want   string
	}{
		{Prices, Notice{Title: "今日蔬菜批发价格", Tables: table("品名|最低价|最高价|均价|单位", "大白菜|0.8|1.2|1|元/公斤")}, []string{"product", "low", "high", "price", "unit"}, "product=大白菜 price=1 low=0.8 high=1.2 unit=元/公斤"},
		{Jobs, Notice{Title: "东湖大学招聘公告", Text: "招聘单位：东湖大学\n报名截止时间：2026年8月1日17:00", Tables: table("岗位名称|招聘人数|学历", "辅导员|3|硕士", "实验员|1|本科")}, []string{"position", "employer", "deadline"}, "position@1=辅导员 position@2=实验员 employer=东湖大学 deadline=2026-08-01T17:00"},
		{Prices, Notice{Title: "蔬菜价格", Tables: table("品名|最低价（元）|最高价（元）|单位", "白菜|1.20|1.60|公斤")}, []string{"product", "low", "high", "unit"}, "product=白菜 low=1.2 high=1.6 unit=公斤"},
	} {
		set := preset(t, c.topic)
		r := set.Extract(c.n)
		if got := valueLine(r, c.fields...); got != c.want {
			t.Errorf("%s: %s, want %s\n%+v", c.topic, got, c.want, r)
		}
	}
}

func TestHostileNoticesAreBounded(t *testing.T) {
	wide := make([][]string, 300)
	for i := range wide {
		wide[i] = slices.Repeat([]string{"中标人", "东湖大学"}, 20)
	}
	for name, n := range map[string]Notice{
		"colons":    {Text: strings.Repeat("项目编号：", 1<<16)},
		"labels":    {Text: strings.Repeat("采购人\n", 1<<16)},
		"brackets":  {Text: strings.Repeat("(", 1<<18), Title: strings.Repeat("(", 1<<12)},
		"digits":    {Text: "预算金额：" + strings.Repeat("9", 1<<18)},
		"one line":  {Text: strings.Repeat("受委托预算金额为1万元", 1<<14)},
		"tabs":      {Text: strings.Repeat("\t", 1<<18)},
		"changes":   {Title: "更正公告", Text: strings.Repeat("更正为2026年1月1日，截止", 1<<13)},
		"many rows": {Tables: slices.Repeat([]Table{newTable(wide)}, 50)},
		"bytes":     {Text: strings.Repeat("\xff\xfe：", 1<<14), Title: "\xff"},
	} {
		r := tender(t).Extract(n)
		if len(r.Values)+len(r.Doubtful) > 2*maxCandidates*len(tenders) {
			t.Errorf("%s: %d values", name, len(r.Values))
		}
		if name == "many rows" && !slices.Contains(r.Limits, "cells") && !slices.Contains(r.Limits, "tables") {
			t.Errorf("%s: limits %q", name, r.Limits)
		}
	}
}

func FuzzMoney(f *testing.F) {
	for _, s := range []string{"92.28万元", "壹拾肆万玖仟元整", "¥1,2,3", "0.0万"} {
		f.Add(s, "万元")
	}
	f.Fuzz(func(t *testing.T, s, unit string) {
		a, ok := ParseMoney(s, unit)
		if ok && (a.Yuan == "" || strings.Trim(a.Yuan, "0123456789.") != "" || a.From < 0 || a.To > len(s) || a.From >= a.To) {
			t.Errorf("%q: %+v", s, a)
		}
	})
}

func FuzzTime(f *testing.F) {
	for _, s := range []string{"2026年8月10日上午9时半", "2026-08-20T14:30:00", "July 18, 2026"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		m, ok := ParseTime(s)
		if ok && (m.From < 0 || m.To > len(s) || m.From >= m.To || m.Time.Year() < 2000 || m.Time.Year() > 2100) {
			t.Errorf("%q: %+v", s, m)
		}
	})
}

func FuzzExtract(f *testing.F) {
	f.Add("招标公告", "项目编号：A-2026-1\n预算金额：包1：6万元；包2：40万元", "包号\t成交供应商\t金额（元）\n1\t东湖公司\t12")
	f.Add("", "\x03\x97\xb6\x9b", "")
	f.Add("更正公告", "截止时间\n变更为 2026年8月1日", "更正前\t更正后\n2026-1-1\t2026-1-2")
	f.Fuzz(func(t *testing.T, title, text, table string) {
		var rows [][]string
		for row := range strings.SplitSeq(table, "\n") {
			rows = append(rows, strings.Split(row, "\t"))
		}
		set, _ := Preset(Tenders)
		for _, n := range []Notice{{Title: title, Text: text}, {Title: title, Text: text + "\n" + table, Tables: []Table{newTable(rows)}}} {
			for _, v := range set.Extract(n).Values {
				if v.Norm == "" || v.From < 0 || v.From > v.To || v.Source != FromTitle && v.To > len(n.Text) {
					t.Errorf("%+v", v)
				}
			}
			for i := range set.Fields() {
				if v, ok := set.Typed(&set.Fields()[i], text); ok && v.Norm == "" {
					t.Errorf("%q is nothing of %s", text, v.Field)
				}
			}
		}
	})
}

func BenchmarkExtract(b *testing.B) {
	set := tender(b)
	n := notices[0].notice
	for _, size := range []int{1, 10} {
		long := n
		long.Text += "\n" + strings.Repeat("供应商应当具有独立承担民事责任的能力，并提供有效的营业执照。\n", 60*(size-1))
		b.Run(fmt.Sprintf("%dB", len(long.Text)), func(b *testing.B) {
			b.SetBytes(int64(len(long.Text)))
			for b.Loop() {
				set.Extract(long)
			}
		})
	}
}

// A sentence without its time gives no value.
func TestSentenceWithoutItsTime(t *testing.T) {
	set := preset(t, Tenders)
	for _, text := range []string{"并于前提交响应文件，见2026年公告", "投标文件应于前送达，2026"} {
		if got := set.Extract(Notice{Text: text}).Of("deadline"); len(got) != 0 {
			t.Errorf("%s: %+v", text, got)
		}
	}
}
