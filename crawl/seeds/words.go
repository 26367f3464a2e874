package seeds

import "strings"

// maxWords is the maximum number of words for a new workspace; maxRunes is the maximum length of one.
const (
	maxWords = 500
	maxRunes = 60
)

// SplitQuestions splits typed text into queries: phrases between commas, else words.
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

// topicWords returns the distinct words of a text without addresses; nil if the text contains anything else.
func topicWords(text string) []string {
	var out []string
	seen := map[string]bool{}
	for line := range strings.Lines(text) {
		for _, w := range SplitQuestions(strings.TrimRight(line, "\r\n")) {
			if strings.ContainsAny(w, "/@\\<>") || len([]rune(w)) > maxRunes || len(out) >= maxWords {
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
