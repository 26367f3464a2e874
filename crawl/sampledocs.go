package crawl

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"angler/crawl/page"
	"angler/crawl/view"
	"angler/dict"
	"angler/store"
	"angler/topic"
)

// This file reads the samples and anti-samples from the desk and counts their
// words.

// sample is one sample or anti-sample page in use.
type sample struct {
	view.SampleRow

	id    uint64 // 0 when the page is not part of the crawl
	doc   *topic.Doc
	words *dict.Dict // that counted doc
}

// readSamples reads the pages of one kind, oldest first; those counted before
// keep their words.
func (e *Engine) readSamples(kind string, counted map[string]sample) ([]sample, error) {
	values, err := e.ws.Decisions.Values(store.FirstTopic, kind)
	if err != nil {
		return nil, err
	}
	list := make([]sample, 0, len(values))
	for u, v := range values {
		s := sample{doc: counted[u].doc, words: counted[u].words}
		if err := json.Unmarshal(v, &s); err != nil {
			return nil, fmt.Errorf("stored sample %s: %w", u, err)
		}
		list = append(list, s)
	}
	slices.SortFunc(list, func(a, b sample) int {
		if c := a.At.Compare(b.At); c != 0 {
			return c
		}
		return strings.Compare(a.URL, b.URL)
	})
	return list, nil
}

// count returns the documents of a list of samples; ready is false while one of
// them waits for the dictionary. e.desk is held.
func (e *Engine) count(list []sample) (docs []topic.Doc, ready bool, err error) {
	words := e.dict.Load()
	for i := range list {
		s := &list[i]
		if s.id == 0 {
			s.id, _ = e.ws.Lookup(s.URL) // the crawl may have met it since
		}
		if s.words != words {
			select {
			case <-words.Ready():
			default:
				return nil, false, nil
			}
			if s.doc, err = e.sampleDoc(words, s.URL); err != nil {
				return nil, false, err
			}
			s.words = words
		}
		docs = append(docs, *s.doc)
	}
	return docs, true, nil
}

func addresses(list []sample) []string {
	var out []string
	for i := range list {
		out = append(out, list[i].URL)
	}
	return out
}

// crawled returns the ids of samples in order, 0 for one that is not part of
// the crawl.
func crawled(list []sample) []uint64 {
	ids := make([]uint64, len(list))
	for i := range list {
		ids[i] = list[i].id
	}
	return ids
}

// sampleDoc counts the words of a sample from its stored material.
func (e *Engine) sampleDoc(words *dict.Dict, canonical string) (*topic.Doc, error) {
	s, err := e.ws.Decisions.Sample(canonical)
	if err != nil {
		return nil, err
	}
	if s == nil {
		return nil, fmt.Errorf("the page of sample %s is missing; remove the sample and add it again", canonical)
	}
	p, err := e.samplePage(s)
	if err != nil {
		return nil, fmt.Errorf("the page of sample %s: %w", canonical, err)
	}
	d := e.doc(words, p)
	return &d, nil
}

// samplePage parses the stored material of a sample.
func (e *Engine) samplePage(s *store.Sample) (*page.Page, error) {
	body, err := store.Decompress(s.Body, e.Settings().Crawl.MaxBodyMB<<20)
	if err != nil {
		return nil, err
	}
	return page.Parse(page.Source{URL: s.URL, ContentType: s.ContentType, Body: body}, page.Options{Now: e.now(), Resolver: e.resolver})
}
