package extract

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"angler/crawl/article"
	"angler/crawl/fields"
	"angler/crawl/page"
)

// fieldGold is one line of a gold file: a notice with its true values. A missing field is unknown and not counted.
// null means that the notice does not state the field, so any answer is wrong. Any entry of a list is right. Names
// may end in _yuan. Without a file the text is read.
type fieldGold struct {
	ID        string                     `json:"id"`
	Title     string                     `json:"title"`
	URL       string                     `json:"url"`
	Published string                     `json:"published"`
	File      string                     `json:"file"`
	Text      string                     `json:"text"`
	Fields    map[string]json.RawMessage `json:"fields"`
}

// fieldScore holds the results of one field on a gold file.
type fieldScore struct {
	Field  string  `json:"field"`
	Stated int     `json:"stated"` // notices that state it
	Right  int     `json:"right"`
	Wrong  int     `json:"wrong"`  // wrong answers, also where the notice states no value
	Missed int     `json:"missed"` // stated, but no answer
	P      float64 `json:"precision"`
	R      float64 `json:"recall"`
	F1     float64 `json:"f1"`
}

// fieldMiss is a wrong answer.
type fieldMiss struct {
	ID    string `json:"id"`
	Field string `json:"field"`
	Want  string `json:"want"`
	Got   string `json:"got"`
}

// FieldReport holds the results of a gold file.
type FieldReport struct {
	Notices int          `json:"notices"`
	Stored  int          `json:"stored,omitempty"` // of Notices: read from the workspace
	Absent  int          `json:"absent,omitempty"` // lines without text or file whose notice is not in the workspace
	Scores  []fieldScore `json:"scores"`
	Misses  []fieldMiss  `json:"misses"`
}

// errFieldGold means that a gold file has no notices.
var errFieldGold = errors.New(
	`no line has fields; a gold file has lines {"title":…,"text":… or "file":…,"fields":{"number":…}}`)

// MeasureFields reads the notices of a gold file and compares their values. Files are relative to dir. stored
// returns a workspace's values for an address, nil if it has none. stored may be nil.
func (x *Extractor) MeasureFields(gold io.Reader, dir string, stored func(url string) (*fields.PlainNotice,
	error)) (*FieldReport, error) {
	report := &FieldReport{Misses: []fieldMiss{}, Scores: []fieldScore{}}
	scores := map[string]*fieldScore{}
	err := eachLine("gold file", gold, maxGoldLine, func(n int, line []byte) error {
		var row fieldGold
		if err := json.Unmarshal(line, &row); err != nil {
			return err
		}
		values, err := x.goldValues(&row, dir, stored, report)
		if err != nil || values == nil {
			return err
		}
		report.Notices++
		for _, f := range x.Fields.Fields() {
			want, ok := row.Fields[f.Name]
			if !ok {
				want, ok = row.Fields[f.Name+"_yuan"]
			}
			if !ok && f.Name == "ceiling" { // its older name
				want, ok = row.Fields["max_price_yuan"]
			}
			if !ok {
				continue
			}
			s := scores[f.Name]
			if s == nil {
				s = &fieldScore{Field: f.Name}
				scores[f.Name] = s
			}
			if miss := s.count(&f, want, values.Plain(&f)); miss != nil {
				miss.ID = cmp.Or(row.ID, strconv.Itoa(n))
				report.Misses = append(report.Misses, *miss)
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if report.Notices == 0 && report.Absent > 0 {
		return nil, fmt.Errorf("none of its %d addresses is that of a notice of the workspace", report.Absent)
	}
	if report.Notices == 0 {
		return nil, errFieldGold
	}
	for _, f := range x.Fields.Fields() {
		if s := scores[f.Name]; s != nil {
			s.rate()
			report.Scores = append(report.Scores, *s)
		}
	}
	return report, nil
}

// goldValues returns the values of a gold row's notice; nil if there is no notice.
func (x *Extractor) goldValues(row *fieldGold, dir string, stored func(string) (*fields.PlainNotice, error),
	report *FieldReport) (*fields.PlainNotice, error) {
	local := row.File != "" || row.Text != ""
	if len(row.Fields) == 0 || !local && (stored == nil || row.URL == "") {
		return nil, errFieldGold
	}
	if stored != nil && row.URL != "" {
		if v, err := stored(row.URL); v != nil || err != nil {
			report.Stored++
			return v, err
		}
		if !local {
			report.Absent++
			return nil, nil
		}
	}
	var published time.Time
	if d, _, _, ok := article.FindDate(row.Published, x.Now); ok {
		published = d.Time
	}
	n := fields.Notice{Title: row.Title, URL: row.URL, Text: row.Text, Published: published}
	if row.File != "" {
		if !filepath.IsAbs(row.File) {
			row.File = filepath.Join(dir, row.File)
		}
		src, err := x.source(Document{File: row.File, URL: row.URL})
		if err != nil {
			return nil, err
		}
		p, err := page.Parse(src, x.options(x.Method))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", row.File, err)
		}
		n = noticeOf(p)
		n.Title, n.Published = cmp.Or(row.Title, n.Title), published
	}
	return &fields.PlainNotice{Set: x.Fields, Result: x.Fields.Extract(n)}, nil
}

// count scores one answer. It returns a wrong answer, else nil.
func (s *fieldScore) count(f *fields.Field, want json.RawMessage, got []any) *fieldMiss {
	var wanted any
	d := json.NewDecoder(strings.NewReader(string(want)))
	d.UseNumber()
	if err := d.Decode(&wanted); err != nil {
		return nil
	}
	right := []string{}
	switch w := wanted.(type) {
	case nil:
	case []any:
		for _, v := range w {
			right = append(right, fmt.Sprint(v))
		}
	default:
		right = append(right, fmt.Sprint(w))
	}
	miss := &fieldMiss{Field: f.Name, Want: strings.Join(right, " | "), Got: strings.Trim(fmt.Sprint(got), "[]")}
	if len(right) > 0 {
		s.Stated++
	}
	if len(got) == 0 {
		if len(right) == 0 {
			return nil
		}
		s.Missed++
		return miss
	}
	for _, g := range got {
		if slices.ContainsFunc(right, func(w string) bool { return sameValue(f.Type, w, fmt.Sprint(g)) }) {
			s.Right++
			return nil
		}
	}
	s.Wrong++
	return miss
}

var notLetters = regexp.MustCompile(`[\s（）()【】\[\]〔〕·、，,。.:：\-—–]`)

// sameValue reports whether an answer equals the true value.
func sameValue(t fields.Type, want, got string) bool {
	switch t {
	case fields.Money, fields.Number:
		a, err1 := strconv.ParseFloat(want, 64)
		b, err2 := strconv.ParseFloat(got, 64)
		return err1 == nil && err2 == nil && a-b < .005 && b-a < .005
	case fields.Time:
		return want == got || len(want) >= 16 && len(got) >= 16 && want[:16] == got[:16]
	}
	return strings.EqualFold(notLetters.ReplaceAllString(want, ""), notLetters.ReplaceAllString(got, ""))
}

// rate computes precision, recall and F1.
func (s *fieldScore) rate() {
	if n := s.Right + s.Wrong; n > 0 {
		s.P = float64(s.Right) / float64(n)
	}
	if s.Stated > 0 {
		s.R = float64(s.Right) / float64(s.Stated)
	}
	if s.P+s.R > 0 {
		s.F1 = 2 * s.P * s.R / (s.P + s.R)
	}
}
