package dict

import (
	"fmt"
	"sync/atomic"
	"time"

	"github.com/go-ego/gse"
)

// gseEngine cuts with gse's Segmenter and dictionary, to check the flat engine against the library.
// It is read-only once loaded, so cutting needs no lock.
type gseEngine struct {
	seg  *gse.Segmenter
	tags []string          // parts of speech
	tag  map[string]uint32 // index into tags + 1, as in the node of a span
}

// gseHolds is the number of words of gse; gseTakes is the duration of the last load in ns.
const gseHolds = 352_279

var gseTakes = func() *atomic.Int64 {
	t := new(atomic.Int64)
	t.Store(int64(4 * time.Second))
	return t
}()

// loadGse loads gse's embedded simplified dictionary and adds words to it. A word that gse has
// keeps the higher of the two frequencies, which is the effect of the flat engine's two tries.
func loadGse(words []entry) (engine, error) {
	begun := time.Now()
	defer func() { gseTakes.Store(int64(time.Since(begun))) }()
	seg := &gse.Segmenter{SkipLog: true, NotLoadHMM: true}
	if err := seg.LoadDictEmbed("zh_s"); err != nil {
		fallback, _ := loadFlat(words)
		return fallback, fmt.Errorf("load gse's dictionary: %w; the flat segmenter takes its place", err)
	}
	if err := addWords(seg, words); err != nil {
		fallback, _ := loadFlat(words)
		return fallback, fmt.Errorf("add user words to gse: %w; the flat segmenter takes their place", err)
	}
	e := &gseEngine{seg: seg, tag: map[string]uint32{}}
	for i := range seg.Dict.Tokens {
		pos := seg.Dict.Tokens[i].Pos()
		if _, ok := e.tag[pos]; !ok {
			e.tags = append(e.tags, pos)
			e.tag[pos] = uint32(len(e.tags))
		}
	}
	return e, nil
}

func addWords(seg *gse.Segmenter, words []entry) error {
	if len(words) == 0 {
		return nil
	}
	total := seg.Dict.TotalFreq()
	for _, w := range words {
		freq := min(w.freq, total/2) // as in userTrie
		var err error
		switch old := gseFreq(seg, w.word); {
		case old == 0:
			err = seg.AddToken(w.word, freq, w.pos)
		case freq > old:
			err = seg.ReAddToken(w.word, freq, w.pos)
		}
		if err != nil {
			return fmt.Errorf("word %q: %w", w.word, err)
		}
	}
	// gse computes the path lengths of all words at once.
	seg.CalcToken()
	return nil
}

// gseFreq returns the frequency of a word, 0 if gse does not hold it. (Find alone accepts every
// beginning of a word.)
func gseFreq(seg *gse.Segmenter, word string) float64 {
	freq, _, _ := seg.Find(word)
	return freq
}

func (g *gseEngine) cut(sc *scratch, from, to int32) {
	at := from // rune position
	start := int(sc.off[from])
	for _, s := range g.seg.Segment(sc.buf[start:sc.off[to]]) {
		w := span{start: at}
		for at < to && int(sc.off[at]) < start+s.End() {
			at++
		}
		if w.end = at; w.end == w.start {
			continue
		}
		w.node = g.tag[s.Token().Pos()] // the "x" of an unknown word is not in the table
		sc.words = append(sc.words, w)
	}
}

func (g *gseEngine) pos(w span) string {
	if w.node == 0 || g.tags[w.node-1] == "" {
		return "x"
	}
	return g.tags[w.node-1]
}

func (g *gseEngine) find(word string) (pos string, known bool) {
	freq, pos, _ := g.seg.Find(word)
	if freq == 0 || pos == "" {
		pos = "x"
	}
	return pos, freq > 0
}
