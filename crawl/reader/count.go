package reader

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"angler/crawl/page"
	"angler/dict"
	"angler/topic"
)

// counter counts words and returns them as a vector.
type counter struct{ dict.Counter }

var counters = sync.Pool{New: func() any { return new(counter) }}

func (k *counter) vector() topic.Vector {
	v := make(topic.Vector, 0, k.Len())
	k.Each(func(id, n uint32) { v = append(v, topic.Term{ID: id, N: n}) })
	return v
}

// Count counts the words of a page with a loaded dictionary: all visible text, and T(p). T(p) is the title (weighed
// against the records by topic.TitleWeight) with the titles of the page's records.
func (r *Reader) Count(words *dict.Dict, p *page.Page) topic.Doc { return count(words, r.Lexicon, p) }

// count is Count with a given lexicon.
func count(words *dict.Dict, lexicon *dict.Lexicon, p *page.Page) topic.Doc {
	k := counters.Get().(*counter)
	defer counters.Put(k)
	d := wordless(p)
	k.Reset()
	words.Count(lexicon, p.Text, &k.Counter)
	d.Full = k.vector()
	k.Reset()
	// The page's own title, without the site's name, which would dominate the topic.
	for range topic.TitleWeight(len(p.Records)) {
		words.Count(lexicon, p.Title, &k.Counter)
	}
	for i := range p.Records {
		words.Count(lexicon, p.Records[i].Title, &k.Counter)
	}
	d.List = k.vector()
	return d
}

// wordless returns the topic model's input for a page, except its words.
func wordless(p *page.Page) topic.Doc {
	return topic.Doc{URL: p.URL, Beta: p.Beta, Records: len(p.Records), Dated: p.Dated, Front: page.IsHomePage(p.URL)}
}

// Vector counts the words of a short text, such as an anchor.
func (r *Reader) Vector(text string) topic.Vector {
	k := counters.Get().(*counter)
	defer counters.Put(k)
	k.Reset()
	r.dict.Load().Count(r.Lexicon, text, &k.Counter)
	return k.vector()
}

// Vocabulary is the source of a dictionary.
type Vocabulary struct {
	Engine string // dict.EngineFlat or dict.EngineGse
	User   string // user words, one per line, see dict.Options.UserWords
	Stop   string // stop words, one per line
}

// Open opens the dictionary. Without user or stop words it is the process's shared one. It loads in the background,
// see dict.Dict.Ready.
func (v Vocabulary) Open() *dict.Dict {
	if strings.TrimSpace(v.User) == "" && strings.TrimSpace(v.Stop) == "" && v.Engine == dict.EngineFlat {
		return dict.Shared()
	}
	return dict.Open(dict.Options{Engine: v.Engine, UserWords: strings.NewReader(v.User),
		StopWords: strings.NewReader(v.Stop)})
}

// ReadVocabulary reads the words of a workspace's dict folder and adds the words that analysts accepted or stopped.
func ReadVocabulary(dir, engine string, accepted, stopped []string) (v Vocabulary, err error) {
	read := func(name string, more []string) string {
		b, e := os.ReadFile(filepath.Join(dir, name))
		if e != nil && !errors.Is(e, os.ErrNotExist) {
			err = fmt.Errorf("cannot read %s: %w", filepath.Join(dir, name), e)
		}
		return string(b) + "\n" + strings.Join(more, "\n")
	}
	v = Vocabulary{Engine: engine, User: read("words.txt", accepted), Stop: read("stop.txt", stopped)}
	return v, err
}

// OpenDict opens the dictionary of a workspace.
func OpenDict(dir, engine string, accepted, stopped []string) (*dict.Dict, error) {
	v, err := ReadVocabulary(dir, engine, accepted, stopped)
	if err != nil {
		return nil, err
	}
	return v.Open(), nil
}
