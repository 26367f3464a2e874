package fields

import (
	"cmp"
	"fmt"
	"math/big"
	"strings"
	"unicode"
	"unicode/utf8"

	"angler/crawl/htmldoc"
)

// This file is the one reader of sums of money.

// Amount is a sum of money. Yuan is a decimal without an exponent: "902460", "0.5".
type Amount struct {
	Yuan       string // in Currency if that is set
	Currency   string // ISO 4217 code of a foreign currency; "" means yuan
	From, To   int    // range in bytes
	Unit       bool   // a unit or sign of money is beside it, or in the label
	InCapitals bool   // written only in Chinese numerals
	UnitPrice  bool   // 3200元/人·月
	Unclear    bool   // the unit of the label cannot apply to the figure
	coarse     bool   // in 万 or 亿, whose decimals are often rounded
}

// Bounds of one sum.
const (
	maxDigits   = 13 // before the point: a longer figure is no sum
	maxDecimals = 12 // as printed
	maxTerms    = 6  // 3亿2000万5千元 has three
	maxNumerals = 40 // Chinese numerals
	maxSums     = 32 // sums in one text
)

// ParseMoney reads the first sum of money in s: 92.28万元, ¥149,000.00, 陆拾叁万玖仟元整. unit is the unit in
// a label: 元, 万元, 亿元, 万美元, or "". Figures are preferred to words. Zero, percentages, scores and
// figures such as 1,2 are not sums. It is safe for concurrent use.
func ParseMoney(s, unit string) (Amount, bool) { return firstSum(s, readUnit(unit)) }

// firstSum is ParseMoney for a unit that is read already.
func firstSum(s string, unit moneyUnit) (Amount, bool) {
	all := amounts(s, unit, maxSums)
	for _, a := range all {
		if !a.InCapitals {
			return a, true
		}
	}
	if len(all) == 0 {
		return Amount{}, false
	}
	return all[0], true
}

// amounts returns at most limit sums of money in s, in order. unit is that of its label.
func amounts(s string, unit moneyUnit, limit int) []Amount {
	var out []Amount
	zero, figures := false, false
	begin := 0 // end of the previous sum
	for i, sums := 0, 0; i < len(s) && len(out) < limit && sums < maxSums; {
		var a Amount
		end := 0
		switch c := s[i]; {
		case isDigit(c):
			a, end = figureSum(s, begin, i, unit)
			zero = zero || a.Yuan == "0"
		case c < utf8.RuneSelf:
			i++
			continue
		default:
			r, size := utf8.DecodeRuneInString(s[i:])
			if _, ok := numeralOf(r); !ok {
				i += size
				continue
			}
			a, end = wordSum(s, begin, i)
		}
		sums++
		if a.Yuan != "" && a.Yuan != "0" {
			out = append(out, a)
			begin = end
			figures = figures || !a.InCapitals
		}
		i = end
	}
	if zero && !figures { // 0.00元(零元整)
		return nil
	}
	return out
}

// moneyUnit is the unit that a label or heading gives for its figures.
type moneyUnit struct {
	stated    bool
	power     int    // power of ten
	currency  string // as Amount.Currency
	percent   bool   // its figures are not sums
	unitPrice bool   // 元/吨
	several   bool   // it names several units
}

// unitForm finds units in the brackets of a label and in lines above a table.
var unitForm = htmldoc.NewPattern(`([十百千]?[万亿萬億]|千)?\s*(?:人民币)?\s*(元|圆|圓|` + currencyNames + `)(\s*/\s*[^()\[\]【】\s,，、;；]{1,10})?|%|(?:^|[:(\[【])\s*([百千]?[万亿])\s*$`)

// unitIn returns the unit in bracketed text.
func unitIn(s string) moneyUnit {
	if len(s) > 90 || !mayBeUnit(s) {
		return moneyUnit{}
	}
	first := ""
	for _, m := range unitForm.FindAllStringSubmatchIndex(s, 4) {
		text := s[m[0]:m[1]]
		if m[8] >= 0 {
			text = s[m[8]:m[9]]
		}
		text = strings.ReplaceAll(strings.ReplaceAll(text, " ", ""), "人民币", "")
		switch {
		case first == "":
			first = text
		case first != text:
			u := readUnit(first)
			u.several = true
			return u
		}
	}
	return readUnit(first)
}

// mayBeUnit rejects most brackets and lines without the expression.
func mayBeUnit(s string) bool {
	return htmldoc.AnyWord(s, strings.Contains, "元", "万", "亿", "%", "币", "金", "USD", "EUR", "HKD", "JPY", "GBP")
}

// readUnit parses a unit: 元, 万元, 美元, %, 元/吨; "" means none.
func readUnit(s string) moneyUnit {
	u := moneyUnit{stated: s != ""}
	if s == "" || s == "元" {
		return u
	}
	if s == "%" {
		u.percent = true
		return u
	}
	s, thing, of := strings.Cut(s, "/")
	u.unitPrice = of && isCountable(thing)
	n, power := scaleAt(s, 0)
	u.power = power
	_, u.currency, _ = currencyAt(s, n)
	return u
}

// term is a part of a figure: 3亿 and 2000万 of 3亿2000万元.
type term struct {
	digits string // without separators
	power  int    // power of ten
	groups int    // groups separated by spaces
	first  int    // bytes of the digits before the first space
	end    int
}

// figureSum reads the sum whose first figure is at i; begin is the end of the previous sum. Yuan is
// "" for other figures, and "0" for zero. Reading continues at end.
func figureSum(s string, begin, i int, label moneyUnit) (a Amount, end int) {
	terms, end, good := termsAt(s, i)
	if !good || partOfCode(s[:i]) {
		return a, end
	}
	last := &terms[len(terms)-1]
	sign, from := signBefore(s, begin, i)
	money, currency, to := currencyAt(s, last.end)
	if sign != "" && sign != yuan {
		currency = sign
	}
	explicit := money || sign != "" || last.power > 0
	alone := explicit || label.stated || terms[0].groups > 1 || strings.TrimSpace(s) == s[i:last.end]
	if terms[0].groups > 0 && (!alone || lotBefore.MatchString(s[begin:i])) {
		return a, i + terms[0].first // the space separates two numbers
	}
	end = to
	after := strings.TrimLeft(s[to:], " ")
	next, _ := utf8.DecodeRuneInString(after)
	switch adjacent := len(after) == len(s)-to; {
	case after == "":
	case next == '%', next == '‰', strings.HasPrefix(after, "个百分点"):
		return a, end
	case explicit && !money && sign == "" && adjacent && strings.ContainsRune(countedAfterScale, next): // 3万平方米
		return a, end
	case !explicit && (strings.ContainsRune(countedUnits, next) || adjacent && (next == ':' || next == '-')):
		return a, end
	}
	if !explicit && last.end-i == 2 && clockBefore.MatchString(s[max(0, i-8):i]) { // 9:30
		return a, end
	}
	if m := bracketBefore.FindString(s[begin:i]); m != "" && !explicit {
		if u := unitIn(m); u.stated { // 总价(万元):31.2
			label = u
		}
	}
	if len(terms) > 1 && last.power == 0 && !money || inRange(s, from, to) ||
		!explicit && (label.percent || notMoney.MatchString(s[begin:i])) {
		return a, end
	}
	if !explicit {
		last.power, currency = label.power, label.currency
	}
	whole := 0
	if money && last.power == 0 && !strings.Contains(last.digits, ".") {
		whole, to = fenAt(s, to)
		end = to
	}
	a = Amount{Currency: currency, From: from, To: to, coarse: last.power >= 4}
	a.Unit = explicit || label.stated
	if a.Yuan = addTerms(terms, whole); a.Yuan == "" || a.Yuan == "0" {
		return a, end
	}
	point := strings.IndexByte(a.Yuan+".", '.')
	a.Unclear = !explicit && (label.several || label.power >= 4 && point > label.power+6)
	a.UnitPrice = isUnitPrice(s[begin:i], s[to:]) || !explicit && label.unitPrice
	return a, end
}

// termsAt reads a figure with scales after its numbers: 12.5万, 3亿2000万. If good is false, end is
// after the digits of another figure.
func termsAt(s string, i int) (terms []term, end int, good bool) {
	for n := 0; n < maxTerms; n++ {
		t, ok := numberAt(s, i)
		if !ok {
			return terms, t.end, false
		}
		if at, power := scaleAt(s, t.end); power > 0 {
			t.end, t.power = at, power
		}
		if n > 0 {
			before := &terms[n-1]
			if before.power < 4 && t.power >= 4 { // 2千5百万
				before.power += t.power / 4 * 4
			}
			if dot := strings.IndexByte(t.digits+".", '.'); dot+t.power > before.power ||
				strings.Contains(before.digits, ".") {
				return terms, t.end, false
			}
		}
		terms = append(terms, t)
		i = t.end
		if strings.HasPrefix(s[i:], "零") {
			i += len("零")
		}
		if t.power == 0 || i == len(s) || !isDigit(s[i]) {
			return terms, t.end, true
		}
	}
	return terms, i, false
}

// numberAt reads a number of Arabic digits with group separators: 1,268,000.00, 1 268 000. good is
// false for misplaced separators: 1,2 and 1.2.3.
func numberAt(s string, i int) (t term, good bool) {
	from := i
	for i < len(s) && isDigit(s[i]) {
		i++
	}
	t = term{first: i - from, end: i}
	digits := s[from:i]
	mark := ""
	for len(digits) > 0 && t.first <= 3 {
		m, ok := groupAt(s, i)
		if !ok || mark != "" && m != mark {
			break
		}
		mark = m
		i += len(m)
		digits += s[i : i+3]
		i += 3
		if m != "," && m != "，" {
			t.groups++
		}
		if len(digits) > maxDigits+3 {
			break
		}
	}
	good = len(digits) <= maxDigits
	if i+1 < len(s) && s[i] == ',' && isDigit(s[i+1]) {
		good = false
	}
	if i+1 < len(s) && s[i] == '.' && isDigit(s[i+1]) {
		from := i
		for i++; i < len(s) && isDigit(s[i]); i++ {
		}
		digits += s[from:i]
		goesOn := i+1 < len(s) && (s[i] == '.' || s[i] == ',') && isDigit(s[i+1])
		good = good && i-from-1 <= maxDecimals && !goesOn
	}
	for !good && i < len(s) && (isDigit(s[i]) || s[i] == ',' || s[i] == '.') {
		i++
	}
	t.digits, t.end = digits, i
	return t, good
}

// groupAt returns the separator at i if three digits follow.
func groupAt(s string, i int) (mark string, ok bool) {
	for _, m := range [...]string{",", "，", " ", "\u2009", "\u202f", ", ", "'", "’"} {
		if !strings.HasPrefix(s[i:], m) {
			continue
		}
		k := i + len(m)
		if k+3 <= len(s) && isDigit(s[k]) && isDigit(s[k+1]) && isDigit(s[k+2]) && (k+3 == len(s) || !isDigit(s[k+3])) {
			return m, true
		}
	}
	return "", false
}

// addTerms returns the sum of terms and fen; "0" for zero, "" if it is too large.
func addTerms(terms []term, fen int) string {
	if len(terms) == 1 && fen == 0 {
		out, ok := shiftDecimal(terms[0].digits, terms[0].power)
		if !ok && strings.Trim(terms[0].digits, "0.") == "" {
			return "0"
		}
		return out
	}
	sum := big.NewRat(int64(fen), 100)
	for _, t := range terms {
		n, ok := new(big.Rat).SetString(fmt.Sprintf("%se%d", t.digits, t.power))
		if !ok {
			return ""
		}
		sum.Add(sum, n)
	}
	out, ok := shiftDecimal(sum.FloatString(maxDecimals), 0)
	if !ok && sum.Sign() == 0 {
		return "0"
	}
	return out
}

// scaleAt reads the scale at a place, also behind an opening bracket: 63.9(万元). power is 0 without
// a scale.
func scaleAt(s string, at int) (end, power int) {
	i := skipTo(s, at)
	for i < len(s) && power < maxDigits {
		r, size := utf8.DecodeRuneInString(s[i:])
		x, ok := numeralOf(r)
		if !ok || x.power == 0 || x.digit > 0 || power >= 4 && x.power < 8 {
			break
		}
		power += int(x.power)
		i += size
	}
	if power > 0 {
		if power < 3 && !htmldoc.AnyWord(s[i:], strings.HasPrefix, "元", "圆", "圓") { // 3百 is not a sum
			return at, 0
		}
		return i, power
	}
	for _, w := range [...]struct {
		word  string
		power int
	}{{"thousand", 3}, {"million", 6}, {"billion", 9}, {"k", 3}, {"m", 6}} {
		k := i + len(w.word)
		if k > len(s) || !strings.EqualFold(s[i:k], w.word) {
			continue
		}
		r, _ := utf8.DecodeRuneInString(s[k:])
		if r == '元' || !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("²³㎡", r) {
			return k, w.power
		}
	}
	return at, 0
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// skipTo returns the place after spaces, an opening bracket, and 单位 in it.
func skipTo(s string, i int) int {
	i += len(s[i:]) - len(strings.TrimLeft(s[i:], " "))
	if i < len(s) && s[i] == '(' {
		i++
		for _, w := range [...]string{" ", "单位", " ", ":", " "} {
			if strings.HasPrefix(s[i:], w) {
				i += len(w)
			}
		}
	}
	return i
}

const yuan = "CNY"

// currencyNames are words for foreign currencies; currencies are their codes.
const currencyNames = `美元|美金|欧元|港币|港幣|港元|日元|日圆|日币|英镑|澳元|澳币|加元|加币|加拿大元|瑞士法郎|瑞郎|` +
	`新加坡元|新币|韩元|韩币|新台币|台币|澳门元|澳门币|卢布|泰铢|越南盾|林吉特|卢比|` +
	`USD|US\$|EUR|HKD|HK\$|JPY|GBP|AUD|CAD|CHF|SGD|KRW|TWD|NT\$|MOP|RUB|THB|VND|MYR|INR|\$|€|£`

var currencies = map[string]string{
	"¥": yuan, "￥": yuan, "人民币": yuan, "rmb": yuan, "cny": yuan, "yuan": yuan, "元": yuan, "圆": yuan, "圓": yuan,
	"美元": "USD", "美金": "USD", "us$": "USD", "$": "USD", "欧元": "EUR", "€": "EUR", "港币": "HKD", "港幣": "HKD",
	"港元": "HKD", "hk$": "HKD", "日元": "JPY", "日圆": "JPY", "日币": "JPY", "英镑": "GBP", "£": "GBP", "澳元": "AUD",
	"澳币": "AUD", "加元": "CAD", "加币": "CAD", "加拿大元": "CAD", "瑞士法郎": "CHF", "瑞郎": "CHF", "新加坡元": "SGD",
	"新币": "SGD", "韩元": "KRW", "韩币": "KRW", "新台币": "TWD", "台币": "TWD", "nt$": "TWD", "澳门元": "MOP",
	"澳门币": "MOP", "卢布": "RUB", "泰铢": "THB", "越南盾": "VND", "林吉特": "MYR", "卢比": "INR",
}

// codeOf returns the code of a currency by its printed name.
func codeOf(word string) string {
	return cmp.Or(currencies[strings.ToLower(word)], strings.ToUpper(word))
}

var (
	currencyHead = htmldoc.NewPattern(`(?i)^(?:人民币|[¥￥元圆圓]|rmb|cny|yuan|` + currencyNames + `)`)
	currencyTail = htmldoc.NewPattern(`(?i)(?:人民币|[¥￥]|rmb|cny|` + currencyNames + `)$`)
)

// currencyAt reads the currency after a figure. money reports whether there is one, code is
// Amount.Currency, end is after it.
func currencyAt(s string, at int) (money bool, code string, end int) {
	end = at
	for i := skipTo(s, at); ; { // 元人民币, 元(美元)
		m := currencyHead.FindString(s[i:min(len(s), i+16)])
		if m == "" {
			return money, code, end
		}
		if r, _ := utf8.DecodeRuneInString(m); r < utf8.RuneSelf || r == '¥' || r == '￥' || r == '€' || r == '£' {
			k := i + len(m)
			if next := strings.TrimLeft(s[k:], " "); next != "" && isDigit(next[0]) || k < len(s) && isLetter(m[0]) &&
				isLetter(s[k]) {
				return money, code, end // the sign of the next sum
			}
		}
		c := codeOf(m)
		if c != yuan {
			code = c
		}
		i += len(m)
		if !money || c != yuan {
			end = i
		}
		if money {
			return money, code, end
		}
		money = true
		i = skipTo(s, i)
	}
}

// signBefore returns the currency before a figure, yuan included; "" without one. from is the start
// of the sum, including a sign directly before it.
func signBefore(s string, begin, i int) (code string, from int) {
	lead := strings.TrimRight(s[max(begin, i-40):i], " ")
	word := lead
	for k := 0; k < 2; k++ {
		word = strings.TrimRight(word, " (:（：")
		if strings.HasSuffix(word, ")") { // 人民币(元):
			if k := strings.LastIndexByte(word, '('); k >= 0 {
				word = word[:k]
			}
		}
	}
	m := currencyTail.FindString(word)
	if m == "" {
		return "", i
	}
	code = codeOf(m)
	if word == lead && m != "人民币" {
		return code, i - (i - max(begin, i-40) - len(lead)) - len(m)
	}
	return code, i
}

// partOfCode reports whether a figure continues a word of letters and figures.
func partOfCode(before string) bool {
	r, n := utf8.DecodeLastRuneInString(before)
	switch {
	case r == ',' || r == '.':
		return len(before) > n && isDigit(before[len(before)-n-1])
	case r < utf8.RuneSelf && isLetter(byte(r)):
		m := currencyTail.FindString(before)
		return m == "" || len(m) < len(before) && isLetter(before[len(before)-len(m)-1])
	}
	return r >= '0' && r <= '9' || r == '-' || r == '_' || r == '第' || r == '['
}

// Characters that count things after a figure, and those after 万.
const (
	countedUnits      = "台套个項项名人家天日月年平米吨辆件批包标号楼室折倍次座岁份张组位分时户公里亩kgm㎡"
	countedAfterScale = "台套个平米吨公立次户亩头株棵人名辆件支只本册张份㎡mk²³"
)

var (
	// notMoney precedes rates, scores and the numbers of lots.
	notMoney = htmldoc.NewPattern(`(?:率|折扣|系数|下浮|上浮|优惠|得分|评分|分值)\s*(?:\([^()]*\))?\s*[:为是]?\s*$|(?:包|标段|标项|品目|序号|第)\s*(?:号)?\s*$`)
	// bracketBefore may hold the unit of the next figure.
	bracketBefore   = htmldoc.NewPattern(`\([^()]{1,30}\)\s*[:为是]?\s*$`)
	inCapitals      = htmldoc.NewPattern(`大写[ :)]*$`)
	clockBefore     = htmldoc.NewPattern(`(?:^|[^包段项号\d])\d{1,2}:$`)
	lotBefore       = htmldoc.NewPattern(`(?:包|标段|标项|品目|序号|第)\s*(?:号)?\s*$`)
	unitPriceBefore = htmldoc.NewPattern(`单价\s*(?:\([^()]*\))?\s*[:为是]?\s*(?:人民币)?\s*¥?\s*$|每[^年期包标项，。；;\d]{1,12}$`)
	rangeAfter      = htmldoc.NewPattern(`^\s*(?:[-—–~～]{1,2}|至|到)\s*(?:人民币)?\s*¥?\s*\d[\d,.]*(?:[^年\d,.]|$)`)
	rangeEnd        = htmldoc.NewPattern(`[\d元万亿%]\s*(?:[-—–~～]{1,2}|至|到)\s*$`)
)

// inRange reports whether a sum is one end of a range: 10~20万元.
func inRange(s string, from, to int) bool {
	return rangeAfter.MatchString(s[to:min(len(s), to+40)]) || rangeEnd.MatchString(s[max(0, from-16):from])
}

// isUnitPrice reports whether the text around a sum makes it a unit price.
func isUnitPrice(before, after string) bool {
	after = strings.TrimLeft(after, " )")
	for _, m := range [...]string{"/", "每"} {
		if thing, ok := strings.CutPrefix(after, m); ok {
			return isCountable(strings.TrimLeft(thing, " "))
		}
	}
	if len(before) > 60 {
		before = before[len(before)-60:]
	}
	return (strings.Contains(before, "单价") || strings.Contains(before, "每")) && unitPriceBefore.MatchString(before)
}

// isCountable reports whether a word after 元/ is a countable thing, not a year, a lot or a whole.
func isCountable(thing string) bool {
	r, _ := utf8.DecodeRuneInString(thing)
	return (unicode.IsLetter(r) || r == '㎡') && !strings.ContainsRune("年项批宗标包总全期三两二一五元大小", r) &&
		!strings.HasPrefix(thing, "人民币")
}

// fenAt reads 角 and 分 after 元; end is after them.
func fenAt(s string, at int) (fen, end int) {
	end = at
	for i, units := at, []string{"角", "分"}; len(units) > 0; {
		for _, w := range [...]string{" ", "零", "〇"} {
			if strings.HasPrefix(s[i:], w) {
				i += len(w)
			}
		}
		n, size := 0, 0
		for size < 2 && i+size < len(s) && isDigit(s[i+size]) {
			n = n*10 + int(s[i+size]-'0')
			size++
		}
		if size == 0 {
			r, k := utf8.DecodeRuneInString(s[i:])
			x, ok := numeralOf(r)
			if !ok || x.digit <= 0 {
				break
			}
			n, size = int(x.digit), k
		}
		rest := s[i+size:]
		rest = rest[len(rest)-len(strings.TrimLeft(rest, " ")):]
		for len(units) > 0 && !strings.HasPrefix(rest, units[0]) {
			units = units[1:]
		}
		if len(units) == 0 || strings.HasPrefix(rest, "分钟") || units[0] == "角" && n > 9 {
			break
		}
		fen += n * map[string]int{"角": 10, "分": 1}[units[0]]
		end = len(s) - len(rest) + len(units[0])
		i, units = end, units[1:]
	}
	return fen, end
}

// numeral is a Chinese numeral: a digit, a scale with its power of ten, or both (廿 = 二十).
type numeral struct {
	digit, power int8
	formal       bool // a formal numeral, which cannot be altered: 壹
}

// numerals are the Chinese numerals, with other scripts and usual misprints.
var numerals = func() map[rune]numeral {
	out := map[rune]numeral{'零': {}, '〇': {}, '两': {digit: 2}, '兩': {digit: 2},
		'廿': {digit: 2, power: 1}, '卅': {digit: 3, power: 1}}
	for _, set := range [...]string{"一二三四五六七八九", "壹贰叁肆伍陆柒捌玖", "壱貳參肆伍陸柒捌玖", "弌貮叄肆伍陆漆捌玖", "壹弍参肆伍陆柒捌玖"} {
		n := int8(0)
		for _, r := range set {
			n++
			out[r] = numeral{digit: n, formal: set[0:3] != "一"}
		}
	}
	scales := map[rune]int8{'十': 1, '百': 2, '千': 3, '万': 4, '萬': 4, '亿': 8, '億': 8, '拾': 1, '佰': 2, '仟': 3}
	for r, power := range scales {
		out[r] = numeral{power: power, formal: strings.ContainsRune("拾佰仟萬億", r)}
	}
	return out
}()

// numeralOf returns the numeral of a character. ok is false for others.
func numeralOf(r rune) (numeral, bool) {
	if r < '〇' || r > '黎' {
		return numeral{}, false
	}
	x, ok := numerals[r]
	return x, ok
}

// wordSum reads the sum whose first Chinese numeral is at i: 壹拾肆万玖仟元伍角整. Yuan is "" for other
// numerals. Reading continues at end.
func wordSum(s string, begin, i int) (a Amount, end int) {
	w := numeralReader{lastScale: 4}
	end = w.read(s, i)
	if before, _ := utf8.DecodeLastRuneInString(s[:i]); w.invalid || strings.ContainsRune("几数第每", before) {
		return a, end
	}
	sign, from := signBefore(s, begin, i)
	money, currency, to := currencyAt(s, end)
	if sign != "" && sign != yuan {
		currency = sign
	}
	tail := strings.TrimLeft(s[to:], " ")
	whole := strings.HasPrefix(tail, "整") || strings.HasPrefix(tail, "正")
	switch {
	case money && (w.formal || w.count > 1):
	case w.formal && w.count > 2 && (whole || sign != "" || inCapitals.MatchString(s[begin:i])):
	default:
		return a, end
	}
	fen := 0
	if money {
		fen, to = fenAt(s, to)
		tail = strings.TrimLeft(s[to:], " ")
		whole = strings.HasPrefix(tail, "整") || strings.HasPrefix(tail, "正")
	}
	if whole {
		to = len(s) - len(tail) + len("整")
	}
	a = Amount{Currency: currency, From: from, To: to, Unit: true, InCapitals: true,
		UnitPrice: isUnitPrice(s[begin:i], s[to:])}
	a.Yuan = addTerms([]term{{digits: w.value(), power: w.power}}, fen)
	return a, max(end, to)
}

// numeralReader is the state of reading Chinese numerals.
type numeralReader struct {
	total, section              int64
	digit                       int8 // digit before its scale
	lastScale, lastSectionScale int8 // last scale within a section, and of the sections
	power                       int  // power of ten after decimals: 壹佰点伍万
	decimals                    string
	count                       int
	afterZero, formal           bool
	invalid                     bool
}

// read reads numerals from a place, and returns their end.
func (w *numeralReader) read(s string, i int) int {
	end := i
	for w.count < maxNumerals {
		r, size := utf8.DecodeRuneInString(s[i:])
		if r == ' ' && w.formal { // 壹 佰 万 元 整
			i++
			continue
		}
		x, ok := numeralOf(r)
		if r == '点' && w.count > 0 && w.decimals == "" {
			i = w.readDecimals(s, i+size)
			ok = w.decimals != ""
		} else if ok {
			w.add(x)
			i += size
		}
		if !ok {
			break
		}
		w.count++
		w.formal = w.formal || x.formal
		end = i
	}
	w.invalid = w.invalid || w.omitsScale()
	return end
}

// readDecimals reads the decimals after 点 and returns their end.
func (w *numeralReader) readDecimals(s string, i int) int {
	for len(w.decimals) < 6 {
		r, size := utf8.DecodeRuneInString(s[i:])
		x, ok := numeralOf(r)
		if !ok || x.power > 0 {
			break
		}
		w.decimals += string(rune('0' + x.digit))
		i += size
	}
	w.invalid = w.invalid || w.total > 0
	return i
}

// omitsScale reports whether a colloquial figure omits its last scale: 一万五.
func (w *numeralReader) omitsScale() bool {
	return !w.formal && w.digit > 0 && !w.afterZero &&
		(w.lastScale > 1 && w.lastScale < 4 || w.lastScale == 4 && w.lastSectionScale > 0)
}

// add adds the next numeral.
func (w *numeralReader) add(x numeral) {
	if x.digit > 0 && x.power > 0 {
		w.add(numeral{digit: x.digit})
		w.add(numeral{power: x.power})
		return
	}
	switch {
	case w.decimals != "" && x.power < 4 || w.power > 0:
		w.invalid = true
	case x.power == 0 && x.digit == 0:
		w.invalid = w.invalid || w.digit > 0
		w.afterZero = true
	case x.power == 0:
		w.invalid = w.invalid || w.digit > 0
		w.digit = x.digit
	case w.decimals != "":
		w.power = int(x.power)
	case x.power < 4:
		if w.digit == 0 && x.power == 1 && w.lastScale == 4 {
			w.digit = 1 // 拾万
		}
		w.invalid = w.invalid || w.digit == 0 || x.power >= w.lastScale
		w.section += int64(w.digit) * [...]int64{1, 10, 100, 1000}[x.power]
		w.digit, w.lastScale, w.afterZero = 0, x.power, false
	default:
		w.invalid = w.invalid || w.omitsScale()
		sum := w.section + int64(w.digit)
		if x.power == 8 {
			sum += w.total
			w.total = 0
			w.invalid = w.invalid || w.lastSectionScale == 8
		}
		w.invalid = w.invalid || sum == 0 || x.power == 4 && w.lastSectionScale == 4 || sum > 1e9
		if w.invalid {
			return
		}
		w.total += sum * map[int8]int64{4: 1e4, 8: 1e8}[x.power]
		w.section, w.digit, w.lastScale, w.lastSectionScale, w.afterZero = 0, 0, 4, x.power, false
	}
}

// value returns the figure before its power.
func (w *numeralReader) value() string {
	out := fmt.Sprint(w.total + w.section + int64(w.digit))
	if w.decimals != "" {
		out += "." + w.decimals
	}
	return out
}

// shiftDecimal moves the decimal point to the right by power places and drops insignificant zeros.
// ok is false for zero and for results that are too long.
func shiftDecimal(digits string, power int) (string, bool) {
	whole, frac, _ := strings.Cut(digits, ".")
	if len(frac) > maxDecimals {
		return "", false
	}
	if len(frac) < power {
		frac += strings.Repeat("0", power-len(frac))
	}
	whole, frac = strings.TrimLeft(whole+frac[:power], "0"), strings.TrimRight(frac[power:], "0")
	if len(whole) > maxDigits || whole == "" && frac == "" {
		return "", false
	}
	if whole == "" {
		whole = "0"
	}
	if frac != "" {
		whole += "." + frac
	}
	return whole, true
}
