package fields

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// TestLayouts reads notices in other layouts than lines of label and value.
func TestLayouts(t *testing.T) {
	set := tender(t)
	for _, c := range []struct {
		name, title, text string
		want              string // field=value, several of one field separated by commas
	}{
		{"values before labels without a colon between", "校服采购成交公告",
			"采购人：青石县第一小学 地   址：青石县文昌路2号 联 系 人：林老师\n采购代理机构：青石诚达招标有限公司 地址：文昌路9号",
			"buyer=青石县第一小学 agent=青石诚达招标有限公司"},
		{"labels glued to values", "校服采购公告", "采购人名称：青石县第一小学采购代理机构名称：青石诚达招标有限公司联系电话：0591-1234567",
			"buyer=青石县第一小学 agent=青石诚达招标有限公司"},
		{"clauses that lost their lines", "校服采购成交公告",
			"一、项目名称：校服采购 二、采购项目编号：青采2026-09-017 三、成交日期：2026年9月1日 四、成交情况 成交人：青石服装有限公司 成交报价：86000.00元 工期：20日历天 五、联系方式 采购单位：青石县第一小学 地址：文昌路",
			"number=青采2026-09-017 winner=青石服装有限公司 amount=86000 buyer=青石县第一小学"},
		{"parts of a notice in one line", "管道改造磋商公告",
			"三、递交响应文件时间及地点 1.时间：2026年9月1日8时30分至9时00分（北京时间） 2.地点：青石县交易中心\n四、磋商时间及地点 1.时间：2026年9月1日9时00分 2.地点：同上",
			"deadline=2026-09-01T09:00 opening=2026-09-01T09:00"},
		{"an opening that is the deadline", "监理招标公告", "投标文件递交截止时间：2026年9月20日9:30\n开标时间：同投标截止时间",
			"deadline=2026-09-20T09:30 opening=2026-09-20T09:30"},
		{"the same in a sentence", "监理招标公告", "投标文件递交的截止时间为2026年9月20日上午9：30。\n7.开标\n开标时间同投标截止时间，地点同投标文件递交地点。",
			"deadline=2026-09-20T09:30 opening=2026-09-20T09:30"},
		{"a deadline that is the opening", "农机招标公告", "开 标 时 间： 2026 年 8 月 31 日 9 ： 00\n投标截止时间： 同开标时间", "deadline=2026-08-31T09:00 opening=2026-08-31T09:00"},
		{"the same in a table", "清淤招标公告", "投标截止时间\t2026-09-06 09:00\n开标时间\t同投标截止时间", "deadline=2026-09-06T09:00 opening=2026-09-06T09:00"},
		{"a span of clock times", "床铺招标公告", "投标时间：2026年8月26日上午8:30—9:00\n开标时间：2026年8月26日上午9:00-11:00", "deadline=2026-08-26T09:00 opening=2026-08-26T09:00"},
		{"documents are to be brought before a time", "顾问遴选公告", "请于2026年8月29日17时00分前将遴选文件送至青石大厦。", "deadline=2026-08-29T17:00"},
		{"an agent in a sentence", "设计招标公告", "招标人为青石县水库管理所（以下简称招标人）。招标代理机构为青石华联招标有限公司（以下简称招标代理）。",
			"buyer=青石县水库管理所 agent=青石华联招标有限公司"},
		{"a buyer in a sentence", "校服招标公告", "为做好校服采购工作，青石县第一小学现面向社会公开招标。", "buyer=青石县第一小学"},
		{"who signs", "床铺招标公告", "我校拟对学生公寓床铺进行公开招标。\n开标地点：综合楼\n青石县职业中学\n2026年8月14日", "buyer=青石县职业中学"},
		{"an agent signs", "床铺招标公告", "欢迎参加。\n青石诚达招标有限公司\n2026年8月14日", "buyer="},
		{"candidates of a platform", "道路工程中标候选人公示", "中标候选人第1名：青石路桥有限公司，投标报价：1356800.00元，工期：60日历天；\n中标候选人第2名：白塔建设有限公司，投标报价：1368000.00元，工期：60日历天；",
			"winner=青石路桥有限公司 amount=1356800"},
		{"a winner and its price behind one label", "培训成交公告", "成交供应商名称及成交金额：青石启航培训学校，9.6万元", "winner=青石启航培训学校 amount=96000"},
		{"a winner and its price in a sentence", "污泥处置成交公告", "成交结果：青石环保能源有限公司以人民币85.00万元成交。", "winner=青石环保能源有限公司 amount=850000"},
		{"lots at the beginning of lines", "监理中标公告", "第一标段：中标人：青石信达监理有限公司；中标价：19.8万元\n第二标段：中标人：白塔监理有限公司；中标价：25.3万元",
			"winner=青石信达监理有限公司,白塔监理有限公司 amount=198000,253000"},
		{"rows that lost a cell", "救灾物资中标公告", "序号\t包号\t物资名称\t中标人\t中标价（万元）\t备注\n1\t01\t帐篷\t青石帐篷有限公司\t186.5\n2\t02\t棉被\t白塔纺织有限公司\t92.38",
			"winner=青石帐篷有限公司,白塔纺织有限公司 amount=1865000,923800"},
		{"rows that lost another cell", "救灾物资中标公告", "序号\t物资名称\t中标人\t中标价（万元）\t备注\n1\t青石帐篷有限公司\t186.5\t/", "winner= amount="},
		{"an opening and a deadline of few words", "净化器采购公告", "响应截止 ： 2026年8月22日9:00\n开启 ： 2026年8月22日9:30", "deadline=2026-08-22T09:00 opening=2026-08-22T09:30"},
		{"a time for two things", "保安磋商公告", "磋商响应文件提交的截止时间、磋商时间：2026年8月27日9:30（北京时间）", "deadline=2026-08-27T09:30 opening=2026-08-27T09:30"},
		{"a budget that is the ceiling", "锅炉招标公告", "预算金额/最高限价：265万元", "budget=2650000"},
		{"a name below whose it is", "审核服务成交公告", "成交供应商：\n名称：青石造价咨询有限公司\n采购人：\n名称：青石县教育局", "winner=青石造价咨询有限公司 buyer=青石县教育局"},
		{"the name of a thing below a heading", "屏幕成交公告", "成交信息\n名称：LED屏\n数量：2", "winner="},
		{"a list of winners", "车辆维修入围公告", "入围供应商：\n1、青石宏达汽修有限公司\n2、白塔汽车服务有限公司", "winner=青石宏达汽修有限公司"},
		{"a winner in a sentence", "标牌制作中标公告", "经评审，本项目由青石文创传媒有限公司中标，中标金额34.56万元。", "winner=青石文创传媒有限公司 amount=345600"},
		{"cells between spaces", "污水泵采购成交公告", "项目名称 污水泵采购 采购人 青石排水有限公司 成交供应商 白塔泵业有限公司 成交金额 12.35万元", "buyer=青石排水有限公司 winner=白塔泵业有限公司 amount=123500"},
		{"a rank, a label and a name in a row", "温室评标结果公示", "第一中标候选人\t单位名称\t青石温室有限公司\t投标报价\t1,235,000.00元\n第二中标候选人\t单位名称\t白塔温室有限公司\t投标报价\t1,246,000.00元", "winner=青石温室有限公司 amount=1235000"},
		{"all who bid", "图书采购结果公示", "序号\t供应商名称\t报价（元）\n1\t青石书店有限公司\t98000\n2\t白塔书店有限公司\t95000", "winner= amount="},
		{"who won of all who bid", "图书采购结果公示", "序号\t供应商名称\t报价（元）\t评审结果\n1\t青石书店有限公司\t98000\t/\n2\t白塔书店有限公司\t95000\t成交", "winner=白塔书店有限公司 amount=95000"},
		{"commas of full width in a sum", "家具中标公告", "中标单位：青石家具有限公司\n中标金额（元）：1，268，000", "amount=1268000"},
		{"ceilings of lots", "养护比选公告", "最高限价：1标段 1,250,000.00元；2标段 980,000.00元", "ceiling=1250000,980000"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := set.Extract(Notice{Title: c.title, Text: c.text, Published: time.Date(2026, 8, 1, 0, 0, 0, 0, time.UTC)})
			v := PlainNotice{Set: set, Result: r}
			for _, want := range strings.Fields(c.want) {
				name, value, _ := strings.Cut(want, "=")
				var got []string
				for _, p := range v.Plain(set.Named(name)) {
					got = append(got, fmt.Sprint(p))
				}
				if strings.Join(got, ",") != value {
					t.Errorf("%s: %q, want %q; %+v", name, got, value, r.Doubtful)
				}
			}
		})
	}
}
