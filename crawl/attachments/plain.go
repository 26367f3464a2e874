package attachments

import (
	"fmt"

	"angler/crawl/htmldoc"
	"angler/crawl/page"
)

// webPage returns the text of an HTML document.
func webPage(body []byte, contentType string) (documentContent, error) {
	p, err := page.Parse(page.Source{Body: body, ContentType: contentType}, page.Options{})
	if err != nil {
		return documentContent{}, fmt.Errorf("%w: %v", errDamaged, err)
	}
	t := documentContent{Text: p.Text}
	if len(p.Limits) > 0 {
		t.Cut = p.Limits[0]
	}
	return t, nil
}

// plain decodes a plain text.
func (j *job) plain(body []byte, contentType string) (documentContent, error) {
	text, _ := htmldoc.DecodeText(body[:min(len(body), 4*j.lim.Letters)], contentType)
	j.put(text)
	return j.text(0), nil
}
