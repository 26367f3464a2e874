package tui

import (
	"os"
	"strings"
	"testing"
)

// TestReadmeKeyTable keeps the README's key table equal to the bindings; run
// with -update to write it.
func TestReadmeKeyTable(t *testing.T) {
	const path, begin, end = "../README.md", "<!-- keys: generated, see tui/readme_test.go -->\n", "<!-- /keys -->"
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(b), begin)
	_, after, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		t.Fatal("README.md lacks the marks of the key table")
	}
	want := before + begin + "\n" + KeyTable() + "\n" + end + after
	if *update {
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if string(b) != want {
		t.Error("README.md: the key table is not that of the program; run: go test ./tui -run Readme -update")
	}
}
