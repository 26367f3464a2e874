package fields

import (
	"math/big"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"angler/crawl/htmldoc"
)

// preset returns the index of a built-in field by its name. ok is false without one, and if an
// analyst's field has the name.
func (r *reading) preset(name string) (field int, ok bool) {
	field, ok = r.set.fieldIndex[name]
	return field, ok && r.set.fields[field].form.preset
}

// readField reads the value of a field at a place that no label decides.
func (r *reading) readField(field int, p place) { r.readValue(hit{field: field, rank: 1}, p) }

// readValue adds the text at a place if it is a value of the field that a label names.
func (r *reading) readValue(h hit, p place) {
	if p.to <= p.from || !r.numberItem(h, &p) {
		return
	}
	f := &r.set.fields[h.field]
	v := Value{Label: p.label, Lot: p.lot, Source: p.source, Table: p.table, Row: p.row, Column: p.col,
		Sure: p.sure * h.rank, total: p.total || h.total}
	if p.ctx == inOldValues {
		v.Sure *= .3
	}
	if !f.form.perLot {
		v.Lot = ""
	}
	switch {
	case f.Type == Money:
		r.readMoney(h.field, v, p)
		return
	case f.form.code:
		r.readCodes(h.field, v, p)
		return
	}
	r.readContactPair(f, v, p)
	norm, from, to, sure := r.normal(f, &v, p)
	if norm != "" {
		v.Norm, v.Sure = norm, v.Sure*sure
		r.addAt(h.field, v, p, from, to)
		if amount, ok := r.preset("amount"); ok && f.Name == "winner" && namesAmount.MatchString(p.label) {
			one := v
			one.Sure *= .97
			r.readMoney(amount, one, p)
		}
		if other, ok := r.secondField(f, p.label); ok {
			v.Sure *= .97
			r.addAt(other, v, p, from, to)
		}
	}
}

var (
	namesOpening  = htmldoc.NewPattern(`(?:开标|开启|唱标|谈判|磋商)的?(?:时间|日期)`)
	namesAmount   = htmldoc.NewPattern(`(?:中标|成交|中选)[^，。]{0,6}(?:金额|价|报价)`)
	namesDeadline = htmldoc.NewPattern(`(?:投标|递交|提交|送达|响应)[^ ]{0,24}截止`)
)

// secondField returns a second field that a label names: 投标截止及开标时间.
func (r *reading) secondField(f *Field, label string) (field int, ok bool) {
	if !f.form.preset || label == "" {
		return 0, false
	}
	switch {
	case f.Name == "deadline" && namesOpening.MatchString(label):
		return r.preset("opening")
	case f.Name == "opening" && namesDeadline.MatchString(label):
		return r.preset("deadline")
	}
	return 0, false
}

// contactLabel matches labels that a name and a number may follow.
var contactLabel = htmldoc.NewPattern(`联系人|联系方式|经办人|contact`)

// readContactPair reads the number after the name of a contact, and the name before the number:
// 联系人：张三 0591-12345678.
func (r *reading) readContactPair(f *Field, v Value, p place) {
	if !f.form.preset || f.Type != Person && f.Type != Phone || !contactLabel.MatchString(strings.ToLower(p.label)) {
		return
	}
	field, ok := r.preset(map[Type]string{Person: "phone", Phone: "contact"}[f.Type])
	if !ok {
		return
	}
	other := &r.set.fields[field]
	if other.form.exclude != nil && other.form.exclude.MatchString(p.label) {
		return
	}
	if norm, from, to, sure := r.normal(other, &v, p); norm != "" {
		v.Norm, v.Sure = norm, v.Sure*sure*.97
		r.addAt(field, v, p, from, to)
	}
}

// addAt adds a value at the bytes from … to of a place.
func (r *reading) addAt(field int, v Value, p place, from, to int) {
	text := p.f.s[p.from+from : p.from+to]
	trimmed := strings.TrimLeft(text, " ,，、:\t")
	from += len(text) - len(trimmed)
	to = from + len(strings.TrimRight(trimmed, " \t，。；;、,:("))
	v.Text, v.From, v.To = p.f.span(p.from+from, p.from+to)
	if p.f != r.text && p.source != FromTitle {
		v.From, v.To = 0, 0
	}
	r.addCandidate(field, v)
}

// normal parses a value of any type except money. It returns its range in the place and the
// confidence in it.
func (r *reading) normal(f *Field, v *Value, p place) (norm string, from, to int, sure float64) {
	text := p.text()
	if len(text) > maxCell {
		text = strings.ToValidUTF8(text[:maxCell], "")
	}
	switch f.Type {
	case Time:
		if m := p.time; !m.Time.IsZero() {
			v.Clock = m.Clock
			return formatTime(m), 0, len(text), 1
		}
		all := moments(text, 2)
		if len(all) == 0 || utf8.RuneCountInString(text[:all[0].From]) > 60 {
			return "", 0, 0, 0
		}
		m := all[0]
		if len(all) == 2 {
			between := text[m.To:all[1].From]
			if strings.ContainsAny(between, "至到-—~") && len(between) < 30 {
				if f.form.span {
					v.Clock = m.Clock || all[1].Clock
					return formatTime(m) + "/" + formatTime(all[1]), m.From, all[1].To, 1
				}
				if f.Name != "opening" {
					m = all[1]
				}
			}
		}
		if end, ok := periodEnd(text, m); ok && f.form.spanEnd {
			m = end
		}
		v.Clock = m.Clock
		sure = .9
		if m.Clock {
			sure = 1
		}
		return formatTime(m), m.From, m.To, sure
	case Org:
		name, good := parseOrganisation(text)
		if name == "" {
			return "", 0, 0, 0
		}
		sure = 1
		if !good {
			sure = .7
			if p.ctx == inWinner && f.Name == "winner" {
				sure = .5 // below 中标信息 a name may be that of a thing
			}
		}
		first, _ := utf8.DecodeRuneInString(strings.TrimSpace(text))
		at := max(0, strings.IndexRune(text, first))
		return name, at, at + coveredBytes(text[at:], name), sure
	case Person:
		name := parsePerson(strings.TrimLeft(text, " "))
		if name == "" || orgEnd.MatchString(name) && utf8.RuneCountInString(name) > 3 {
			return "", 0, 0, 0
		}
		at := len(text) - len(strings.TrimLeft(text, " "))
		return name, at, at + coveredBytes(text[at:], name), contactFactors[p.ctx]
	case Phone:
		number, a, b := findPhone(text)
		return number, a, b, contactFactors[p.ctx]
	case Number:
		if m := numberForm.FindStringIndex(text); m != nil && m[0] < 40 {
			if n, ok := shiftDecimal(strings.ReplaceAll(text[m[0]:m[1]], ",", ""), 0); ok {
				return n, m[0], m[1], 1
			}
		}
		return "", 0, 0, 0
	case Choice:
		low, at := strings.ToLower(text), -1
		for _, c := range f.Choices { // the first one; of 接受 and 接受联合体 the longer one
			if i := strings.Index(low, strings.ToLower(c)); i >= 0 && c != "" &&
				(at < 0 || i < at || i == at && len(c) > len(norm)) {
				norm, at = c, i
			}
		}
		if at < 0 || len(low) != len(text) {
			return "", 0, 0, 0
		}
		return norm, at, at + len(norm), 1
	}
	text = htmldoc.UntilAny(text, "\n。；")
	return plain(text), 0, len(text), 1
}

var numberForm = htmldoc.NewPattern(`\d[\d,]*(?:\.\d+)?`)

// coveredBytes returns the length of a name at the start of text, with the spaces inside it.
func coveredBytes(text, name string) int {
	want := utf8.RuneCountInString(name) - strings.Count(name, " ")
	for i, r := range text {
		if want == 0 {
			return i
		}
		if r != ' ' {
			want--
		}
	}
	return len(text)
}

// contactFactors rate a contact by its owner: the project, the agent, or the buyer.
var contactFactors = [...]float64{nowhere: 1, inProject: 1, inAgent: .9, inBuyer: .8, inDeadline: .95, inOpening: .95,
	inDocuments: .95, inWinner: .95, inOldValues: .95, elsewhere: .95}

// formatTime returns a time as ISO 8601, without time of day if that is unknown.
func formatTime(m Moment) string {
	if !m.Clock {
		return m.Time.Format("2006-01-02Z07:00")
	}
	return m.Time.Format("2006-01-02T15:04Z07:00")
}

// readMoney reads the sum of a place, or those of the lots it names.
func (r *reading) readMoney(field int, v Value, p place) {
	text := p.text()
	if len(text) > maxCell {
		text = text[:maxCell]
	}
	all := amounts(text, p.unit, 24)
	if r.readPriceParts(field, v, p, all) || len(all) == 0 {
		return
	}
	f := &r.set.fields[field]
	lots := 0
	named := make([]string, len(all))
	if f.form.perLot && len(all) > 1 {
		begin := 0
		for i, a := range all {
			if a.InCapitals && i > 0 && named[i-1] != "" {
				named[i], begin = named[i-1], a.To // the previous sum in words
				continue
			}
			if m := lotForm.FindAllStringSubmatchIndex(text[begin:a.From], -1); m != nil {
				named[i] = lotOf(text[begin:a.From], m[len(m)-1])
				lots++
			}
			begin = a.To
		}
	}
	if lots < 2 {
		a := all[0]
		switch {
		case f.form.preset && !f.form.unitPrice:
			a, v.Doubt = chooseSum(text, all)
		case a.Currency != "":
			v.Doubt = doubtCurrency
		}
		if utf8.RuneCountInString(text[:all[0].From]) <= 60 {
			r.putSum(field, v, p, a)
		}
		return
	}
	for i, a := range all {
		if named[i] == "" || i > 0 && named[i] == named[i-1] {
			continue
		}
		one := v
		one.Lot = named[i]
		one.Doubt = doubtOf(a)
		r.putSum(field, one, p, a)
	}
}

// putSum adds one sum of a place.
func (r *reading) putSum(field int, v Value, p place, a Amount) {
	text := p.text()
	v.Norm, v.unit, v.coarse = strings.TrimSpace(a.Currency+" "+a.Yuan), a.Unit, a.coarse
	// a bare number is a sum if its field is one of prices and nothing is beside it
	if !a.Unit && (r.set.fields[field].form.preset || strings.TrimSpace(text) != strings.TrimSpace(text[a.From:a.To])) {
		v.Sure *= .7
		whole, decimals, _ := strings.Cut(a.Yuan, ".")
		if len(whole) < 4 || len(decimals) > 2 { // it may be 万元
			v.Sure *= .5
		}
	}
	if p.source == FromLine && strings.TrimLeft(text[a.To:], " ") != "" && p.ownLine && len(text) > 60 {
		v.Sure *= .8
	}
	r.addAt(field, v, p, a.From, a.To)
}

// Doubts of sums.
const (
	doubtUnitPrice = "the price of one thing"
	doubtCurrency  = "a sum in a foreign currency"
	doubtUnit      = "the unit is unclear"
	doubtWords     = "figures and words differ"
)

// doubtOf returns the doubt of a sum that is not in yuan or not credible; "" for others.
func doubtOf(a Amount) string {
	switch {
	case a.Currency != "":
		return doubtCurrency
	case a.UnitPrice:
		return doubtUnitPrice
	case a.Unclear:
		return doubtUnit
	}
	return ""
}

var (
	// totalBefore matches the text before a total: 单价：85元，总价：8500元.
	totalBefore = htmldoc.NewPattern(`(?:总价|总金额|总额|总计|合计|共计|总报价|合同价|小计)` +
		`\s*(?:\([^()]{0,20}\))?\s*(?:金额)?\s*[:为是]?\s*(?:人民币)?\s*¥?\s*$`)
	// sameInYuan matches the text between a sum in a foreign currency and the same in yuan.
	sameInYuan = htmldoc.NewPattern(`折|合|约|人民币|RMB|CNY|¥`)
	// sameInWords matches the text between figures and the same sum in words.
	sameInWords = htmldoc.NewPattern(`^\s*[整正]?[\s(),，;；:/。]*(?:人民币|大写|小写|金额|[\s():，¥])*$`)
)

// chooseSum returns the best sum in the first clause of a place. It prefers figures to words, the
// total to its parts, and yuan to another currency. doubt is why it is rejected, or "".
func chooseSum(text string, all []Amount) (best Amount, doubt string) {
	for k := range all {
		if k > 0 && strings.ContainsAny(text[all[k-1].To:all[k].From], "。；;\n") {
			all = all[:k]
			break
		}
	}
	whole := func(a Amount) bool { return totalBefore.MatchString(text[max(0, a.From-60):a.From]) }
	at := 0
	for i, a := range all {
		o := &all[at]
		switch {
		case i == 0:
		case a.Unit && (!o.Unit || o.InCapitals && !a.InCapitals && (doubtOf(a) == "" || doubtOf(*o) != "")):
			at = i
		case doubtOf(a) == "" && doubtOf(*o) == doubtCurrency && sameInYuan.MatchString(text[o.To:a.To]):
			at = i
		case doubtOf(a) == "" && a.Unit && !a.InCapitals && whole(a) && !whole(*o):
			at = i
		}
	}
	best = all[at]
	if doubt = doubtOf(best); doubt != "" || best.InCapitals {
		return best, doubt
	}
	for i, a := range all { // the same sum in words, directly before or after
		if !a.InCapitals || doubtOf(a) != "" {
			continue
		}
		between := text[min(a.To, best.To):max(a.From, best.From)]
		if i != at-1 && i != at+1 || !sameInWords.MatchString(between) {
			continue
		}
		if sameValue(a.Yuan, best.Yuan) || best.coarse && roundsTo(best.Yuan, a.Yuan) {
			best.Yuan = a.Yuan
			return best, ""
		}
		best.From, best.To = min(a.From, best.From), max(a.To, best.To)
		doubt = doubtWords
	}
	return best, doubt
}

// roundsTo reports whether a sum in 万 or 亿 is another one without its last digits: 668.79万元 and
// 6687920元.
func roundsTo(coarse, fine string) bool {
	digits := strings.TrimRight(coarse, "0")
	zeros := len(coarse) - len(digits)
	if strings.Contains(coarse, ".") || len(digits) < 3 || zeros == 0 || zeros > 4 {
		return false
	}
	a, ok := new(big.Rat).SetString(coarse)
	b, ok2 := new(big.Rat).SetString(fine)
	if !ok || !ok2 {
		return false
	}
	diff := b.Sub(b, a)
	return diff.Abs(diff).Cmp(new(big.Rat).SetInt64(int64([...]int{1, 10, 100, 1000, 10000}[zeros]))) < 0
}

var codeForm = htmldoc.NewPattern(`[\p{Han}A-Za-z0-9〔\[({][\p{Han}A-Za-z0-9\-—–_/.〔〕\[\]()#&{}]*[\p{Han}A-Za-z0-9〕\])}]`)

// readCodes reads one or several project numbers.
func (r *reading) readCodes(field int, v Value, p place) {
	text := p.text()
	if len(text) > 200 {
		text = text[:200]
	}
	text = htmldoc.UntilAny(text, "\n。；;")
	end := 0
	for n, m := range codeForm.FindAllStringIndex(text, 8) {
		if n > 0 && !slices.Contains([]string{",", "、", "，"}, strings.Trim(text[end:m[0]], " ")) {
			return
		}
		code := text[m[0]:m[1]]
		for strings.HasSuffix(code, ")") && strings.Count(code, ")") > strings.Count(code, "(") {
			code = code[:len(code)-1]
		}
		if i := strings.Index(code, "("); i > 4 && strings.Count(code, "(") > strings.Count(code, ")") {
			code = code[:i]
		}
		if strings.HasPrefix(strings.TrimLeft(text[m[1]:], " "), ":") { // the next label follows directly
			code = strings.TrimRightFunc(code, func(r rune) bool { return unicode.Is(unicode.Han, r) })
		}
		if !isCode(code) {
			return
		}
		one := v
		one.Norm, end = code, m[1]
		r.addAt(field, one, p, m[0], m[0]+len(code))
	}
}

// isCode reports whether a word is a project number.
func isCode(s string) bool {
	digits, han, n := 0, 0, 0
	for _, r := range s {
		n++
		switch {
		case r >= '0' && r <= '9':
			digits++
		case unicode.Is(unicode.Han, r):
			han++
		}
	}
	return digits >= 2 && n >= 4 && n <= 60 && han <= digits+2 && han <= 12 && !isDay(s)
}

// plain returns a text value without its ending.
func plain(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	s = strings.Trim(s, " ，。；,;、:")
	if isNothing(s) {
		return ""
	}
	if len(s) > maxValue {
		s = strings.ToValidUTF8(s[:maxValue], "")
	}
	return s
}
