package workers

import (
	"errors"
	"hash/fnv"
	"strconv"
	"unicode/utf8"
)

// SharedWords is what a dictionary is made of, see reader.Vocabulary.
type SharedWords struct{ Engine, User, Stop string }

// WordsDelta is how a dictionary differs from the SharedWords that were told whole: few words of many
// have changed.
type WordsDelta struct {
	Of         string // Mark of those SharedWords
	User, Stop TextSplice
}

// TextSplice makes one text of another: its first Head bytes, Mid, and its last Tail bytes.
type TextSplice struct {
	Head, Tail int
	Mid        string
}

// Mark tells SharedWords from others.
func (w SharedWords) Mark() string {
	h := fnv.New64a()
	for _, s := range []string{w.Engine, w.User, w.Stop} {
		_, _ = h.Write([]byte(s))
		_, _ = h.Write([]byte{0})
	}
	return strconv.FormatUint(h.Sum64(), 16)
}

// To is what makes other SharedWords of these, which have the same Engine.
func (w SharedWords) To(other SharedWords) WordsDelta {
	return WordsDelta{w.Mark(), splice(w.User, other.User), splice(w.Stop, other.Stop)}
}

// errDelta means a delta of other words.
var errDelta = errors.New("it is of other words")

// With applies a delta.
func (w SharedWords) With(d WordsDelta) (SharedWords, error) {
	user, ok := d.User.apply(w.User)
	stop, ok2 := d.Stop.apply(w.Stop)
	if !ok || !ok2 || d.Of != w.Mark() {
		return w, errDelta
	}
	return SharedWords{w.Engine, user, stop}, nil
}

// Size is how many bytes the delta tells.
func (d WordsDelta) Size() int { return len(d.User.Mid) + len(d.Stop.Mid) }

func splice(from, to string) TextSplice {
	most := min(len(from), len(to))
	head := 0
	for head < most && from[head] == to[head] {
		head++
	}
	for head > 0 && head < len(to) && !utf8.RuneStart(to[head]) { // what travels is text
		head--
	}
	tail := 0
	for tail < most-head && from[len(from)-1-tail] == to[len(to)-1-tail] {
		tail++
	}
	for tail > 0 && !utf8.RuneStart(to[len(to)-tail]) {
		tail--
	}
	return TextSplice{head, tail, to[head : len(to)-tail]}
}

func (s TextSplice) apply(text string) (string, bool) {
	if s.Head < 0 || s.Tail < 0 || s.Head > len(text) || s.Tail > len(text)-s.Head {
		return "", false
	}
	return text[:s.Head] + s.Mid + text[len(text)-s.Tail:], true
}
