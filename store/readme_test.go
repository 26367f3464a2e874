package store

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/pelletier/go-toml/v2"
)

var update = flag.Bool("update", false, "write README.md's settings")

// TestReadmeSettings keeps the README's configuration file equal to what a new
// workspace gets.
func TestReadmeSettings(t *testing.T) {
	const path, begin, end = "../README.md", "<!-- settings: generated, see store/readme_test.go -->\n", "<!-- /settings -->"
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(b), begin)
	_, after, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		t.Fatal("README.md lacks the marks of the settings")
	}
	set := DefaultSettings()
	set.Seeds = []string{"http://www.example.edu.cn/"}
	v, err := toml.Marshal(&set)
	if err != nil {
		t.Fatal(err)
	}
	want := before + begin + "\n```toml\n" + string(v) + "```\n\n" + end + after
	if *update {
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if string(b) != want {
		t.Error("README.md: the settings are not those of the program; run: go test ./store -run Readme -update")
	}
}
