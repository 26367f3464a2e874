package reader

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"angler/crawl/page"
	"angler/dict"
	"angler/topic"
)

// counter counts words and hands them over as a vector.
type counter struct{ dict.Counter }

var counters = sync.Pool{New: func() any { return new(counter) }}

func (k *counter) vector() topic.Vector {
	v := make(topic.Vector, 0, k.Len())
	k.Each(func(id, n uint32) { v = append(v, topic.Term{ID: id, N: n}) })
	return v
}

// Count counts the words of a page by a dictionary that is loaded: all visible
// text, and T(p), the title (weighed against the records by topic.TitleWeight)
// with the titles of the page's records.
func (r *Reader) Count(words *dict.Dict, p *page.Page) topic.Doc {
	k := counters.Get().(*counter)
	defer counters.Put(k)
	d := topic.Doc{URL: p.URL, Beta: p.Beta, Records: len(p.Records), Dated: p.Dated, Front: page.Front(p.URL)}
	k.Reset()
	words.Count(r.Lexicon, p.Text, &k.Counter)
	d.Full = k.vector()
	k.Reset()
	// The page's own title, without the site's name: that would swamp the topic.
	for range topic.TitleWeight(len(p.Records)) {
		words.Count(r.Lexicon, p.Title, &k.Counter)
	}
	for i := range p.Records {
		words.Count(r.Lexicon, p.Records[i].Title, &k.Counter)
	}
	d.List = k.vector()
	return d
}

// Vector counts the words of a short text, an anchor for example.
func (r *Reader) Vector(text string) topic.Vector {
	k := counters.Get().(*counter)
	defer counters.Put(k)
	k.Reset()
	r.dict.Load().Count(r.Lexicon, text, &k.Counter)
	return k.vector()
}

// OpenDict opens the dictionary with the words of a workspace's dict folder and
// those that analysts accepted and stopped. Without any it is the process's
// shared one. It loads in the background, see dict.Dict.Ready.
func OpenDict(dir, engine string, accepted, stopped []string) (*dict.Dict, error) {
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
