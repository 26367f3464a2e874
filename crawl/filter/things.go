package filter

// Things are some of the things that a row lists, goods of a list of prices or posts of
// an employer, and whether the row as a whole is meant, too. The zero Things are none.
//
// Terms about such fields mean one and the same thing: product:白菜 price<2 asks for rows
// that list a 白菜 below 2, not for those that list one and something else below 2.
type Things [4]uint64

// mostThings are told apart; those with higher numbers count as one.
const mostThings = 64*len(Things{}) - 1

// Whole is the row as a whole: a sum over its things meets a term, none of them does.
var Whole = Things{1}

// Every is all things and the row as a whole: what a row says once holds for each.
var Every = Things{^uint64(0), ^uint64(0), ^uint64(0), ^uint64(0)}

// Add adds the thing of a number; 1 is the first.
func (t *Things) Add(number int) {
	number = max(1, min(number, mostThings))
	t[number/64] |= 1 << (number % 64)
}

// Join adds all of another.
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

// Any reports whether there are some.
func (t Things) Any() bool { return t != Things{} }

// things reads the value of a field of things.
func things[T any](f *Field[T], p piece) (func(*T) Things, string) {
	if f.Texts != nil {
		holds, why := textual(p)
		return func(row *T) Things { return f.Texts(row, holds) }, why
	}
	holds, why := numeric(p)
	return func(row *T) Things { return f.Numbers(row, holds) }, why
}

// together reports whether one thing of a row meets all terms about things but one; -1
// leaves none out.
func (f *Filter[T]) together(row *T, without int) bool {
	left := Every
	for i := range f.terms {
		if t := &f.terms[i]; t.things != nil && !t.not && i != without {
			if left.keep(t.things(row)); !left.Any() {
				return false
			}
		}
	}
	return true
}
