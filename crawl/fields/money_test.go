package fields

import (
	"strings"
	"testing"
)

// TestFormsOfSums reads sums in the forms of notices. want is a decimal of yuan, "" for no sum, a
// sum after its foreign currency, or one after "each".
func TestFormsOfSums(t *testing.T) {
	for _, c := range []struct{ text, unit, want string }{
		// jiao and fen
		{"456元7角8分", "", "456.78"},
		{"456元7角", "", "456.7"},
		{"456元零8分", "", "456.08"},
		{"456元整", "", "456"},
		{"3,456元5角整", "", "3456.5"},
		{"30元5分钟", "", "30"},
		// Chinese numerals
		{"贰佰叁拾伍万零捌佰元零伍分", "", "2350800.05"},
		{"壹佰贰拾叁万肆仟伍佰陆拾柒元捌角玖分", "", "1234567.89"},
		{"壹佰贰拾叁萬肆仟伍佰陸拾柒圓捌角玖分", "", "1234567.89"},
		{"叁億貳仟萬圓整", "", "320000000"},
		{"人民币壹佰伍拾万零叁佰圆正", "", "1500300"},
		{"壹 佰 贰 拾 万 元 整", "", "1200000"},
		{"人民币（大写）：柒拾陆万捌仟整", "", "768000"},
		{"壹佰肆拾捌点伍陆万元", "", "1485600"},
		{"拾贰万元整", "", "120000"},
		{"伍元整", "", "5"},
		{"壹万零伍元", "", "10005"},
		{"廿五万元", "", "250000"},
		{"卅万元整", "", "300000"},
		{"玖仟玖佰玖拾玖亿玖仟玖佰玖拾玖万玖仟玖佰玖拾玖元玖角玖分", "", "999999999999.99"},
		{"叁萬零壹拾元零叁分", "", "30010.03"},
		{"一百九十万零三千九百七十一元", "", "1903971"},
		{"二十五万元", "", "250000"},
		{"两千三百万元", "", "23000000"},
		{"一万五元", "", ""},
		{"几百万元", "", ""},
		{"壹贰叁元", "", ""},
		{"壹佰佰元", "", ""},
		{"贰万亿元", "", "2000000000000"},
		{"壹万壹万元", "", ""},
		{"一元", "", ""},
		{"参加投标的三家供应商", "", ""},
		// several scales
		{"3亿2000万元", "", "320000000"},
		{"3亿元", "", "300000000"},
		{"1亿2345万6789.5元", "", "123456789.5"},
		{"5万3千元", "", "53000"},
		{"2千5百万元", "", "25000000"},
		{"3千万元", "", "30000000"},
		{"5百元", "", "500"},
		{"3万零500元", "", "30500"},
		{"3万5", "", ""},
		{"12.5万元", "", "125000"},
		{"12.5 万 元", "", "125000"},
		{"85.6(万元)", "", "856000"},
		{"85.6（单位：万元）", "", "856000"},
		{"1.2万亿元", "", "1200000000000"},
		// groups
		{"1 234 567.89元", "", "1234567.89"},
		{"1 234 567.89", "", "1234567.89"},
		{"12 500元", "", "12500"},
		{"１，２３４，５６７．８９元", "", "1234567.89"},
		{"158，000元", "", "158000"},
		{"￥158，000.50", "", "158000.5"},
		{"1, 234, 567.89元", "", "1234567.89"},
		{"1,2345元", "", ""},
		{"1.234.567元", "", ""},
		{"1234,567元", "", ""},
		{"包1 200元", "", "200"},
		{"3 120台", "", ""},
		// signs
		{"人民币 120万", "", "1200000"},
		{"人民币（元）：35600", "", "35600"},
		{"RMB:35,600.00", "", "35600"},
		{"CNY35600", "", "35600"},
		{"35600元人民币", "", "35600"},
		{"35,600.00 RMB", "", "35600"},
		{"35600￥", "", "35600"},
		{"公司,120万元", "", "1200000"},
		{"120万元,其中暂列金10万元", "", "1200000"},
		// foreign currencies
		{"USD 120,000.00", "", "USD 120000"},
		{"120,000.00美元", "", "USD 120000"},
		{"120万美元", "", "USD 1200000"},
		{"120万元（美元）", "", "USD 1200000"},
		{"港币35.6万元", "", "HKD 356000"},
		{"HK$35,600", "", "HKD 35600"},
		{"欧元 98000", "", "EUR 98000"},
		{"9800万日元", "", "JPY 98000000"},
		{"¥9,800,000日元", "", "JPY 9800000"},
		{"€98,000", "", "EUR 98000"},
		{"$98,000", "", "USD 98000"},
		{"98000", "美元", "USD 98000"},
		{"9.8", "万美元", "USD 98000"},
		{"叁拾万美元", "", "USD 300000"},
		// units of labels
		{"123.45", "万元", "1234500"},
		{"1.5", "亿元", "150000000"},
		{"320", "千元", "320000"},
		{"3", "百万元", "3000000"},
		{"98.5", "%", ""},
		{"85", "元/平方米", "each 85"},
		{"320000", "元/年", "320000"},
		// unit prices
		{"3200元/人·月", "", "each 3200"},
		{"单价：85.5元", "", "each 85.5"},
		{"每吨85元", "", "each 85"},
		{"85元每平方米", "", "each 85"},
		{"768000元/年", "", "768000"},
		{"768000元/三年", "", "768000"},
		// not sums
		{"下浮率：5.2%", "", ""},
		{"下浮率（%）：5.2", "", ""},
		{"费率 0.85", "", ""},
		{"折扣系数：0.92", "", ""},
		{"8.5折", "", ""},
		{"92.5分", "", ""},
		{"3万平方米", "", ""},
		{"5.2万吨", "", ""},
		{"30万㎡", "", ""},
		{"10-20万元", "", ""},
		{"10万元~20万元", "", ""},
		{"10万元至20万元", "", ""},
		{"100万元至2026年", "", "1000000"},
		{"2026-07-01", "", ""},
		{"9:30", "", ""},
		{"包1:32", "万元", "320000"},
		{"HX-2026-120", "", ""},
		{"第120号", "", ""},
		{"0.00元（零元整）", "", ""},
		{"99999999999999元", "", ""},
	} {
		a, ok := ParseMoney(fold(c.text).s, c.unit)
		got := strings.TrimSpace(a.Currency + " " + a.Yuan)
		if a.UnitPrice {
			got = "each " + got
		}
		if got != c.want || ok != (c.want != "") {
			t.Errorf("%q (%s): %q, want %q", c.text, c.unit, got, c.want)
		}
	}
}

// TestSumsInNotices reads sums whose unit, lot or total is elsewhere, and doubtful ones, which have
// "?" and the doubt after them.
func TestSumsInNotices(t *testing.T) {
	lot := func(above string, rows ...string) Table {
		t := table(rows...)[0]
		t.Above = above
		return t
	}
	for _, c := range []struct {
		name, title, text string
		tables            []Table
		field, want       string
	}{
		{name: "a unit in the brackets of a label", text: "中标人：丁丁建设有限公司\n中标金额（单位：万元）：245.6", want: "2456000"},
		{name: "such brackets without a second colon", text: "中标金额（单位：万元）245.6", want: "2456000"},
		{name: "a unit behind a slash", text: "中标金额/万元：245.6", want: "2456000"},
		{name: "a unit in a line above lines", text: "一、中标信息\n金额单位：万元\n中标人：丁丁建设有限公司\n中标金额：245.6", want: "2456000"},
		{name: "such a unit ends with its part", text: "一、采购清单\n单位：万元\n二、中标信息\n中标金额：245600", want: "245600"},
		{name: "a unit above a table", tables: []Table{lot("三、中标信息\n单位：人民币万元", "包号|中标供应商|中标金额", "1|丁丁建设有限公司|24.6", "2|戊戊建设有限公司|8.15")},
			want: "@1=246000 @2=81500"},
		{name: "a unit in the caption", tables: []Table{lot("中标结果一览表（单位：万元）", "中标供应商|中标金额", "丁丁建设有限公司|24.6")}, want: "246000"},
		{name: "a unit above rows of text", text: "单位：万元\n包号\t中标供应商\t中标金额\n1\t丁丁建设有限公司\t24.6\n2\t戊戊建设有限公司\t8.15", want: "@1=246000 @2=81500"},
		{name: "a unit in the head", tables: table("中标供应商|中标金额|（单位：万元）", "丁丁建设有限公司|24.6|"), want: "246000"},
		{name: "a unit in a first row", tables: table("单位：万元", "中标供应商|中标金额", "丁丁建设有限公司|24.6"), want: "246000"},
		{name: "a row of units below the head", tables: table("中标供应商|中标金额", "|（万元）", "丁丁建设有限公司|24.6"), want: "246000"},
		{name: "a unit in a column", tables: table("中标供应商|中标金额|单位", "丁丁建设有限公司|24.6|万元"), want: "246000"},
		{name: "a unit beside a sum in a row", tables: table("中标供应商|丁丁建设有限公司", "中标金额|24.6|万元"), want: "246000"},
		{name: "the unit of a cell goes first", tables: []Table{lot("单位：万元", "中标供应商|中标金额（元）", "丁丁建设有限公司|246000")}, want: "246000"},
		{name: "lots above tables", tables: []Table{lot("包一：", "中标供应商|丁丁建设有限公司", "中标金额|24.6万元"), lot("包二：", "中标供应商|戊戊建设有限公司", "中标金额|8.15万元")},
			want: "@一=246000 @二=81500"},
		{name: "named lots above tables", tables: []Table{lot("合同包1(教学设备):", "供应商名称|中标金额", "丁丁建设有限公司|24.6万元"), lot("合同包2(办公家具):", "供应商名称|中标金额", "戊戊建设有限公司|8.15万元")},
			want: "@1=246000 @2=81500"},
		{name: "lots with a total", tables: table("包号|中标供应商|中标总金额（元）", "1|丁丁建设有限公司|246000", "2|戊戊建设有限公司|81500", "合计||327500"),
			want: "327500 @1=246000 @2=81500"},
		{name: "things with a total", tables: table("品名|单价（元）|数量|金额（元）", "离心机|30000|8|240000", "转子|1500|4|6000", "合计|||246000"), want: "246000"},
		{name: "things with a total in a wide cell", tables: table("品名|单价|数量|小计（万元）", "离心机|3|8|24", "转子|0.15|4|0.6", "合计|合计|合计|24.6"), want: "246000"},
		{name: "things without a total", tables: table("品名|单价（元）|数量|总价（元）", "离心机|30000|8|240000", "转子|1500|4|6000")},
		{name: "things with a total of another field", field: "budget", title: "离心机采购公告", tables: table("品名|单价（元）|数量|预算金额（元）", "离心机|30000|8|240000", "转子|1500|4|6000", "合计|||246000"), want: "246000"},
		{name: "lots with numbers of things", tables: table("包号|中标供应商|数量|报价（元）", "1|丁丁建设有限公司|8|246000", "2|戊戊建设有限公司|4|81500"), want: "@1=246000 @2=81500"},
		{name: "such lots with a total", tables: table("包号|中标供应商|数量|成交总价（元）", "1|丁丁建设有限公司|8|246000", "2|戊戊建设有限公司|4|81500", "合计||12|327500"), want: "327500 @1=246000 @2=81500"},
		{name: "one thing", tables: table("品名|单价（元）|数量|总价（元）", "离心机|30750|8|246000"), want: "246000"},
		{name: "a total alone", text: "成交供应商：丁丁建设有限公司\n总价：24.6万元", want: "246000"},
		{name: "a total behind the name", text: "成交供应商：丁丁建设有限公司，总价246000元。", want: "246000"},
		{name: "a head of two rows", tables: table("中标供应商|报价（万元）|报价（万元）", "中标供应商|投标报价|中标价", "丁丁建设有限公司|25.1|24.6"), want: "246000"},
		{name: "apostrophes between digits", text: "中标金额：1'246'000.50元", want: "1246000.5"},
		{name: "a price and a whole", text: "成交金额：单价：3200元/人·月，总价：768000元", want: "768000"},
		{name: "a price and a whole in a cell", tables: table("成交供应商|成交金额", "丁丁物业有限公司|单价（元/㎡）：2.6，总价（元）：312000"), want: "312000"},
		{name: "a price alone", text: "成交金额：3200元/人·月", want: "3200?the price of one thing"},
		{name: "figures and words", text: "中标金额：贰拾肆万陆仟元整（¥246,000.00）", want: "246000"},
		{name: "words and figures with labels", text: "中标金额：大写：贰拾肆万陆仟元整 小写：246000元", want: "246000"},
		{name: "figures and words that differ", text: "中标金额：¥264,000.00（大写：贰拾肆万陆仟元整）", want: "264000?figures and words differ"},
		{name: "figures without a unit and words", text: "中标金额：246000（贰拾肆万陆仟元整）", want: "246000"},
		{name: "a sum and its rounding", text: "总中标金额：668.7900万元\n中标（成交）金额：6687920.0元", want: "6687920"},
		{name: "dollars", text: "中标金额：USD 246,000.00", want: "USD 246000?a sum in a foreign currency"},
		{name: "dollars and yuan", text: "中标金额：USD 34,000.00（折合人民币246,000.00元）", want: "246000"},
		{name: "dollars in the head", tables: table("中标供应商|中标金额（美元）", "丁丁仪器有限公司|34,000"), want: "USD 34000?a sum in a foreign currency"},
		{name: "dollars in a column", tables: table("中标供应商|中标金额|币种", "丁丁仪器有限公司|34,000|美元"), want: "USD 34000?a sum in a foreign currency"},
		{name: "a rate", text: "中标供应商：丁丁仪器有限公司\n中标金额：下浮率12.5%", want: ""},
		{name: "a rate in the head", tables: table("中标供应商|中标价（%）", "丁丁仪器有限公司|87.5"), want: ""},
		{name: "a rate in a column of sums", tables: table("中标供应商|中标金额（元）|下浮率", "丁丁仪器有限公司|246000|12.5%"), want: "246000"},
		{name: "a unit that cannot be", tables: table("中标供应商|中标金额（万元）", "丁丁仪器有限公司|2,460,000.00"), want: "24600000000?the unit is unclear"},
		{name: "no unit anywhere", tables: table("中标供应商|中标金额", "丁丁仪器有限公司|24.6"), want: "24.6?weak evidence"},
		{name: "decimals of 万元 without it", text: "中标金额：1245.678900", want: "1245.6789?weak evidence"},
		{name: "budget in the head", title: "电梯采购公开招标公告", field: "budget", tables: table("标段|标段名称|预算金额（万元）", "1|电梯|320", "2|监理|12.6"), want: "@1=3200000 @2=126000"},
		{name: "lots in one line", title: "电梯采购公开招标公告", field: "budget", text: "预算金额：包1：320万元（大写：叁佰贰拾万元整）；包2：12.6万元", want: "@1=3200000 @2=126000"},
		{name: "table and text", text: "中标金额：246,000.00元", tables: table("中标供应商|中标金额（元）", "丁丁仪器有限公司|264000"),
			want: "264000?table and text give different sums 246000?table and text give different sums"},
		{name: "a whole in the table and parts in the text", text: "供应商名称：丁丁仪器有限公司\n中标金额：246,000.00元\n供应商名称：戊戊仪器有限公司\n中标金额：81500元",
			tables: table("总中标金额|￥32.75万元（人民币）"), want: "327500"},
		{name: "an award out of proportion", text: "预算金额：30万元\n中标金额（万元）：246,000", want: "2460000000?the unit is unclear"},
		{name: "a range", title: "电梯采购公开招标公告", field: "budget", text: "预算金额：100-120万元", want: ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.title == "" {
				c.title, c.field = "某某工程中标公告", "amount"
			}
			r := tender(t).Extract(Notice{Title: c.title, Text: c.text, Tables: c.tables})
			var got []string
			for _, v := range append(r.Of(c.field), r.Doubtful...) {
				if v.Field != c.field {
					continue
				}
				if v.Lot != "" {
					v.Norm = "@" + v.Lot + "=" + v.Norm
				}
				if v.Doubt != "" {
					v.Norm += "?" + v.Doubt
				}
				got = append(got, v.Norm)
			}
			if strings.Join(got, " ") != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}
