// Package generated keeps parts of documents equal to what the program says of
// itself: tables of keys, settings, commands and metrics. It is for tests.
package generated

import (
	"os"
	"strings"
	"testing"
)

// Section checks that the part of the document at path between the marks of name
// is text, or writes it there. The marks are lines, "<!-- NAME: generated … -->" and
// "<!-- /NAME -->".
func Section(t testing.TB, path, name, text string, write bool) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(b), "<!-- "+name+": generated")
	mark, rest, ok2 := strings.Cut(rest, "\n")
	_, after, ok3 := strings.Cut(rest, "<!-- /"+name+" -->")
	if !ok || !ok2 || !ok3 {
		t.Fatalf("%s lacks the marks of %s", path, name)
	}
	want := before + "<!-- " + name + ": generated" + mark + "\n\n" + strings.Trim(text,
		"\n") + "\n\n<!-- /" + name + " -->" + after
	if write {
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if string(b) != want {
		t.Errorf("%s: %s are not those of the program; run this test with -update", path, name)
	}
}
