package crawl

import (
	"os"
	"path/filepath"
)

// cacheFolder is a folder of this program in the user's cache, for what can be made
// again; "" where the user has none. It is made by who first writes there.
func cacheFolder(name string) string {
	dir, err := os.UserCacheDir()
	if err != nil || !filepath.IsAbs(dir) {
		return ""
	}
	return filepath.Join(dir, "angler", name)
}
