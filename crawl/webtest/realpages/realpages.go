// Package realpages finds the real pages, word lists and published test vectors for tests. They are kept outside the
// repository, because a page's text belongs to its publisher. Their folder is ANGLER_DATA, else ../shared/data next
// to the checkout.
//
// A test skips only if there is no such folder and ANGLER_DATA is empty. If the folder exists, a missing part is a
// failure, so that no test is skipped unnoticed.
package realpages

import (
	"os"
	"path/filepath"
	"testing"
)

// Path returns the path of a file or folder of the data. Without data it skips
// the test; data without this part fails it.
func Path(t testing.TB, parts ...string) string {
	t.Helper()
	path, ok := Find(t, parts...)
	if !ok {
		t.Skip("no folder of real pages: set ANGLER_DATA")
	}
	return path
}

// Find is Path for tests that have enough to do without the data: ok is false
// where there is none.
func Find(t testing.TB, parts ...string) (path string, ok bool) {
	t.Helper()
	root := os.Getenv("ANGLER_DATA")
	if root == "" {
		root = filepath.Join(checkout(t), "..", "shared", "data")
		if _, err := os.Stat(root); os.IsNotExist(err) {
			return "", false
		}
	}
	path = filepath.Join(append([]string{root}, parts...)...)
	if _, err := os.Stat(path); err != nil {
		t.Fatalf("the folder of real pages lacks something: %v", err)
	}
	return path, true
}

// checkout returns the folder with go.mod above the package under test.
func checkout(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		up := filepath.Dir(dir)
		if up == dir {
			t.Fatal("no go.mod above the package")
		}
		dir = up
	}
}
