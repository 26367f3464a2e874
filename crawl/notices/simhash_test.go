package notices

import (
	"strings"
	"testing"
)

const notice = `一、项目基本情况
项目编号：DHU-2026-0012
项目名称：东湖大学物理学院气相色谱仪采购项目
预算金额：92.28万元（人民币）
二、申请人的资格要求：满足《中华人民共和国政府采购法》第二十二条规定；本项目不接受联合体投标。
三、获取招标文件的时间：2026年3月1日至2026年3月8日，每天上午8:30至12:00，下午14:30至17:00。
四、投标截止时间和开标时间：2026年3月20日9时30分，地点：行政楼302会议室。
联系人：王老师　电话：027-87654321`

func TestTheSameNoticeIsFoundWhateverStandsAroundIt(t *testing.T) {
	a := SimhashOf(notice)
	for name, c := range map[string]struct {
		text string
		want bool
	}{
		"as it is":                     {notice, true},
		"spaces and empty lines":       {strings.ReplaceAll(notice, "：", "： \n\n"), true},
		"full-width figures":           {strings.NewReplacer("2026", "２０２６", "302", "３０２").Replace(notice), true},
		"who entered it, and counters": {"发布者：管理员　发布时间：2026-03-02 10:11\n" + notice + "\n浏览次数：1234\n上一篇：离心机采购公告（2026-77）", true},
		"a sentence more":              {notice + "\n特此公告。", true},
		"another sum":                  {strings.Replace(notice, "92.28", "92.82", 1), false},
		"another day":                  {strings.Replace(notice, "20日9时", "21日9时", 1), false},
		"another lot in Han figures":   {notice + "\n本次招标为第二包。", false},
		"another project's number":     {strings.Replace(notice, "0012", "0013", 1), false},
		"nothing in common":            {"关于2026年清明节放假安排的通知，各学院、各部门：根据国务院办公厅通知精神，现将放假安排通知如下。", false},
	} {
		if got := a.same(SimhashOf(c.text)); got != c.want {
			t.Errorf("%s: the same %v, want %v (%.2f)", name, got, c.want, likeness(a.Words, SimhashOf(c.text).Words))
		}
	}
	if short := SimhashOf("详见附件"); short.same(short) {
		t.Error("a short text tells nothing")
	}
}

// The name of a document alone does not tell that two notices are one.
func TestTextsThatAreTheNameOfADocument(t *testing.T) {
	for text, want := range map[string]bool{
		"附件：东湖县财政局关于政府采购项目的公开招标文件及其全部附表（定稿）.pdf":                      false,
		"附件1：东湖县财政局关于政府采购项目的公开招标文件及其全部附表.docx（已下载378次）\n附件2：报价表.xlsx": false,
		"东湖县财政局关于政府采购项目的公开招标文件及其全部附表.doc\n浏览次数：12":                    false,
		"东湖县财政局拟采购离心机一台，预算金额12万元，欢迎符合条件的供应商前来参加投标。\n附件：公告.pdf":        true,
		"公告全文请登录东湖县公共资源交易网 www.donghu.test 查阅，联系人王老师，电话：12345678。":    true,
	} {
		if got := SimhashOf(text).Long; got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
	item := func(id uint64, title string) RelatedNotice {
		return RelatedNotice{ID: id, Host: "a.test", Title: title, At: day(int(id)), Kind: Tendered,
			Sketch: SimhashOf("附件：东湖县财政局关于政府采购项目的公开招标文件及其全部附表（定稿）.pdf")}
	}
	k := Relate([]RelatedNotice{item(1, "离心机采购公告"), item(2, "校服采购公告")}, Corrections{})
	if k.Group(1) != nil {
		t.Error("two notices with the same document are one")
	}
}

func TestLinesOfThePage(t *testing.T) {
	for line, want := range map[string]bool{
		"浏览次数：12": true, "发布时间：2026-03-01": true, "[打印] [关闭]": true, "上一篇：离心机采购公告": true, "来源: 采购中心": true, "点击数 77": true,
		"Views: 12": true, "": true, "发布公告的媒介：中国政府采购网": false, "作者单位应当": false, "投标截止时间：2026年3月20日": false, "阅读器采购": false,
	} {
		if got := isFurnitureLine(line); got != want {
			t.Errorf("%q: %v, want %v", line, got, want)
		}
	}
}

func FuzzOf(f *testing.F) {
	f.Add(notice)
	f.Fuzz(func(t *testing.T, text string) {
		a := SimhashOf(text)
		if a != SimhashOf(text) {
			t.Error("another sketch of the same text")
		}
		if a.Long && !a.same(a) {
			t.Error("it is not like itself")
		}
	})
}

func BenchmarkOf(b *testing.B) {
	text := strings.Repeat(notice+"\n", 4)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		SimhashOf(text)
	}
}
