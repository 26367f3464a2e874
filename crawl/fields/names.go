package fields

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"angler/crawl/htmldoc"
)

var (
	noValueForm = htmldoc.NewPattern(`^(?:[/\\\-—_.*\s]+|无|暂无|没有|详见.*|见.*|另行.*|待定|不详|空|null|nil|none|n/?a|tbd|-+|以.{0,12}为准.*|按.{0,12}执行.*|同上|如下.*|无供应商.*|废标.*|流标.*|本项目.{0,4}废标.*|.*\.(?:docx?|xlsx?|pdf|zip|rar|wps))$`)
	orgEnd      = htmldoc.NewPattern(`(?:公司|集团|局|厅|部|委|中心|大学|学院|学校|小学|中学|中学校|小学校|幼儿园|高中|一中|二中|医院|卫生院|委员会|办公室|办事处|政府|处|院|所|大队|支队|总队|中队|队|厂|社|站|馆|会|行|银行|室|店|村|场|部队|法院|检察院|监狱|基金|联合体|协会|学会|研究院|商行|经营部|服务部|门市|工厂|合作社|指挥部|管委会|居委会|团|园|校|署|办|庭|党校|基地|报社|杂志社|电视台|苗圃|水库|宾馆|酒店|超市|商店|律师事务所|事务所|分院|分校|分局|分公司|分中心|本部|机关|university|college|school|institute|company|ltd\.?|co\.?|inc\.?|corp\.?|department|bureau|office|hospital|authority|council|ministry|agency|committee|centre|center|group|limited)(?:\([^()]{1,30}\))?$`)
	company     = htmldoc.NewPattern(`(?:公司|集团|厂|院|所|中心|联合体|大学|学院|学校|商行|经营部|合作社|企业|局|社|超市|ltd\.?|inc\.?|limited)(?:\([^()]{1,30}\))?$`)
	orgTail     = htmldoc.NewPattern(`\s*[(\[]?(?:盖章|公章|单位盖章|签章|章)[)\]].*$|[，,;；。、\s(]*(?:以下)?简称.*$|\s*[，,;；、(]\s*(?:(?:总价|总报价|成交总价|合同价|人民币)[::]?)?\s*¥?\d[\d,.]*\s*万?元.*$|\s*(?:[，,;；。\s(]+|[\t ]+)?(?:(?:项目)?联系人|联系方式|联系电话|电话|地址|单位地址|联系地址|经办人|传真|邮编|法定代表人|负责人|统一社会信用代码|资质|项目负责人|项目经理|投标报价|报价|中标价|中标金额|成交金额|成交价)(?:[::]|为|\s|\d).*$`)
	// itemNumber matches the number of an item: 1、 (2)
	itemNumber     = htmldoc.NewPattern(`^(?:\d{1,2}\s*[、.]|[(]\d{1,2}[)]|[①-⑳])\s*`)
	roleInBrackets = htmldoc.NewPattern(`\((?:机关|本级|本部|甲方|乙方|丙方|采购人|招标人|业主|发包人|采购单位|招标代理机构?|采购代理机构?|牵头人|联合体牵头人|主体|以下称.{1,10})\)$`)
	dateEnd        = htmldoc.NewPattern(`\s*20\d\d\s*年.*$`)
	// sealMarks are placeholders for a seal: &&&…&&&, {{…}}, ${…}.
	sealMarks = htmldoc.NewPattern(`&&&[^&\n]{0,40}&&&|\{\{[^}\n]{0,40}\}\}|\$\{[^}\n]{0,40}\}`)
)

// parseOrganisation returns a name without contacts, addresses and seals. Its brackets become
// half-width. sure reports whether it looks like an organisation.
func parseOrganisation(s string) (name string, sure bool) {
	s = strings.TrimSpace(s)
	s = strings.TrimLeft(s, "：:、，, 为是")
	s = s[len(itemNumber.FindString(s)):]
	if strings.ContainsAny(s, "&{") {
		s = strings.TrimSpace(sealMarks.ReplaceAllString(s, ""))
	}
	s = orgTail.ReplaceAllString(s, "")
	s = dateEnd.ReplaceAllString(s, "")
	s = htmldoc.UntilAny(s, "\n\t。；;")
	s = beforeClause(s)
	s = strings.TrimRight(s, " ，、,:.")
	s = strings.Trim(s, "“”\"'【】[]《》")
	s = roleInBrackets.ReplaceAllString(s, "")
	if strings.Contains(s, ")") && !strings.Contains(s, "(") {
		s = strings.TrimRight(s, ")")
	}
	if strings.Contains(s, "(") && !strings.Contains(s, ")") {
		s, _, _ = strings.Cut(s, "(")
	}
	if isHan(s) {
		s = strings.ReplaceAll(s, " ", "")
	} else {
		s = strings.Join(strings.Fields(s), " ")
	}
	if isNothing(s) {
		return "", false
	}
	letters, n := 0, utf8.RuneCountInString(s)
	for _, r := range s {
		if unicode.IsLetter(r) {
			letters++
		}
	}
	if letters < 2 || n > 60 && isHan(s) || n > 120 || letters*2 < n {
		return "", false
	}
	return s, orgEnd.MatchString(strings.ToLower(s)) && n >= 3
}

// beforeClause cuts off a sentence that continues behind a name: 东湖大学，现对该项目进行采购.
func beforeClause(s string) string {
	i := strings.IndexAny(s, "，,")
	if i > 0 && isHan(s[:i]) && orgEnd.MatchString(s[:i]) && !orgEnd.MatchString(s[i:]) {
		return s[:i]
	}
	return s
}

// isHan reports whether a text has a Chinese character.
func isHan(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return unicode.Is(unicode.Han, r) })
}

var (
	personName = htmldoc.NewPattern(`^(?:\p{Han}{1,4}·)?\p{Han}{2,4}(?:\s*[、,，/ ]\s*\p{Han}{2,4}){0,6}`)
	latinName  = htmldoc.NewPattern(`^(?:(?:Mr|Ms|Mrs|Dr)\.? )?[A-Z][a-zA-Z'\-]+(?: [A-Z][a-zA-Z.'\-]*){0,3}`)
	phoneForm  = htmldoc.NewPattern(`(?:\+?86[- ]?)?(?:1[3-9]\d{9}|\(?0\d{2,3}\)?\s*[-—－ ]?\s*\d{7,8}(?:\s*(?:转|-)\s*\d{1,5})?|400-?\d{3}-?\d{4}|[2-8]\d{6,7})`)
)

// contactTail matches the text after the name of a contact: means and address.
var (
	contactWord = `(?:(?:联系|办公|固定|移动)?(?:电\s*话|手\s*机)(?:号码|号)?|联系方式|传真|电子邮箱|邮箱|邮编|联系地址|地址)`
	contactTail = htmldoc.NewPattern(`[\s、,，/;；(]*` + contactWord + `.*$`)
	contactEnd  = htmldoc.NewPattern(contactWord + `\s*$`)
)

// parsePerson returns the name of a person at the start of a value; "" without one.
func parsePerson(s string) string {
	if at := contactTail.FindStringIndex(s); at != nil {
		s = s[:at[0]]
	}
	s = strings.TrimSpace(s)
	if isNothing(s) {
		return ""
	}
	if m := personName.FindString(s); m != "" {
		rest, _ := utf8.DecodeRuneInString(s[len(m):])
		if unicode.Is(unicode.Han, rest) {
			return "" // a longer word is not a name
		}
		return strings.TrimSpace(m)
	}
	if len(s) > 3 && utf8.RuneCountInString(s) <= 5 {
		if f := strings.Fields(s); len(f) == 2 && personName.MatchString(f[0]+f[1]) {
			return f[0] + f[1]
		}
	}
	return latinName.FindString(s)
}

// findPhone returns the first phone number and its range of bytes.
func findPhone(s string) (string, int, int) {
	for _, m := range phoneForm.FindAllStringIndex(s, 8) {
		if m[0] > 0 && isDigit(s[m[0]-1]) || m[1] < len(s) && isDigit(s[m[1]]) {
			continue
		}
		out := strings.Map(func(r rune) rune {
			switch {
			case r >= '0' && r <= '9' || r == '-' || r == '+':
				return r
			case r == '—' || r == '转' || r == ')':
				return '-'
			}
			return -1
		}, s[m[0]:m[1]])
		return strings.Replace(out, "--", "-", 1), m[0], m[1]
	}
	return "", 0, 0
}

// isNothing reports whether a text states that there is no value: 无, 详见附件, /.
func isNothing(s string) bool { return noValueForm.MatchString(strings.ToLower(s)) }
