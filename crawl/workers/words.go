package workers

import (
	"errors"
	"hash/fnv"
	"strconv"
	"unicode/utf8"
)

// sharedWords is what a dictionary is made of, see reader.Vocabulary.
type sharedWords struct{ Engine, User, Stop string }

// wordsDelta is how a dictionary differs from the sharedWords that were told whole: few words of many
// have changed.
type wordsDelta struct {
	Of         string // mark of those sharedWords
	User, Stop textSplice
}

// textSplice makes one text of another: its first Head bytes, Mid, and its last Tail bytes.
type textSplice struct {
	Head, Tail int
	Mid        string
}

// mark tells sharedWords from others.
func (w sharedWords) mark() string {
	h := fnv.New64a()
	for _, s := range []string{w.Engine, w.User, w.Stop} {
		_, _ = h.Write([]byte(s))
		_, _ = h.Write([]byte{0})
	}
	return strconv.FormatUint(h.Sum64(), 16)
}

// to is what makes other sharedWords of these, which have the same Engine.
func (w sharedWords) to(other sharedWords) wordsDelta {
	return wordsDelta{w.mark(), splice(w.User, other.User), splice(w.Stop, other.Stop)}
}

// errDelta means a delta of other words.
var errDelta = errors.New("it is of other words")

// with applies a delta.
func (w sharedWords) with(d wordsDelta) (sharedWords, error) {
	user, ok := d.User.apply(w.User)
	stop, ok2 := d.Stop.apply(w.Stop)
	if !ok || !ok2 || d.Of != w.mark() {
		return w, errDelta
	}
	return sharedWords{w.Engine, user, stop}, nil
}

// size is how many bytes the delta tells.
func (d wordsDelta) size() int { return len(d.User.Mid) + len(d.Stop.Mid) }

func splice(from, to string) textSplice {
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
	return textSplice{head, tail, to[head : len(to)-tail]}
}

func (s textSplice) apply(text string) (string, bool) {
	if s.Head < 0 || s.Tail < 0 || s.Head > len(text) || s.Tail > len(text)-s.Head {
		return "", false
	}
	return text[:s.Head] + s.Mid + text[len(text)-s.Tail:], true
}
