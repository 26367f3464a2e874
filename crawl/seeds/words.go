package seeds

import "strings"

// mostWords bounds the words of a new workspace, mostRunes one of them.
const (
	mostWords = 500
	mostRunes = 60
)

// SplitQuestions are the typed questions for a web search: words, or
// phrases where there are commas between them.
func SplitQuestions(text string) []string {
	comma := func(r rune) bool { return strings.ContainsRune(",，、;；\r\n", r) }
	if strings.IndexFunc(text, comma) < 0 {
		return strings.Fields(text)
	}
	var out []string
	for _, w := range strings.FieldsFunc(text, comma) {
		if w = strings.Join(strings.Fields(w), " "); w != "" {
			out = append(out, w)
		}
	}
	return out
}

// topicWords are the words of a text without any address, each once; none when it is
// more than words.
func topicWords(text string) []string {
	var out []string
	seen := map[string]bool{}
	for line := range strings.Lines(text) {
		for _, w := range SplitQuestions(strings.TrimRight(line, "\r\n")) {
			if strings.ContainsAny(w, "/@\\<>") || len([]rune(w)) > mostRunes || len(out) >= mostWords {
				return nil
			}
			if !seen[w] {
				seen[w] = true
				out = append(out, w)
			}
		}
	}
	return out
}
