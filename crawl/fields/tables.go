package fields

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"angler/crawl/htmldoc"

	"golang.org/x/net/html/atom"
)

// Cell is one cell of a table as drawn. A merged cell is in every place that it covers.
type Cell struct {
	Text     string
	id       int32 // equal in all places of a merged cell; 0 means not merged
	from, to int   // of the folded text; 0, 0 in a table of a page
}

// Table holds the cells of a data table.
type Table struct {
	Rows  [][]Cell
	Above string // caption and last lines before the table, at most maxAbove bytes each
}

const (
	maxAbove = 240
	maxLead  = 3 // lines above a table that may state its lot and unit
)

const (
	maxColumns = 40
	maxCell    = 1_000 // bytes of a cell
)

// ReadTables returns the innermost visible tables of a page. Merged cells are repeated in the
// places they cover.
func ReadTables(t *htmldoc.Tree) []Table {
	var out []Table
	cells, above := 0, 0
	for i := range t.Nodes {
		n := &t.Nodes[i]
		if n.Tag != atom.Table || n.IsText || n.Chars < 4 || n.LinkChars*2 > n.Chars {
			continue
		}
		inner := false
		for k := i + 1; k < int(n.End) && !inner; k++ {
			inner = t.Nodes[k].Tag == atom.Table && t.Nodes[k].Chars > 0
		}
		if inner {
			continue
		}
		tab := grid(t, int32(i), &cells)
		if len(tab.Rows) > 0 {
			tab.Above = Above(t, i, above)
			out = append(out, tab)
		}
		above = int(n.To)
		if len(out) == maxTables || cells >= maxCells {
			break
		}
	}
	return out
}

// Above returns the caption of a table and the last lines of the text between from and the table.
// It returns "" unless they state the unit or lot of its sums.
func Above(t *htmldoc.Tree, table, from int) string {
	n := &t.Nodes[table]
	out := t.Text[max(from, int(n.From)-maxAbove):n.From]
	for k := table + 1; k < int(n.End); k++ {
		switch c := &t.Nodes[k]; {
		case c.IsText:
		case c.Tag == atom.Caption:
			out += "\n" + t.Text[c.From:min(c.To, c.From+maxAbove)]
			k = int(n.End)
		case c.Tag == atom.Tr:
			k = int(n.End)
		}
	}
	out = strings.TrimSpace(strings.ToValidUTF8(out, ""))
	if lot, unit := aboveTable(fold(out).s); lot == "" && !unit.stated {
		return ""
	}
	return out
}

// unitStated matches a line with the unit of the sums below it: 单位：万元.
var unitStated = htmldoc.NewPattern(`(?:单位|币种)\s*(?:均?为|是)?\s*[:/]?\s*((?:人民币)?\s*(?:[十百千]?[万亿]|千)?\s*` +
	`(?:元|` + currencyNames + `))\s*(?:[)\]】,，;；。\s]|$)|(?:^|表)\s*[(\[【]\s*((?:人民币)?\s*(?:[十百千]?[万亿]|千)?元)\s*[)\]】]$`)

// unitLine returns the unit that a separate line states for the text below it.
func unitLine(line string) (unit moneyUnit) {
	if len(line) > 2*maxLabel || !mayBeUnit(line) ||
		!strings.Contains(line, "单位") && !strings.Contains(line, "币种") && strings.IndexByte(line, '(') < 0 {
		return unit
	}
	m := unitStated.FindStringSubmatchIndex(line)
	if m == nil || strings.ContainsAny(line[m[1]:], "0123456789") {
		return unit
	}
	return unitIn("(" + line[m[0]:m[1]] + ")")
}

// aboveTable returns the lot and unit in the last lines before a table.
func aboveTable(text string) (lot string, unit moneyUnit) {
	for n := 0; n < maxLead && text != ""; {
		text = strings.TrimRight(text, " \t\n")
		i := strings.LastIndexByte(text[max(0, len(text)-maxAbove):], '\n') + max(0, len(text)-maxAbove) + 1
		line := strings.TrimSpace(text[i:])
		text = text[:max(0, i-1)]
		n++
		if u := unitLine(line); u.stated {
			unit = cmp.Or(unit, u)
			continue
		}
		if m := lotLine.FindStringSubmatchIndex(line); m != nil && len(line) < 2*maxLabel {
			lot = cmp.Or(lot, lotOf(line, m))
			continue
		}
		if len(line) > maxLabel || strings.Contains(line, "\t") {
			break
		}
	}
	return lot, unit
}

// grid reads the cells of one table.
func grid(t *htmldoc.Tree, table int32, cells *int) Table {
	var tab Table
	type span struct {
		cell Cell
		rows int
	}
	hanging := map[int]*span{} // by column: cells that extend downwards
	var row []Cell
	fill := func() {
		for {
			h := hanging[len(row)]
			if h == nil || len(row) >= maxColumns {
				return
			}
			c := len(row)
			row = append(row, h.cell)
			if h.rows--; h.rows == 0 {
				delete(hanging, c)
			}
		}
	}
	flush := func() {
		fill()
		if len(row) > 0 {
			tab.Rows = append(tab.Rows, row)
		}
		row = nil
	}
	for i := table + 1; i < t.Nodes[table].End && *cells < maxCells; {
		n := &t.Nodes[i]
		switch {
		case n.IsText:
		case n.Hidden && !t.Nodes[table].Hidden && (n.Tag == atom.Tr || n.Tag == atom.Td || n.Tag == atom.Th):
			i = n.End // invisible
			continue
		case n.Tag == atom.Tr:
			flush()
		case n.Tag == atom.Td || n.Tag == atom.Th:
			fill()
			text := strings.TrimSpace(t.Text[n.From:n.To])
			if len(text) > maxCell {
				text = strings.ToValidUTF8(text[:maxCell], "")
			}
			c := Cell{Text: text, id: i}
			wide, high := spanOf(htmldoc.Attr(n.HTML, "colspan")), spanOf(htmldoc.Attr(n.HTML, "rowspan"))
			for range wide {
				if len(row) >= maxColumns || *cells >= maxCells {
					break
				}
				if high > 1 {
					hanging[len(row)] = &span{c, high - 1}
				}
				row = append(row, c)
				*cells++
			}
			i = n.End
			continue
		}
		i++
	}
	flush()
	return tab
}

// spanOf parses colspan and rowspan; invalid values are 1.
func spanOf(s string) int {
	n, err := strconv.Atoi(strings.TrimSpace(s))
	if err != nil || n < 1 {
		return 1
	}
	return min(n, maxColumns)
}

func (r *reading) readTables() {
	for i := range r.notice.Tables {
		if i == maxTables || r.cells > maxCells {
			r.reportLimit("tables")
			return
		}
		t := &r.notice.Tables[i]
		lot, unit := aboveTable(fold(t.Above).s)
		r.readTable(t, i+1, nowhere, lot, unit)
	}
}

// tableHead is the head of a table column.
type tableHead struct {
	hit      hit
	known    bool
	isLabel  bool // a label of a field or of something else
	printed  string
	unit     moneyUnit
	isLot    bool
	isRank   bool
	oldValue bool
	newValue bool
	row      int // row of the head
}

var (
	lotHead  = htmldoc.NewPattern(`^(?:包|包号|分包号|标段|标段号|标项|标项号|采购包|采购包号|合同包|序号|包件号|包组号)$`)
	rankHead = htmldoc.NewPattern(`^(?:排名|排序|名次|推荐排名|推荐顺序|候选人排序|综合排名|评审得分|综合得分|得分|总分|评审总得分|最终得分|中标候选人排序)$`)
	pastHead = htmldoc.NewPattern(`(?:更正|变更|修改|调整)前|^原`)
	// thingHead matches columns of tables that list things.
	thingHead = htmldoc.NewPattern(`^\s*(?:单价|(?:采购)?数量|工程量)(?:\s*[(（].*)?\s*$`)
	nowHead   = htmldoc.NewPattern(`(?:更正|变更|修改|调整)后|更正为|^现`)
)

func (r *reading) headOf(text string, ctx context) tableHead {
	if len(text) > 3*maxLabel {
		return tableHead{}
	}
	label, unit := plainLabel(fold(text).s)
	h := tableHead{printed: text, unit: unit}
	if label == "" {
		return h
	}
	h.hit, h.known = r.set.match(label, ctx)
	h.isLot, h.isRank = lotHead.MatchString(label), rankHead.MatchString(label)
	if r.kind == Correction && len(label) < 30 {
		h.oldValue, h.newValue = pastHead.MatchString(label), nowHead.MatchString(label)
	}
	h.isLabel = h.known || h.isLot || h.isRank || h.oldValue || h.newValue || r.set.isLabel(label, ctx)
	return h
}

// readTable reads a table of labels and values: one below the other, side by side, or both. number
// is 0 for a table in the text; lot and unit come from the text above it.
func (r *reading) readTable(t *Table, number int, ctx context, lot string, unit moneyUnit) {
	heads := make([][]tableHead, len(t.Rows))
	for i, row := range t.Rows {
		if r.cells += len(row); r.cells > maxCells || len(row) > maxColumns {
			r.reportLimit("cells")
			heads = heads[:i]
			break
		}
		heads[i] = make([]tableHead, len(row))
		for k := range row {
			heads[i][k] = r.headOf(row[k].Text, ctx)
			heads[i][k].row = i
		}
	}
	var columns []tableHead
	ranked := 0 // column of the first candidate if candidates are side by side
	for i := range heads {
		row := t.Rows[i]
		if len(row) == 1 || isOneCell(row) {
			if m := lotLine.FindStringSubmatchIndex(strings.TrimSpace(row[0].Text)); m != nil {
				lot, columns = lotOf(strings.TrimSpace(row[0].Text), m), nil
			}
			unit = cmp.Or(unitLine(strings.TrimSpace(fold(row[0].Text).s)), unit)
			r.readCell(row, i, 0, number, ctx, lot)
			continue
		}
		if k := rankedColumn(row); k > 0 {
			ranked, columns = k, nil
			continue
		}
		if ranked > 0 && ranked < len(row) && r.readRanked(row, heads[i], i, ranked, number, lot) {
			continue
		}
		if columns != nil && len(row) == len(columns) && isTotal(row) && r.listsItems(columns) && r.set.itemField < 0 {
			r.readTotal(row, columns, i, number, lot, unit)
			continue
		}
		if i+1 < len(heads) &&
			(headRow(row, heads[i]) || r.set.itemField >= 0 && r.set.itemHead(heads[i], heads[i+1])) {
			if columns != nil && columns[0].row == i-1 && len(columns) == len(row) { // a head of two rows
				for k := range columns {
					heads[i][k].unit = cmp.Or(heads[i][k].unit, columns[k].unit)
				}
			}
			columns = heads[i]
			unit = headUnit(columns, unit)
			continue
		}
		if columns != nil && columns[0].row == i-1 && unitRow(row, columns) {
			continue
		}
		if columns != nil && r.set.itemField >= 0 && len(row) == len(columns) {
			r.readItems(t, i, columns, number, ctx)
			continue
		}
		if columns != nil && number == 0 && len(row) < len(columns) && fitsHead(r.set, row, columns) {
			for len(row) < len(columns) {
				row = append(row, Cell{})
			}
			t.Rows[i] = row
		}
		if columns != nil && len(row) == len(columns) &&
			(!pairRow(row, heads[i]) || ranksCandidates(columns) || showsCorrections(columns) || isTotal(row)) {
			r.readRecord(t, i, columns, number, ctx, lot, unit)
			continue
		}
		if columns != nil && pairRow(row, heads[i]) {
			columns = nil
		}
		ctx = r.readPairs(row, heads[i], i, number, ctx, lot, unit)
	}
}

// wholeUnit matches a cell that is only a unit of money.
var wholeUnit = htmldoc.NewPattern(`^[(\[【]?\s*(?:单位\s*:\s*)?(?:人民币)?\s*(?:(?:[十百千]?[万亿]|千)?\s*` +
	`(?:元|` + currencyNames + `)|%)\s*(?:/[^()]{1,10})?[)\]】]?$`)

func cellUnit(c Cell) (unit moneyUnit) {
	if c.Text == "" || len(c.Text) > 45 || !mayBeUnit(c.Text) {
		return unit
	}
	text := strings.TrimSpace(fold(c.Text).s)
	if !wholeUnit.MatchString(text) {
		return unit
	}
	return unitIn("(" + text + ")")
}

// headUnit returns the unit that a head cell states for the table, otherwise the one above the
// table.
func headUnit(columns []tableHead, above moneyUnit) moneyUnit {
	for k := range columns {
		if !columns[k].known {
			if u := unitLine(strings.TrimSpace(fold(columns[k].printed).s)); u.stated {
				return u
			}
		}
	}
	return above
}

// unitRow reads a row with units below a head. It reports whether the row is one.
func unitRow(row []Cell, columns []tableHead) bool {
	if len(row) != len(columns) {
		return false
	}
	found := false
	for k := range row {
		u := cellUnit(row[k])
		if !u.stated && row[k].Text != "" && row[k].Text != columns[k].printed {
			return false
		}
		found = found || u.stated
	}
	if found {
		for k := range row {
			columns[k].unit = cmp.Or(cellUnit(row[k]), columns[k].unit)
		}
	}
	return found
}

// rowUnit returns the unit in a cell beside the sum in column k.
func rowUnit(row []Cell, k int) moneyUnit {
	for _, i := range [...]int{k + 1, k + 2, k + 3, k - 1} {
		if i >= 0 && i < len(row) && row[i].id != row[k].id {
			if u := cellUnit(row[i]); u.stated {
				return u
			}
		}
	}
	return moneyUnit{}
}

func isOneCell(row []Cell) bool {
	return !slices.ContainsFunc(row, func(c Cell) bool { return c.id != row[0].id })
}

// headRow reports whether a row is the head of a table. Most cells are labels then: two adjacent
// ones, or the first and the last one. No cell is a value.
func headRow(row []Cell, heads []tableHead) bool {
	adjacent, labels, cells, values := false, 0, 0, false
	last := -1
	for k := range row {
		if row[k].Text == "" || k > 0 && row[k].id == row[k-1].id {
			continue
		}
		cells++
		if heads[k].isLabel {
			labels++
			if last >= 0 && heads[last].isLabel {
				adjacent = true
			}
		} else {
			_, org := parseOrganisation(row[k].Text)
			values = values || org || utf8.RuneCountInString(row[k].Text) > 20 ||
				strings.ContainsAny(row[k].Text, "0123456789")
		}
		last = k
	}
	if n := len(row); n == cells && cells > 2 && heads[n-1].isLabel && heads[0].isLabel {
		adjacent = true
	}
	return adjacent && !values && labels*2 > cells
}

// showsCorrections reports whether a table shows old and new values side by side: 更正事项, 更正前, 更正后.
func showsCorrections(columns []tableHead) bool {
	return slices.ContainsFunc(columns, func(h tableHead) bool { return h.oldValue }) &&
		slices.ContainsFunc(columns, func(h tableHead) bool { return h.newValue })
}

// pairRow reports whether a row begins with the label of a field or of something else, and a value
// follows.
func pairRow(row []Cell, heads []tableHead) bool {
	for k := range row {
		if row[k].id == row[0].id || row[k].Text == "" {
			continue
		}
		return heads[0].isLabel && !heads[0].isLot && !heads[k].isLabel && len(row) <= 6 && !isNumber(row[0].Text)
	}
	return false
}

func isNumber(s string) bool {
	_, err := strconv.Atoi(strings.TrimSpace(s))
	return err == nil
}

// readRecord reads a row under a head: a lot, a correction, or a candidate.
func (r *reading) readRecord(t *Table, i int, columns []tableHead, number int, ctx context, lot string,
	unit moneyUnit) {
	row := t.Rows[i]
	ranked, correction, own := ranksCandidates(columns), false, false
	for k := range columns {
		h := &columns[k]
		correction = correction || h.newValue
		if h.isLot {
			if c := strings.TrimSpace(fold(row[k].Text).s); c != "" && len(c) <= 40 {
				if m := lotForm.FindStringSubmatchIndex(c); m != nil {
					c = lotOf(c, m)
				}
				if lot == "" || h.printed != "序号" {
					lot = c
				}
				own = own || h.printed != "序号" && (isFirstRow(t, i, columns) || len(t.Rows[i-1]) == len(row) &&
					t.Rows[i-1][k].Text != row[k].Text)
			}
		}
	}
	if correction {
		r.readCorrectionRow(row, columns, i, number)
		return
	}
	if ranked && i > 0 && !columns[0].known && !isFirstRow(t, i, columns) && !own {
		return // only the first candidate of each lot
	}
	if ranked && isNumber(lot) && !own {
		lot = ""
	}
	listed := listsBidders(r.set, t, i, columns)
	total := isTotal(row)
	second := columns[0].row + 2
	parts := !total && r.listsItems(columns) && len(t.Rows) > second && len(t.Rows[second]) == len(columns)
	for k := range columns {
		h := &columns[k]
		if !h.known || k > 0 && row[k].id == row[k-1].id || r.headOf(row[k].Text, ctx).known ||
			parts && r.set.fields[h.hit.field].Type == Money && r.set.fields[h.hit.field].form.preset {
			continue
		}
		p := r.cellPlace(row[k], i, k, number)
		p.label, p.ctx, p.total = h.printed, ctx, h.hit.total && total
		p.unit = cmp.Or(h.unit, rowUnit(row, k), unit)
		if !total {
			p.lot = lot
		}
		if listed && h.hit.rank < .7 {
			p.sure *= .7
		}
		r.readValue(h.hit, p)
	}
}

// isTotal reports whether a row holds the sums of the rows above it.
func isTotal(row []Cell) bool {
	return strings.Contains(row[0].Text, "合计") || strings.Contains(row[0].Text, "总计")
}

// listsItems reports whether a table lists things with their price and number, and neither lots nor
// winners. Its sums are parts of one sum, unless it has one row.
func (r *reading) listsItems(columns []tableHead) bool {
	things := false
	for k := range columns {
		h := &columns[k]
		if h.isLot && h.printed != "序号" || h.known && r.set.fields[h.hit.field].Type == Org {
			return false
		}
		things = things || thingHead.MatchString(h.printed)
	}
	return things
}

// readTotal reads the last cell of a total under the prices of things: the sum of its column, else
// the amount.
func (r *reading) readTotal(row []Cell, columns []tableHead, i, number int, lot string, unit moneyUnit) {
	field, ok := r.preset("amount")
	last := len(row) - 1
	for last > 0 && row[last].Text == "" {
		last--
	}
	if !ok || last == 0 || row[last].id == row[0].id {
		return
	}
	p := r.cellPlace(row[last], i, last, number)
	p.label, p.lot, p.total, p.unit = row[0].Text, lot, true, cmp.Or(columns[last].unit, unit)
	whole := hit{field: field, rank: .65, total: true}
	if h := &columns[last]; h.known && r.set.fields[h.hit.field].Type == Money {
		whole = h.hit
	}
	r.readValue(whole, p)
}

// isFirstRow reports whether a row is the first one under its head.
func isFirstRow(t *Table, i int, columns []tableHead) bool {
	return i > 0 && len(t.Rows[i-1]) == len(columns) && t.Rows[i-1][0].Text == columns[0].printed
}

// ranksCandidates reports whether the columns are those of ranked candidates.
func ranksCandidates(columns []tableHead) bool {
	return slices.ContainsFunc(columns, func(h tableHead) bool { return h.isRank })
}

// cellPlace returns the place of a cell.
func (r *reading) cellPlace(c Cell, row, col, number int) place {
	p := place{source: FromTable, sure: sureCell, table: number, row: row + 1, col: col + 1, ownLine: true}
	if c.to > c.from {
		p.f, p.from, p.to = r.text, c.from, c.to
	} else {
		p.f = fold(strings.ReplaceAll(c.Text, "\n", " "))
		p.to = len(p.f.s)
	}
	return p
}

// contactsOf are the contexts of the contacts that follow a field.
var contactsOf = map[string]context{"buyer": inBuyer, "agent": inAgent}

// readPairs reads a row of labels with values beside them. It returns the context of the contacts
// that follow.
func (r *reading) readPairs(row []Cell, heads []tableHead, i, number int, ctx context, lot string,
	unit moneyUnit) context {
	for k := range row {
		if k > 0 && row[k].id == row[k-1].id {
			continue
		}
		h := &heads[k]
		if !h.known {
			r.readCell(row[k:k+1], i, k, number, ctx, lot)
			continue
		}
		v := k + 1
		for v < len(row) && row[v].id == row[k].id {
			v++
		}
		if v+1 < len(row) && heads[v].isLabel && !heads[v+1].isLabel &&
			firstRank.MatchString(plainLabelOf(row[k].Text)) && rankedName.MatchString(plainLabelOf(row[v].Text)) {
			v++ // 第一中标候选人 | 单位名称 | …
		}
		if v >= len(row) || heads[v].isLabel {
			continue
		}
		p := r.cellPlace(row[v], i, v, number)
		p.label, p.ctx, p.lot, p.total = h.printed, ctx, lot, h.hit.total
		p.unit = cmp.Or(h.unit, rowUnit(row, v), unit)
		r.readValue(h.hit, p)
		ctx = cmp.Or(contactsOf[r.set.fields[h.hit.field].Name], ctx)
	}
	return ctx
}

// readCell reads the lines "label：value" within a cell.
func (r *reading) readCell(row []Cell, i, k, number int, ctx context, lot string) {
	if len(row) == 0 || !strings.ContainsAny(row[0].Text, ":：") {
		return
	}
	p := r.cellPlace(row[0], i, k, number)
	s := scan{r: &reading{set: r.set, text: p.f}, ctx: ctx}
	if p.f != r.text {
		p.f = fold(row[0].Text)
		s.r.text = p.f
		p.from, p.to = 0, len(p.f.s)
	}
	for _, line := range strings.SplitAfter(p.text(), "\n") {
		for _, q := range s.findPairs(p.from, p.from+len(strings.TrimRight(line, "\n"))) {
			if q.known && q.to > q.from {
				c := p
				c.from, c.to, c.label, c.unit = q.from, q.to, q.printed, q.unit
				c.lot, c.ctx, c.total, c.ownLine = lot, s.ctx, q.hit.total, false
				r.readValue(q.hit, c)
			}
			s.enterPart(q.label, q.known)
		}
		p.from += len(line)
	}
}
