package facts

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"slices"

	"angler/crawl/page/fields"
	"angler/crawl/urls"
	"angler/crawl/view"
	stored "angler/store/facts"
)

// This file is what the notices of a host teach about its labels.
//
// A label that no field knows means a field on a host when what stands behind it was,
// on several notices, what the field says by other evidence, and hardly ever another
// value of the kind. What a person corrects teaches at once that the label before the
// right value means the field; that one before a wrong value means nothing takes two
// corrections, because the label may be right elsewhere. Evidence is the hints of stored
// rows and the corrections in the log, so that it is made again whenever a workspace is
// opened.

const (
	fewest     = 3  // notices must agree on a label
	fewestBans = 2  // corrected notices make a label nobody's
	mostCounts = 32 // notices are counted for and against a label
	usualFrom  = 5  // notices make a known label the usual one
	mostLabels = 48 // labels of a host are counted
	mostHosts  = 20_000
)

// meaning is a label with what it may mean.
type meaning struct{ label, field string }

// evidence are the notices that speak for and against a meaning, the first of them.
type evidence struct{ same, other []uint64 }

type host struct {
	unknown map[meaning]*evidence // labels that the set does not know
	usual   map[meaning][]uint64  // labels that it knows: notices with a value behind them
	taught  map[uint64][]lesson   // by the notice that was corrected
	rules   []view.HostRule       // in force
	print   uint64                // of rules; 0 = there are none
	set     *fields.Set           // with the rules; nil = not made yet
}

// lesson is what a correction teaches.
type lesson struct {
	meaning
	by string
}

// hosts is for who holds Keeper.mu.
type hosts struct{ of map[string]*host }

func (h *hosts) init() { h.of = map[string]*host{} }

func (h *hosts) forgetSets() {
	for _, x := range h.of {
		x.set = nil
	}
}

func (h *hosts) get(name string) *host {
	x := h.of[name]
	if x == nil && len(h.of) < mostHosts {
		x = &host{unknown: map[meaning]*evidence{}, usual: map[meaning][]uint64{}}
		h.of[name] = x
	}
	return x
}

func (h *hosts) print(name string) uint64 {
	if x := h.of[name]; x != nil {
		return x.print
	}
	return 0
}

func (h *hosts) rules(name string) []view.HostRule {
	if x := h.of[name]; x != nil {
		return x.rules
	}
	return nil
}

// usual tells whether a label stands before values of a field on several notices.
func (h *hosts) usual(name, label, field string) bool {
	x := h.of[name]
	return x != nil && len(x.usual[meaning{fields.PlainLabel(label), field}]) >= usualFrom
}

// setOf is the set that a host's notices are read by.
func (h *hosts) setOf(name string, set *fields.Set) *fields.Set {
	x := h.of[name]
	if x == nil || len(x.rules) == 0 {
		return set
	}
	if x.set == nil {
		labels := map[string]string{}
		for _, r := range x.rules {
			labels[r.Label] = r.Field
		}
		x.set = set.Taught(labels)
	}
	return x.set
}

// take counts the hints of a row, in the place of those that it gave before, and
// reports whether the host's rules are others now.
func (h *hosts) take(row *stored.Row) bool {
	x := h.get(row.Host)
	if x == nil {
		return false
	}
	for i := range row.Values {
		v := &row.Values[i]
		m := meaning{fields.PlainLabel(v.Label), v.Field}
		if m.label == "" || v.Source == string(fields.FromAttachment) || len(x.usual) >= mostLabels && x.usual[m] == nil {
			continue
		}
		x.usual[m] = with(x.usual[m], row.ID, usualFrom)
	}
	moved := false
	for m, e := range x.unknown {
		hint, said := slices.IndexFunc(row.Hints, func(o stored.Hint) bool { return meaning{o.Label, o.Field} == m }), false
		if said = hint >= 0; said && row.Hints[hint].Same == slices.Contains(e.same, row.ID) && row.Hints[hint].Same != slices.Contains(e.other, row.ID) {
			continue
		}
		// A label that became a rule gives no hints any more: what it gave before stands.
		if said {
			e.same, e.other, moved = without(e.same, row.ID), without(e.other, row.ID), true
		}
	}
	for _, hint := range row.Hints {
		m := meaning{hint.Label, hint.Field}
		e := x.unknown[m]
		if e == nil {
			if len(x.unknown) >= mostLabels {
				continue
			}
			e = new(evidence)
			x.unknown[m] = e
		}
		moved = true
		if hint.Same {
			e.same = with(e.same, row.ID, mostCounts)
		} else {
			e.other = with(e.other, row.ID, mostCounts)
		}
	}
	return moved && x.settle()
}

func with(ids []uint64, id uint64, most int) []uint64 {
	if len(ids) >= most || slices.Contains(ids, id) {
		return ids
	}
	return append(ids, id)
}

func without(ids []uint64, id uint64) []uint64 {
	return slices.DeleteFunc(ids, func(o uint64) bool { return o == id })
}

// settle makes the rules anew and reports whether they are others.
func (x *host) settle() bool {
	best := map[string]view.HostRule{}
	tied := map[string]bool{}
	for m, e := range x.unknown {
		same, other := len(e.same), len(e.other)
		if same < fewest || same < 19*other {
			continue
		}
		was, known := best[m.label]
		switch {
		case !known || same > was.Same:
			best[m.label], tied[m.label] = view.HostRule{Label: m.label, Field: m.field, Same: same, Other: other}, false
		case same == was.Same:
			tied[m.label] = true
		}
	}
	for label := range tied {
		if tied[label] {
			delete(best, label)
		}
	}
	banned := map[string]int{}
	for _, lessons := range x.taught {
		of := map[string]bool{} // several values of one notice are one reason
		for _, l := range lessons {
			if l.field == "" && !of[l.label] {
				of[l.label] = true
				banned[l.label]++
			}
		}
	}
	for _, lessons := range x.taught {
		for _, l := range lessons {
			if l.field == "" && banned[l.label] < fewestBans {
				continue
			}
			if was, ok := best[l.label]; ok && was.By != "" && was.By+was.Field > l.by+l.field {
				continue // two people contradict each other: the same one wins everywhere
			}
			best[l.label] = view.HostRule{Label: l.label, Field: l.field, By: l.by}
		}
	}
	rules := make([]view.HostRule, 0, len(best))
	for _, r := range best {
		rules = append(rules, r)
	}
	slices.SortFunc(rules, func(a, b view.HostRule) int { return cmp.Compare(a.Label, b.Label) })
	print := uint64(0)
	if len(rules) > 0 {
		hash := fnv.New64a()
		for _, r := range rules {
			fmt.Fprintf(hash, "%q %q\n", r.Label, r.Field)
		}
		print = hash.Sum64() | 1
	}
	changed := print != x.print
	x.rules, x.print = rules, print
	if changed {
		x.set = nil
	}
	return changed
}

// learnCorrected learns from all corrections.
func (k *Keeper) learnCorrected() {
	for id := range k.Decisions.State().Corrected {
		k.learnOf(id)
	}
}

// learnFrom learns from corrections that were made or taken back, and has the notices
// of the hosts read again whose labels mean something else now.
func (k *Keeper) learnFrom(ids []uint64) {
	changed := false
	for _, id := range ids {
		changed = k.learnOf(id) || changed
	}
	if changed {
		k.rescan()
	}
}

// learnOf learns from the corrections of one notice and reports whether its host's
// rules are others. One learns at a time: who read the corrections last has the last word.
func (k *Keeper) learnOf(id uint64) bool {
	k.learning.Lock()
	defer k.learning.Unlock()
	n, err := k.Store.Notice(id)
	if err != nil || n == nil {
		return false
	}
	set := k.Set()
	var lessons []lesson
	if corrected := k.Decisions.State().Corrected[id]; len(corrected) > 0 {
		in, _ := k.material(n, nil)
		pairs, read := set.Pairs(in), set.Extract(in)
		for name, c := range corrected {
			if f := set.Named(name); f != nil {
				lessons = append(lessons, lessonsOf(set, f, c, pairs, read)...)
			}
		}
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	x := k.hosts.get(urls.HostOf(n.URL))
	if x == nil {
		return false
	}
	if x.taught == nil {
		x.taught = map[uint64][]lesson{}
	}
	if x.taught[id] = lessons; len(lessons) == 0 {
		delete(x.taught, id)
	}
	return x.settle()
}

// lessonsOf is what one correction teaches: the label before the right value, where
// only one stands there, and the one before a wrong value.
func lessonsOf(set *fields.Set, f *fields.Field, c *view.Correction, pairs []fields.Pair, read *fields.Result) []lesson {
	var out []lesson
	right := map[string]bool{}
	for i := range c.Values {
		for p := range pairs {
			v := c.Values[i]
			v.Field = f.Name
			if set.Says(&pairs[p], &v) {
				right[pairs[p].Label] = pairs[p].Field == f.Name
			}
		}
	}
	known := false
	for _, is := range right {
		known = known || is
	}
	if len(right) == 1 && !known { // several labels before one value: nobody knows which is meant
		for label := range right {
			out = append(out, lesson{meaning{label, f.Name}, c.By})
		}
	}
	for _, v := range append(slices.Clone(read.Of(f.Name)), doubtful(read, f.Name)...) {
		label := fields.PlainLabel(v.Label)
		if _, is := right[label]; is || label == "" || v.Source == fields.FromSentence || v.Source == fields.FromTitle || v.Source == fields.FromNames || v.Source == fields.FromAttachment {
			continue
		}
		if !slices.ContainsFunc(c.Values, func(o fields.Value) bool { return o.Norm == v.Norm }) {
			out = append(out, lesson{meaning{label, ""}, c.By})
		}
	}
	return out
}

func doubtful(r *fields.Result, field string) []fields.Value {
	return slices.DeleteFunc(slices.Clone(r.Doubtful), func(v fields.Value) bool { return v.Field != field })
}
