package webtest

import (
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"golang.org/x/text/encoding/simplifiedchinese"
)

// encoding selects one of the two encodings stored for every text, so that rendering a GBK page copies instead of
// encoding.
type encoding uint8

const (
	utf8Text encoding = iota
	gbkText
)

// text is one string in both encodings, indexed by encoding.
type text [2]string

// newText encodes s, which must be valid UTF-8 and representable in GBK.
func newText(s string) (text, error) {
	g, err := simplifiedchinese.GBK.NewEncoder().String(s)
	if err != nil || !utf8.ValidString(s) {
		return text{}, fmt.Errorf("%q cannot be written in GBK: replace the character that GBK lacks", s)
	}
	return text{s, g}, nil
}

// A phrase is a compiled line of a topic file: literals and placeholders.
type phrase []op

type op struct {
	kind  opKind
	fresh bool // drawn at each place instead of once per page
	lit   text
	list  *wordList
	lo    int // number: minimum; date: offset in days
	hi    int // number: maximum
}

type opKind uint8

const (
	opLit    opKind = iota
	opList          // a draw from a word list
	opNumber        // {{n:lo-hi}}
	opUniversity
	opShort
	opCity
	opOffice
	opYear
	opMonth
	opDate  // {{date}}, {{date+7}}, {{date-3}}: 2026年3月5日
	opMoney // 128.50万元
	opPrice // the award price of the same purchase
	opYuan  // 1285000.00
	opCode  // project number
	opPhone
)

var opNames = map[string]opKind{
	"univ": opUniversity, "short": opShort, "city": opCity, "office": opOffice,
	"year": opYear, "month": opMonth, "money": opMoney, "price": opPrice,
	"yuan": opYuan, "code": opCode, "phone": opPhone,
}

// A wordList is one [section] of a topic file.
type wordList struct {
	id      uint64
	phrases []phrase
	strides []int // see at
}

// compile converts a line with {{placeholders}} to a phrase; resolve finds word lists by name.
func compile(line string, resolve func(string) (*wordList, error)) (phrase, error) {
	var out phrase
	for line != "" {
		before, rest, found := strings.Cut(line, "{{")
		if strings.ContainsAny(before, "<>&\"") {
			return nil, fmt.Errorf("%q: < > & and \" would need escaping, use full-width forms", before)
		}
		if before != "" {
			t, err := newText(before)
			if err != nil {
				return nil, err
			}
			out = append(out, op{kind: opLit, lit: t})
		}
		if !found {
			break
		}
		name, after, closed := strings.Cut(rest, "}}")
		if !closed {
			return nil, fmt.Errorf("%q: a placeholder is not closed", line)
		}
		o, err := compilePlaceholder(name, resolve)
		if err != nil {
			return nil, err
		}
		out = append(out, o)
		line = after
	}
	return out, nil
}

func compilePlaceholder(name string, resolve func(string) (*wordList, error)) (op, error) {
	name, fresh := strings.CutSuffix(name, "*")
	if span, ok := strings.CutPrefix(name, "n:"); ok {
		lo, hi, _ := strings.Cut(span, "-")
		a, err1 := strconv.Atoi(lo)
		b, err2 := strconv.Atoi(hi)
		if err1 != nil || err2 != nil || a < 0 || b < a {
			return op{}, fmt.Errorf("{{%s}}: write {{n:lowest-highest}}", name)
		}
		return op{kind: opNumber, lo: a, hi: b}, nil
	}
	if offset, ok := strings.CutPrefix(name, "date"); ok {
		days := 0
		if offset != "" {
			var err error
			if days, err = strconv.Atoi(offset); err != nil {
				return op{}, fmt.Errorf("{{%s}}: write {{date}}, {{date+7}} or {{date-7}}", name)
			}
		}
		return op{kind: opDate, lo: days}, nil
	}
	if kind, ok := opNames[name]; ok {
		return op{kind: kind, fresh: fresh}, nil
	}
	l, err := resolve(name)
	if err != nil {
		return op{}, err
	}
	return op{kind: opList, list: l, fresh: fresh}, nil
}

// A speaker renders phrases with the placeholder values of one page.
type speaker struct {
	host *host
	enc  encoding
	key  uint64 // of the page; bound placeholders depend on it alone
	rng  random // source of fresh placeholders in page order
	date time.Time

	bound bool // inside a bound placeholder, which must not depend on its place
	used  [16]struct {
		list *wordList
		n    int
	} // draws so far, so that a page does not repeat itself
}

// say appends p.
func (s *speaker) say(dst []byte, p phrase) []byte {
	for i := range p {
		o := &p[i]
		switch o.kind {
		case opLit:
			dst = append(dst, o.lit[s.enc]...)
		case opList:
			if o.fresh {
				dst = s.say(dst, o.list.phrases[s.pick(o.list)])
				continue
			}
			rng, bound := s.rng, s.bound
			s.rng, s.bound = random(mix(s.key, o.list.id)), true
			dst = s.say(dst, o.list.phrases[s.rng.below(len(o.list.phrases))])
			s.rng, s.bound = rng, bound
		case opNumber:
			dst = strconv.AppendInt(dst, int64(o.lo+s.rng.below(o.hi-o.lo+1)), 10)
		case opUniversity:
			dst = append(dst, s.host.univ.name[s.enc]...)
		case opShort:
			dst = append(dst, s.host.univ.short[s.enc]...)
		case opCity:
			dst = append(dst, s.host.univ.city[s.enc]...)
		case opOffice:
			dst = append(dst, s.host.name[s.enc]...)
		case opYear:
			dst = strconv.AppendInt(dst, int64(s.date.Year()), 10)
		case opMonth:
			dst = strconv.AppendInt(dst, int64(s.date.Month()), 10)
		case opDate:
			dst = s.sayDate(dst, s.date.AddDate(0, 0, o.lo))
		default:
			dst = s.sayFigure(dst, o)
		}
	}
	return dst
}

// pick draws from a list. A page starts at its own index of each list and uses strides that visit every phrase once
// before repeating.
func (s *speaker) pick(l *wordList) int {
	n := len(l.phrases)
	if s.bound {
		return s.rng.below(n)
	}
	for i := range s.used {
		u := &s.used[i]
		if u.list == nil {
			u.list = l
		}
		if u.list == l {
			u.n++
			return l.at(s.key, u.n)
		}
	}
	return s.rng.below(n)
}

// at returns the k-th index of the list's walk for key.
func (l *wordList) at(key uint64, k int) int {
	start := random(mix(key, l.id+1))
	return (start.below(len(l.phrases)) + k*l.strides[start.below(len(l.strides))]) % len(l.phrases)
}

// strides returns the numbers below n that are coprime to n.
func strides(n int) []int {
	out := []int{1}
	for k := 2; k < n; k++ {
		a, b := n, k
		for b > 0 {
			a, b = b, a%b
		}
		if a == 1 {
			out = append(out, k)
		}
	}
	return out
}

// sayFigure appends placeholders of digits. All but fresh ones depend on the page alone, so that title and table
// agree.
func (s *speaker) sayFigure(dst []byte, o *op) []byte {
	bound := random(mix(s.key, uint64(opMoney)))
	if o.kind == opCode || o.kind == opPhone {
		bound = random(mix(s.key, uint64(o.kind)))
	}
	r := &bound
	if o.fresh {
		r = &s.rng
	}
	switch o.kind {
	case opMoney, opPrice, opYuan:
		fen := int64(80_000_00 + r.below(9_000_000_00)) // 80 000 to 9 million yuan, in fen
		if o.kind == opPrice {
			fen -= fen * int64(2+r.below(12)) / 100
		}
		if o.kind == opMoney {
			dst = appendCents(dst, fen/10_000)
			return append(dst, wan[s.enc]...)
		}
		dst = appendCents(dst, fen)
		if o.kind == opPrice {
			dst = append(dst, yuan[s.enc]...)
		}
	case opCode:
		for _, c := range []byte(s.host.univ.domain[:min(4, len(s.host.univ.domain))]) {
			dst = append(dst, c&^0x20)
		}
		dst = append(dst, "-ZC"...)
		dst = strconv.AppendInt(dst, int64(s.date.Year()), 10)
		dst = appendPadded(dst, r.below(1000), 4)
	case opPhone:
		dst = append(dst, "0599-8555"...)
		dst = appendPadded(dst, r.below(10_000), 4)
	}
	return dst
}

var (
	wan   = mustText("万元")
	yuan  = mustText("元")
	year  = mustText("年")
	month = mustText("月")
	day   = mustText("日")
)

// mustText encodes literals of this package.
func mustText(s string) text {
	t, err := newText(s)
	if err != nil {
		panic(err)
	}
	return t
}

func (s *speaker) sayDate(dst []byte, t time.Time) []byte {
	y, m, d := t.Date()
	dst = strconv.AppendInt(dst, int64(y), 10)
	dst = append(dst, year[s.enc]...)
	dst = strconv.AppendInt(dst, int64(m), 10)
	dst = append(dst, month[s.enc]...)
	dst = strconv.AppendInt(dst, int64(d), 10)
	return append(dst, day[s.enc]...)
}

func appendPadded(dst []byte, n, width int) []byte {
	for w := 10; width > 1; width, w = width-1, w*10 {
		if n < w {
			for ; width > 1; width-- {
				dst = append(dst, '0')
			}
			break
		}
	}
	return strconv.AppendInt(dst, int64(n), 10)
}

func appendCents(dst []byte, cents int64) []byte {
	dst = strconv.AppendInt(dst, cents/100, 10)
	dst = append(dst, '.')
	return appendPadded(dst, int(cents%100), 2)
}
