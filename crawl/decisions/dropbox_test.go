package decisions

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"angler/topic"
)

// The box takes so many files and no more.
func TestDropBoxIsBounded(t *testing.T) {
	dir := t.TempDir()
	p := Proposal{Kind: ProposeLabel, Page: 7, URL: "http://a.test/", Label: topic.Yes, Reason: "x", By: "claude"}
	for range MaxWaiting {
		if err := DropProposal(dir, p); err != nil {
			t.Fatal(err)
		}
	}
	if err := DropProposal(dir, p); err == nil || !strings.Contains(err.Error(), "open the workspace") {
		t.Errorf("proposal %d: %v", MaxWaiting+1, err)
	}
	folder := filepath.Join(dir, dropFolder)
	names, err := dropped(folder)
	if err != nil || len(names) != MaxWaiting {
		t.Fatalf("%d files, %v", len(names), err)
	}
	b, err := os.ReadFile(filepath.Join(folder, names[0]))
	if err != nil {
		t.Fatal(err)
	}
	if got, err := readDropped(b); err != nil || got != p {
		t.Errorf("%+v, %v", got, err)
	}
}

func FuzzReadDropped(f *testing.F) {
	good, _ := json.Marshal(Proposal{Kind: ProposeSeed, Host: "b.test", URL: "http://b.test/", Reason: "x", By: "claude"})
	for _, s := range []string{string(good), "", "{", "null", "[]", `{"kind":"label","page":-1}`,
		`{"kind":"anti"}`, `{"kind":"label","by":"\u001b[2J\u202e\ud800"}`,
		`{"kind":"seed","url":"` + strings.Repeat("x", 9000) + `"}`, strings.Repeat("[", 70_000)} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		p, err := readDropped(b)
		if err != nil {
			if p != (Proposal{}) {
				t.Fatalf("%+v with %v", p, err)
			}
			return
		}
		if n := utf8.RuneCountInString(p.By); n == 0 || n > maxAgent || strings.ContainsAny(p.By, "\x1b\n\u202e") {
			t.Fatalf("name %q", p.By)
		}
		if len(p.URL) > 8192 || utf8.RuneCountInString(p.Reason) > maxReason {
			t.Fatalf("%d bytes of address, reason %q", len(p.URL), p.Reason)
		}
		if k := p.Key(); !strings.HasPrefix(k, p.Kind+"/") {
			t.Fatalf("key %q of %q", k, p.Kind)
		}
	})
}
