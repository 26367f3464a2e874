package fields

import (
	"cmp"
	"strings"
	"unicode/utf8"

	"angler/crawl/htmldoc"
)

// context is the part of a notice that contains a line. It decides the meaning of 名称 or 时间.
type context uint8

const (
	nowhere context = iota
	inBuyer
	inAgent
	inProject // 项目联系方式
	inDeadline
	inOpening
	inDocuments
	inWinner
	inOldValues // old values of a correction
	elsewhere
)

// form describes the labels of a built-in field: patterns of plain labels with their quality.
type form struct {
	patterns  []ranked
	sections  map[context]*htmldoc.Pattern // labels that mean the field only in one part of a notice
	perLot    bool                         // each lot has a value
	namesItem bool                         // it names the things of a notice
	unitPrice bool                         // it is the price of a thing
	exclude   *htmldoc.Pattern             // labels of other fields
	preset    bool                         // a field of Preset: sentences and titles are also read
	code      bool                         // values are project numbers
	span      bool                         // values may be spans of time
	spanEnd   bool                         // the value is the end of the span
}

// ranked is a pattern of plain labels with its quality, 0 … 1.
type ranked struct {
	re   *htmldoc.Pattern
	rank float64
}

// hit is the field that a label names, with the quality of the label.
type hit struct {
	field int
	rank  float64
	total bool // the label states a sum over lots
}

// numbering matches the numbers before labels: 一、 2.8 （一） 1) ★.
var numbering = htmldoc.NewPattern(`^[\s★☆●○▲■◆※·•*□☑√\-—#<>【\[]*(?:第[一二三四五六七八九十]+[章节部分条]+|[(]?[一二三四五六七八九十]{1,3}[)、.,:]+|\d{1,2}(?:\s*\.\s*\d{1,2}){1,3}[)、.:]*|[(]?\d{1,2}\s*[)、.:]+|[(]\d{1,2}[)]|[①-⑳])?[\s、.]*`)

// unitBehind matches a label with a unit without brackets behind it: 中标金额/万元.
var unitBehind = htmldoc.NewPattern(`^(.*(?:额|价|算|资|款|费|模))[/／,，_-]?(?:人民币)?([十百千]?[万亿]元|千元|元)$`)

// maxLabel bounds the bytes of a label; 75 are about 25 characters.
const maxLabel = 75 // bytes of a label, about 25 characters

// plainLabel returns a label without numbering, spaces and bracketed text, and the unit in the
// brackets.
func plainLabel(s string) (label string, unit moneyUnit) {
	s = strings.TrimSpace(s)
	if len(s) > 3*maxLabel {
		return "", unit
	}
	s = s[len(numbering.FindString(s)):]
	var b strings.Builder
	depth, in := 0, 0
	for i, r := range s {
		switch r {
		case '(', '【', '[', '（':
			if depth == 0 {
				in = i
			}
			depth++
		case ')', '】', ']', '）':
			if depth--; depth == 0 && b.Len() <= maxLabel {
				unit = cmp.Or(unitIn(s[in:i]), unit)
			}
			depth = max(0, depth)
		case ' ', '\t', '\n', '*', '"', '“', '”', '\u00a0', '\u3000':
		case ':', '：', '.', '。':
		default:
			if depth == 0 {
				b.WriteRune(r)
			}
		}
	}
	label = strings.ToLower(b.String())
	if !unit.stated && strings.HasSuffix(label, "元") {
		if m := unitBehind.FindStringSubmatch(label); m != nil {
			label, unit = m[1], readUnit(m[2])
		}
	}
	if len(label) > maxLabel || depth > 0 {
		return "", moneyUnit{}
	}
	for _, end := range []string{"为", "是", "如下"} {
		label = strings.TrimSuffix(label, end)
	}
	return label, unit
}

// labelFacts are the properties of a plain label in a part of a notice.
type labelFacts struct {
	hit        hit
	isField    bool    // label of a field
	isLabel    bool    // label of a field or of something else
	part       context // part of the notice that it starts
	startsPart bool
}

type labelKey struct {
	label string
	ctx   context
}

// maxCachedLabels bounds Set.facts, because hostile notices have many labels.
const maxCachedLabels = 8_192

// factsOf returns the facts of a label. It takes about ten microseconds the first time.
func (s *Set) factsOf(label string, ctx context) labelFacts {
	if label == "" || strings.HasPrefix(label, "同") && strings.HasSuffix(label, "时间") { // the value of 开标时间：同投标截止时间
		return labelFacts{}
	}
	key := labelKey{label, ctx}
	s.factsMu.RLock()
	f, ok := s.facts[key]
	s.factsMu.RUnlock()
	if ok {
		return f
	}
	f.hit, f.isField = s.findField(label, ctx)
	f.isLabel = f.isField || neutral.MatchString(label)
	for _, h := range headings {
		if h.re.MatchString(label) {
			f.part, f.startsPart = h.ctx, true
			break
		}
	}
	s.factsMu.Lock()
	if len(s.facts) < maxCachedLabels {
		s.facts[labelKey{strings.Clone(label), ctx}] = f
	}
	s.factsMu.Unlock()
	return f
}

// match returns the field that a plain label names in a part of a notice.
func (s *Set) match(label string, ctx context) (hit, bool) {
	f := s.factsOf(label, ctx)
	return f.hit, f.isField
}

// findField is match without cache.
func (s *Set) findField(label string, ctx context) (hit, bool) {
	if utf8.RuneCountInString(label) < 2 {
		return hit{}, false
	}
	if h, ok := s.labels[label]; ok {
		return h, true
	}
	best := hit{field: -1}
	for i := range s.fields {
		f := &s.fields[i].form
		if f.exclude != nil && f.exclude.MatchString(label) {
			continue
		}
		if re := f.sections[ctx]; re != nil && re.MatchString(label) && best.rank < .9 {
			best = hit{field: i, rank: .9}
		}
		for _, p := range f.patterns {
			if p.rank > best.rank && p.re.MatchString(label) {
				best = hit{field: i, rank: p.rank}
			}
		}
	}
	best.total = strings.Contains(label, "总") || strings.Contains(label, "合计")
	return best, best.field >= 0
}

// neutral matches labels outside all fields. They end the value before them.
var neutral = htmldoc.NewPattern(`^(?:序号|编号|名称|类型|备注|说明|地址|邮编|邮政编码|传真|电子邮箱|邮箱|e-?mail|数量|单位|单价|小计|规格|型号|规格型号|品牌|品名|品目名称|服务内容|服务要求|服务时间|服务范围|得分|排名|名次|结果|评审.*|工期|质量|质量要求|质量标准|项目概况|资金来源|网址|开户.*|账号|帐号|户名|` +
	`(?:项目|采购|招标|工程|标段|分包|标的|货物|标包|包|品目|合同|公告|标项)+(?:名称|内容|范围|方式|需求|概况|规模|地点|类别|类型|性质|期限|包号|号|简介|用途)|.{0,12}(?:地址|地点|传真|邮编|邮箱|期限|方式|要求|条件|范围|内容|名单|标准|代码|日期|说明|事项|部门|机构代码|注册号|资质.*|电话|联系人|联系方式|经办人|负责人|费用|费率|售价|保证金|工期|时间|人员|网站|媒体|媒介|附件|其他|用途|理由|原因)` +
	`|组织机构代码|中标范围|废标原因|(?:第[一二三四五]+)?(?:中标|成交|中选)?候选.*|第[二三四五]+名|技术负责人|其他要求|是否.*|采购标的|地区|税率|法定代表人|供应商|供应商名称|投标人|投标人名称|投标单位|单位名称|报价|投标报价|address|tel|fax|e-?mail|date|note|notes|description|quantity|unit)$`)

// isLabel reports whether a plain label is one of a field or of something else.
func (s *Set) isLabel(label string, ctx context) bool {
	return s.factsOf(label, ctx).isLabel
}

// headings are the labels that start the parts of a notice.
var headings = []struct {
	ctx context
	re  *htmldoc.Pattern
}{
	{inProject, htmldoc.NewPattern(`^(?:采购)?项目(?:联系方式|联系人.*)$`)},
	{inAgent, htmldoc.NewPattern(`^(?:政府)?(?:采购|招标|集中采购)?代理(?:机构|单位|公司)(?:信息|联系方式|的名称.*|情况)?$|^(?:集中采购机构|交易中心)(?:信息)?$`)},
	{inBuyer, htmldoc.NewPattern(`^(?:采购人|采购单位|招标人|招标单位|采购方|比选人|询价人|建设单位|业主)(?:信息|联系方式|的名称.*|情况|单位信息)?$`)},
	{inDocuments, htmldoc.NewPattern(`(?:获取|领取|购买|发售|报名|下载).{0,12}(?:文件|时间|方式|报名)?|文件的?(?:获取|发售|领取)|^报名`)},
	{inDeadline, htmldoc.NewPattern(`(?:递交|提交|送达|投标|响应|报价|申请).{0,14}截止|(?:投标|响应|比选|申请|报价|磋商|谈判).{0,3}文件.{0,4}(?:递交|提交)|(?:递交|提交).{0,12}(?:投标|响应|比选|申请|报价|磋商|谈判).{0,3}文件`)},
	{inOpening, htmldoc.NewPattern(`^(?:响应文件|投标文件)?(?:的?开启|开标|开标信息|开标会)(?:[、及和与](?:开启|开标|评标|评审|谈判|磋商))?(?:时间.*|及.*|与.*)?$|^(?:谈判|磋商)时间`)},
	{inWinner, htmldoc.NewPattern(`^(?:中标|成交|中选|中标成交|采购|评审|成交供应商|中标人)(?:信息|结果|情况)$|^(?:中标|成交|中选)(?:供应商|人|单位)$`)},
}

// heading returns the part of a notice that a line starts. ok is false if the line is no heading.
func (s *Set) heading(line, label string) (context, bool) {
	if label == "" {
		return nowhere, false
	}
	if f := s.factsOf(label, nowhere); f.startsPart {
		return f.part, true
	}
	trimmed := strings.TrimSpace(line)
	if n := numbering.FindString(trimmed); n != "" && strings.ContainsAny(n, "一二三四五六七八九十") && len(trimmed) < 90 {
		return elsewhere, true
	}
	return nowhere, false
}
