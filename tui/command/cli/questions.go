package cli

import (
	"os"
	"strings"

	"angler/crawl/fetch"
	"angler/crawl/seeds"
)

// longestWords bounds a file of words, in bytes.
const longestWords = 1 << 20

// Questions reads what the web is searched for: a file with a question a line, where #
// begins a comment, or words between spaces, phrases between commas.
func Questions(wordsOrFile string) ([]string, error) {
	if st, err := os.Stat(wordsOrFile); err != nil || st.IsDir() {
		return seeds.SplitQuestions(wordsOrFile), nil
	}
	b, err := fetch.ReadFile(wordsOrFile, longestWords)
	if err != nil {
		return nil, err
	}
	var out []string
	for line := range strings.Lines(string(b)) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			out = append(out, line)
		}
	}
	return out, nil
}
