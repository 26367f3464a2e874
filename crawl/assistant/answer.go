package assistant

import (
	"encoding/json"
	"strings"
	"unicode/utf8"

	"angler/crawl/htmldoc"
	"angler/store/records"
)

// This file reads what a model writes. It may write anything.

const (
	maxContent = 64 << 10 // bytes of a model's text
	maxObjects = 32       // braces that may open the answer
	minQuote   = 4        // characters; a shorter quote stands in nearly every notice
	maxQuote   = 300      // characters kept of a quote
)

// reply is the part of a chat completion that is read. Servers write numbers of any kind.
type reply struct {
	Choices []struct {
		Message struct {
			Content string `json:"content"`
		} `json:"message"`
	} `json:"choices"`
	Usage struct {
		Total float64 `json:"total_tokens"`
	} `json:"usage"`
}

// parseAnswer returns the first JSON object with a known answer. It passes over code fences, sentences and the
// thoughts that some models write first.
func parseAnswer(content string) (said, quote string, ok bool) {
	content = content[:min(len(content), maxContent)]
	if i := strings.LastIndex(content, "</think>"); i >= 0 {
		content = content[i:]
	}
	for range maxObjects {
		i := strings.IndexByte(content, '{')
		if i < 0 {
			break
		}
		content = content[i:]
		var x struct{ Answer, Quote string }
		if json.NewDecoder(strings.NewReader(content)).Decode(&x) == nil {
			switch said = strings.ToLower(strings.TrimSpace(x.Answer)); said {
			case records.SaidYes, records.SaidNo, records.SaidUnsure:
				return said, x.Quote, true
			}
		}
		content = content[1:]
	}
	return "", "", false
}

// checkQuote returns a quote for display if the notice holds it, white space aside; "" if not.
func checkQuote(quote, notice string) string {
	folded := fold(quote)
	if utf8.RuneCountInString(folded) < minQuote || !strings.Contains(fold(notice), folded) {
		return ""
	}
	return htmldoc.CleanLine(quote, maxQuote)
}

// fold removes white space: models join lines, and Chinese lines join without a space.
func fold(s string) string { return strings.Join(strings.Fields(s), "") }
