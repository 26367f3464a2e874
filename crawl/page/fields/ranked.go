package fields

import "angler/crawl/page/pattern"

// This file is candidates that stand beside each other in a table: 第一中标候选人,
// 第二中标候选人 … are the heads of columns.

var (
	firstRank  = pattern.New(`^(?:第一(?:中标|成交|中选)?候选(?:人|供应商|单位)|第一名|第1名)$`)
	secondRank = pattern.New(`^(?:第二(?:中标|成交|中选)?候选(?:人|供应商|单位)|第二名|第2名)$`)
	rankedName = pattern.New(`^(?:单位|投标人|供应商|候选人|中标候选人|企业|公司)?(?:名称|全称)?$`)
	rankedSum  = pattern.New(`^(?:投标|最终|评审)?(?:总)?(?:报价|价格|价|金额)$`)
)

// rankedColumn returns the column of the first of candidates that are the heads of
// columns, 0 when a row has none.
func rankedColumn(row []Cell) int {
	for k := 1; k+1 < len(row); k++ {
		if firstRank.MatchString(plainText(row[k])) && secondRank.MatchString(plainText(row[k+1])) {
			return k
		}
	}
	return 0
}

func plainText(c Cell) string { label, _ := plainLabel(fold(c.Text).s); return label }

// readRanked reads a row of what candidates beside each other are: who the first one is,
// and for how much. It reports whether the row is one of that.
func (r *reading) readRanked(row []Cell, heads []head, i, k, number int, lot string) bool {
	label := plainText(row[0])
	field := ""
	switch {
	case label != "" && rankedName.MatchString(label):
		field = "winner"
	case rankedSum.MatchString(label):
		field = "amount"
	}
	at, ok := r.set.named[field]
	if !ok || !r.set.fields[at].form.preset {
		return false
	}
	p := r.cellPlace(row[k], i, k, number)
	p.label, p.unit, p.lot = "第一候选人 "+heads[0].printed, heads[0].unit, lot
	r.take(hit{field: at, rank: .85}, p)
	return true
}
