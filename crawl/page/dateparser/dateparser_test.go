package dateparser

import "testing"

func TestParse(t *testing.T) {
	for in, want := range map[string]string{
		"2024-05-06":            "2024-05-06",
		"May 6, 2024":           "2024-05-06",
		"6 May 2024":            "2024-05-06",
		"2024-05-06T10:30:00Z":  "2024-05-06",
		"no date at all":        "",
		"":                      "",
		"a hundred 2024 things": "",
	} {
		got := ""
		if d, err := new(Parser).Parse(&Configuration{StrictParsing: true, PreferredDateSource: Past}, in); err == nil {
			got = d.Time.Format("2006-01-02")
		}
		if got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}
