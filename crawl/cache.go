package crawl

import (
	"os"
	"path/filepath"
)

// cacheFolder returns a folder in the user's cache for data that can be made again; "" if the user has none. It does
// not create the folder.
func cacheFolder(name string) string {
	dir, err := os.UserCacheDir()
	if err != nil || !filepath.IsAbs(dir) {
		return ""
	}
	return filepath.Join(dir, "angler", name)
}
