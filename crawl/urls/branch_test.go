package urls

import (
	"slices"
	"testing"
)

func TestSections(t *testing.T) {
	for url, want := range map[string][]string{
		"http://a.test/":                    {"a.test/"},
		"http://a.test":                     {"a.test/"},
		"https://a.test:8080/xw/":           {"a.test:8080/", "a.test:8080/xw/"},
		"http://a.test/xw/2026/11/1.htm":    {"a.test/", "a.test/xw/", "a.test/xw/2026/"},
		"http://a.test/list.htm?back=/x/y/": {"a.test/"},
		"http://a.test/xw//1.htm":           {"a.test/", "a.test/xw/", "a.test/xw//"},
		"no address":                        nil,
	} {
		var got []string
		for b := range Sections(url, 3) {
			got = append(got, b)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s lies in %q, want %q", url, got, want)
		}
		for _, b := range got {
			if !Below(url, b) && url != "http://a.test" {
				t.Errorf("%s does not lie below %s", url, b)
			}
		}
	}
	if Below("http://a.test.evil/", "a.test/") || Below("http://a.test/xwx/", "a.test/xw/") || !Below("ftp://x", "") {
		t.Error("what lies below is told by letters, not by sections")
	}
}
