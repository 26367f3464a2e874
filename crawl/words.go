package crawl

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"angler/crawl/page"
	"angler/dict"
	"angler/dict/terms"
	"angler/store"
)

// kindWord is the desk's kind of words that the analyst accepted; key: word.
const kindWord = "word"

type wordValue struct {
	By string    `json:"by"`
	At time.Time `json:"at"`
}

// openDict opens the dictionary with the words of the workspace's dict folder
// and those accepted and stopped on the desk. Without any it is the process's shared one.
func openDict(dir, engine string, accepted, stopped []string) (*dict.Dict, error) {
	read := func(name string) ([]byte, error) {
		b, err := os.ReadFile(filepath.Join(dir, name))
		if errors.Is(err, os.ErrNotExist) {
			return nil, nil
		}
		if err != nil {
			return nil, fmt.Errorf("cannot read %s: %w", filepath.Join(dir, name), err)
		}
		return b, nil
	}
	words, err := read("words.txt")
	if err != nil {
		return nil, err
	}
	stop, err := read("stop.txt")
	if err != nil {
		return nil, err
	}
	if words == nil && stop == nil && len(accepted)+len(stopped) == 0 && engine == dict.EngineFlat {
		return dict.Shared(), nil
	}
	return dict.Open(dict.Options{
		Engine:    engine,
		UserWords: io.MultiReader(bytes.NewReader(words), strings.NewReader("\n"+strings.Join(accepted, "\n"))),
		StopWords: io.MultiReader(bytes.NewReader(stop), strings.NewReader("\n"+strings.Join(stopped, "\n"))),
	}), nil
}

// rewords opens another dictionary when the accepted or stopped words changed, and has the
// pages counted again in the background. e.desk is held.
func (e *Engine) rewords(accepted, stopped []string) error {
	if slices.Equal(accepted, e.accepted) && slices.Equal(stopped, e.stopped) && e.dict.Load() != nil {
		return nil
	}
	d, err := openDict(filepath.Join(e.ws.Dir(), "dict"), e.set.Words.Segmenter, accepted, stopped)
	if err != nil {
		return err
	}
	e.accepted, e.stopped = accepted, stopped
	if e.dict.Swap(d) == nil {
		return nil // opening: the publisher, or Words, sees to the counts
	}
	e.bg.Go(func() {
		if err := e.Recount(e.ctx); err != nil && e.ctx.Err() == nil {
			e.note("error", "counting words again: %v", err)
		}
	})
	return nil
}

// Terms looks for domain terms (P2 2.3) in all stored pages, the strongest
// first. It parses every page again; progress shows as a Job and CancelJob ends
// it.
func (e *Engine) Terms(ctx context.Context, most int) ([]terms.Term, error) {
	words := e.dict.Load()
	if err := words.Wait(ctx); err != nil {
		return nil, err
	}
	e.desk.Lock()
	known := map[string]bool{}
	for _, w := range e.accepted {
		known[w] = true
	}
	e.desk.Unlock()
	c, err := terms.New(words, terms.Options{Known: func(w string) bool { return known[w] }})
	if err != nil {
		return nil, err
	}
	var ids []uint64
	for p, err := range e.ws.Pages() {
		if err != nil {
			return nil, err
		}
		if p.Status == 200 {
			ids = append(ids, p.ID)
		}
	}
	ctx, err = e.job.begin(ctx, "looking for terms", len(ids))
	if err != nil {
		return nil, err
	}
	defer e.job.end()
	for _, id := range ids {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		p, err := e.stored(id, page.Options{})
		if err == nil && p != nil {
			c.Add(p.Text)
		}
		e.job.done.Add(1)
	}
	return c.Terms(most), nil
}

// AcceptTerms makes words part of the workspace's dictionary, in one step that
// undo takes back; stored pages are counted again in the background.
func (e *Engine) AcceptTerms(list []string) error {
	var changes []store.Change
	for _, w := range list {
		w = strings.Join(strings.Fields(w), "")
		if n := len([]rune(w)); n < 2 || n > 32 {
			return fmt.Errorf("%q is no word of 2 to 32 characters", w)
		}
		c, err := store.Set(store.FirstTopic, kindWord, w, wordValue{By: e.by, At: e.now()})
		if err != nil {
			return err
		}
		changes = append(changes, c)
	}
	_, err := e.act(func() (*store.Event, error) {
		return e.ws.Decisions.Do(e.by, "words accepted: "+strings.Join(list, " "), changes...)
	})
	return err
}

// Segment cuts a text into words as the workspace's dictionary does.
func (e *Engine) Segment(text string) []dict.Token { return e.dict.Load().Segment(text) }
