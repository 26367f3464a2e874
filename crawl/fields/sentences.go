package fields

import (
	"slices"
	"strings"
	"unicode/utf8"

	"angler/crawl/htmldoc"
)

const (
	orgWords  = `([^，。；;:\n\t]{3,40}?)`
	timeWords = `(20\d\d\s*[年\-/.][^。；;\n]{4,50})`
	timeShort = `(20\d\d\s*[年\-/.][^。；;，,\n递提收]{4,40}?)`
	timeLazy  = `(20\d\d\s*[年\-/.][^。；;\n]{4,50}?)`
	sumWords  = `([^。；;，\n]{1,40})`
	sumYuan   = `[^。；;，\n\d¥]{0,8}((?:¥\s*)?\d[\d,.]*\s*(?:亿|百万|千万|万|千)?\s*元)`
)

// sentence is a pattern for a value, which its first group holds. It is only tried around its
// words.
type sentence struct {
	field string
	words []string
	re    *htmldoc.Pattern
	sure  float64
}

const (
	windowBytes    = 150 // bytes before and after a word that are always read
	maxWindowBytes = 600 // bytes before and after a word
	maxWindows     = 200 // of one sentence
)

// windows returns the ranges of the text around words, from the start of a line or sentence to the
// end of a line.
func windows(s string, words []string) [][2]int {
	var out [][2]int
	for _, w := range words {
		for i := strings.Index(s, w); i >= 0 && len(out) < maxWindows; {
			from, to := max(0, i-windowBytes), min(len(s), i+windowBytes)
			if k := strings.LastIndexByte(s[max(0, i-maxWindowBytes):from], '\n'); k >= 0 {
				from = max(0, i-maxWindowBytes) + k + 1
			} else if from > 0 {
				from = max(0, i-maxWindowBytes)
				if k := strings.Index(s[from:i], "。"); k >= 0 {
					from += k
				}
			}
			for from > 0 && !utf8.RuneStart(s[from]) {
				from++
			}
			if k := strings.IndexByte(s[to:min(len(s), i+maxWindowBytes)], '\n'); k >= 0 {
				to += k
			} else {
				to = min(len(s), i+maxWindowBytes)
			}
			for to < len(s) && !utf8.RuneStart(s[to]) {
				to++
			}
			out = append(out, [2]int{from, to})
			next := strings.Index(s[to:], w)
			if next < 0 {
				break
			}
			i = to + next
		}
	}
	return out
}

var sentences = []sentence{
	{"agent", []string{"委托"}, htmldoc.NewPattern(`(?:^|[\n。；，:])\s*([^，。；;:\n\t]{4,40}?)\s*(?:\((?:招标|采购)?代理机构(?:名称)?\))?\s*(?:接受|受)\s*[^，。；\n]{2,60}?\s*的?\s*委托`), .88},
	{"buyer", []string{"委托"}, htmldoc.NewPattern(`(?:接受|受)\s*([^，。；\n]{2,60}?)\s*(?:\([^)]{0,12}\))?\s*的?\s*委托`), .88},
	{"agent", []string{"委托"}, htmldoc.NewPattern(`(?:接受|受)\s*[^，。；\n]{2,60}?\s*的?\s*委托\s*[，,]\s*([^，。；;:\n\t]{4,40}?)\s*(?:\([^()\n]{0,20}\))?\s*(?:就|对|现|组织|拟|作为|负责)`), .86},
	{"agent", []string{"委托"}, htmldoc.NewPattern(`(?:现|特|已|并)\s*委托\s*([^，。；;:\n\t]{4,40}?)\s*(?:\([^()\n]{0,20}\))?\s*(?:进行|组织|代理|实施|就|对|开展|采用|以|负责)`), .86},
	{"buyer", []string{"委托"}, htmldoc.NewPattern(`(?:^|\n)\s*([^，。；;:\n\t的]{4,30}?)\s*(?:的|拟|就|对)[^。\n]{2,90}?(?:现|特|已|并)\s*委托\s*[^，。；\n]{2,36}(?:公司|中心|机构)`), .8},
	{"winner", []string{"中标", "成交", "中选"}, htmldoc.NewPattern(`(?:中标|成交|中选)(?:结果|信息|供应商|单位|人)[^\n，。]{0,16}\n\s*([^，。；;:\n\t]{3,40}?(?:公司|厂|院|所|中心|集团|大学|社|店))\s*[,，(]\s*(?:总价|报价|金额|(?:中标|成交)(?:总)?(?:价|金额))`), .82},
	{"amount", []string{"中标", "成交", "中选"}, htmldoc.NewPattern(`(?:中标|成交|中选)(?:结果|信息|供应商|单位|人)[^\n，。]{0,16}[:\n]\s*[^，。；;:\n\t]{3,40}?(?:公司|厂|院|所|中心|集团|大学|社|店)\s*[,，(]\s*(?:总价|报价|金额|(?:中标|成交)(?:总)?(?:价|金额))\s*[:为]?\s*([^。；;，\n)]{1,40})`), .82},
	{"agent", []string{"委托"}, htmldoc.NewPattern(`[，,]\s*委托\s*([^，。；;:\n\t]{4,36}(?:公司|中心|机构|事务所))\s*(?:\([^()\n]{0,20}\))?\s*(?:进行|组织|代理|实施|就|对|开展|负责)`), .84},
	{"agent", []string{"委托"}, htmldoc.NewPattern(`(?:^|\n)\s*[^，。；;:\n\t的就对拟]{4,30}?\s*委托\s*([^，。；;:\n\t]{4,36}?(?:公司|中心|机构|事务所))\s*(?:\([^()\n]{0,20}\))?\s*(?:就|对|组织|进行|代理|实施|以)`), .84},
	{"buyer", []string{"委托"}, htmldoc.NewPattern(`(?:^|\n)\s*([^，。；;:\n\t的就对拟]{4,30}?)\s*委托\s*[^，。；;:\n\t]{4,36}?(?:公司|中心|机构|事务所)\s*(?:\([^()\n]{0,20}\))?\s*(?:就|对|组织|进行|代理|实施|以)`), .82},
	{"buyer", []string{"简称"}, htmldoc.NewPattern(`(?:^|[\n，])\s*([^，。；;:()\n\t]{4,40}?)\s*\((?:以下|下称)?简称[^()\n]{0,6}(?:招标人|采购人|采购单位|招标单位|业主|比选人)[^()\n]{0,4}\)`), .88},
	{"buyer", []string{"人为", "人是", "业主为", "业主是", "单位为", "单位是", "法人为", "法人是", "人 为"},
		htmldoc.NewPattern(`(?:招标人|采购人|项目业主|采购单位|建设单位|项目法人|比选人)\s*(?:为|是)\s*:?\s*` + orgWords + `\s*(?:[，。；;\n(]|$)`), .85},
	{"buyer", []string{"面向社会", "现就", "现对"}, htmldoc.NewPattern(`(?:^|[\n。，])\s*([^，。；;:()\n\t]{3,30}?)\s*(?:现面向社会|现决定|现就|现对|拟就|拟面向社会|决定)[^。\n]{0,60}?(?:招标|采购|比选|遴选|询价|询比)`), .8},
	{"buyer", []string{"采购意向", "招标计划"}, htmldoc.NewPattern(`现将\s*([^，。；;:()\n\t]{3,30}?)\s*(?:20\d\d\s*年)?[^，。；;\n]{0,14}?(?:采购意向|招标计划)[^，。；\n]{0,14}?(?:公开|公示|公告|公布|发布)`), .9},
	{"agent", []string{"代理机构为", "代理单位为", "代理为"}, htmldoc.NewPattern(`(?:招标|采购|比选)?代理(?:机构|单位|公司)?\s*(?:为|是)\s*:?\s*` + orgWords + `\s*(?:[，。；;\n(]|$)`), .88},
	{"buyer", []string{"拟"}, htmldoc.NewPattern(`(?:^|\n)\s*` + orgWords + `\s*拟\s*(?:对|就|采购)`), .8},
	{"deadline", []string{"并于"}, htmldoc.NewPattern(`并\s*于\s*` + timeLazy + `前\s*(?:提交|递交|送达)`), .95},
	{"deadline", []string{"截止"}, htmldoc.NewPattern(`(?:投标|递交|提交|送达|响应|报价)[^。；\n]{0,60}?截止(?:时间|日期)[^。；:\n]{0,60}?(?:为|是|:)\s*(?:[^。；\n\d]{0,20})` + timeWords), .9},
	{"deadline", []string{"前"}, htmldoc.NewPattern(`(?:投标|响应|比选|报价|申请)文件[^。；\n]{0,20}(?:应|须|请)?[^。；\n]{0,10}(?:于|在)\s*` + timeLazy + `(?:之?前|以前)`), .85},
	{"deadline", []string{"截止"}, htmldoc.NewPattern(`于\s*` + timeLazy + `\s*\((?:投标|响应|递交|提交)[^()\n]{0,10}截止[^()\n]{0,8}\)`), .95},
	{"opening", []string{"开标", "开启", "谈判", "磋商"}, htmldoc.NewPattern(`(?:开标|开启|谈判|磋商)(?:时间|日期|会)?\s*(?:为|定于|于|在|及地点为)\s*` + timeWords), .85},
	{"deadline", []string{"前"}, htmldoc.NewPattern(`(?:于|在)\s*` + timeLazy + `(?:之?前|以前)\s*(?:将|把|携带|按|以)?[^。；\n]{0,16}?(?:报价|投标|响应|比选|申请|竞价|询价|应答|参选|遴选|磋商|谈判)(?:文件|材料|资料|单|函|书)[^。；，\n]{0,16}?(?:送|寄|递交|提交|发送|上传|投递|交至)`), .88},
	{"deadline", []string{"交"}, htmldoc.NewPattern(`(?:于|在)\s*` + timeShort + `\s*(?:在[^。；，\n]{2,30})?(?:递交|提交)(?:投标|响应|报价|比选)文件`), .82},
	{"opening", []string{"开标"}, htmldoc.NewPattern(`(?:已?于|[，,])\s*` + timeShort + `\s*(?:在[^。；，\n]{2,40})?(?:准时|公开|统一|进行|举行)?开标`), .8},
	{"winner", []string{"确定", "推荐", "选定", "拟定"}, htmldoc.NewPattern(`(?:确定|推荐|选定|拟定)\s*` + orgWords + `\s*(?:为|是)\s*(?:本项目|本次|该项目|本标段)?[^，。；\n]{0,8}(?:第一)?(?:中标|成交|中选)(?:候选)?(?:人|供应商|单位|企业)`), .88},
	{"winner", []string{"中标", "成交", "中选"}, htmldoc.NewPattern(`(?:中标|成交|中选)(?:人|供应商|单位|企业)\s*(?:为|是)\s*:?\s*` + orgWords + `\s*(?:[，。；;\n(]|$)`), .88},
	{"winner", []string{"元成交", "元中标", "价格成交"}, htmldoc.NewPattern(`(?:结果|为)\s*:\s*` + orgWords + `\s*以\s*(?:人民币|总价|报价)?\s*¥?\d[\d,.]*\s*万?元[^，。；\n]{0,8}?(?:成交|中标|中选)`), .88},
	{"amount", []string{"元成交", "元中标", "价格成交"}, htmldoc.NewPattern(`(?:公司|院|中心|所|厂)\s*以\s*(?:人民币|总价|报价)?\s*(¥?\d[\d,.]*\s*万?元)[^，。；\n]{0,8}?(?:成交|中标|中选)`), .88},
	{"winner", []string{"中标，", "成交，"}, htmldoc.NewPattern(`由\s*` + orgWords + `\s*(?:中标|成交|中选)\s*(?:[，。；;\n(]|$)`),
		.85},
	{"amount", []string{"中标金额", "中标价"}, htmldoc.NewPattern(`(?:中标|成交|中选)(?:总)?(?:价|金额|价格)(?:人民币)?\s*(¥?\s*\d[\d,.]*\s*(?:万|亿)?元)`), .85},
	{"amount", []string{"第一"}, htmldoc.NewPattern(`第一(?:名|(?:中标|成交|中选)?候选(?:人|供应商|单位))[^。；\n\d]{4,60}?(?:投标|最终|总)?(?:报价|价格|金额|价)\s*(?:为)?\s*:?\s*(?:人民币)?\s*(¥?\d[\d,.]*\s*万?元)`), .85},
	{"amount", []string{"价", "金额"}, htmldoc.NewPattern(`(?:中标|成交|中选)(?:总)?(?:价|金额|价格)\s*(?:为|是)\s*:?\s*` + sumWords),
		.9},
	{"budget", []string{"预算"}, htmldoc.NewPattern(`(?:采购|项目)?预算(?:总)?(?:金额|价)?\s*(?:为|是|约)\s*:?\s*` + sumWords), .85},
	{"ceiling", []string{"限价", "控制价", "拦标价"}, htmldoc.NewPattern(`(?:最高(?:投标|采购)?限价|(?:招标)?控制价|拦标价)\s*(?:为|是|约)\s*:?\s*` + sumWords), .85},
	{"ceiling", []string{"限价", "控制价", "拦标价"}, htmldoc.NewPattern(`(?:最高(?:投标|采购)?限价|(?:招标)?控制价|拦标价)` + sumYuan), .8},
	{"investment", []string{"投资"}, htmldoc.NewPattern(`(?:总投资|投资估算|估算投资|计划投资|投资额|投资概算)` + sumYuan), .8},
}

// readSentences reads whole sentences about a tender.
func (r *reading) readSentences() {
	for i := range sentences {
		s := &sentences[i]
		field, ok := r.preset(s.field)
		if !ok {
			continue
		}
		for _, w := range windows(r.text.s, s.words) {
			part := r.text.s[w[0]:w[1]]
			if r.set.fields[field].Type == Time && !strings.Contains(part, "20") {
				continue
			}
			for _, m := range s.re.FindAllStringSubmatchIndex(part, 6) {
				if m[2] >= 0 {
					r.addFromSentence(s, field, [4]int{w[0] + m[0], w[0] + m[1], w[0] + m[2], w[0] + m[3]})
				}
			}
		}
	}
	switch r.kind {
	case Correction:
		r.readCorrections()
		r.readFlatTable()
	case Tender, Intention, "":
		r.readCorrections()
	}
	r.readSameTime()
	r.readBareCode()
	r.readSignature()
}

var (
	signatureForm = htmldoc.NewPattern(`\n\s*([^，。；;:、\n\t]{5,30})\s*\n\s*20\d\d\s*年\s*\d{1,2}\s*月\s*\d{1,2}\s*日\s*$`)
	noBuyer       = htmldoc.NewPattern(`招标|采购|咨询|代理|交易|项目管理|监理|小组|委员会$|[处部科室办网]$`)
)

// readSignature reads the buyer from the signature of a notice that names no agent.
func (r *reading) readSignature() {
	field, ok := r.preset("buyer")
	if !ok || strings.Contains(r.text.s, "代理") {
		return
	}
	begin := max(0, len(r.text.s)-300)
	m := signatureForm.FindStringSubmatchIndex(r.text.s[begin:])
	if m == nil {
		return
	}
	p := place{f: r.text, from: begin + m[2], to: begin + m[3], source: FromSentence, sure: .62}
	name, good := parseOrganisation(p.text())
	if good && !noBuyer.MatchString(name) {
		r.readField(field, p)
	}
}

// sameTime matches sentences that state the opening at the deadline.
var sameTime = []*htmldoc.Pattern{
	htmldoc.NewPattern(`(?:开标|开启)[^。；;，\n\d截]{0,8}(?:同|即)\s*于?(?:上述|本项目|首次)?[^。；;，\n\d]{0,10}截止`),
	htmldoc.NewPattern(`(?:开标|开启)[^。；;，\n\d截]{0,8}(?:与|和)[^。；;，\n\d]{0,16}截止[^。；;，\n\d]{0,8}(?:相同|一致|同时|同一|为同)`),
	htmldoc.NewPattern(`(?:开标|开启)(?:时间|日期)\s*[:为是]{1,2}\s*(?:本项目|上述|本招标项目)?(?:投标|响应|递交|提交|报价)[^。；;，\n\d]{0,12}截止(?:时间|日期|之时)?\s*(?:[。；;，,(\n]|$)`),
	htmldoc.NewPattern(`截止[^。；;\n\d]{0,12}(?:同一时间|同时)[^。；;\n\d]{0,30}(?:开标|开启)`),
}

// sameDeadline matches sentences that state the deadline at the opening.
var sameDeadline = htmldoc.NewPattern(`截止(?:时间|日期|期限)?\s*[:为是]{0,2}\s*(?:同|即为?)\s*(?:上述|本项目)?(?:开标|开启)(?:时间|日期)`)

// readSameTime copies the deadline to the opening or the reverse, if the text states that they are
// equal.
func (r *reading) readSameTime() {
	deadline, ok := r.set.fieldIndex["deadline"]
	opening, hasOpening := r.preset("opening")
	if !ok || !hasOpening {
		return
	}
	from, to := deadline, opening
	switch {
	case len(r.found[deadline]) > 0 && len(r.found[opening]) == 0:
		if !slices.ContainsFunc(sameTime, func(re *htmldoc.Pattern) bool { return re.MatchString(r.text.s) }) {
			return
		}
	case len(r.found[deadline]) == 0 && len(r.found[opening]) > 0:
		if from, to = opening, deadline; !sameDeadline.MatchString(r.text.s) {
			return
		}
	default:
		return
	}
	v := mergeCandidates(r.found[from])[0]
	v.Source, v.Sure = FromSentence, v.Sure*.95
	r.addCandidate(to, v)
}

// addFromSentence adds the value of a sentence at m[0]:m[1]. The value is at m[2]:m[3].
func (r *reading) addFromSentence(s *sentence, field int, m [4]int) {
	text := r.text.s[m[2]:m[3]]
	if s.field == "buyer" && (strings.Contains(text, "招标人") || strings.Contains(text, "采购人") ||
		strings.HasPrefix(text, "我")) ||
		s.field == "agent" && (len(text) > 120 || strings.HasPrefix(text, "我")) {
		return
	}
	if never := r.set.fields[field].form.exclude; never != nil && never.MatchString(r.text.s[m[0]:m[2]]) {
		return
	}
	sure := s.sure
	if s.field == "deadline" || s.field == "opening" {
		if r.kind == Correction && (pastAt(r.text.s, m[0]) ||
			strings.HasSuffix(strings.TrimRight(r.text.s[:m[0]], " “\"「"), "原")) {
			sure *= .3
		}
	} else if before := r.text.s[max(0, m[0]-60):m[0]]; s.field == "agent" && strings.Contains(before, "不得") {
		return
	}
	p := place{f: r.text, from: m[2], to: m[3], source: FromSentence, sure: sure}
	if s.field == "winner" || s.field == "agent" || s.field == "buyer" {
		if _, good := parseOrganisation(text); !good {
			p.sure *= .7
		}
	}
	r.readField(field, p)
}

// pastAt reports whether a place is in the old value of a correction.
func pastAt(s string, at int) bool {
	lead := s[max(0, at-400):at]
	b, a := lastIndex(oldValueMark, lead), lastIndex(newValueMark, lead)
	return b >= 0 && b > a
}

func lastIndex(re *htmldoc.Pattern, s string) int {
	all := re.FindAllStringIndex(s, -1)
	if len(all) == 0 {
		return -1
	}
	return all[len(all)-1][0]
}

// codeInBrackets matches a number after the name of the project in a sentence.
var codeInBrackets = htmldoc.NewPattern(`(?m)^[^\n。]{4,80}\(([A-Za-z]{2,10}[A-Za-z0-9\-]*\d{3,}[A-Za-z0-9\-]*)\)`)

// codeNamed matches a number with its label in brackets: (编号：XG-2026-17).
var codeNamed = htmldoc.NewPattern(`\((?:(?:项目|招标|采购|公告|标书|竞价|比选)\s*)?(?:编号|编码)\s*:\s*([^()\n，。；]{4,60})\)`)

// codeEnglish matches a number after an English label without a colon.
var codeEnglish = htmldoc.NewPattern(`(?im)^\s*(?:tender|bid|project|reference|ref|procurement|rfp|rfq)\.?\s+(?:no|number)\b\.?:?\s+([a-z0-9][a-z0-9/\-]{4,40})`)

var bareCode = htmldoc.NewPattern(`(?m)^\s*([A-Za-z]{1,8}[A-Za-z0-9\-]*\d[A-Za-z0-9\-]{6,40})\s*(?:\([^()\n]{0,6}编号\))?\s*$`)

// readBareCode reads a project number at the top of the text that has no usual label.
func (r *reading) readBareCode() {
	field, ok := r.preset("number")
	if !ok {
		return
	}
	top := r.text.s[:min(len(r.text.s), 1200)]
	for _, c := range []struct {
		re   *htmldoc.Pattern
		sure float64
	}{{bareCode, .7}, {codeNamed, .7}, {codeEnglish, .8}, {codeInBrackets, .6}} {
		m := c.re.FindStringSubmatchIndex(top)
		if m == nil {
			continue
		}
		p := place{f: r.text, from: m[2], to: m[3], source: FromSentence, sure: c.sure}
		if c.re == bareCode || isCode(strings.TrimSpace(p.text())) {
			r.readField(field, p)
		}
	}
}

// titleOrg matches the publisher in a title: 东湖大学关于…, 东湖大学2026年6月政府采购意向.
var titleOrg = htmldoc.NewPattern(`^([^，。；、\s]{4,30}?)(?:关于|20\d\d年[^，。；、\s]{0,12}采购意向)`)

// bracketed matches a text in brackets, after its label.
var bracketed = htmldoc.NewPattern(`\((?:[^)]*:)?([^):]*)\)`)

// readTitle reads the values in a title.
func (r *reading) readTitle() {
	p := place{f: r.title, source: FromTitle}
	if field, ok := r.preset("number"); ok {
		p.sure = .65
		for _, m := range bracketed.FindAllStringSubmatchIndex(r.title.s, -1) {
			p.from, p.to = m[2], m[3]
			if isCode(p.text()) && !strings.ContainsAny(p.text(), "年月日标段包第批期") {
				r.readField(field, p)
			}
		}
	}
	field, ok := r.preset("buyer")
	if m := titleOrg.FindStringSubmatchIndex(r.title.s); ok && m != nil {
		p.from, p.to, p.sure = m[2], m[3], .55
		if _, good := parseOrganisation(p.text()); good {
			r.readField(field, p)
		}
	}
	r.readItemTitle()
	r.addKind()
	r.addRegion()
}
