package fields

import (
	"strings"
	"testing"
)

// analystSet returns tenders with the fields of an analyst's settings.
func analystSet(t testing.TB) *Set {
	return tender(t).With([]Field{
		{Name: "notice_days", Title: "公告期限", Labels: []string{"公告期限", "公示期"}},
		{Name: "warranty", Title: "质保期", Labels: []string{"质保期", "质量保证期"}},
		{Name: "delivery", Title: "交货期", Labels: []string{"交货期", "供货期限"}},
		{Name: "payment", Title: "付款方式", Labels: []string{"付款方式"}},
		{Name: "bond", Title: "履约保证金", Type: Money, Labels: []string{"履约保证金"}},
		{Name: "visit", Title: "踏勘时间", Type: Time, Labels: []string{"踏勘时间"}},
		{Name: "copies", Title: "份数", Type: Number, Labels: []string{"副本份数"}},
		{Name: "joint", Title: "联合体", Type: Choice, Choices: []string{"接受", "不接受"}, Labels: []string{"联合体投标"}},
	})
}

var analystFields = []string{"notice_days", "warranty", "delivery", "payment", "bond", "visit", "copies", "joint"}

// A label of settings is read in running text if the sentence states its value.
func TestOwnLabelsInSentences(t *testing.T) {
	for text, want := range map[string]string{
		"公告期限为5个工作日。":                           "notice_days=5个工作日",
		"本项目公告期限为自本公告发布之日起5个工作日。":               "notice_days=自本公告发布之日起5个工作日",
		"一、公告期限为5个工作日，公告在学校主页发布。":               "notice_days=5个工作日",
		"本次公告在学校主页发布，公告期限为5个工作日；逾期不再受理。":        "notice_days=5个工作日",
		"各供应商：本公告的公告期限是3日。":                     "notice_days=3日",
		"货物的质保期（自验收合格之日起）不少于三年，交货期为合同签订后30日内。":  "delivery=合同签订后30日内",
		"质保期（自验收合格之日起）为三年，人为损坏除外。":              "warranty=三年",
		"设备质保期应为五年。":                            "warranty=五年",
		"本项目质保期：三年，自验收合格之日起算。":                  "",
		"公示期更正为7个工作日。":                          "notice_days=7个工作日",
		"付款方式为验收合格后支付95%(余款一年后付清，不计利息)，以人民币结算。": "payment=验收合格后支付95%(余款一年后付清，不计利息)",
		"其中履约保证金为人民币12,500.00元，退还方式见合同。":        "bond=12500",
		"本项目履约保证金为合同金额的5%。":                     "",
		"踏勘时间为2026年8月3日上午9时，集合地点另行通知。":          "visit=2026-08-03T09:00",
		"副本份数为4份，正本1份。":                         "copies=4",
		"联合体投标为不接受。":                            "joint=不接受",
		"质保期为“三年”。\n交货期为\n30日":                  "warranty=三年 delivery=30日",
		"项目名称：显微镜\n本项目的质保期为三年。\n质保期为三年，全国联保。":   "warranty=三年",
		"质保期为三年。\n质保期：五年":                       "warranty=五年",
		"设备名称\t质保期为三年\t备注":                      "warranty=三年",
		"供应商须承诺：质保期为三年。":                        "warranty=三年",
		"（2）质保期为三年；（3）交货期为30日。":                 "warranty=三年 delivery=30日",
		"交货期均为2026年9月1日前。":                      "delivery=2026年9月1日前",
		"联系人：李老师 质保期为三年":                        "",
		"质保期为三年的，得5分，每增加一年加1分。":                 "",
		"如质保期为三年，得5分。":                          "",
		"若供应商响应，质保期为五年，得满分。":                    "",
		"合同期限三年以上的，质保期为五年。":                     "",
		"采购标的的交货期为30日。":                         "delivery=30日",
		"例如，质保期为五年。":                            "",
		"投标人承诺的质保期为五年得满分。":                      "",
		"公告期限为准":                                 "",
		"质保期为多少年？":                               "",
		"质保期为三年是否可以？":                            "",
		"质保期是指自验收合格之日起的保修时间。":                    "",
		"质保期是否满足：满足。":                            "",
		"质保期为详见附件。":                              "",
		"付款方式为以下两种之一：":                           "",
		"付款方式为空的，视为不响应。":                         "",
		"原质保期为三年。":                               "",
		"最短交货期为30日。":                             "",
		"部分设备质保期为三年，另一部分设备的交货期为30日。":             "",
		"质保期为三年。\n质保期为五年。":                       "",
		"质保期" + strings.Repeat("很", 200) + "为三年": "",
		"质保期为" + strings.Repeat("很", 100) + "。":  "",
	} {
		n := Notice{Title: "东湖大学显微镜采购公告", Text: "东湖大学采购显微镜。\n" + text}
		r := analystSet(t).Extract(n)
		if got := valueLine(r, analystFields...); got != want {
			t.Errorf("%q:\ngot  %s\nwant %s\n%+v", text, got, want, r.Doubtful)
		}
		for _, v := range r.Values {
			if v.Source == FromSentence && v.To > v.From && n.Text[v.From:v.To] != v.Text {
				t.Errorf("%q: %q stands at %d:%d, where %q is", text, v.Text, v.From, v.To, n.Text[v.From:v.To])
			}
		}
	}
}

// In a correction only the new value counts.
func TestOwnLabelsInCorrections(t *testing.T) {
	n := Notice{Title: "显微镜采购更正公告", Text: "更正前：\n质保期为三年。\n更正后：\n质保期为五年。"}
	if got := valueLine(analystSet(t).Extract(n), "warranty"); got != "warranty=五年" {
		t.Error(got)
	}
}

// Sentences of job announcements state many values.
func TestPresetLabelsInSentences(t *testing.T) {
	set := preset(t, Jobs)
	r := set.Extract(Notice{Title: "东湖大学招聘公告", Text: "本次招聘人数为3人，学历要求为硕士及以上，工作地点为江城市。\n报名时间为2026年7月1日至2026年7月8日。\n报名截止时间为2026年7月8日17:00，逾期不予受理。"})
	if got, want := valueLine(r, "posts", "education", "place", "applications", "deadline"), "posts=3 education=硕士及以上 place=江城市 deadline=2026-07-08T17:00 applications=2026-07-01+08:00/2026-07-08"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
