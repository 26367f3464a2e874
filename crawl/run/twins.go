package run

import (
	"strings"
	"sync"

	"angler/store"
)

// This file finds the second address of a page: a folder's own (http://x/a/) and
// that of its index file (http://x/a/index.html) mostly give the same bytes. The
// one that is read first is the page; the other is stored as a redirect to it.

// twinStatus is stored for the second address: moved permanently.
const twinStatus = 301

// indexNames are the files that servers give for a folder, in the order in which
// they are looked for.
var indexNames = [...]string{"index.html", "index.htm", "index.shtml", "index.php", "index.jsp", "index.asp", "index.aspx", "default.html", "default.htm", "default.aspx"}

// twins remembers what was read in this run and may not be committed yet. The
// zero value is empty.
type twins struct {
	mu sync.Mutex
	m  map[string]twin // by folder
}

// twin is the page that was first read at one of a folder's addresses.
type twin struct {
	url  string
	hash store.Key
}

// maxTwins bounds the memory of a run, some 150 bytes each; beyond it the oldest
// are looked up in the store.
const maxTwins = 1 << 14

// folderOf returns the folder that a canonical URL may be an address of; false
// when it is neither a folder's nor an index file's.
func folderOf(url string) (folder string, ok bool) {
	i := strings.LastIndexByte(url, '/')
	folder = url[:i+1]
	file := url[i+1:]
	if file == "" {
		return folder, true
	}
	for _, name := range indexNames {
		if strings.EqualFold(file, name) {
			return folder, true
		}
	}
	return "", false
}

// twin returns the address under which a page with the same bytes is known, ""
// when url is the first. A URL that is a page already stays one.
func (r *Run) twin(url string, old *store.Page, hash store.Key) string {
	folder, ok := folderOf(url)
	if !ok || old != nil && old.Location == "" {
		return ""
	}
	r.twins.mu.Lock()
	defer r.twins.mu.Unlock()
	if t, known := r.twins.m[folder]; known {
		if t.url != url && t.hash == hash {
			return t.url
		}
		return ""
	}
	first := r.storedTwin(folder, url, hash)
	if r.twins.m == nil || len(r.twins.m) >= maxTwins {
		r.twins.m = map[string]twin{}
	}
	if first != "" {
		r.twins.m[folder] = twin{first, hash}
	} else {
		r.twins.m[folder] = twin{url, hash}
	}
	return first
}

func (r *Run) storedTwin(folder, url string, hash store.Key) string {
	if url != folder && r.isPage(folder, hash) {
		return folder
	}
	for _, name := range indexNames {
		if other := folder + name; other != url && r.isPage(other, hash) {
			return other
		}
	}
	return ""
}

// isPage reports whether a URL is stored as a page with these bytes.
func (r *Run) isPage(url string, hash store.Key) bool {
	id, ok := r.Store.Lookup(url)
	if !ok {
		return false
	}
	p, err := r.Store.Page(id)
	return err == nil && p != nil && p.Location == "" && p.Hash == hash
}
