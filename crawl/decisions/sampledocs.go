package decisions

import (
	"errors"
	"fmt"
	"slices"

	"angler/dict"
	"angler/topic"
)

// count returns the documents of samples, and replaces the list by one with the documents; ready is
// false while one waits for the dictionary.
func (d *Decisions) count(words *dict.Dict, samples *[]Sample) (docs []topic.Doc, ready bool, err error) {
	list := slices.Clone(*samples)
	for i := range list {
		s := &list[i]
		if s.ID == 0 {
			s.ID, _ = d.Store.Lookup(s.URL) // the crawl may have found it since
		}
		if s.words != words {
			select {
			case <-words.Ready():
			default:
				return nil, false, nil
			}
			s.doc, err = d.sampleDoc(words, s.URL)
			switch {
			case errors.Is(err, errNoMaterial) && d.Store.Damage.Len() > 0:
				// A damaged row must not hide everything else.
				d.Events.Note("error", "%v; the topic is judged without it", err)
			case err != nil:
				return nil, false, err
			}
			s.words = words
		}
		if s.doc != nil {
			docs = append(docs, *s.doc)
		}
	}
	*samples = list
	return docs, true, nil
}

var errNoMaterial = errors.New("its page is missing")

// sampleDoc counts the words of a sample from its stored material, or, if that is lost, from the
// crawled page.
func (d *Decisions) sampleDoc(words *dict.Dict, canonical string) (*topic.Doc, error) {
	s, err := d.Store.Decisions.Sample(canonical)
	if err != nil {
		return nil, err
	}
	if id, ok := d.Store.Lookup(canonical); ok && s == nil {
		s, _, _ = d.storedMaterial(id)
	}
	if s == nil {
		return nil, fmt.Errorf("sample %s: %w; remove the sample and add it again", canonical, errNoMaterial)
	}
	p, err := d.Reader.Sample(s)
	if err != nil {
		return nil, fmt.Errorf("the page of sample %s: %w", canonical, err)
	}
	doc := d.Reader.Count(words, p)
	doc.Front = false // the analyst's decision wins
	return &doc, nil
}

// behind reports whether another dictionary than the current one counted a sample.
func (d *Decisions) behind() bool {
	s, words := d.State(), d.Reader.Dict()
	old := func(s Sample) bool { return s.words != words }
	return slices.ContainsFunc(s.Samples, old) || slices.ContainsFunc(s.Negative, old)
}
