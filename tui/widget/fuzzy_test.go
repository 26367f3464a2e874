package widget

import "testing"

func TestMatch(t *testing.T) {
	texts := []string{"start a discovery: crawl from the seeds", "set the number of fetch workers", "switch the word off or on", "zoom this pane", "copy the page to the (OSC 52) Samples u", "go to Otsu's threshold"}
	for query, want := range map[string]int{"disc": 0, "work": 1, "wrd": 2, "zoom": 3, "fetchw": 1, "otsu": 5} {
		best, at := -1, -1
		for i, s := range texts {
			if n, _, ok := fuzzyMatch(query, s); ok && n > best {
				best, at = n, i
			}
		}
		if at != want {
			t.Errorf("%q finds %d, want %d", query, at, want)
		}
	}
	if _, _, ok := fuzzyMatch("xyz", "zoom"); ok {
		t.Error("letters that are not there were found")
	}
}

func TestLit(t *testing.T) {
	var hit string
	if got := fuzzyLit("first", "fst", func(is bool, s string) string {
		if is {
			hit += s + "|"
		}
		return s
	}); got != "first" || hit != "f|st|" {
		t.Errorf("%q with %q lit", got, hit)
	}
}
