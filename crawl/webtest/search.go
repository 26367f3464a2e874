package webtest

import (
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"sync"
)

// SearchHost is the host of a SearXNG-like server over the pages of the web. With it the demo can search for seeds
// without the internet.
const SearchHost = "search.test"

// Limits of an answer: results per page, and results in all.
const (
	foundPerPage = 10
	maxFound     = 300
)

// findable is a page in the search index.
type findable struct{ url, title, text string }

// searcher holds the pages of a web after its first search.
type searcher struct {
	once  sync.Once
	pages []findable
}

// search answers /search?q=…&format=json&pageno=N with the pages that contain every word, those with a word in the
// title first.
func (w *Web) search(rw http.ResponseWriter, req *http.Request) {
	q := req.URL.Query()
	if req.URL.Path != "/search" || q.Get("format") != "json" {
		http.Error(rw, "search.test answers /search?format=json&q=WORDS", http.StatusNotFound)
		return
	}
	w.searcher.once.Do(func() {
		for t := range w.Truths() {
			p := findable{t.URL, t.Title, t.Text}
			for _, r := range t.Records {
				p.text += "\n" + r.Title
			}
			w.searcher.pages = append(w.searcher.pages, p)
		}
	})
	page, _ := strconv.Atoi(q.Get("pageno"))
	type row struct {
		URL    string `json:"url"`
		Title  string `json:"title"`
		Engine string `json:"engine"`
	}
	rows := []row{}
	from, n := (max(page, 1)-1)*foundPerPage, 0
	words := strings.Fields(q.Get("q"))
	for _, inTitle := range []bool{true, false} {
		for i := range w.searcher.pages {
			p := &w.searcher.pages[i]
			if len(words) == 0 || n >= maxFound || n >= from+foundPerPage || holds(p.title, words) != inTitle ||
				!inTitle &&
					!holds(p.title+"\n"+p.text, words) {
				continue
			}
			if n++; n > from {
				rows = append(rows, row{p.url, p.title, "demo"})
			}
		}
	}
	rw.Header().Set("Content-Type", "application/json")
	// ignore clients that disconnect
	_ = json.NewEncoder(rw).Encode(map[string]any{"query": q.Get("q"), "number_of_results": 0, "results": rows,
		"unresponsive_engines": [][]string{}})
}

func holds(text string, words []string) bool {
	for _, w := range words {
		if !strings.Contains(text, w) {
			return false
		}
	}
	return true
}
