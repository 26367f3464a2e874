package search

import (
	"context"
	"errors"
	"time"

	"angler/dict"
	"angler/store"
)

// This file is by which dictionary the documents of the index are cut. A question for
// words as they stand is answered while some are still cut by another one; a comparison of
// dictionaries is not.

// lookEvery is how often the keeper looks whether the files of the index are there while
// nothing happens.
const lookEvery = time.Minute

var errOtherCut = errors.New("the search index is cut by another dictionary: the program that has the workspace open cuts it anew; ask again when it has, or open the workspace yourself")

// cutAs notes that all documents of the index are cut by a dictionary.
func (s *Search) cutAs(words *dict.Dict) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.cut = words
	s.cuts.Release()
}

// drop takes the index away, which the caller closes; nil when there was none.
func (s *Search) drop() *index {
	s.mu.Lock()
	defer s.mu.Unlock()
	ix := s.index
	s.index, s.whole, s.cut = nil, false, nil
	s.cuts.Release()
	return ix
}

// wellCut waits until all documents of the index are cut by the dictionary in force.
func (s *Search) wellCut(ctx context.Context) error {
	for {
		s.mu.Lock()
		there, well, done := s.index != nil && s.whole, s.cut == s.Dict(), s.cuts.Join()
		s.mu.Unlock()
		switch {
		case !there:
			return errNoIndex
		case well:
			return nil
		case store.ReadOnly(s.Store):
			return errOtherCut
		}
		s.Poke()
		select {
		case <-done:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
