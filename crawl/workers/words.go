package workers

import (
	"errors"
	"hash/fnv"
	"strconv"
	"unicode/utf8"
)

// sharedWords is the source of a dictionary, see reader.Vocabulary.
type sharedWords struct{ Engine, User, Stop string }

// wordsDelta is the difference to the last whole sharedWords: few of many words change.
type wordsDelta struct {
	Of         string // mark of those sharedWords
	User, Stop textSplice
}

// textSplice turns one text into another: keep Head bytes, insert Mid, keep the last Tail bytes.
type textSplice struct {
	Head, Tail int
	Mid        string
}

// mark returns a hash that identifies the words.
func (w sharedWords) mark() string {
	h := fnv.New64a()
	for _, s := range []string{w.Engine, w.User, w.Stop} {
		_, _ = h.Write([]byte(s))
		_, _ = h.Write([]byte{0})
	}
	return strconv.FormatUint(h.Sum64(), 16)
}

// to returns the delta from w to other. Both have the same Engine.
func (w sharedWords) to(other sharedWords) wordsDelta {
	return wordsDelta{w.mark(), splice(w.User, other.User), splice(w.Stop, other.Stop)}
}

// errDelta means that a delta belongs to other words.
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

// size returns the number of new bytes in the delta.
func (d wordsDelta) size() int { return len(d.User.Mid) + len(d.Stop.Mid) }

func splice(from, to string) textSplice {
	most := min(len(from), len(to))
	head := 0
	for head < most && from[head] == to[head] {
		head++
	}
	for head > 0 && head < len(to) && !utf8.RuneStart(to[head]) { // keep Mid valid UTF-8
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
