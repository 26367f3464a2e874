package fields

import (
	"angler/crawl/htmldoc"
)

// This file reads difficult table rows: those that lost cells, and candidates side by side, as in
// columns 第一中标候选人, 第二中标候选人 ….

var (
	firstRank  = htmldoc.NewPattern(`^(?:第一(?:中标|成交|中选)?候选(?:人|供应商|单位)|第一名|第1名)$`)
	secondRank = htmldoc.NewPattern(`^(?:第二(?:中标|成交|中选)?候选(?:人|供应商|单位)|第二名|第2名)$`)
	rankedName = htmldoc.NewPattern(`^(?:单位|投标人|供应商|候选人|中标候选人|企业|公司)?(?:名称|全称)?$`)
	rankedSum  = htmldoc.NewPattern(`^(?:投标|最终|评审)?(?:总)?(?:报价|价格|价|金额)$`)
)

// rankedColumn returns the column of the first candidate if candidates are column heads, otherwise
// 0.
func rankedColumn(row []Cell) int {
	for k := 1; k+1 < len(row); k++ {
		if firstRank.MatchString(plainLabelOf(row[k].Text)) && secondRank.MatchString(plainLabelOf(row[k+1].Text)) {
			return k
		}
	}
	return 0
}

// readRanked reads the name or the sum of the first of the candidates that stand side by side. It
// reports whether the row has them.
func (r *reading) readRanked(row []Cell, heads []tableHead, i, k, number int, lot string) bool {
	label := plainLabelOf(row[0].Text)
	field := ""
	switch {
	case label != "" && rankedName.MatchString(label):
		field = "winner"
	case rankedSum.MatchString(label):
		field = "amount"
	}
	at, ok := r.preset(field)
	if !ok {
		return false
	}
	p := r.cellPlace(row[k], i, k, number)
	p.label, p.unit, p.lot = "第一候选人 "+heads[0].printed, heads[0].unit, lot
	r.readValue(hit{field: at, rank: .85}, p)
	return true
}

// fitsHead reports whether a row that lost its last cells still matches its head. It must begin
// with a number, and its cells must have the types of their fields.
func fitsHead(set *Set, row []Cell, columns []tableHead) bool {
	if len(row)+2 < len(columns) || !columns[0].isLot || !isNumber(row[0].Text) {
		return false
	}
	fitting := 0
	for k := range row {
		if !columns[k].known {
			continue
		}
		text := fold(row[k].Text).s
		ok := true
		switch set.fields[columns[k].hit.field].Type {
		case Org:
			_, ok = parseOrganisation(text)
		case Money:
			_, ok = firstSum(text, columns[k].unit)
		case Time:
			_, ok = ParseTime(text)
		default:
			continue
		}
		if !ok {
			return false
		}
		fitting++
	}
	return fitting > 0
}

// winnerMark matches a cell that marks the winner.
var winnerMark = htmldoc.NewPattern(`^(?:第一.*|第1.*|(?:预|拟|推荐)?(?:中标|成交|中选).*|推荐|是|1)$`)

// listsBidders reports whether rows list bidders without winner or rank. No head mentions winning
// then, and another row has another name in the same column.
func listsBidders(set *Set, t *Table, i int, columns []tableHead) bool {
	column := -1
	for k := range columns {
		label, _ := plainLabel(columns[k].printed)
		if columns[k].isRank || columns[k].isLot && columns[k].printed != "序号" || winnerWords.MatchString(label) {
			return false
		}
		if columns[k].known && set.fields[columns[k].hit.field].Name == "winner" {
			column = k
		}
	}
	if column < 0 {
		return false
	}
	for k := 1; k < len(t.Rows[i]); k++ {
		if k != column && winnerMark.MatchString(plainLabelOf(t.Rows[i][k].Text)) {
			return false
		}
	}
	for n := columns[0].row + 1; n < len(t.Rows); n++ {
		if row := t.Rows[n]; n != i && len(row) == len(columns) && row[column].Text != t.Rows[i][column].Text &&
			row[column].Text != "" {
			return true
		}
	}
	return false
}
