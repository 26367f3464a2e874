package reader

import (
	"strings"
	"sync"

	"angler/crawl/htmldoc"
)

// scripts caches script files used for reading lists: a site's lists name the same few. It is safe for concurrent
// use.
type scripts struct {
	mu    sync.Mutex
	texts map[string]string
	size  int
}

// Limits of the script files in memory, in bytes.
const (
	scriptBytes = 256 << 10 // of one file
	allScripts  = 8 << 20   // of all files; beyond it, the cache is emptied
)

// script returns the text of a stored script file by its canonical URL; "" if it is not a script. known is false if
// it was not fetched. See page.Options.Script.
func (r *Reader) script(url string) (text string, known bool) {
	s := &r.scripts
	s.mu.Lock()
	text, known = s.texts[url]
	s.mu.Unlock()
	if known {
		return text, true
	}
	id, ok := r.Store.Lookup(url)
	if !ok {
		return "", false
	}
	row, err := r.Store.Page(id)
	if err != nil || row == nil {
		return "", false
	}
	if row.Status == 200 {
		if body, err := r.Store.Body(id, scriptBytes); err == nil && body != nil {
			text, _ = htmldoc.DecodeText(body, "text/plain; charset="+row.Charset)
		}
	}
	text = strings.Clone(text)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.texts == nil || s.size > allScripts {
		s.texts, s.size = map[string]string{}, 0
	}
	s.texts[url] = text
	s.size += len(text) + len(url)
	return text, true
}

// Rescript removes a refetched script file from the cache.
func (r *Reader) Rescript(url string) {
	r.scripts.mu.Lock()
	defer r.scripts.mu.Unlock()
	delete(r.scripts.texts, url)
}
