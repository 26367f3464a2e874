package dict

import (
	_ "embed"
	"hash/fnv"
	"slices"
	"strconv"
	"strings"
)

// stopwords.txt is our own list, in groups, each with the reason why its words
// say nothing about a topic.
//
//go:embed stopwords.txt
var stopList string

// ownStopWords returns a fresh copy of our list, which the caller may extend.
func ownStopWords() map[string]struct{} {
	stop := make(map[string]struct{}, 512)
	for line := range strings.Lines(stopList) {
		if line = strings.TrimSpace(line); line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		for _, w := range strings.Fields(line) {
			stop[w] = struct{}{}
		}
	}
	return stop
}

// fingerprint hashes all data that determines how a text is counted. A change of base.txt.zst or of
// the cutting rule is a new program and increases version.
func fingerprint(engine string, words []entry, stop map[string]struct{}) uint64 {
	const version = "1"
	h := fnv.New64a()
	put := func(s string) {
		h.Write([]byte(s))
		h.Write([]byte{0})
	}
	put(version)
	if engine == EngineGse {
		put(engine)
	}
	for _, w := range words {
		put(w.word)
		if w.freq == 0 {
			put("wins") // an earlier rule only preferred such a word to its own parts
			continue
		}
		put(strconv.FormatFloat(w.freq, 'g', -1, 64))
	}
	keys := make([]string, 0, len(stop))
	for w := range stop {
		keys = append(keys, w)
	}
	slices.Sort(keys)
	for _, w := range keys {
		put(w)
	}
	return h.Sum64()
}
