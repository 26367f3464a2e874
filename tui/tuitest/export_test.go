//go:build unix && heavy

package tuitest

import (
	"encoding/csv"
	"encoding/xml"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// exportFormats writes the notices of a workspace in every format, to standard
// output and to files.
func exportFormats(t *testing.T, dir string, notices int) {
	t.Helper()
	rows, err := csv.NewReader(strings.NewReader(Must(t, "export", dir, "notices", "--format", "csv").Out)).ReadAll()
	if err != nil || len(rows) != notices+1 || !strings.HasPrefix(strings.Join(rows[0], ",")+",", "url,title,date,text,source,attachments,score,quality,first_seen,state,thread,same_as,doubtful,changed,versions,frame,kind,number,") {
		t.Errorf("%d lines of CSV for %d notices, %q, %v", len(rows), notices, rows[:1], err)
	}
	file := filepath.Join(t.TempDir(), "notices.atom")
	r := Must(t, "export", dir, "notices", "--format", "atom", "--newest", "3", "-o", file)
	if r.Out != "" || !strings.Contains(r.Err, "rows written to "+file) {
		t.Errorf("said %q and %q", r.Out, r.Err)
	}
	text, err := os.ReadFile(file)
	must(t, err)
	var feed struct {
		XMLName xml.Name `xml:"http://www.w3.org/2005/Atom feed"`
		Entries []struct {
			ID        string `xml:"id"`
			Published string `xml:"published"`
		} `xml:"entry"`
	}
	if err := xml.Unmarshal(text, &feed); err != nil || len(feed.Entries) != min(3, notices) || feed.Entries[0].ID == "" || feed.Entries[0].Published == "" {
		t.Errorf("the feed is %+v, %v", feed, err)
	}
	if again := Must(t, "export", dir, "notices", "--format", "atom", "--newest", "3").Out; again != string(text) {
		t.Errorf("the feed was written again as\n%s\nfirst\n%s", again, text)
	}
	if r := Must(t, "export", dir, "notices", "--format", "csv", "--bom", "-o", file, "--force"); r.Out != "" {
		t.Errorf("said %q", r.Out)
	}
	if text, err := os.ReadFile(file); err != nil || !strings.HasPrefix(string(text), "\ufeffurl,") {
		t.Errorf("the file begins with %.20q, %v", text, err)
	}
}
