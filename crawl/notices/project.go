package notices

import (
	"cmp"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"angler/crawl/fields"
	"angler/crawl/htmldoc"
)

// ProjectState is the state of a procurement project.
type ProjectState uint8

// The states in their order. A stopped project may be tendered again.
const (
	StateUnknown ProjectState = iota
	Intended
	Tendered
	Corrected
	Stopped
	Nominated
	Awarded
	Contracted
)

var states = []struct{ name, english, kind string }{
	StateUnknown: {"", "", ""},
	Intended:     {"意向", "intention", fields.Intention},
	Tendered:     {"招标", "tender", fields.Tender},
	Corrected:    {"更正", "correction", fields.Correction},
	Stopped:      {"废标", "stopped", fields.Stopped},
	Nominated:    {"候选", "candidates", fields.Candidates},
	Awarded:      {"中标", "award", fields.Award},
	Contracted:   {"合同", "contract", fields.Contract},
}

// String returns the Chinese name of the state.
func (s ProjectState) String() string {
	if int(s) < len(states) {
		return states[s].name
	}
	return ""
}

// English returns the English name of the state.
func (s ProjectState) English() string {
	if int(s) < len(states) {
		return states[s].english
	}
	return ""
}

// StateOf returns the state after a notice of this kind; StateUnknown for other kinds.
func StateOf(kind string) ProjectState {
	for i := range states {
		if kind != "" && states[i].kind == kind {
			return ProjectState(i)
		}
	}
	return StateUnknown
}

// projectStep is one notice of a project.
type projectStep struct {
	ID       uint64
	Kind     ProjectState
	At       time.Time // publication
	Deadline time.Time // stated deadline; zero = none
}

// sortSteps sorts steps by day, then by kind.
func sortSteps(steps []projectStep) {
	slices.SortStableFunc(steps, func(a, b projectStep) int {
		return cmp.Or(dayOf(a.At).Compare(dayOf(b.At)), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.ID, b.ID))
	})
}

func dayOf(t time.Time) time.Time {
	y, m, d := t.Date()
	return time.Date(y, m, d, 0, 0, 0, 0, time.UTC)
}

// stateAfter returns the project's state after its sorted steps, and the valid deadline. A correction of an award
// leaves the project awarded. A tender after a stop restarts the project.
func stateAfter(steps []projectStep) (s ProjectState, deadline time.Time) {
	for _, x := range steps {
		switch {
		case x.Kind >= s, s == Stopped && x.Kind == Tendered, (s == Awarded || s == Nominated) && x.Kind == Stopped:
			s = x.Kind
		}
		if !x.Deadline.IsZero() && x.Kind <= Corrected {
			deadline = x.Deadline
		}
	}
	return s, deadline
}

const brackets = "(（[【〔"

// longNumber is the minimum length of a globally unique number, in letters and digits.
const longNumber = 11

// plainNumber normalises a project number: no spaces, dashes or brackets, upper case. It returns "" for an invalid
// number. alone reports that the number is long enough to identify a project without its host.
func plainNumber(s string) (number string, alone bool) {
	var b strings.Builder
	digits := 0
	for _, r := range s {
		if r >= 0xff01 && r <= 0xff5e {
			r -= 0xfee0
		}
		switch {
		case r >= '0' && r <= '9':
			digits++
			b.WriteRune(r)
		case unicode.IsLetter(r):
			b.WriteRune(unicode.ToUpper(r))
		}
		if b.Len() > 120 {
			return "", false
		}
	}
	n := utf8.RuneCountInString(b.String())
	if digits < 3 || n < 4 {
		return "", false
	}
	return b.String(), n >= longNumber && digits >= 6
}

// Lengths of a project's name in characters. A name shorter than minNameAlone identifies a project only with its
// buyer.
const (
	minName      = 4
	minNameAlone = 6
	maxName      = 120
)

var (
	bracketed = htmldoc.NewPattern(`[(（\[【〔]([^()（）\[\]【】〔〕]{0,40})[)）\]】〕]`)
	keep      = htmldoc.NewPattern(`标段|标包|分包|^[A-Za-z0-9一二三四五六七八九十第]{1,4}(?:包|标)|\d{4}`)
	lead      = htmldoc.NewPattern(`^(?:关于|有关|对)`)
	first     = htmldoc.NewPattern(`^(?:公告|公示|通知|招标公告|采购公告|中标公告|成交公告|更正公告|结果公告|项目|招标|采购|中标|成交|更正|变更|结果)[:：\s]+`)
)

// endings lists words for kinds of notices at the end of titles, longer ones of the same ending first.
var endings = strings.Fields(`公开招标 邀请招标 公开招租 竞争性 公开 国内 国际 自主 自行 网上 线上 电子 分散 集中 政府 校内 院内
	询比价 招标 投标 采购 磋商 谈判 询价 询比 比选 比价 遴选 竞价 竞标 议标 招租 单一来源 进口产品 资格预审 资格后审 资格 预审 邀请 论证 意向 计划
	更正 变更 澄清 答疑 补遗 延期 修改 调整 勘误 暂停 中止 终止 撤销 取消 失败 异常 流标 废标 流拍
	中标 成交 中选 入围 候选人 候选 供应商 定标 评标 评审 开标 结果 合同 签订 履约 验收 公开信息
	公告 公示表 公示 通知书 通知 通告 公布 告示 函 信息 文件 情况 说明 二次 再次 重新 补充 的 及其 及 和 与 之 预 拟 表 书`)

var again = htmldoc.NewPattern(`第[一二三四五六七八九十0-9]+次$`)

// withoutEndings removes words for kinds of notices from the end of a name.
func withoutEndings(s string) string {
	for range maxEndings {
		cut := s
		for _, e := range endings {
			if strings.HasSuffix(s, e) {
				cut = s[:len(s)-len(e)]
				break
			}
		}
		if strings.HasSuffix(cut, "次") {
			cut = again.ReplaceAllString(cut, "")
		}
		if cut == s {
			break
		}
		s = cut
	}
	return s
}

const maxEndings = 16

// projectName extracts the project's name from a title or name. It removes words for kinds of notices, the buyer's
// name, spaces and punctuation. "" means too short.
func projectName(title, buyer string) string {
	s := strings.TrimSpace(title)
	if utf8.RuneCountInString(s) > 2*maxName {
		return ""
	}
	s = first.ReplaceAllString(s, "")
	if strings.ContainsAny(s, brackets) {
		s = bracketed.ReplaceAllStringFunc(s, func(b string) string {
			in := bracketed.FindStringSubmatch(b)[1]
			if keep.MatchString(in) {
				return in
			}
			return ""
		})
	}
	var b strings.Builder
	for _, r := range s {
		if r >= 0xff01 && r <= 0xff5e {
			r -= 0xfee0
		}
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			b.WriteRune(unicode.ToLower(r))
		}
	}
	s = lead.ReplaceAllString(b.String(), "")
	s = withoutEndings(s)
	s = strings.TrimSuffix(strings.TrimSuffix(s, "项目"), "采购")
	if b := plainParty(buyer); b != "" {
		s = strings.TrimPrefix(s, b)
	}
	if n := utf8.RuneCountInString(s); n < minName || n > maxName {
		return ""
	}
	return s
}

// plainParty normalises an organisation's name.
func plainParty(name string) string {
	var b strings.Builder
	if strings.ContainsAny(name, brackets) {
		name = bracketed.ReplaceAllString(name, "")
	}
	for _, r := range name {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			b.WriteRune(unicode.ToLower(r))
		}
	}
	return b.String()
}

var ordinalPattern = htmldoc.NewPattern(
	`第([一二三四五六七八九十0-9]{1,3})次|([二三四五])次|重新(?:招标|采购)|\d{4}年第?\d{1,3}[批期]|([一二三四五六七八九十0-9A-Za-z]{1,3})(?:标段|标包|分包|包)|第([一二三四五六七八九十0-9A-Za-z]{1,3})(?:标段|标包|分包|包|批|期)`)

// titleOrdinal returns the ordinals in a title, which distinguish notices of one project: the second correction, the
// third lot.
func titleOrdinal(title string) string {
	if !strings.ContainsAny(title, "第次新包标批期") {
		return ""
	}
	return strings.Join(ordinalPattern.FindAllString(title, 4), " ")
}
