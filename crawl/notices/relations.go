package notices

import (
	"cmp"
	"slices"
	"time"
	"unicode/utf8"
)

// RelatedNotice holds the data of one notice for Relate.
type RelatedNotice struct {
	ID       uint64
	Host     string
	Title    string
	At       time.Time // its date, else when it was first seen
	Kind     ProjectState
	Number   string // project number as printed
	Project  string // project name; "" = only in the title
	Buyer    string
	Deadline time.Time
	Amount   float64 // of an award; 0 = unknown
	Sketch   Simhash
}

// Corrections holds the corrections of people.
type Corrections struct {
	Apart  map[uint64]bool   // not a duplicate of another notice
	Alone  map[uint64]bool   // not in the project of its keys
	Joined map[uint64]uint64 // in the project of that notice
}

// MatchReason is the reason for grouping notices.
type MatchReason string

// The reasons.
const (
	MatchedByText         MatchReason = "text"    // same words and figures
	MatchedByNumberAbroad MatchReason = "number"  // same number, buyer and kind on another host
	MatchedByNumber       MatchReason = "project" // same project number
	MatchedByName         MatchReason = "name"    // same project name and buyer
	MatchedByPerson       MatchReason = "person"
)

// Says describes the reason in a few words.
func (w MatchReason) Says() string {
	switch w {
	case MatchedByText:
		return "the same words and figures"
	case MatchedByNumberAbroad:
		return "the same number, buyer and kind"
	case MatchedByNumber:
		return "the number of the project"
	case MatchedByName:
		return "the name of the project and the buyer"
	case MatchedByPerson:
		return "a person has joined them"
	}
	return string(w)
}

// DuplicateGroup is one notice at several addresses.
type DuplicateGroup struct {
	IDs []uint64 // ids of the notices, oldest first
	Why MatchReason
}

// ProjectThread holds the notices of one project.
type ProjectThread struct {
	ID       uint64 // id of the oldest notice
	Number   string // as printed; "" = unknown
	Name     string // name of the project
	Buyer    string
	Steps    []projectStep // sorted by day, without duplicates
	State    ProjectState
	Deadline time.Time // the valid deadline; zero = unknown
	Why      MatchReason
}

// Relations holds the groups of duplicates and project threads.
type Relations struct {
	same    map[uint64]*DuplicateGroup
	threads map[uint64]*ProjectThread
	parts   *parts
	Groups  int // groups of several notices
	Copies  int // notices hidden as duplicates
	Threads int // threads of several notices
}

// Group returns the group of a notice; nil if it has no duplicates.
func (k *Relations) Group(id uint64) *DuplicateGroup {
	if k == nil {
		return nil
	}
	return k.same[id]
}

// Thread returns the thread of a notice; nil if it is alone.
func (k *Relations) Thread(id uint64) *ProjectThread {
	if k == nil {
		return nil
	}
	return k.threads[id]
}

// DeadlineHolds reports whether a notice's deadline is still valid in its project: no later notice changes it or
// stops the project. t and g may be nil.
func DeadlineHolds(t *ProjectThread, g *DuplicateGroup, id uint64) bool {
	if t == nil {
		return true
	}
	at := slices.IndexFunc(t.Steps, func(s projectStep) bool {
		return s.ID == id || g != nil &&
			slices.Contains(g.IDs, s.ID)
	})
	return at < 0 || !slices.ContainsFunc(t.Steps[at+1:], func(s projectStep) bool {
		return s.Kind == Stopped || !s.Deadline.IsZero() && s.Kind <= Corrected
	})
}

// maxCompared is the maximum number of texts with the same figures compared with one text.
const maxCompared = 256

// For the same number on two hosts.
const sameSpan = 45 * 24 * time.Hour // maximum time between duplicates

// For projects matched by name.
const nameSpan = 240 * 24 * time.Hour // maximum time between successive notices

// Relate groups notices.
func Relate(items []RelatedNotice, said Corrections) *Relations {
	k, b := relate(items, said)
	k.parts = b.parts()
	return k
}

func relate(items []RelatedNotice, said Corrections) (*Relations, *builder) {
	b := &builder{items: slices.Clone(items), corrections: said}
	slices.SortFunc(b.items, func(a, b RelatedNotice) int { return cmp.Compare(a.ID, b.ID) })
	k := &Relations{same: map[uint64]*DuplicateGroup{}, threads: map[uint64]*ProjectThread{}}
	b.place, b.keys = make(map[uint64]int, len(b.items)), make([]keys, len(b.items))
	for i := range b.items {
		b.place[b.items[i].ID], b.keys[i] = i, keysOf(&b.items[i])
	}
	same := b.groups(k)
	b.projects(k, same)
	return k, b
}

type builder struct {
	items       []RelatedNotice
	keys        []keys // of items
	place       map[uint64]int
	corrections Corrections
}

// keys holds what notices are compared by.
type keys struct {
	number        string // see plainNumber
	alone         bool
	party         string // see plainParty
	ordinal       string // of the title
	name, printed string // see projectName, of the title and of the project; printed is "" where equal
}

func keysOf(x *RelatedNotice) (k keys) {
	k.number, k.alone = plainNumber(x.Number)
	k.party, k.ordinal = plainParty(x.Buyer), titleOrdinal(x.Title)
	k.name, k.printed = projectName(x.Title, x.Buyer), projectName(x.Project, x.Buyer)
	if k.printed == k.name {
		k.printed = ""
	}
	return k
}

// sets is a union-find structure over item indices. The smallest index represents a set.
type sets struct {
	up  []int32
	why []MatchReason
}

func newSets(n int) *sets {
	s := &sets{up: make([]int32, n), why: make([]MatchReason, n)}
	for i := range s.up {
		s.up[i] = int32(i)
	}
	return s
}

func (s *sets) find(i int) int {
	for int(s.up[i]) != i {
		s.up[i] = s.up[s.up[i]]
		i = int(s.up[i])
	}
	return i
}

func (s *sets) join(a, b int, why MatchReason) int {
	a, b = s.find(a), s.find(b)
	if a == b {
		return a
	}
	if b < a {
		a, b = b, a
	}
	s.up[b] = int32(a)
	s.why[a] = cmp.Or(s.why[a], why)
	return a
}

// groups finds duplicates. It returns sets in which each representative stands for its duplicates.
func (b *builder) groups(k *Relations) *sets {
	s := newSets(len(b.items))
	byFigures := map[uint64][]int{} // indices of different texts
	type key struct {
		number, buyer, ordinal string
		kind                   ProjectState
	}
	byNumber := map[key][]int{}
	for i := range b.items {
		x := &b.items[i]
		if b.corrections.Apart[x.ID] {
			continue
		}
		if x.Sketch.Long {
			list, known := byFigures[x.Sketch.Figures], false
			for _, j := range list[max(0, len(list)-maxCompared):] {
				if x.Sketch.same(b.items[j].Sketch) && !b.differ(i, j) && !b.otherProject(i, j) {
					s.join(i, j, MatchedByText)
					known = true
					break
				}
			}
			if !known {
				byFigures[x.Sketch.Figures] = append(list, i)
			}
		}
		by := &b.keys[i]
		if by.number == "" || by.party == "" || x.Kind == StateUnknown {
			continue
		}
		at := key{by.number, by.party, by.ordinal, x.Kind}
		list := byNumber[at]
		for _, j := range list[max(0, len(list)-maxCompared):] {
			if o := &b.items[j]; o.Host != x.Host && near(x.At, o.At, sameSpan) && !b.differ(i, j) {
				s.join(i, j, MatchedByNumberAbroad)
				break
			}
		}
		byNumber[at] = append(list, i)
	}
	members := map[int][]uint64{}
	for i := range b.items {
		if at := s.find(i); at != i {
			if members[at] == nil {
				members[at] = []uint64{b.items[at].ID}
			}
			members[at] = append(members[at], b.items[i].ID)
		}
	}
	for at, ids := range members {
		g := &DuplicateGroup{IDs: ids, Why: s.why[at]}
		k.Groups++
		k.Copies += len(ids) - 1
		for _, id := range ids {
			k.same[id] = g
		}
	}
	return s
}

// differ reports whether two notices contradict each other.
func (b *builder) differ(i, j int) bool {
	x, y := &b.items[i], &b.items[j]
	return x.Kind != y.Kind && x.Kind != StateUnknown && y.Kind != StateUnknown ||
		!x.Deadline.IsZero() && !y.Deadline.IsZero() && !near(x.Deadline, y.Deadline, 24*time.Hour) ||
		x.Amount != 0 && y.Amount != 0 && x.Amount != y.Amount ||
		b.keys[i].ordinal != b.keys[j].ordinal
}

// otherProject reports whether two titles name different projects: they share less than half of the shorter name's
// character pairs. Short notices of one buyer may be equal but for that name. Titles are ignored if all words of the
// texts are equal.
func (b *builder) otherProject(i, j int) bool {
	if b.items[i].Sketch.Words == b.items[j].Sketch.Words {
		return false
	}
	x, y := pairs(b.keys[i].name), pairs(b.keys[j].name)
	if len(x) == 0 || len(y) == 0 {
		return false
	}
	shared := 0
	for p := range x {
		if y[p] {
			shared++
		}
	}
	return 2*shared < min(len(x), len(y))
}

// pairs returns the character pairs of a name.
func pairs(name string) map[[2]rune]bool {
	out := map[[2]rune]bool{}
	last := rune(0)
	for _, r := range name {
		if last != 0 {
			out[[2]rune{last, r}] = true
		}
		last = r
	}
	return out
}

func near(a, b time.Time, span time.Duration) bool {
	return a.Sub(b) <= span && b.Sub(a) <= span
}

// projects finds the notices of each project.
func (b *builder) projects(k *Relations, same *sets) {
	s := newSets(len(b.items))
	known := map[string]int{}
	names := map[string][]int{}
	numbers, parties := make([]string, len(b.items)), make([]string, len(b.items))
	put := func(key string, i int, why MatchReason) {
		if at, ok := known[key]; ok {
			s.join(at, i, why)
		} else {
			known[key] = i
		}
	}
	for i := range b.items {
		x := &b.items[i]
		if b.corrections.Alone[x.ID] || b.corrections.Joined[x.ID] != 0 {
			continue
		}
		if at := same.find(i); at != i { // joins its representative
			s.join(i, at, "")
		}
		by := &b.keys[i]
		number, party := by.number, by.party
		parties[i] = party
		switch {
		case number == "":
		case by.alone:
			numbers[i] = number
			put("#"+number, i, MatchedByNumber)
		default:
			numbers[i] = number
			put("@"+x.Host+"#"+number, i, MatchedByNumber)
			if party != "" {
				put("&"+party+"#"+number, i, MatchedByNumber)
			}
		}
		if x.Kind == StateUnknown {
			continue // the title contains no project name
		}
		for _, n := range [...]string{by.name, by.printed} {
			if n == "" {
				continue
			}
			if utf8.RuneCountInString(n) >= minNameAlone {
				names["@"+x.Host+" "+n] = append(names["@"+x.Host+" "+n], i)
			}
			if party != "" {
				names["&"+party+" "+n] = append(names["&"+party+" "+n], i)
			}
		}
	}
	b.byName(s, names, numbers, parties)
	for id, to := range b.corrections.Joined {
		i, ok := b.place[id]
		j, ok2 := b.place[to]
		if ok && ok2 {
			s.join(i, j, MatchedByPerson)
		}
	}
	b.threads(k, s, same)
}

// byName joins successive notices with the same project name, unless their numbers or buyers differ.
func (b *builder) byName(s *sets, names map[string][]int, numbers, parties []string) {
	number, party := map[int]string{}, map[int]string{}
	for i := range b.items {
		at := s.find(i)
		number[at], party[at] = cmp.Or(number[at], numbers[i]), cmp.Or(party[at], parties[i])
	}
	keys := make([]string, 0, len(names))
	for key, list := range names {
		if len(list) > 1 {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	for _, key := range keys {
		list := names[key]
		slices.SortStableFunc(list, func(x, y int) int { return b.items[x].At.Compare(b.items[y].At) })
		for n := 1; n < len(list); n++ {
			i, j := list[n-1], list[n]
			x, y := s.find(i), s.find(j)
			if x == y || !near(b.items[i].At, b.items[j].At, span(&b.items[i], &b.items[j])) ||
				differs(number[x], number[y]) || differs(party[x], party[y]) {
				continue
			}
			num, who := cmp.Or(number[x], number[y]), cmp.Or(party[x], party[y])
			at := s.join(x, y, MatchedByName)
			number[at], party[at] = num, who
		}
	}
}

// span returns the maximum time between two successive notices with one name. Yearly purchases repeat the same kind
// every year.
func span(a, b *RelatedNotice) time.Duration {
	if b.Kind > a.Kind || a.Kind == Stopped && b.Kind == Tendered {
		return nameSpan
	}
	return sameSpan
}

func differs(a, b string) bool { return a != "" && b != "" && a != b }

// threads builds the threads of several notices.
func (b *builder) threads(k *Relations, s, same *sets) {
	members := map[int][]int{}
	for i := range b.items {
		if at := s.find(i); at != i {
			if members[at] == nil {
				members[at] = []int{at}
			}
			members[at] = append(members[at], i)
		}
	}
	for at, list := range members {
		t := &ProjectThread{ID: b.items[at].ID, Why: cmp.Or(s.why[at], MatchedByNumber)}
		for _, i := range list {
			x := &b.items[i]
			if same.find(i) == i {
				t.Steps = append(t.Steps, projectStep{ID: x.ID, Kind: x.Kind, At: x.At, Deadline: x.Deadline})
			}
			t.Number, t.Name, t.Buyer = cmp.Or(t.Number, x.Number), cmp.Or(t.Name, x.Project), cmp.Or(t.Buyer, x.Buyer)
		}
		if len(t.Steps) < 2 {
			continue // one notice at several addresses
		}
		t.Name = cmp.Or(t.Name, projectName(b.items[at].Title, ""), b.items[at].Title)
		sortSteps(t.Steps)
		t.State, t.Deadline = stateAfter(t.Steps)
		k.Threads++
		for _, i := range list {
			k.threads[b.items[i].ID] = t
		}
	}
}
