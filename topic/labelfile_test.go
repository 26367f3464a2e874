package topic

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"golang.org/x/text/encoding/simplifiedchinese"
)

var someLabels = []LabelRow{
	{URL: "http://a.test/1?x=1&y=<2>", Label: Yes, By: "王, \"小\"", At: time.Date(2026, 1, 2, 3, 4, 5, 600, time.UTC)},
	{URL: "https://b.test/", Label: Unsure},
	{URL: "http://c.test/招标", Label: No, By: "li"},
}

func TestLabelsTravel(t *testing.T) {
	for name, write := range map[string]func(io.Writer, []LabelRow) error{"csv": WriteLabelsCSV, "jsonl": WriteLabelsJSON} {
		t.Run(name, func(t *testing.T) {
			var b bytes.Buffer
			must(t, write(&b, someLabels))
			got, problems, err := ReadLabels(&b)
			if err != nil || len(problems) > 0 || !slices.Equal(got, byURL(someLabels)) {
				t.Errorf("%v\nproblems %v, error %v", got, problems, err)
			}
		})
	}
	if err := WriteLabelsCSV(failing{}, someLabels); err == nil {
		t.Error("a full disk went unnoticed")
	}
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errors.New("disk full") }

func TestReadLabels(t *testing.T) {
	gbk, err := simplifiedchinese.GBK.NewEncoder().String("http://a.test/,yes,张三\n")
	must(t, err)
	for _, c := range []struct {
		name, in string
		want     []string // "url label by"
		problems []string
	}{
		{"without column names", "http://a.test/,yes\nhttp://b.test/,No,li,2026-01-02T03:04:05+08:00\n", []string{"http://a.test/ yes ", "http://b.test/ no li"}, nil},
		{"column names order the columns", "\ufeffAt,Label,note,URL\r\n,UNSURE,hm,HTTP://a.test/x\r\n", []string{"HTTP://a.test/x unsure "}, nil},
		{"JSON lines", `{"url":"http://a.test/","label":"yes","by":"li","at":"2026-01-02T03:04:05Z"}` + "\n\n" + `{"url":"http://b.test/","label":"no"}`, []string{"http://a.test/ yes li", "http://b.test/ no "}, nil},
		{"as Excel writes it", gbk, []string{"http://a.test/ yes 张三"}, nil},
		{"the last label of a URL counts", "http://a.test/,yes\nhttp://b.test/,no\nhttp://a.test/,no", []string{"http://a.test/ no ", "http://b.test/ no "}, nil},
		{"bad lines among good ones", strings.Join([]string{
			"http://a.test/,yes", "http://b.test/,maybe", "ftp://c.test/,yes", ",yes", "http://d.test/", `http://"e.test/,yes`,
			`"http://f.test/,yes`, "http://g.test/,no,li,yesterday", "{broken", "http://h.test/\x1b[2J,yes", "http://i.test/,no," + strings.Repeat("x", 300),
			"http://" + strings.Repeat("j", 3000) + "/,no", "http://k.test/," + strings.Repeat("z", 20000), "http://l.test/,unsure",
		}, "\n"), []string{"http://a.test/ yes ", "http://l.test/ unsure "}, []string{
			`line 2: label "maybe" is not yes, no or unsure`,
			`line 3: url "ftp://c.test/" is no http address`,
			"line 4: no url",
			"line 5: no label",
			`line 6: not CSV: bare " in non-quoted-field`,
			`line 7: not CSV: extraneous or missing " in quoted-field`,
			`line 8: time "yesterday" is not like 2026-01-31T15:04:05+08:00`,
			"line 9: not a JSON label: invalid character 'b' looking for beginning of object key string",
			`line 10: url "http://h.test/\x1b[2J" is no http address`,
			`line 11: name "xxxxxxxxxxxxxxxxxxxx…" is too long or cannot be shown`,
			"line 12: url longer than 2048 bytes",
			"line 13: longer than 16384 bytes",
		}},
		{"nothing", "", nil, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			rows, ps, err := ReadLabels(strings.NewReader(c.in))
			must(t, err)
			var got, problems []string
			for _, r := range rows {
				got = append(got, fmt.Sprintf("%s %s %s", r.URL, r.Label, r.By))
			}
			for _, p := range ps {
				problems = append(problems, p.String())
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("rows %q\nwant %q", got, c.want)
			}
			if !slices.Equal(problems, c.problems) {
				t.Errorf("problems\n%s\nwant\n%s", strings.Join(problems, "\n"), strings.Join(c.problems, "\n"))
			}
		})
	}
}

func TestReadLabelsKeepsWhatCameBeforeAnError(t *testing.T) {
	broken := errors.New("disk on fire")
	rows, _, err := ReadLabels(io.MultiReader(strings.NewReader("http://a.test/,yes\n"), iotest.ErrReader(broken)))
	if !errors.Is(err, broken) || len(rows) != 1 {
		t.Errorf("%v, error %v", rows, err)
	}
}

func TestBinaryFileIsNotReportedLineByLine(t *testing.T) {
	_, problems, err := ReadLabels(strings.NewReader(strings.Repeat("\x00\x01\n", 5000)))
	if err != nil || len(problems) != maxLabelProblems+1 {
		t.Errorf("%d problems, error %v", len(problems), err)
	}
}

func FuzzReadLabels(f *testing.F) {
	f.Add([]byte("url,label,by,at\nhttp://a.test/,yes,li,2026-01-02T03:04:05Z\n"))
	f.Add([]byte(`{"url":"http://a.test/","label":"no"}`))
	f.Add([]byte("\xef\xbb\xbf\"http://a.test/\",\"yes\"\n\xff\xfe,\n"))
	f.Fuzz(func(t *testing.T, in []byte) {
		rows, problems, err := ReadLabels(bytes.NewReader(in))
		if err != nil || len(rows)+len(problems) > bytes.Count(in, []byte{'\n'})+1 {
			t.Fatalf("%d rows, %d problems, error %v", len(rows), len(problems), err)
		}
		// What was read can be written and read again.
		for name, write := range map[string]func(io.Writer, []LabelRow) error{"csv": WriteLabelsCSV, "jsonl": WriteLabelsJSON} {
			var b bytes.Buffer
			if err := write(&b, rows); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			again, problems, err := ReadLabels(&b)
			if err != nil || len(problems) > 0 || len(again) != len(rows) {
				t.Fatalf("%s: %d rows of %d came back; %v %v", name, len(again), len(rows), problems, err)
			}
			for i, want := range byURL(rows) {
				if got := again[i]; got.URL != want.URL || got.Label != want.Label || got.By != want.By || !got.At.Equal(want.At) {
					t.Fatalf("%s: %+v, want %+v", name, got, want)
				}
			}
		}
	})
}

// must fails the test at an error.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
