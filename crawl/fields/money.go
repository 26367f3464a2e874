package fields

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"angler/crawl/htmldoc"
)

var (
	moneyForm = htmldoc.NewPattern(`(?:[¥$]|RMB|CNY)?\s*(\d[\d,]*(?:\.\d+)?)\s*\(?(亿|百万|千万|万|千|thousand|million|[kKmM]\b)?\s*(元|圆|yuan|CNY|RMB)?`)
	capitals  = htmldoc.NewPattern(`[零〇壹贰叁肆伍陆柒捌玖拾佰仟万亿两一二三四五六七八九十百千]{2,}[元圆](?:[零壹贰叁肆伍陆柒捌玖]角)?(?:[零壹贰叁肆伍陆柒捌玖]分)?[整正]?`)
	grouped   = htmldoc.NewPattern(`^\d{1,3}(,\d{3})+(\.\d+)?$`)
)

// Amount is a sum of money. Yuan is a decimal without an exponent: "902460", "0.5".
type Amount struct {
	Yuan       string
	From, To   int  // the bytes that it takes
	Unit       bool // a unit or a sign of money stands with it
	InCapitals bool // it was written in capitals only
}

// ParseMoney reads the first sum of money in s: 92.28万元, ¥149,000.00, 陆拾叁万玖仟元整.
// unit is what a label says of it: 元, 万元, 亿元, or "" when it says nothing. Nothing
// and zero are no sums; neither are percentages and figures such as 1,2. Safe for
// concurrent use.
func ParseMoney(s, unit string) (Amount, bool) {
	all := amounts(s, unit, 1)
	if len(all) == 0 {
		return Amount{}, false
	}
	return all[0], true
}

// amounts reads the sums of money in s, at most limit; unit is that of ParseMoney. Safe for
// concurrent use.
func amounts(s, unit string, limit int) []Amount {
	var out []Amount
	var zero []int
	for _, m := range moneyForm.FindAllStringSubmatchIndex(s, 32) {
		digits := s[m[2]:m[3]]
		after := strings.TrimLeft(s[m[1]:], " ")
		if strings.HasPrefix(after, "%") || strings.HasPrefix(after, "‰") || strings.HasPrefix(after, ",") || strings.HasPrefix(after, "年") ||
			strings.HasPrefix(after, "-") || strings.HasPrefix(after, ":") || m[0] > 0 && partOfCode(s[:m[2]]) {
			continue
		}
		digits = strings.TrimSuffix(digits, ",")
		if strings.Contains(digits, ",") {
			if !grouped.MatchString(digits) {
				continue
			}
			digits = strings.ReplaceAll(digits, ",", "")
		}
		power, explicit := 0, m[6] >= 0 || strings.ContainsAny(s[m[0]:m[2]], "¥RC")
		if m[4] >= 0 {
			power, explicit = powerOf(s[m[4]:m[5]]), true
		} else if !explicit {
			power = powerOf(strings.TrimSuffix(unit, "元"))
			if r, _ := utf8.DecodeRuneInString(after); strings.ContainsRune("台套个项名人家天日月平米吨辆件批包标号楼室kgm", r) && after != "" {
				continue // a number of things
			}
		}
		yuan, ok := shiftDecimal(digits, power)
		if !ok {
			zero = append(zero, m[0])
			continue
		}
		from, to := m[0], m[1]
		for s[from] == ' ' {
			from++
		}
		out = append(out, Amount{Yuan: yuan, From: from, To: to, Unit: explicit || unit != ""})
		if len(out) == limit {
			return out
		}
	}
	if len(out) > 0 || len(zero) > 0 {
		return out
	}
	for _, m := range capitals.FindAllStringIndex(s, limit) {
		if yuan, ok := fromCapitals(s[m[0]:m[1]]); ok {
			out = append(out, Amount{Yuan: yuan, From: m[0], To: m[1], Unit: true, InCapitals: true})
		}
	}
	return out
}

// partOfCode tells whether a figure goes on a word of letters and figures.
func partOfCode(before string) bool {
	r, _ := utf8.DecodeLastRuneInString(before)
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' && !strings.HasSuffix(before, "RMB") && !strings.HasSuffix(before, "CNY") ||
		r >= '0' && r <= '9' || r == '.' || r == ',' || r == '-' || r == '_' || r == '第' || r == '['
}

// powerOf is the power of ten of a Chinese or English unit: 4 of 万, 0 of 元 and of none.
func powerOf(unit string) int {
	switch strings.ToLower(unit) {
	case "千", "k", "thousand":
		return 3
	case "万":
		return 4
	case "百万", "m", "million":
		return 6
	case "千万":
		return 7
	case "亿":
		return 8
	}
	return 0
}

// mostDigits is what a sum has before its point: more is a number of something else.
const mostDigits = 13

// shiftDecimal moves the point of a decimal to the right by so many places and leaves zeros out
// that say nothing. It is false for zero and for what is too long.
func shiftDecimal(digits string, power int) (string, bool) {
	whole, frac, _ := strings.Cut(digits, ".")
	if len(frac) > 12 {
		return "", false
	}
	if len(frac) < power {
		frac += strings.Repeat("0", power-len(frac))
	}
	whole, frac = strings.TrimLeft(whole+frac[:power], "0"), strings.TrimRight(frac[power:], "0")
	if len(whole) > mostDigits || whole == "" && frac == "" {
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

// fromCapitals reads 壹拾肆万玖仟元伍角整.
func fromCapitals(s string) (string, bool) {
	var total, section, digit, fen int64
	for _, r := range s {
		if d := strings.IndexRune("零壹贰叁肆伍陆柒捌玖", r); d >= 0 {
			digit = int64(d / 3)
			continue
		}
		if d := strings.IndexRune("〇一二三四五六七八九", r); d >= 0 {
			digit = int64(d / 3)
			continue
		}
		switch r {
		case '两':
			digit = 2
		case '拾', '十':
			section += max(1, digit) * 10
			digit = 0
		case '佰', '百':
			section += digit * 100
			digit = 0
		case '仟', '千':
			section += digit * 1000
			digit = 0
		case '万':
			total += (section + digit) * 10_000
			section, digit = 0, 0
		case '亿':
			total = (total + section + digit) * 100_000_000
			section, digit = 0, 0
		case '元', '圆':
			total += section + digit
			section, digit = 0, 0
		case '角':
			fen += digit * 10
			digit = 0
		case '分':
			fen += digit
			digit = 0
		}
		if total > 1e13 || section > 1e6 || total < 0 {
			return "", false
		}
	}
	if total == 0 && fen == 0 {
		return "", false
	}
	return shiftDecimal(fmt.Sprintf("%d.%02d", total, fen), 0)
}
