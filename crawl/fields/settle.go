package fields

import (
	"cmp"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"time"

	"angler/crawl/htmldoc"
)

// decide compares the candidates of every field and accepts or doubts them.
func (r *reading) decide() {
	r.dropSingleNumber()
	r.pairContact()
	for i := range r.set.fields {
		f := &r.set.fields[i]
		groups := mergeCandidates(r.found[i])
		if len(groups) == 0 {
			continue
		}
		r.doubtImpossible(f, groups)
		if f.Type == Money && f.form.preset {
			doubtContradicted(groups)
		}
		var chosen []Value
		if f.form.perLot {
			chosen = r.lotValues(f, groups)
		} else {
			chosen = bestValues(f, groups)
		}
		for _, v := range groups { // show replaced values and contradicting sums
			if len(chosen) < maxShown && (v.Doubt == doubtReplaced || v.Doubt == doubtOther) &&
				!slices.ContainsFunc(chosen, func(o Value) bool { return o.Lot == v.Lot && o.Norm == v.Norm }) {
				chosen = append(chosen, v)
			}
		}
		for _, v := range chosen {
			v.Sure = float64(int(v.Sure*100+.5)) / 100
			if v.Doubt == "" && v.Sure < MinConfidence {
				v.Doubt = "weak evidence"
			}
			if v.Doubt == "" {
				r.result.Values = append(r.result.Values, v)
			} else {
				r.result.Doubtful = append(r.result.Doubtful, v)
			}
		}
	}
	r.dropAgentAsBuyer("agent", "buyer")
	r.compareSums()
}

// Doubts of sums that other places of the notice contradict.
const (
	doubtOther   = "table and text give different sums"
	maxSumsApart = .05 // difference in confidence of two contradicting sums
	maxRatio     = 100 // between paid and planned sum
	maxShown     = 8   // values of a field; more doubtful ones are dropped
)

// doubtContradicted doubts the surest sum if another kind of place gives another one with similar
// confidence. A sum over lots contradicts none of its parts.
func doubtContradicted(groups []Value) {
	top := &groups[0]
	if top.Doubt != "" || !top.unit {
		return
	}
	for i := 1; i < len(groups); i++ {
		o := &groups[i]
		table := top.Source == FromTable && o.Source == FromLine || top.Source == FromLine && o.Source == FromTable
		if !table || o.Lot != top.Lot || o.Doubt != "" || !o.unit || o.total || top.total ||
			weight(*o) < weight(*top)-maxSumsApart {
			continue
		}
		for k := range groups { // a third sum is no surer
			if groups[k].Lot == top.Lot && groups[k].Doubt == "" {
				groups[k].Doubt = doubtOther
			}
		}
		return
	}
}

// compareSums doubts an award out of proportion to the budget or the ceiling. One of them has
// another unit then.
func (r *reading) compareSums() {
	var planned, paid float64
	for i := range r.result.Values {
		v := &r.result.Values[i]
		f := r.set.Named(v.Field)
		if f.Type != Money || !f.form.preset {
			continue
		}
		n, _ := strconv.ParseFloat(v.Norm, 64)
		switch v.Field {
		case "budget", "ceiling":
			planned = max(planned, n)
		case "amount":
			paid = max(paid, n)
		}
	}
	if planned == 0 || paid == 0 || paid < planned*maxRatio && paid > planned/maxRatio {
		return
	}
	keep := r.result.Values[:0]
	for _, v := range r.result.Values {
		if v.Field == "amount" {
			v.Doubt = doubtUnit
			r.result.Doubtful = append(r.result.Doubtful, v)
		} else {
			keep = append(keep, v)
		}
	}
	r.result.Values = keep
}

// maxContactDistance bounds the bytes between a name and its phone number.
const maxContactDistance = 90

// pairContact prefers the number beside the name of the contact. Notices also print those of buyer
// and agent, and more often.
func (r *reading) pairContact() {
	contact, ok := r.set.fieldIndex["contact"]
	phone, hasPhone := r.set.fieldIndex["phone"]
	if !ok || !hasPhone {
		return
	}
	names := mergeCandidates(r.found[contact])
	if len(names) == 0 {
		return
	}
	name := &names[0]
	for i := range r.found[phone] {
		v := &r.found[phone][i]
		inRow := v.Row > 0 && v.Table == name.Table && v.Row == name.Row
		behind := v.Row == 0 && name.Row == 0 && name.To > 0 && v.From >= name.To && v.From-name.To < maxContactDistance
		if inRow || behind {
			v.Sure = min(.99, v.Sure+.1)
		}
	}
}

// dropAgentAsBuyer drops a buyer equal to the agent if only the title names it.
func (r *reading) dropAgentAsBuyer(agent, buyer string) {
	names := map[string]bool{}
	for _, v := range r.result.Values {
		if v.Field == agent {
			names[v.Norm] = true
		}
	}
	r.result.Values = slices.DeleteFunc(r.result.Values, func(v Value) bool {
		return v.Field == buyer && v.Source == FromTitle && names[v.Norm]
	})
}

// mergeCandidates merges the candidates with the same value of the same lot, and sorts them, best
// first.
func mergeCandidates(found []Value) []Value {
	var out []Value
	for _, v := range found {
		if v.Sure <= 0 {
			continue
		}
		k := slices.IndexFunc(out, func(o Value) bool {
			return o.Lot == v.Lot && (sameValue(o.Norm, v.Norm) ||
				o.coarse && roundsTo(o.Norm, v.Norm) || v.coarse && roundsTo(v.Norm, o.Norm))
		})
		if k < 0 {
			out = append(out, v)
			continue
		}
		o := &out[k]
		agreement := o.Agree + 1
		if v.Row != o.Row && v.Column == o.Column && v.Column > 0 && v.Table == o.Table {
			agreement-- // another row of a table describes another thing
		}
		better := v.Sure > o.Sure
		if (v.Doubt == "") != (o.Doubt == "") {
			better = v.Doubt == ""
		} else if !sameValue(o.Norm, v.Norm) { // prefer an exact sum to a rounded one
			better = o.coarse
		}
		if better {
			v.Sure = max(v.Sure, o.Sure)
			v.total = v.total || o.total
			*o = v
		}
		o.Agree = agreement
	}
	slices.SortStableFunc(out, func(a, b Value) int {
		return cmp.Compare(weight(b), weight(a))
	})
	return out
}

// weight returns the confidence of a value including agreement.
func weight(v Value) float64 { return min(.99, v.Sure+.03*float64(min(v.Agree, 3))) }

func sameValue(a, b string) bool {
	return a == b || strings.EqualFold(strings.ReplaceAll(a, " ", ""), strings.ReplaceAll(b, " ", ""))
}

// otherKind is the doubt of a winner in a notice of another kind, which follows.
const otherKind = "the notice is one of the kind "

// DoubtedKind returns the kind of a notice in a doubt. ok is false for another doubt.
func DoubtedKind(doubt string) (kind string, ok bool) { return strings.CutPrefix(doubt, otherKind) }

// openings are titles of records that list all bids; won are labels of the winner.
var (
	openings    = htmldoc.NewPattern(`开标(?:记录|情况|一览|信息公示)|唱标|报价一览|投标报价公示`)
	winnerWords = htmldoc.NewPattern(`中标|成交|中选|第一`)
)

// doubtImpossible doubts impossible values and moves them behind the others.
func (r *reading) doubtImpossible(f *Field, groups []Value) {
	if !f.form.preset {
		return
	}
	for i := range groups {
		v := &groups[i]
		switch f.Name {
		case "deadline":
			if !r.notice.Published.IsZero() && (r.kind == Tender || r.kind == Correction || r.kind == Intention ||
				r.kind == "") && isBeforeDay(v.Norm, r.notice.Published) {
				v.Doubt = "before the notice's date"
			}
		case "winner", "amount":
			if r.kind == Tender || r.kind == Correction || r.kind == Intention || r.kind == Stopped && v.Sure < .8 {
				v.Doubt = otherKind + r.kind
			} else if openings.MatchString(r.title.s) && v.Label != "" && !winnerWords.MatchString(v.Label) {
				v.Doubt = "the bids of an opening"
			}
		}
	}
	slices.SortStableFunc(groups, func(a, b Value) int {
		return cmp.Compare(len(a.Doubt), 0) - cmp.Compare(len(b.Doubt), 0)
	})
}

// isBeforeDay reports whether a time is on a day before another.
func isBeforeDay(norm string, published time.Time) bool {
	day, err := time.Parse("2006-01-02", norm[:min(10, len(norm))])
	p := published.In(PrintedZone)
	return err == nil && day.Before(time.Date(p.Year(), p.Month(), p.Day(), 0, 0, 0, 0, time.UTC))
}

// bestValues returns the surest value and further values of its list. A nearly equal other value
// lowers its confidence.
func bestValues(f *Field, groups []Value) []Value {
	v := groups[0]
	v.Sure = weight(v)
	out := []Value{v}
	for _, o := range groups[1:] {
		if f.form.code && o.Source == v.Source && o.Label == v.Label && o.From > v.From && v.From > 0 &&
			o.From-v.To < 8+len(v.Text) {
			o.Sure = v.Sure
			out = append(out, o)
			continue
		}
		if o.Doubt == "" && weight(o) > v.Sure-.02 {
			out[0].Sure -= .1
		}
		break
	}
	return out
}

// lotValues returns the value of each lot, and the total if it is printed.
func (r *reading) lotValues(f *Field, groups []Value) []Value {
	var out []Value
	seen := map[string]bool{}
	top := 0.
	for _, v := range groups {
		if v.Doubt == "" {
			top = max(top, v.Sure)
		}
	}
	hasLots := slices.ContainsFunc(groups, func(v Value) bool { return v.Lot != "" && v.Sure > top-.25 })
	for _, v := range groups {
		if seen[v.Lot] || v.Sure < top-.25 || v.Doubt != "" && len(out) > 0 {
			continue
		}
		seen[v.Lot] = true
		v.Sure = weight(v)
		out = append(out, v)
	}
	if !hasLots || !seen[""] {
		return byLot(out)
	}
	// a value without lot beside those of lots: a total, a repetition, or another name
	noLot := slices.IndexFunc(out, func(v Value) bool { return v.Lot == "" })
	v := out[noLot]
	rest := slices.Delete(slices.Clone(out), noLot, noLot+1)
	repeated := slices.IndexFunc(rest, func(o Value) bool { return sameValue(o.Norm, v.Norm) })
	switch {
	case repeated >= 0 && len(rest) == 1:
		v.Agree++
		return []Value{v}
	case f.Type == Money && repeated < 0 && (v.total || isSumOf(v, rest)):
		return append([]Value{v}, byLot(rest)...)
	case len(rest) == 1 && rest[0].Sure <= v.Sure:
		return []Value{v}
	}
	return byLot(rest)
}

// isSumOf reports whether a sum of money is the sum of the lots.
func isSumOf(v Value, lots []Value) bool {
	sum, want := new(big.Rat), new(big.Rat)
	if _, ok := want.SetString(v.Norm); !ok {
		return false
	}
	for _, l := range lots {
		n, ok := new(big.Rat).SetString(l.Norm)
		if !ok {
			return false
		}
		sum.Add(sum, n)
	}
	return sum.Cmp(want) == 0
}

func byLot(v []Value) []Value {
	slices.SortStableFunc(v, func(a, b Value) int {
		return cmp.Or(cmp.Compare(len(a.Lot), len(b.Lot)), cmp.Compare(a.Lot, b.Lot))
	})
	return v
}
