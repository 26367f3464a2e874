package crawl

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"angler/store"
	"angler/store/config"
	"angler/store/secrets"
)

// WriteReport stores a crash report and returns its path, or the reason for its absence. The file contains a stack,
// but no pages or addresses of the crawl.
func WriteReport(text []byte) string {
	dir, err := os.UserCacheDir()
	if err == nil {
		dir = filepath.Join(dir, "angler")
		err = os.MkdirAll(dir, 0o700)
	}
	if err != nil {
		dir = os.TempDir()
	}
	now := time.Now()
	path := filepath.Join(dir, now.Format("crash-20060102-150405")+fmt.Sprintf("-%d.txt", os.Getpid()))
	head := fmt.Sprintf("angler %s, %s, %s/%s, %s\n\n", config.Version, runtime.Version(), runtime.GOOS, runtime.GOARCH,
		now.Format(time.RFC3339))
	if err := os.WriteFile(path, append([]byte(head), secrets.Redact(string(text))...), 0o600); err != nil {
		return "no file: " + err.Error()
	}
	return path
}

// AfterCrash describes the loss of a crash and the remedy. Commits are atomic, at most a quarter of a second apart.
// A crash inside the database's pages is worse: the file may be damaged.
func AfterCrash(report []byte) string {
	for _, sign := range []string{"go.etcd.io/bbolt", "unexpected fault address", "SIGBUS", store.ErrDamaged.Error()} {
		if bytes.Contains(report, []byte(sign)) {
			return "the database may be damaged: close what uses it and run: angler workspace check DIR"
		}
	}
	return "what was committed is kept, all but at most the last quarter second; what was being fetched then is fetched again"
}
