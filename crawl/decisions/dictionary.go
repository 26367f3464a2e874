package decisions

import (
	"context"
	"fmt"
	"strings"

	"angler/crawl/page"
	"angler/dict"
	"angler/dict/terms"
	"angler/store"
)

// Terms looks for domain terms (P2 2.3) in all stored pages, the strongest
// first. It parses every page again; progress shows as a Job and CancelJob ends
// it.
func (t *Topic) Terms(ctx context.Context, most int) ([]terms.Term, error) {
	d := t.d
	words := d.Reader.Dict()
	if err := words.Wait(ctx); err != nil {
		return nil, err
	}
	known := map[string]bool{}
	for _, w := range d.State().Accepted {
		known[w] = true
	}
	c, err := terms.New(words, terms.Options{Known: func(w string) bool { return known[w] }})
	if err != nil {
		return nil, err
	}
	var ids []uint64
	for p, err := range d.Store.Pages() {
		if err != nil {
			return nil, err
		}
		if p.Status == 200 {
			ids = append(ids, p.ID)
		}
	}
	ctx, err = d.Jobs.Begin(ctx, "looking for terms", len(ids))
	if err != nil {
		return nil, err
	}
	defer d.Jobs.End()
	for _, id := range ids {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		p, err := d.Reader.Stored(id, page.Options{})
		if err == nil && p != nil {
			c.Add(p.Text)
		}
		d.Jobs.Done.Add(1)
	}
	return c.Terms(most), nil
}

// AcceptTerms makes words part of the workspace's dictionary, in one step that
// undo takes back; stored pages are counted again in the background.
func (t *Topic) AcceptTerms(list []string) error {
	var changes []store.Change
	for _, w := range list {
		w = strings.Join(strings.Fields(w), "")
		if n := len([]rune(w)); n < 2 || n > 32 {
			return fmt.Errorf("%q is no word of 2 to 32 characters", w)
		}
		c, err := t.d.set(kindWord, w, wordValue{By: t.by, At: t.d.Now()})
		if err != nil {
			return err
		}
		changes = append(changes, c)
	}
	_, err := t.d.Apply(t.by, "words accepted: "+strings.Join(list, " "), changes...)
	return err
}

// StopWord makes a word a stop word, which counts on no page, in one step that
// undo takes back; stored pages are counted again in the background.
func (t *Topic) StopWord(word string) error {
	word = strings.Join(strings.Fields(word), "")
	if n := len([]rune(word)); n < 1 || n > 32 {
		return fmt.Errorf("%q is no word of 1 to 32 characters", word)
	}
	return t.put(kindStop, word, "stop word "+word, wordValue{By: t.by, At: t.d.Now()})
}

// Segment cuts a text into words as the workspace's dictionary does.
func (t *Topic) Segment(text string) []dict.Token { return t.d.Reader.Dict().Segment(text) }
