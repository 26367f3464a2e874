package run

import (
	"cmp"
	"strings"
	"sync"

	"angler/store"
)

// aliasStatus is the status stored for a second address: moved permanently.
const aliasStatus = 301

// indexNames are the files that servers return for a folder, in the order of their lookup.
var indexNames = [...]string{"index.html", "index.htm", "index.shtml", "index.php", "index.jsp", "index.asp",
	"index.aspx", "default.html", "default.htm", "default.aspx"}

// indexAliases remembers pages that this run read and may not have committed yet. The zero value is
// empty. It is safe for concurrent use.
type indexAliases struct {
	mu sync.Mutex
	m  map[string]aliasPage // by folder
}

// aliasPage is the first page read at one of a folder's addresses.
type aliasPage struct {
	url  string
	hash store.Key
}

// maxIndexAliases bounds the memory of a run, about 150 bytes each. Beyond it the map is cleared,
// and older pages are looked up in the store.
const maxIndexAliases = 1 << 14

// folderOf returns the folder of a canonical URL; false if the URL is neither a folder nor an index
// file.
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

// of returns the address under which a page with equal bytes is known; "" if url is the first. A
// URL stored as a page stays one.
func (t *indexAliases) of(ws *store.Workspace, url string, old *store.Page, body []byte) string {
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
	first := storedAlias(ws, folder, url, hash)
	if t.m == nil || len(t.m) >= maxIndexAliases {
		t.m = map[string]aliasPage{}
	}
	t.m[folder] = aliasPage{cmp.Or(first, url), hash}
	return first
}

func storedAlias(ws *store.Workspace, folder, url string, hash store.Key) string {
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

// isPage reports whether a URL is stored as a page with this hash.
func isPage(ws *store.Workspace, url string, hash store.Key) bool {
	id, ok := ws.Lookup(url)
	if !ok {
		return false
	}
	p, err := ws.Page(id)
	return err == nil && p != nil && p.Location == "" && p.Hash == hash
}
