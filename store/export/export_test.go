package export

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

type label string

// row has a field of every kind.
type row struct {
	URL     string    `json:"url"`
	Title   string    `json:"title"`
	Score   float64   `json:"score"`
	N       int       `json:"n"`
	List    bool      `json:"list"`
	Label   label     `json:"label"`
	Files   []File    `json:"files"`
	Quality *float64  `json:"quality,omitempty"`
	At      time.Time `json:"at"`
	hidden  string
}

func (r row) Entry() Entry {
	return Entry{URL: r.URL, Title: r.Title, Updated: r.At, Text: r.hidden, Files: r.Files}
}

var (
	noon = time.Date(2026, 11, 20, 12, 0, 0, 0, time.FixedZone("CST", 8*3600))
	half = .5
)

// hostile maps hostile titles to their form in CSV; "": the same.
var hostile = map[string]string{
	"招标公告, \"第1包\"":            "",
	"=cmd|' /C calc'!A0":       "'=cmd|' /C calc'!A0",
	"+86 10 12345678":          "'+86 10 12345678",
	"-1+1":                     "'-1+1",
	"@SUM(1)":                  "'@SUM(1)",
	"\t=1+1":                   "'\t=1+1",
	"\r=1+1":                   "'\r=1+1",
	"\n=1+1":                   "'\n=1+1",
	"＝1+1":                     "'＝1+1",
	" =1+1":                    "' =1+1",
	"\x00\u200b=1+1":           "'\x00\u200b=1+1",
	"two\nlines\",=x":          "",
	"a=b":                      "",
	"'quoted":                  "",
	"":                         "",
	"</title><script>&amp;]]>": "",
	"bell\x07 escape\x1b[31m null\x00 bad\xff":      "",
	"\ufeff mark, noncharacter \ufffe, bidi \u202e": "",
}

func write(t *testing.T, o Options, rows ...row) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := New[row](&b, o)
	for _, r := range rows {
		if err == nil {
			err = w.Row(r)
		}
	}
	if err == nil {
		err = w.Close()
	}
	must(t, err)
	return b.Bytes()
}

func TestCSVIsReadAgain(t *testing.T) {
	for _, mark := range []bool{false, true} {
		for title, want := range hostile {
			if want == "" {
				want = title
			}
			out := write(t, Options{Format: CSV, BOM: mark},
				row{URL: "http://x.test/", Title: title, Score: -.25, N: -3, List: true, Label: "=no", Files: []File{{"a,b", "http://x.test/<1>"}}, Quality: &half, At: noon, hidden: "secret"},
				row{Title: title})
			rest, marked := bytes.CutPrefix(out, []byte("\xef\xbb\xbf"))
			if marked != mark {
				t.Errorf("a byte order mark: %v, want %v", marked, mark)
			}
			got, err := csv.NewReader(bytes.NewReader(rest)).ReadAll()
			if err != nil || len(got) != 3 {
				t.Fatalf("%q: %d lines, %v", title, len(got), err)
			}
			if head := strings.Join(got[0], " "); head != "url title score n list label files quality at" {
				t.Errorf("columns %s", head)
			}
			full := []string{"http://x.test/", want, "-0.25", "-3", "true", "'=no", `[{"Name":"a,b","URL":"http://x.test/<1>"}]`, "0.5", "2026-11-20T12:00:00+08:00"}
			bare := []string{"", want, "0", "0", "false", "", "", "", ""}
			for i, line := range [][]string{full, bare} {
				if fmt.Sprintf("%q", got[i+1]) != fmt.Sprintf("%q", line) {
					t.Errorf("%q is read as\n%q, want\n%q", title, got[i+1], line)
				}
			}
		}
	}
	if out := write(t, Options{Format: CSV}); string(out) != "url,title,score,n,list,label,files,quality,at\n" {
		t.Errorf("without rows: %q", out)
	}
}

func TestJSONLinesAreReadAgain(t *testing.T) {
	for title := range hostile {
		out := write(t, Options{}, row{URL: "http://x.test/?a=1&b=<2>", Title: title, At: noon}, row{Title: title})
		if n := bytes.Count(out, []byte("\n")); n != 2 {
			t.Errorf("%q stands on %d lines", title, n)
		}
		var got row
		if err := json.Unmarshal(out[:bytes.IndexByte(out, '\n')], &got); err != nil || got.Title != strings.ToValidUTF8(title, "\ufffd") || got.URL != "http://x.test/?a=1&b=<2>" || !got.At.Equal(noon) {
			t.Errorf("%q is read as %+v, %v", title, got, err)
		}
	}
}

// atom is a feed for a reader of Atom.
type atom struct {
	XMLName xml.Name `xml:"http://www.w3.org/2005/Atom feed"`
	ID      string   `xml:"http://www.w3.org/2005/Atom id"`
	Title   string   `xml:"http://www.w3.org/2005/Atom title"`
	Updated string   `xml:"http://www.w3.org/2005/Atom updated"`
	Author  string   `xml:"http://www.w3.org/2005/Atom author>name"`
	Entries []struct {
		ID        string `xml:"id"`
		Title     string `xml:"title"`
		Updated   string `xml:"updated"`
		Published string `xml:"published"`
		Content   string `xml:"content"`
		Links     []struct {
			Rel   string `xml:"rel,attr"`
			Href  string `xml:"href,attr"`
			Title string `xml:"title,attr"`
		} `xml:"link"`
	} `xml:"http://www.w3.org/2005/Atom entry"`
}

func readAtom(t *testing.T, out []byte) atom {
	t.Helper()
	var a atom
	if err := xml.Unmarshal(out, &a); err != nil {
		t.Fatalf("%v in\n%s", err, out)
	}
	for _, at := range []string{a.Updated} {
		if _, err := time.Parse(time.RFC3339, at); err != nil {
			t.Error(err)
		}
	}
	if a.ID == "" || a.Title == "" || a.Author == "" {
		t.Errorf("RFC 4287 4.1.1 asks for id, title and author: %+v", a)
	}
	return a
}

func TestAtomIsReadAgain(t *testing.T) {
	head := Feed{ID: "urn:uuid:1", Title: "tenders \x01& notices", At: noon}
	for title := range hostile {
		a := readAtom(t, write(t, Options{Format: Atom, Feed: head}, row{URL: "http://x.test/?a=1&b=2", Title: title, At: noon, hidden: title + "\x0c",
			Files: []File{{title, "https://x.test/1.docx"}, {"no address", "javascript:alert(1)"}}}))
		clean := strings.Map(func(r rune) rune {
			if strings.ContainsRune("\x00\x07\x1b\ufffe\ufffd", r) {
				return -1
			}
			return r
		}, title)
		if len(a.Entries) != 1 || a.Title != "tenders & notices" || a.Updated != "2026-11-20T12:00:00+08:00" {
			t.Fatalf("%q: %+v", title, a)
		}
		e := a.Entries[0]
		if e.ID != "http://x.test/?a=1&b=2" || e.Title != clean || e.Content != clean || e.Updated != a.Updated || e.Published != "" {
			t.Errorf("%q is read as %+v", title, e)
		}
		if len(e.Links) != 2 || e.Links[0].Rel != "alternate" || e.Links[0].Href != e.ID || e.Links[1].Rel != "enclosure" || e.Links[1].Href != "https://x.test/1.docx" {
			t.Errorf("links %+v", e.Links)
		}
	}
	empty := readAtom(t, write(t, Options{Format: Atom, Feed: head}))
	if len(empty.Entries) != 0 || empty.Updated != "2026-11-20T12:00:00+08:00" {
		t.Errorf("an empty feed is %+v", empty)
	}
}

func TestAtomHoldsTheNewest(t *testing.T) {
	const newest = 10
	var rows []row
	for i := range 1000 {
		at := i * 377 % 1000 // unordered
		rows = append(rows, row{URL: fmt.Sprintf("http://x.test/%d", at), At: noon.Add(time.Duration(at) * time.Minute)})
	}
	a := readAtom(t, write(t, Options{Format: Atom, Feed: Feed{ID: "urn:x", Title: "x", Newest: newest}}, rows...))
	if len(a.Entries) != newest {
		t.Fatalf("%d entries", len(a.Entries))
	}
	for i, e := range a.Entries {
		if want := fmt.Sprintf("http://x.test/%d", 999-i); e.ID != want {
			t.Errorf("entry %d is %s, want %s", i, e.ID, want)
		}
	}
	a = readAtom(t, write(t, Options{Format: Atom, Feed: Feed{ID: "urn:x", Title: "x"}}, append(rows, rows...)...))
	if len(a.Entries) != DefaultNewest {
		t.Errorf("%d entries by default", len(a.Entries))
	}
}

func TestWhatIsNoFormat(t *testing.T) {
	if _, err := New[row](io.Discard, Options{Format: "xls"}); err == nil || !strings.Contains(err.Error(), "jsonl, csv, xlsx, html, atom") {
		t.Errorf("xls is answered with %v", err)
	}
	if _, err := New[struct{ A int }](io.Discard, Options{Format: Atom}); err == nil || !strings.Contains(err.Error(), "jsonl or csv") {
		t.Errorf("a feed of rows without address is answered with %v", err)
	}
}

func TestWriteFile(t *testing.T) {
	whole := func(w io.Writer) error { _, err := io.WriteString(w, "new"); return err }
	half := func(err error) func(io.Writer) error {
		return func(w io.Writer) error {
			if _, werr := w.Write(make([]byte, 1<<18)); werr != nil {
				return werr
			}
			return err
		}
	}
	broken := errors.New("the line broke")
	for name, c := range map[string]struct {
		exists, replace bool
		write           func(io.Writer) error
		is              error
		says            string
		want            string // "": no file
	}{
		"a new file":              {write: whole, want: "new"},
		"one that is there":       {exists: true, write: whole, is: fs.ErrExist, says: "choose another name", want: "old"},
		"one that is replaced":    {exists: true, replace: true, write: whole, want: "new"},
		"half a file":             {write: half(broken), is: broken, says: "was not written"},
		"half of a replaced file": {exists: true, replace: true, write: half(broken), is: broken, want: "old"},
		"a full disk":             {write: half(&fs.PathError{Op: "write", Path: "x", Err: syscall.ENOSPC}), is: syscall.ENOSPC, says: "free some space"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, "notices.csv")
			if c.exists {
				must(t, os.WriteFile(path, []byte("old"), 0o600))
			}
			err := WriteFile(path, c.replace, c.write)
			if !errors.Is(err, c.is) || err != nil && !strings.Contains(err.Error(), c.says) {
				t.Errorf("%v, want %v that says %q", err, c.is, c.says)
			}
			got, err := os.ReadFile(path)
			if string(got) != c.want || (err != nil) != (c.want == "") {
				t.Errorf("the file holds %q, %v", got, err)
			}
			if st, err := os.Stat(path); err == nil && c.exists && st.Mode().Perm() != 0o600 {
				t.Errorf("a private file became %v", st.Mode())
			}
			left, err := os.ReadDir(dir)
			if err != nil || len(left) > 1 || len(left) == 1 && c.want == "" {
				t.Errorf("left in the folder: %v, %v", left, err)
			}
		})
	}
	dir := t.TempDir()
	for path, says := range map[string]string{dir: "is no file", os.DevNull: "is no file", filepath.Join(dir, "none", "x"): "a folder you may write to"} {
		if err := WriteFile(path, true, whole); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s is answered with %v", path, err)
		}
	}
}
