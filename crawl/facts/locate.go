package facts

import (
	"strings"

	"angler/crawl/fields"
)

// maxGap bounds the bytes between a label and its value in the text.
const maxGap = 160

// locate finds values of tables in the notice's text, for display: after their label, or at their
// only occurrence.
func locate(text string, values []fields.Value) {
	for i := range values {
		v := &values[i]
		if v.To > v.From || v.Text == "" || v.Source == fields.FromTitle || v.Source == fields.FromAttachment ||
			len(v.Text) > 400 {
			continue
		}
		if label := strings.TrimSpace(v.Label); len(label) > 3 {
			from := 0
			for range 8 {
				at := strings.Index(text[from:], label)
				if at < 0 {
					break
				}
				from += at + len(label)
				if at := strings.Index(text[from:min(len(text), from+maxGap)], v.Text); at >= 0 {
					v.From, v.To = from+at, from+at+len(v.Text)
					break
				}
			}
		}
		if first := strings.Index(text, v.Text); v.To == 0 && first >= 0 && first == strings.LastIndex(text, v.Text) {
			v.From, v.To = first, first+len(v.Text)
		}
	}
}
