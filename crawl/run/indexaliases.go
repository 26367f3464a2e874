package run

import (
	"cmp"
	"strings"
	"sync"

	"angler/store"
)

// aliasStatus is stored for the second address: moved permanently.
const aliasStatus = 301

// indexNames are the files that servers give for a folder, in the order in which
// they are looked for.
var indexNames = [...]string{"index.html", "index.htm", "index.shtml", "index.php", "index.jsp", "index.asp", "index.aspx", "default.html", "default.htm", "default.aspx"}

// indexAliases remembers what was read in a run and may not be committed yet. The zero value is
// empty. It is safe for concurrent use.
type indexAliases struct {
	mu sync.Mutex
	m  map[string]aliasPage // by folder
}

// aliasPage is the page that was first read at one of a folder's addresses.
type aliasPage struct {
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

// Of returns the address under which a page with the same bytes is known, "" when
// url is the first. A URL that is a page already stays one.
func (t *indexAliases) Of(ws *store.Workspace, url string, old *store.Page, body []byte) string {
	folder, ok := folderOf(url)
	if !ok || old != nil && old.Location == "" {
		return ""
	}
	hash := store.KeyOf(body)
	t.mu.Lock()
	defer t.mu.Unlock()
	if known, ok := t.m[folder]; ok {
		if known.url != url && known.hash == hash {
			return known.url
		}
		return ""
	}
	first := storedTwin(ws, folder, url, hash)
	if t.m == nil || len(t.m) >= maxTwins {
		t.m = map[string]aliasPage{}
	}
	t.m[folder] = aliasPage{cmp.Or(first, url), hash}
	return first
}

func storedTwin(ws *store.Workspace, folder, url string, hash store.Key) string {
	if url != folder && isPage(ws, folder, hash) {
		return folder
	}
	for _, name := range indexNames {
		if other := folder + name; other != url && isPage(ws, other, hash) {
			return other
		}
	}
	return ""
}

// isPage reports whether a URL is stored as a page with these bytes.
func isPage(ws *store.Workspace, url string, hash store.Key) bool {
	id, ok := ws.Lookup(url)
	if !ok {
		return false
	}
	p, err := ws.Page(id)
	return err == nil && p != nil && p.Location == "" && p.Hash == hash
}
