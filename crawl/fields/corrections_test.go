package fields

import (
	"strings"
	"testing"
	"time"
)

// An analyst's deadline may be no date; a correction without a year has none then.
func TestCorrectionOfOwnDeadline(t *testing.T) {
	set := tender(t).With([]Field{{Name: "deadline", Type: Number, Labels: []string{"投标截止时间"}}})
	r := set.Extract(Notice{Title: "电梯采购公告", Text: "投标截止时间：30\n投标截止时间延期至6月20日9:30。"})
	if got := valueLine(r, "deadline"); got != "deadline=30" {
		t.Error(got)
	}
}

// TestCorrectionsWithinNotices reads corrected values within a notice, and shows old values with a
// "-".
func TestCorrectionsWithinNotices(t *testing.T) {
	const tender1 = "一、项目名称：电梯采购\n二、投标截止时间：2026年8月10日9时30分（北京时间）\n"
	for _, c := range []struct{ name, title, text, want string }{
		{"a line in the midst", "", tender1 + "因故，本项目投标截止时间延期至2026年8月20日9时30分。\n三、开标地点：交易中心",
			"deadline=2026-08-20T09:30 -deadline=2026-08-10T09:30"},
		{"a line above", "", "投标截止时间延长至2026年8月20日9时30分，请各投标人注意。\n" + tender1,
			"deadline=2026-08-20T09:30 -deadline=2026-08-10T09:30"},
		{"the opening goes with it", "", tender1 + "三、开标时间：2026年8月10日9时30分\n【本项目投标截止时间顺延至2026年8月20日9时30分】",
			"deadline=2026-08-20T09:30 opening=2026-08-20T09:30 -deadline=2026-08-10T09:30 -opening=2026-08-10T09:30"},
		{"was and is", "", tender1 + "更正：原投标截止时间2026年8月10日9时30分，现变更为2026年8月20日14:00。",
			"deadline=2026-08-20T14:00 -deadline=2026-08-10T09:30"},
		{"in brackets", "", "投标截止时间：2026年8月10日9时30分（现延期至2026年8月20日9时30分）", "deadline=2026-08-20T09:30"},
		{"from to", "", tender1 + "递交投标文件截止时间由2026年8月10日9:30改为2026年8月20日9:30。",
			"deadline=2026-08-20T09:30 -deadline=2026-08-10T09:30"},
		{"without the year", "", tender1 + "投标截止时间延期至8月20日9:30。", "deadline=2026-08-20T09:30 -deadline=2026-08-10T09:30"},
		{"earlier", "", tender1 + "投标截止时间提前至2026年8月8日9:30。", "deadline=2026-08-08T09:30 -deadline=2026-08-10T09:30"},
		{"twice", "", tender1 + "投标截止时间延期至2026年8月20日9:30。\n投标截止时间再次延期至2026年8月25日9:30。",
			"deadline=2026-08-25T09:30 -deadline=2026-08-20T09:30 -deadline=2026-08-10T09:30"},
		{"by some days", "", "投标文件递交截止时间推迟10天，即2026年8月20日9时30分。", "deadline=2026-08-20T09:30"},
		{"a last day", "", "投标截止日：2026年8月20日", "deadline=2026-08-20"},
		{"the opening alone", "", tender1 + "三、开标时间：2026年8月10日9时30分\n开标时间推迟到2026年8月10日14:00。",
			"deadline=2026-08-10T09:30 opening=2026-08-10T14:00 -opening=2026-08-10T09:30"},
		{"the time of day alone", "", tender1 + "三、开标时间：2026年8月12日9时00分\n因故，开标时间由9:00改为14:30。",
			"deadline=2026-08-10T09:30 opening=2026-08-12T14:30 -opening=2026-08-12T09:00"},
		{"the time of day alone, the deadline", "", tender1 + "投标截止时间由9时30分推迟至下午3时00分。", "deadline=2026-08-10T15:00 -deadline=2026-08-10T09:30"},
		{"the time of day alone in a correction", "电梯采购更正公告", "更正内容：2026年8月12日的开标时间由9:00更正为14:30。", "opening=2026-08-12T14:30"},
		{"the time of day of no known day", "", "开标时间由9:00改为14:30。", ""},
		{"the time of day of two days", "", tender1 + "三、开标时间：2026年8月12日9时30分\n投标截止及开标时间改为14:30。",
			"deadline=2026-08-10T09:30 opening=2026-08-12T09:30"},
		{"a number that is no time", "", tender1 + "投标文件递交份数由3份改为5份，开标地点改为2号楼。", "deadline=2026-08-10T09:30"},
		{"questions only", "", tender1 + "质疑截止时间延长至2026年8月20日17时。", "deadline=2026-08-10T09:30"},
		{"what may happen", "", tender1 + "如投标截止时间变更为2026年8月20日9时30分以后，另行通知。", "deadline=2026-08-10T09:30"},
		{"something else", "", tender1 + "合同签订日期调整为2026年9月20日。", "deadline=2026-08-10T09:30"},
		{"how long bids hold", "", tender1 + "投标有效期自投标截止之日起延长至2026年12月20日。", "deadline=2026-08-10T09:30"},
		{"the new one", "", tender1 + "本项目延期开标，新的投标截止时间为2026年8月20日9时30分。",
			"deadline=2026-08-20T09:30 opening=2026-08-20T09:30 -deadline=2026-08-10T09:30"},
		{"a new building", "", tender1 + "项目地点：新校区，投标文件递交至2026年8月10日9时30分止。", "deadline=2026-08-10T09:30"},
		{"a table without numbers", "电梯采购更正公告", "更正事项\t更正前\t更正后\n投标截止时间\t2026年8月10日9:30\t2026年8月20日9:30", "deadline=2026-08-20T09:30 -deadline=2026-08-10T09:30"},
		{"a sum in a correction", "电梯采购更正公告", "更正内容：预算金额由原来的120万元更正为150万元。", "budget=1500000"},
		{"a sum in its table", "电梯采购更正公告", "序号\t更正项\t更正前内容\t更正后内容\n1\t最高限价（万元）\t120\t150", "ceiling=1500000"},
		{"a ceiling behind a budget", "电梯采购更正公告", "预算金额150万元，最高限价变更为145万元。", "ceiling=1450000"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.title == "" {
				c.title = "电梯采购公开招标公告"
			}
			r := tender(t).Extract(Notice{Title: c.title, Text: c.text, Published: time.Date(2026, 7, 20, 0, 0, 0, 0, PrintedZone)})
			got := strings.Fields(valueLine(r, "deadline", "opening", "budget", "ceiling"))
			for _, v := range r.Doubtful {
				if v.Doubt == doubtReplaced {
					got = append(got, "-"+v.Field+"="+strings.TrimSuffix(v.Norm, "+08:00"))
				}
			}
			if c.name == "a ceiling behind a budget" { // the budget is not checked here
				got = strings.Fields(valueLine(r, "ceiling"))
			}
			if strings.Join(got, " ") != c.want {
				t.Errorf("\ngot  %s\nwant %s\n%+v", strings.Join(got, " "), c.want, r.Doubtful)
			}
		})
	}
}
