package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"angler/crawl/decisions"
	"angler/store"
)

// noticed makes a workspace with notices about 石油大会.
func noticed(t *testing.T) string {
	t.Helper()
	var list []store.Notice
	for i := range 6 {
		list = append(list, store.Notice{Title: "石油大会公告",
			Text: "第二十届世界石油大会" + strings.Repeat("。", i) + "\n采购项目" + strings.Repeat("！", i)})
	}
	return withNotices(t, list...)
}

func TestTermsGold(t *testing.T) {
	dir := noticed(t)
	t.Chdir(t.TempDir())
	must(t, os.WriteFile("gold.txt", []byte("# ours\n世界石油大会\n石油大会\n石油\n大会厅\n坏\x01字\n"), 0o644))
	out, said, err := call(t, "terms eval --corpus notices --json", dir, "gold.txt")
	must(t, err)
	var m decisions.MeasuredTerms
	must(t, json.Unmarshal([]byte(out), &m))
	if m.Corpus != "notices" || m.Pages != 6 || m.Threshold != 3 || m.Words != 4 || m.Whole != 1 || m.Stand != 2 || len(m.Methods) != 2 {
		t.Errorf("%+v", m)
	}
	ruled := m.Methods[1]
	if ruled.Method != "ruled" || ruled.Patterns != 20 || ruled.Right != 1 || ruled.Recall != .5 || ruled.Precision != 1/float64(ruled.Found) {
		t.Errorf("石油大会 stands only within the longer term: %+v", ruled)
	}
	if !strings.Contains(said, "gold.txt line 6 is left out") {
		t.Errorf("a bad line: %q", said)
	}
	out, _, err = call(t, "terms eval --corpus notices --threshold 1000", dir, "gold.txt")
	for _, want := range []string{"corpus notices, 6 read · C-value over 1000", "in the dictionary already 1, of the others in the corpus 2", "loose        680      0      0  0.000  0.000  0.000"} {
		if err != nil || !strings.Contains(out, want) {
			t.Errorf("%v, no %q in\n%s", err, want, out)
		}
	}
}

func TestTermsNewAndRejected(t *testing.T) {
	dir := noticed(t)
	fresh := func() string {
		t.Helper()
		out := done(t, "terms list --new --corpus notices", dir)
		return out
	}
	if out := fresh(); !strings.Contains(out, "世界石油大会") {
		t.Errorf("new are\n%s", out)
	}
	done(t, "terms reject", dir, "世界石油大会")
	if out := fresh(); strings.Contains(out, "世界石油大会") {
		t.Errorf("after it was rejected new are\n%s", out)
	}
	done(t, "history undo", dir)
	if out := fresh(); !strings.Contains(out, "世界石油大会") {
		t.Errorf("after undo new are\n%s", out)
	}
}

func TestTermsMisuse(t *testing.T) {
	dir := noticed(t)
	t.Chdir(t.TempDir())
	must(t, os.WriteFile("empty", []byte("# nothing\n"), 0o644))
	must(t, os.WriteFile("words", []byte("石油大会\n"), 0o644))
	for _, c := range []struct {
		line, want string
	}{
		{"list DIR --top 0", "less than 1"},
		{"list DIR --method strict", `--method: "strict" is neither ruled nor loose`},
		{"list DIR --corpus web", `--corpus: "web" is none of all, lists, notices`},
		{"eval DIR words --threshold NaN", "--threshold: NaN is not above 0"},
		{"eval DIR empty", "empty holds no words"},
		{"reject DIR 甲", "no word of 2 to 32 characters"},
	} {
		misused(t, c.want, "terms "+strings.Replace(c.line, "DIR", dir, 1))
	}
	refused(t, "cannot read the list", "terms eval", dir, "nowhere")
	path := filepath.Join(dir, "angler.toml")
	b, err := os.ReadFile(path)
	must(t, err)
	must(t, os.WriteFile(path, bytes.Replace(b, []byte("patterns = []\n# C-value"), []byte("patterns = ['n+1']\n# C-value"), 1), 0o644))
	refused(t, `angler.toml: terms.patterns: part-of-speech pattern "n+1"`, "terms", dir)
}
