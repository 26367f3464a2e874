//go:build heavy

package attachments

import (
	"context"
	"os"
	"path/filepath"
	"testing"
)

func init() { bombSize = 7 }

// A compiled PDFium that was damaged on the disk is made anew.
func TestDamagedCache(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles PDFium twice; -short leaves it out")
	}
	dir := t.TempDir()
	first := &documentReader{Cache: dir}
	if _, err := first.Read(context.Background(), madePDF("", "x"), "", ""); err != nil {
		t.Fatal(err)
	}
	must(t, first.Close())
	n := 0
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			n++
			err = os.WriteFile(path, []byte("torn"), 0o600)
		}
		return err
	})
	if err != nil || n == 0 {
		t.Fatalf("%d files kept, %v", n, err)
	}
	second := &documentReader{Cache: dir}
	defer second.Close()
	if got, err := second.Read(context.Background(), madePDF("", "公告"), "", ""); err != nil || got.Text != "公告" {
		t.Errorf("%q, %v", got.Text, err)
	}
}
