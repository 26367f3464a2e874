package fields

import (
	"strings"
	"unicode/utf8"

	"angler/crawl/htmldoc"
)

// This file finds the labels of one line and the ends of their values.

// gluedLabel matches labels that follow a value without a space.
var gluedLabel = htmldoc.NewPattern(`(?:(?:招标|采购)(?:人|单位|代理机构|代理)(?:名称|地址|全称|联系方式|联系人)?|代理机构(?:名称|地址)?|(?:项目)?联系(?:人|电话|方式)|(?:联系)?(?:地址|电话)|(?:采购)?项目(?:编号|名称)|(?:开标|投标截止)时间|预算金额|最高限价|(?:中标|成交)(?:金额|价|供应商名称|供应商|人))\s*$`)

// findPairs returns the labels of a line with their values.
func (s *scan) findPairs(from, to int) []pair {
	text := s.r.text.s
	var out []pair
	start := from // possible start of a label
	for i := from; i < to; i++ {
		if text[i] != ':' || i+2 < to && text[i+1] == '/' && text[i+2] == '/' {
			continue
		}
		if i > from && i+1 < to && isDigit(text[i-1]) && isDigit(text[i+1]) {
			continue // 09:30
		}
		if n := len(out); n > 0 && s.hasType(&out[n-1], Person) {
			// 张三联系电话: is not a label, the name before it is the previous value
			if m := contactEnd.FindStringIndex(text[start:i]); m != nil && parsePerson(text[start:start+m[0]]) != "" {
				start += m[0]
			}
		}
		colon, value := i, i+1
		if end, value2 := unitBracket(text, start, i, to); end == i {
			continue // 中标金额(单位:万元):
		} else if end > i {
			colon, value = end, value2
		}
		if n := len(out); n > 0 && s.hasType(&out[n-1], Money) && s.isPartOfSum(text[start:i]) {
			continue
		}
		p, begin, ok := s.labelBefore(start, colon, start > from)
		if !ok {
			continue
		}
		if n := len(out); n > 0 {
			out[n-1].to = min(out[n-1].to, begin)
			if p.lot == "" && !strings.ContainsAny(text[out[n-1].from:begin], "；;。") {
				p.lot = out[n-1].lot
			}
		}
		p.from, p.to = value, to
		if k := strings.TrimRight(text[from:begin], " "); strings.HasSuffix(k, "(") { // (项目编号:X)于…
			p.to = closingBracket(text, i+1, to)
		}
		out = append(out, p)
		start, i = value, value-1
		if len(out) == 24 {
			break
		}
	}
	for k := range out { // an open rest before the next label is a bracket or comma
		v := strings.TrimRight(text[out[k].from:out[k].to], " ，,;；。、(")
		out[k].to = out[k].from + len(v)
	}
	return out
}

// unitBracket handles labels with a colon before a unit in brackets: 中标金额(单位:万元)123.45. It returns
// the end of the label and the start of its value. end is the colon itself if another one ends the
// label, and less without such a bracket.
func unitBracket(text string, start, colon, to int) (end, value int) {
	open := strings.LastIndexByte(text[start:colon], '(')
	if open < 0 {
		return -1, 0
	}
	n := strings.IndexByte(text[colon:min(to, colon+40)], ')')
	if n < 0 {
		return -1, 0
	}
	if in := text[start+open : colon+n]; strings.ContainsAny(in, ")0123456789") || !unitIn(in).stated {
		return -1, 0
	}
	end = colon + n + 1
	rest := strings.TrimLeft(text[end:to], " ")
	if strings.HasPrefix(rest, ":") {
		return colon, 0
	}
	return end, end
}

// sumParts matches words with a colon within a sum: 单价:85元,总价:8500元 and 大写:壹万元.
var sumParts = htmldoc.NewPattern(`(?:^|[\s，,；;、(])(?:单价|(?:投标|成交|中标)?总(?:价|计|金额|报价)|合计|共计|` +
	`(?:人民币)?\s*[(]?(?:金额)?(?:大|小)写[)]?(?:金额)?|人民币|其中)\s*(?:\([^()]{0,12}\))?\s*$`)

// hasType reports whether a pair belongs to a field of a type.
func (s *scan) hasType(p *pair, t Type) bool { return p.known && s.r.set.fields[p.hit.field].Type == t }

// isPartOfSum reports whether the text before a colon belongs to the previous sum.
func (s *scan) isPartOfSum(before string) bool {
	if len(before) > 90 {
		before = before[len(before)-90:]
	}
	m := sumParts.FindStringIndex(before)
	if m == nil {
		return false
	}
	label, _ := plainLabel(strings.TrimLeft(before[m[0]:], " ，,；;、("))
	_, known := s.r.set.match(label, s.ctx)
	return !known
}

// closingBracket returns the place of the bracket that closes one opened before from; to without
// it.
func closingBracket(text string, from, to int) int {
	depth := 0
	for i := from; i < to; i++ {
		switch text[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth < 0 {
				return i
			}
		}
	}
	return to
}

// isLastWordLabel reports whether only the last word before a colon is the label. It is in 李楠 联系电话:
// and 东湖大学 地址:, but neither in 招 标 人: nor in 项目 编号:.
func (s *scan) isLastWordLabel(all, last string) bool {
	n := utf8.RuneCountInString(last)
	whole, _ := plainLabel(all)
	if _, ok := s.r.set.match(whole, s.ctx); n < 2 || n == 2 && ok || !isHan(last) {
		return false
	}
	label, _ := plainLabel(last)
	return s.r.set.isLabel(label, s.ctx)
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// labelBefore returns the label that ends at a colon and its start. It is all text before the
// colon, or the text after its last space or mark. behind states that the value of another label
// precedes it.
func (s *scan) labelBefore(start, colon int, behind bool) (pair, int, bool) {
	text := s.r.text.s
	if colon-start > 3*maxLabel {
		start = colon - 3*maxLabel
		for !utf8.RuneStart(text[start]) {
			start++
		}
	}
	if k := strings.LastIndexAny(text[start:colon], "。；;，"); k >= 0 {
		_, n := utf8.DecodeRuneInString(text[start+k:])
		start, behind = start+k+n, false
	}
	if behind {
		start = s.afterValue(start, colon)
	}
	if k := strings.LastIndexAny(strings.TrimRight(text[start:colon], " "), " \t"); k >= 0 &&
		s.isLastWordLabel(text[start:colon], text[start+k+1:colon]) {
		start += k + 1
	}
	for begin := start; begin < colon; {
		printed := text[begin:colon]
		label, unit := plainLabel(printed)
		if h, ok := s.r.set.match(label, s.ctx); ok {
			return pair{label: label, printed: strings.TrimSpace(printed), unit: unit, hit: h, known: true}, begin, true
		}
		if m := lotLead.FindStringSubmatchIndex(label); m != nil {
			if h, ok := s.r.set.match(label[m[1]:], s.ctx); ok && s.r.set.fields[h.field].form.perLot {
				return pair{label: label[m[1]:], printed: strings.TrimSpace(printed), unit: unit,
					lot: strings.ToUpper(lotOf(label, m)), hit: h, known: true}, begin, true
			}
		}
		if ctx, ok := s.r.set.heading(printed, label); ok && ctx != elsewhere && len(label) < 60 ||
			s.r.set.isLabel(label, s.ctx) {
			return pair{label: label, printed: strings.TrimSpace(printed)}, begin, true
		}
		k := strings.IndexAny(printed, " ，。；;、,(/|:")
		if k < 0 {
			return pair{}, 0, false
		}
		_, n := utf8.DecodeRuneInString(printed[k:])
		begin += k + n
	}
	return pair{}, 0, false
}

// afterValue returns the start of a label after the value of another one, as in 东湖大学 地 址:.
func (s *scan) afterValue(start, colon int) int {
	text := s.r.text.s[start:colon]
	for at := 0; ; {
		k := strings.IndexByte(text[at:], ' ')
		if k < 0 {
			break
		}
		next := len(text) - len(strings.TrimLeft(text[at+k:], " "))
		if label, _ := plainLabel(text[next:]); utf8.RuneCountInString(strings.TrimSpace(text[:at+k])) >= 4 &&
			s.r.set.isLabel(label, s.ctx) {
			return start + next
		}
		at = next
	}
	if m := gluedLabel.FindStringIndex(text); m != nil && utf8.RuneCountInString(strings.TrimSpace(text[:m[0]])) >= 4 {
		if label, _ := plainLabel(text); !s.r.set.factsOf(label, s.ctx).isField || strings.HasSuffix(label, "联系人") {
			return start + m[0]
		}
	}
	return start
}

// readSpacedPairs reads a line of labels and values separated by spaces, a table row that lost its
// cells: 采购人 东湖大学 成交金额 12.35万元. At least two labels must be those of fields.
func (s *scan) readSpacedPairs(from, to int) bool {
	line := s.r.text.s[from:to]
	words := strings.Fields(line)
	if len(words) < 4 || len(words) > 24 || len(words)%2 != 0 {
		return false
	}
	var found []pair
	known, at := 0, from
	for k := 0; k < len(words); k += 2 {
		label, unit := plainLabel(words[k])
		value, _ := plainLabel(words[k+1])
		p := pair{label: label, printed: words[k], unit: unit}
		if p.hit, p.known = s.r.set.match(label, s.ctx); !p.known && !s.r.set.isLabel(label, s.ctx) ||
			s.r.set.isLabel(value, s.ctx) {
			return false
		}
		at += strings.Index(s.r.text.s[at:to], words[k]) + len(words[k])
		p.from = at + strings.Index(s.r.text.s[at:to], words[k+1])
		at = p.from + len(words[k+1])
		if p.to = at; p.known {
			known++
		}
		found = append(found, p)
	}
	if known < 2 {
		return false
	}
	for k := range found {
		s.readPair(&found[k])
	}
	return true
}
