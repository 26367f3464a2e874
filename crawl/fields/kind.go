package fields

import (
	"strings"
	"unicode/utf8"

	"angler/crawl/htmldoc"
)

// The kinds of tender notices.
const (
	Intention  = "意向"
	Tender     = "招标"
	Correction = "更正"
	Stopped    = "终止"
	Candidates = "候选" // proposed winners, before the award
	Award      = "中标"
	Contract   = "合同"
)

// kinds in the order of checks on a title.
var kinds = []struct {
	kind string
	re   *htmldoc.Pattern
}{
	{Correction, htmldoc.NewPattern(`(?i)更正|变更的?(?:公告|公示|通知)|澄清|补遗|补充(?:公告|通知|文件|说明)|答疑|延期|修改(?:公告|通知)|勘误|修正公告|调整公告|\b(?:amendment|corrigendum|clarification|addendum)\b`)},
	{Stopped, htmldoc.NewPattern(`(?i)终止|废标|流标|撤销|暂停|中止|取消(?:公告|采购|招标)|失败公告|招标失败|采购失败|流采|流拍|异常公告|\b(?:cancellation|cancelled|terminated)\b`)},
	{Contract, htmldoc.NewPattern(`(?i)合同(?:公告|公示|信息|备案|签订|履约|验收)|合同$|\bcontract notice\b`)},
	{Candidates, htmldoc.NewPattern(`候选(?:人|供应商|单位|企业|名单|公示|公告|结果)|(?:预|拟)(?:中标|成交|中选)`)},
	{Award, htmldoc.NewPattern(`(?i)中标|成交|中选|入围(?:公|结)|结果(?:的)?(?:公告|公示|通知|公布)?$|结果(?:公告|公示)|定标|评标(?:公示|结果)|开标结果|\b(?:contract award|award notice|award of contract|notice of award|awarded|winning bid)`)},
	{Intention, htmldoc.NewPattern(`(?i)意向|招标计划|采购计划|预公告|预公示|招标预告|采购预告|预采购|\b(?:prior information|planned procurement)\b`)},
	{Tender, htmldoc.NewPattern(`(?i)招标|采购|磋商|谈判|询价|比选|遴选|竞价|资格预审|单一来源|询比|议标|竞标|邀请|招商|拍租|招租|比价|招募|项目$|工程$|\b(?:tender|bid|procurement|rfp|rfq|request for)`)},
}

// titleEndRunes is the length of the end of a title that names the kind of notice. The middle may
// name the purchase: 合同管理系统.
const titleEndRunes = 14

// kindIn returns the kind that a text names and its place; "" without one.
func kindIn(s string) (kind string, from, to int) {
	for i := range kinds {
		if m := kinds[i].re.FindStringIndex(s); m != nil {
			return kinds[i].kind, m[0], m[1]
		}
	}
	return "", 0, 0
}

// tailStart returns the start of the last n characters of s.
func tailStart(s string, n int) int {
	i := len(s)
	for ; i > 0 && n > 0; n-- {
		_, size := utf8.DecodeLastRuneInString(s[:i])
		i -= size
	}
	return i
}

var kindBrackets = htmldoc.NewPattern(`\([^()]*\)\s*$`)

// statedKind is the kind of a notice and the place that states it.
type statedKind struct {
	kind     string
	f        *folded
	from, to int
	sure     float64
}

// findKind finds the kind of a notice in its titles, its first lines or its text.
func (r *reading) findKind() statedKind {
	weak := statedKind{}
	for _, f := range []*folded{r.title, r.head} {
		k, strong := titleKind(f)
		if strong {
			return k
		}
		if weak.kind == "" {
			weak = k
		}
	}
	// a heading in the first lines is better evidence than a weak word of the title
	top := r.text.s[:min(len(r.text.s), 1500)]
	at, lines := 0, 0
	for _, line := range strings.SplitAfter(top, "\n") {
		text := htmldoc.CleanTitle(line)
		if n := utf8.RuneCountInString(text); n >= 4 && n <= 60 && headline.MatchString(text) &&
			text != strings.TrimSpace(r.title.s) {
			cut := tailStart(text, titleEndRunes)
			if kind, from, to := kindIn(text[cut:]); kind != "" {
				lead := at + len(line) - len(strings.TrimLeft(line, " \t"))
				if !strings.HasPrefix(r.text.s[lead:], text) { // the text has further spaces
					return statedKind{kind, r.text, lead, lead + len(strings.TrimSpace(line)), .85}
				}
				return statedKind{kind, r.text, lead + cut + from, lead + cut + to, .85}
			}
		}
		at += len(line)
		if lines++; lines > 20 {
			break
		}
	}
	if weak.kind == "" {
		if m := callForBids.FindStringIndex(r.text.s); m != nil {
			return statedKind{Tender, r.text, m[0], m[1], .7}
		}
	}
	return weak
}

// titleKind returns the kind that a title names. A word for a purchase in its middle is weak,
// because any words may follow.
func titleKind(f *folded) (weak statedKind, strong bool) {
	title := f.s
	for {
		m := kindBrackets.FindStringIndex(title)
		if m == nil || m[0] < 12 {
			break
		}
		title = title[:m[0]]
	}
	for _, begin := range []int{tailStart(title, titleEndRunes), 0} {
		kind, from, to := kindIn(title[begin:])
		if kind == "" {
			continue
		}
		k := statedKind{kind, f, begin + from, begin + to, .95}
		if kind != Tender || !weakTender.MatchString(title[begin+from:begin+to]) &&
			(begin > 0 || strings.Contains(title, "公告")) {
			return k, true
		}
		if k.sure = .6; weak.kind == "" {
			weak = k
		}
	}
	return weak, false
}

var (
	weakTender  = htmldoc.NewPattern(`^(?:项目|工程)$`)
	headline    = htmldoc.NewPattern(`(?:公告|公示|公示表|通知|公告书|结果|邀请函|邀请书|预告)(?:\([^)]*\))?$`)
	callForBids = htmldoc.NewPattern(`现对该项目[^。]{0,80}(?:公开)?招标|欢迎[^。]{0,30}(?:投标|报名|参加)|招标条件`)
)

// readKind sets foundKind and returns the kind.
func (r *reading) readKind() string {
	if _, ok := r.preset("kind"); ok {
		r.foundKind = r.findKind()
	}
	return r.foundKind.kind
}

// addKind adds foundKind as a candidate.
func (r *reading) addKind() {
	k := r.foundKind
	field, ok := r.preset("kind")
	if !ok || k.kind == "" {
		return
	}
	v := Value{Norm: k.kind, Source: FromTitle, Sure: k.sure}
	if k.f == r.text {
		v.Source = FromLine
	}
	v.Text, v.From, v.To = k.f.span(k.from, k.to)
	r.addCandidate(field, v)
}
