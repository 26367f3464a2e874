package crawl

import (
	"fmt"
	"strings"

	"angler/store"
)

// kindStop is the desk's kind of words that say nothing about a topic; key:
// word.
const kindStop = "stop"

// StopWord makes a word one that no page is judged by, in one step that undo
// takes back; stored pages are counted again in the background.
func (e *Engine) StopWord(word string) error {
	word = strings.Join(strings.Fields(word), "")
	if n := len([]rune(word)); n < 1 || n > 32 {
		return fmt.Errorf("%q is no word of 1 to 32 characters", word)
	}
	_, err := e.act(func() (*store.Event, error) {
		return e.do(kindStop, word, "stop word "+word, wordValue{By: e.by, At: e.now()})
	})
	return err
}
