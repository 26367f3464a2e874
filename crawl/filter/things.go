package filter

// Things is a set of the things that a row lists, such as prices or jobs, and of the row as a whole. The zero Things
// is empty.
//
// Terms about such fields must match the same thing. product:白菜 price<2 selects rows with a 白菜 below 2, not rows
// with a 白菜 and something else below 2.
type Things [4]uint64

// maxThings is the number of distinct things; those with higher numbers count as one.
const maxThings = 64*len(Things{}) - 1

// Whole is the row as a whole, for example when only the sum of its things matches a term.
var Whole = Things{1}

// Every is all things and the row as a whole, for values that hold for each thing.
var Every = Things{^uint64(0), ^uint64(0), ^uint64(0), ^uint64(0)}

// Add adds a thing by its number, from 1.
func (t *Things) Add(number int) {
	number = max(1, min(number, maxThings))
	t[number/64] |= 1 << (number % 64)
}

// Join adds the members of another set.
func (t *Things) Join(o Things) {
	for i := range t {
		t[i] |= o[i]
	}
}

func (t *Things) keep(o Things) {
	for i := range t {
		t[i] &= o[i]
	}
}

// any reports whether the set is not empty.
func (t Things) any() bool { return t != Things{} }

// things parses the value of a field of things.
func things[T any](f *Field[T], p piece) (func(*T) Things, string) {
	if f.Texts != nil {
		holds, why := textual(p)
		return func(row *T) Things { return f.Texts(row, holds) }, why
	}
	holds, why := numeric(p)
	return func(row *T) Things { return f.Numbers(row, holds) }, why
}

// matchesTogether reports whether one thing of a row matches all terms about things, except the term at index without; -1
// excludes none.
func (f *Filter[T]) matchesTogether(row *T, without int) bool {
	left := Every
	for i := range f.terms {
		if t := &f.terms[i]; t.things != nil && !t.not && i != without {
			if left.keep(t.things(row)); !left.any() {
				return false
			}
		}
	}
	return true
}
