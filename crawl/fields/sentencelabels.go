package fields

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"angler/crawl/htmldoc"
)

// This file reads values after labels in running text: 本项目公告期限为5个工作日。 Its labels are
// lists of words, mainly those of settings. Built-in fields have patterns in sentences.go.

// sentenceLabel is a label that sentences are searched for.
type sentenceLabel struct {
	label string
	field int
}

const (
	sureInSentence   = .8
	maxSentenceValue = 60  // runes of a value in a sentence
	maxLabelMatches  = 400 // occurrences of one label that are read
)

var (
	// ownerForm matches the text allowed between the start of a clause and a label: the owner.
	// Other text makes it another label (质保金缴纳期限) or a condition.
	ownerForm = htmldoc.NewPattern(`^(?:[\s★*"“”]*|.*[:)]\s*)(?:其中|另外?|同时|且|并且?|以及|现|经研究)?\s*(?:(?:本|该|此)(?:次|期|批)?)?(?:(?:采购|招标|建设|政府采购)?(?:项目|工程|合同|公告|公示|通知|标段|标包|货物|产品|设备|商品|服务|岗位|职位|采购|招标|招聘|比选|采购标的|标的)(?:的)?|(?:的|其))?\s*$`)
	// valueLead matches the text between a label and its value.
	valueLead = htmldoc.NewPattern(`^\s*(?:\([^()\n]{0,30}\)\s*)?(?:(?:更正|变更|调整|修改|延长|缩短)(?:为|至|到)|(?:应|须|均|暂定|暂|拟定?|统一|设定)?(为|是))\s*:?\s*["“”]?`)
	// hypothetical matches the start of hypothetical clauses: 如质保期为…
	hypothetical = htmldoc.NewPattern(`(?:^|[，,、])\s*(?:如[^下图上]|若|凡|假如|假设|倘若|一旦|例如|比如|譬如|当)|的[，,]`)
	// notAValue matches text after a label that is not its value.
	notAValue = htmldoc.NewPattern(`^(?:否|何|什么|多少|多久|几|哪|谁|准|空|必填|前提|基础|依据|不同|不一|相同|同一|其中|上述|如下|以下|下列|下述|下表|见|详见|参见|无效|负偏离|正偏离|上文|前述)|(?:的|[^0-9一二两三四五六七八九十 ]时|者|为准|情况|情形|问题)$|是否|能否|可否|多少|多久|吗|呢|为空|为准|不明|不符|不一致`)
	// explanation matches text after 是 that does not state a value.
	explanation = htmldoc.NewPattern(`^(?:指|由|因|按|根据|依|从|对|在|以|否|不|要|可|必|为|有|将|被|用)`)
)

// sentenceLabelsOf returns the Chinese labels of fields.
func sentenceLabelsOf(fields []Field) []sentenceLabel {
	var out []sentenceLabel
	for i := range fields {
		for _, l := range fields[i].Labels {
			label, _ := plainLabel(fold(l).s)
			if utf8.RuneCountInString(label) > 1 && strings.IndexFunc(label,
				func(r rune) bool { return !unicode.Is(unicode.Han, r) }) < 0 {
				out = append(out, sentenceLabel{label, i})
			}
		}
	}
	return out
}

// readLabelSentences reads values after the labels of fields in sentences. Contradicting sentences
// halve their confidence.
func (r *reading) readLabelSentences() {
	norms := map[int][]string{} // by field: the values in sentences
	firstNew := map[int]int{}
	for _, l := range r.set.sentenceLabels {
		matches := 0
		for i := range htmldoc.Occurrences(r.text.s, l.label) {
			if matches++; matches > maxLabelMatches {
				break
			}
			from, to, ok := r.valueInSentence(i, i+len(l.label))
			if !ok || r.hasLineValue(l.field, from, to) {
				continue
			}
			before := len(r.found[l.field])
			if _, known := firstNew[l.field]; !known {
				firstNew[l.field] = before
			}
			r.readField(l.field, place{f: r.text, from: from, to: to, source: FromSentence,
				label: l.label, sure: sureInSentence})
			for _, v := range r.found[l.field][before:] {
				norms[l.field] = append(norms[l.field], v.Norm)
			}
		}
	}
	for field, values := range norms {
		for _, n := range values {
			if !sameValue(n, values[0]) {
				for k := range r.found[field][firstNew[field]:] {
					r.found[field][firstNew[field]+k].Sure *= .5
				}
				break
			}
		}
	}
}

// valueInSentence returns the place of the value that a sentence gives for the label at from:to.
func (r *reading) valueInSentence(from, to int) (int, int, bool) {
	s := r.text.s
	lead := s[max(0, from-maxWindowBytes):from]
	lead = lead[strings.LastIndexAny(lead, "\n\t;")+1:]
	for !utf8.ValidString(lead) && lead != "" {
		lead = lead[1:]
	}
	for k, c := range lead {
		if c == '；' || c == '。' {
			lead = lead[k+utf8.RuneLen(c):]
			break
		}
	}
	clause := lead
	if k := strings.LastIndexAny(lead, "，,、"); k >= 0 {
		_, n := utf8.DecodeRuneInString(lead[k:])
		clause = lead[k+n:]
	}
	clause = strings.TrimSpace(clause)
	clause = clause[len(numbering.FindString(clause)):]
	if len(clause) > 90 || !ownerForm.MatchString(clause) || hypothetical.MatchString(lead) || r.kind == Correction &&
		pastAt(s, from) {
		return 0, 0, false
	}
	m := valueLead.FindStringSubmatchIndex(s[to:min(len(s), to+120)])
	if m == nil {
		return 0, 0, false
	}
	begin := to + m[1]
	end := clauseEnd(s, begin)
	value := strings.TrimSpace(s[begin:end])
	if value == "" || utf8.RuneCountInString(value) > maxSentenceValue || notAValue.MatchString(value) ||
		strings.HasPrefix(s[end:], "？") || strings.HasPrefix(s[end:], "?") ||
		m[2] >= 0 && s[to+m[2]:to+m[3]] == "是" && explanation.MatchString(value) {
		return 0, 0, false
	}
	return begin, end, true
}

// clauseEnd returns the end of the clause at a place. It is a mark outside brackets, or the end of
// the line. A comma in a figure is no mark.
func clauseEnd(s string, from int) int {
	depth := 0
	for i, c := range s[from:min(len(s), from+maxWindowBytes)] {
		switch c {
		case '(':
			depth++
		case ')':
			if depth--; depth < 0 {
				return from + i
			}
		case '\n', '\t', '。', '；', ';', '？', '?', '！', '”', '"':
			return from + i
		case '，', ',':
			at := from + i
			if depth == 0 && (c == '，' || at == 0 || at+1 >= len(s) || !isDigit(s[at-1]) || !isDigit(s[at+1])) {
				return at
			}
		}
	}
	return min(len(s), from+maxWindowBytes)
}

// hasLineValue reports whether a line already gave the field a value at a place of the text.
func (r *reading) hasLineValue(field, from, to int) bool {
	_, from, to = r.text.span(from, to)
	return slices.ContainsFunc(r.found[field], func(v Value) bool {
		return v.Source == FromLine && v.From < to && v.To > from
	})
}
