package decisions

import (
	"fmt"
	"slices"
	"strings"

	"angler/crawl/auth"
	"angler/dict"
	"angler/message"
	"angler/store"
)

// AcceptTerms adds words to the workspace's dictionary in one step that undo takes back; stored
// pages are counted again in the background. Their rejections end.
func (t *Topic) AcceptTerms(list []string) error {
	return t.judgeTerms(auth.AcceptTerms, message.Of("words accepted: %s", terms(list)), kindWord, kindReject, list)
}

// RejectTerms keeps words from being proposed as terms, in one step that undo takes back. Their
// acceptances end.
func (t *Topic) RejectTerms(list []string) error {
	return t.judgeTerms(auth.RejectTerms, message.Of("terms rejected: %s", terms(list)), kindReject, kindWord, list)
}

// judgeTerms gives words one mark and removes the other one.
func (t *Topic) judgeTerms(do auth.Action, what message.Text, mark, other string, list []string) error {
	if err := t.May(do); err != nil {
		return err
	}
	var words []string
	var changes []store.Change
	for _, w := range list {
		w = term(w)
		if n := len([]rune(w)); n < 2 || n > 32 {
			return fmt.Errorf("%q is no word of 2 to 32 characters", w)
		}
		words = append(words, w)
	}
	return t.d.act(func(s *State, log *store.Decisions) (*store.Event, error) {
		has := s.Accepted
		if other == kindReject {
			has = s.Rejected
		}
		for _, w := range words {
			changes = append(changes, t.d.set(mark, w, wordValue{By: t.Name, At: t.d.Now()}))
			if _, found := slices.BinarySearch(has, w); found {
				changes = append(changes, t.d.set(other, w, nil))
			}
		}
		return log.Do(t.Name, what, changes...)
	})
}

// term returns a word without its white space.
func term(w string) string { return strings.Join(strings.Fields(w), "") }

// terms returns words as one line.
func terms(list []string) string {
	words := make([]string, len(list))
	for i, w := range list {
		words[i] = term(w)
	}
	return strings.Join(words, " ")
}

// StopWord makes a word a stop word, which counts on no page, in one step that undo takes back;
// stored pages are counted again in the background.
func (t *Topic) StopWord(word string) error {
	if err := t.May(auth.StopWord); err != nil {
		return err
	}
	word = term(word)
	if n := len([]rune(word)); n < 1 || n > 32 {
		return fmt.Errorf("%q is no word of 1 to 32 characters", word)
	}
	return t.d.apply(t.Name, message.Of("stop word %s", word),
		t.d.set(kindStop, word, wordValue{By: t.Name, At: t.d.Now()}))
}

// Segment cuts a text with the workspace's dictionary.
func (t *Topic) Segment(text string) []dict.Token { return t.d.Reader.Dict().Segment(text) }
