package dict

import (
	"bytes"
	_ "embed"
	"fmt"
	"math"
	"strconv"
	"sync"

	"github.com/klauspost/compress/zstd"
)

//go:generate go run gen.go

// base.txt.zst holds the words of gse's simplified dictionary (Apache-2.0,
// after jieba's, MIT) as "word frequency pos" lines sorted by word, lower case,
// each once, compressed. gen.go makes it from the gse module in go.mod.
//
//go:embed base.txt.zst
var baseList []byte

// loadBase unpacks the base dictionary once per process; every Dict shares it.
var loadBase = sync.OnceValues(unpackBase)

func unpackBase() (*trie, error) {
	dec, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
	if err != nil {
		return nil, fmt.Errorf("unpack base dictionary: %w", err)
	}
	defer dec.Close()
	text, err := dec.DecodeAll(baseList, nil)
	if err != nil {
		return nil, fmt.Errorf("unpack base dictionary: %w", err)
	}
	words, err := parseBase(text)
	if err != nil {
		return nil, err
	}
	return newTrie(words, 0), nil
}

// parseBase reads the strict format that gen.go writes. The words are substrings of one string,
// which becomes garbage once the trie is built.
func parseBase(text []byte) ([]entry, error) {
	all := string(text)
	words := make([]entry, 0, bytes.Count(text, []byte{'\n'}))
	for line, at := 1, 0; at < len(all); line++ {
		end := at
		var space [2]int
		n := 0
		for end < len(all) && all[end] != '\n' {
			if all[end] == ' ' && n < 2 {
				space[n] = end
				n++
			}
			end++
		}
		if n != 2 {
			return nil, fmt.Errorf("base dictionary line %d: want word, frequency and part of speech", line)
		}
		freq, err := strconv.ParseUint(all[space[0]+1:space[1]], 10, 32)
		w := entry{all[at:space[0]], float64(freq), all[space[1]+1 : end]}
		if err != nil || freq == 0 || freq > math.MaxInt32 || w.word == "" || len(w.word) > math.MaxUint8 {
			return nil, fmt.Errorf("base dictionary line %d: bad entry", line)
		}
		if len(words) > 0 && words[len(words)-1].word >= w.word {
			return nil, fmt.Errorf("base dictionary line %d: not sorted", line)
		}
		words = append(words, w)
		at = end + 1
	}
	return words, nil
}
