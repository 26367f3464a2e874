package fields

import (
	"cmp"
	"iter"
	"strings"
	"unicode/utf8"

	"angler/crawl/htmldoc"
)

// Confidence of a value by its place, before its type and other values count.
const (
	sureCell     = .9
	sureLine     = .9
	sureNextLine = .8 // the label is on one line, its value on the next
)

// place is a range of the text with the known properties of its value.
type place struct {
	f            *folded // text that contains the range
	from, to     int
	source       Source
	label        string // as printed
	unit         moneyUnit
	lot          string
	ctx          context
	sure         float64
	total        bool
	table        int
	row, col     int
	time         Moment // a date that was printed without a year; zero for others
	ownLine      bool   // the value is on a line of its own
	isItemNumber bool   // lot is the number of a thing
}

func (p *place) text() string { return p.f.s[p.from:p.to] }

var (
	// lotForm names a separately awarded part of a project.
	lotForm = htmldoc.NewPattern(`(?:采购包|分包号|分包|标段|标项|合同包|包件|包号|包)\s*(?:号|编号)?\s*[::]?\s*[(]?([0-9]{1,3}|[一二三四五六七八九十]{1,3}|[A-Z])\b?[)]?|第?([0-9]{1,3}|[一二三四五六七八九十]{1,3}|[A-Z])\s*(?:标段|标项|合同包|分包|号包|包)`)
	lotLine = htmldoc.NewPattern(`^(?:采购包|分包号|分包|标段|标项|合同包|包号|包)\s*(?:号|编号)?\s*[::]?\s*[(]?([0-9]{1,3}|[一二三四五六七八九十]{1,3}|[A-Z])[)]?\s*(?:\([^()]{2,60}\))?[::]?$|^第?([0-9]{1,3}|[一二三四五六七八九十]{1,3}|[A-Z])\s*(?:标段|标项|合同包|分包|包)\s*(?:\([^()]{2,60}\))?[::]?$`)
	// lotHere precedes the values of one part on its line: 第一标段：中标人：…
	lotHere      = htmldoc.NewPattern(`^第?([0-9]{1,3}|[一二三四五六七八九十]{1,3}|[A-Z])\s*(?:标段|标项|合同包|分包|包)\s*:|^(?:采购包|分包|标段|标项|合同包|包)\s*([0-9]{1,3}|[一二三四五六七八九十]{1,3}|[A-Z])\s*:`)
	newValueMark = htmldoc.NewPattern(`(?:更正|变更|调整|修改)(?:后|为)|现(?:更正|变更|调整|修改|改)为?`)
	// lotLead precedes the label of one part: 第一包成交供应商.
	lotLead      = htmldoc.NewPattern(`^(?:第?([0-9]{1,3}|[一二三四五六七八九十]{1,3}|[a-z])(?:标段|标项|合同包|分包|号包|包)|(?:采购包|分包|标段|标项|合同包|包)([0-9]{1,3}|[一二三四五六七八九十]{1,3}|[a-z]))的?`)
	oldValueMark = htmldoc.NewPattern(`(?:更正|变更|调整|修改)前|原(?:公告|内容|文件|招标|采购|信息)?.{0,8}(?:内容|为|[::]$)`)
)

// lotOf returns the lot in a match of lotForm, lotLine, lotHere or lotLead.
func lotOf(s string, m []int) string {
	for g := 2; g < len(m); g += 2 {
		if m[g] >= 0 {
			return s[m[g]:m[g+1]]
		}
	}
	return ""
}

// pair is a label and the text after it on its line.
type pair struct {
	label    string // plain
	printed  string
	unit     moneyUnit
	lot      string // lot in the label
	from, to int    // the value
	hit      hit
	known    bool // the label is one of a field
}

// scan is the state of reading a text line by line.
type scan struct {
	r           *reading
	lines       [][2]int
	ctx         context
	lot         string
	unit        moneyUnit // of sums, on a separate line
	inOldValues bool      // in old values of a correction
	pending     *pair     // a label whose value is on the next line
	queue       []pair    // labels of a table that lost its cells
}

// readLines reads lines "label：value", labels with the value on the next line, and tables printed
// as lines.
func (r *reading) readLines() {
	s := scan{r: r}
	for from, to := range linesOf(r.text.s) {
		if strings.TrimSpace(r.text.s[from:to]) != "" {
			if len(s.lines) == maxLines {
				r.reportLimit("lines")
				break
			}
			s.addLine(from, to)
		}
	}
	for i := 0; i < len(s.lines); i++ {
		if n := s.readTabRows(i); n > 0 {
			s.pending, s.queue = nil, nil
			i += n - 1
			continue
		}
		s.readLine(i)
	}
}

// linesOf yields the range of each line of a text, without its end.
func linesOf(s string) iter.Seq2[int, int] {
	return func(yield func(from, to int) bool) {
		for from := 0; from < len(s); {
			to := from + lineEnd(s[from:])
			if !yield(from, to) {
				return
			}
			from = to + 1
		}
	}
}

// clause matches the start of a numbered clause within a line: … 二、采购项目编号：…
var clause = htmldoc.NewPattern(`(?:\s+|[。；;]\s*)(?:[一二三四五六七八九十]{1,3}、[^一二三四五六七八九十]|\d{1,2}\s*[、.]\s*\p{Han})`)

// longLine is the length in bytes from which a line may hold several clauses.
const longLine = 60

// addLine adds a line, split if markup has joined several clauses.
func (s *scan) addLine(from, to int) {
	text := s.r.text.s[from:to]
	begin := from
	if len(text) > longLine && strings.IndexByte(text, '\t') < 0 &&
		(strings.Contains(text, "、") || strings.IndexByte(text, '.') >= 0) {
		for _, m := range clause.FindAllStringIndex(text, 64) {
			if at := from + m[0]; at > begin {
				s.lines = append(s.lines, [2]int{begin, at})
				begin = at
			}
		}
	}
	s.lines = append(s.lines, [2]int{begin, to})
}

// readTabRows reads a table printed as lines with tabs, and returns the number of its lines.
func (s *scan) readTabRows(i int) int {
	n, wide := 0, 0
	for ; i+n < len(s.lines) && n < 300; n++ {
		line := strings.Trim(s.r.text.s[s.lines[i+n][0]:s.lines[i+n][1]], " \t")
		if !strings.Contains(line, "\t") {
			break
		}
		wide++
	}
	if wide == 0 {
		return 0
	}
	if len(s.r.notice.Tables) > 0 {
		return n // already read as tables
	}
	t := Table{}
	for _, l := range s.lines[i : i+n] {
		var row []Cell
		from := l[0]
		text := strings.TrimSuffix(strings.TrimRight(s.r.text.s[l[0]:l[1]], " "), "\t")
		for k, cell := range strings.Split(text, "\t") {
			row = append(row, Cell{Text: cell, id: int32(len(t.Rows)*1000 + k + 1),
				from: from, to: from + len(cell)})
			from += len(cell) + 1
		}
		t.Rows = append(t.Rows, row)
	}
	lot, unit := aboveTable(s.r.text.s[:s.lines[i][0]])
	s.r.readTable(&t, 0, s.ctx, cmp.Or(lot, s.lot), cmp.Or(unit, s.unit))
	return n
}

// readLine reads one line.
func (s *scan) readLine(i int) {
	r := s.r
	from, to := s.lines[i][0], s.lines[i][1]
	if to-from > maxLine {
		to = from + maxLine
		for !utf8.RuneStart(r.text.s[to]) {
			to--
		}
	}
	text := r.text.s[from:to]
	trimmed := strings.TrimSpace(text)
	if r.kind == Correction {
		b, a := oldValueMark.FindStringIndex(text), newValueMark.FindStringIndex(text)
		switch {
		case a != nil && (b == nil || a[0] > b[0]):
			s.inOldValues = false
		case b != nil:
			s.inOldValues = true
		}
	}
	if len(trimmed) < maxLabel {
		if m := lotLine.FindStringSubmatchIndex(trimmed); m != nil {
			s.lot, s.pending = lotOf(trimmed, m), nil
			return
		}
		if u := unitLine(trimmed); u.stated {
			s.unit = u
			return
		}
	}
	pairs := s.findPairs(from, to)
	if len(pairs) > 0 && (strings.Contains(pairs[0].printed, "包") ||
		strings.Contains(trimmed[:min(len(trimmed), 21)], "标")) {
		if m := lotHere.FindStringSubmatchIndex(trimmed); m != nil {
			s.lot = lotOf(trimmed, m)
		}
	}
	whole, unit := plainLabel(trimmed)
	ctx, head := r.set.heading(trimmed, whole)
	if s.pending != nil {
		w := *s.pending
		s.pending = nil
		if len(pairs) == 0 && !r.set.isLabel(whole, s.ctx) && !(head && ctx != elsewhere) {
			p := s.place(&w, from, to, sureNextLine)
			p.ownLine = true
			if len(s.queue) > 1 {
				s.assignByForm(p)
				return
			}
			r.readValue(w.hit, p)
			s.queue = nil
			s.enterPart(w.label, w.known)
			return
		}
	} else if len(s.queue) > 1 && len(pairs) == 0 && !r.set.isLabel(whole, s.ctx) {
		s.assignByForm(s.place(&s.queue[0], from, to, sureNextLine))
		return
	}
	if len(pairs) > 0 {
		s.queue = nil
		for k := range pairs {
			s.readPair(&pairs[k])
		}
		return
	}
	if s.readSpacedPairs(from, to) {
		return
	}
	if head {
		s.ctx, s.unit = ctx, moneyUnit{}
		if ctx != inWinner { // 成交供应商 may be a head of a table that lost its cells
			s.queue = nil
		}
		if ctx == elsewhere {
			s.lot = ""
		}
	}
	if h, ok := r.set.match(whole, s.ctx); ok {
		w := pair{label: whole, printed: trimmed, unit: unit, hit: h, known: true}
		s.pending = &w
		s.queue = append(s.queue, w)
		return
	}
	if r.set.isLabel(whole, s.ctx) {
		if len(s.queue) > 0 {
			s.queue = append(s.queue, pair{label: whole})
		}
		return
	}
	s.queue = nil
}

// assignByForm gives a cell of a table that lost its rows to a queued label by its form. It
// recognises only sums and organisations.
func (s *scan) assignByForm(p place) {
	for k := range s.queue {
		q := &s.queue[k]
		if !q.known {
			continue
		}
		p.label, p.unit = q.printed, cmp.Or(q.unit, s.unit)
		switch f := &s.r.set.fields[q.hit.field]; f.Type {
		case Money:
			if a, ok := firstSum(p.text(), q.unit); !ok || !a.Unit || strings.TrimSpace(p.text()[a.To:]) != "" {
				continue
			}
		case Org:
			if name, _ := parseOrganisation(p.text()); !company.MatchString(strings.ToLower(name)) {
				continue
			}
		default:
			continue
		}
		s.r.readValue(q.hit, p)
		q.known = false
		return
	}
}

// place returns the place of a pair's value.
func (s *scan) place(p *pair, from, to int, sure float64) place {
	ctx := s.ctx
	if s.inOldValues || s.r.isOldValue(p) {
		ctx = inOldValues
	}
	return place{f: s.r.text, from: from, to: to, source: FromLine, label: p.printed, unit: cmp.Or(p.unit, s.unit),
		lot: cmp.Or(p.lot, s.lot), ctx: ctx, sure: sure, total: p.hit.total}
}

// isOldValue reports whether a label announces the old value of a correction: 原投标截止时间.
func (r *reading) isOldValue(p *pair) bool {
	if r.kind != Correction || !p.known || !strings.HasPrefix(p.label, "原") {
		return false
	}
	t := r.set.fields[p.hit.field].Type
	return t == Time || t == Money
}

// readPair reads a label and its value.
func (s *scan) readPair(p *pair) {
	value := strings.TrimSpace(s.r.text.s[p.from:p.to])
	if m := lotLine.FindStringSubmatchIndex(strings.TrimSpace(p.printed + ":" + value)); m != nil && len(value) < 12 {
		s.lot = lotOf(p.printed+":"+value, m)
		return
	}
	if value == "" {
		if ctx, ok := s.r.set.heading(p.printed, p.label); ok {
			s.ctx = ctx
		}
		if p.known {
			w := *p
			s.pending, s.queue = &w, nil
		}
		return
	}
	if p.known {
		s.r.readValue(p.hit, s.place(p, p.from, p.to, sureLine))
	}
	s.enterPart(p.label, p.known)
}

// enterPart enters the part of the notice that a label starts. Contacts after 采购人：… are those of
// the buyer.
func (s *scan) enterPart(label string, known bool) {
	if ctx, ok := s.r.set.heading(label, label); ok && known && (ctx == inBuyer || ctx == inAgent) {
		s.ctx = ctx
	} else if known {
		switch {
		case buyerLabel.MatchString(label):
			s.ctx = inBuyer
		case agentLabel.MatchString(label):
			s.ctx = inAgent
		}
	}
}
