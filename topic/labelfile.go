package topic

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/encoding/simplifiedchinese"
)

// This file reads and writes labels as CSV and JSON lines. Files come from people and their tools:
// an invalid line is skipped and reported.

// labelProblem is a skipped line of a label file.
type labelProblem struct {
	Line   int // from 1
	Reason string
}

// String renders `line 3: label "maybe" is not yes, no or unsure`.
func (p labelProblem) String() string { return fmt.Sprintf("line %d: %s", p.Line, p.Reason) }

// Bounds of a label file.
const (
	maxLabelLine     = 16 << 10 // bytes
	maxLabelRows     = 1 << 20
	maxLabelProblems = 100 // reported; a binary file has a million bad lines
	maxLabelURL      = 2048
	maxLabelBy       = 256
)

// labelColumns are the columns of the CSV form in the order they are written.
var labelColumns = []string{"url", "label", "by", "at"}

// ReadLabels reads labels as CSV or JSONL, told apart by the first character. CSV has the columns
// url, label, by, at; the last two are optional, and a first line of column names may order them
// differently. Labels are yes, no and unsure, in any case; at is RFC 3339. The encoding is UTF-8
// with or without a byte order mark, or GBK as Excel writes it. Invalid lines are skipped and
// reported. A repeated URL keeps its last label. The error is that of r, or says that the file is
// too long; rows before it are returned.
func ReadLabels(r io.Reader) ([]LabelRow, []labelProblem, error) {
	p := labelParser{columns: labelColumns, at: map[string]int{}}
	in := bufio.NewReaderSize(r, maxLabelLine)
	for line := 1; ; line++ {
		text, long, err := readLine(in)
		if line == 1 {
			text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))
		}
		switch text = bytes.TrimSpace(text); {
		case long:
			p.problem(line, fmt.Sprintf("longer than %d bytes", maxLabelLine))
		case len(text) > 0:
			p.line(line, text)
		}
		if len(p.rows) >= maxLabelRows {
			return p.rows, p.problems, fmt.Errorf("more than %d labels; only the first are used", maxLabelRows)
		}
		if err != nil {
			if errors.Is(err, io.EOF) {
				err = nil
			}
			return p.rows, p.problems, err
		}
	}
}

// readLine reads up to the next line end and drops a line that exceeds the buffer. The bytes are
// valid until the next call.
func readLine(in *bufio.Reader) (text []byte, long bool, err error) {
	text, err = in.ReadSlice('\n')
	for errors.Is(err, bufio.ErrBufferFull) {
		long = true
		text, err = in.ReadSlice('\n')
	}
	return text, long, err
}

type labelParser struct {
	columns  []string
	started  bool
	rows     []LabelRow
	at       map[string]int // URL → index into rows
	problems []labelProblem
}

func (p *labelParser) problem(line int, reason string) {
	if len(p.problems) == maxLabelProblems {
		reason = "more bad lines follow; is this a label file?"
	}
	if len(p.problems) <= maxLabelProblems {
		p.problems = append(p.problems, labelProblem{line, reason})
	}
}

func (p *labelParser) line(n int, text []byte) {
	if !utf8.Valid(text) {
		if decoded, err := simplifiedchinese.GB18030.NewDecoder().Bytes(text); err == nil {
			text = decoded
		}
	}
	first := !p.started
	p.started = true
	var row LabelRow
	var reason string
	if text[0] == '{' {
		row, reason = parseJSONLabel(text)
	} else {
		fields, err := csv.NewReader(bytes.NewReader(text)).Read()
		if err != nil {
			p.problem(n, csvReason(err))
			return
		}
		if first && p.header(fields) {
			return
		}
		row, reason = parseCSVLabel(p.columns, fields)
	}
	if reason == "" {
		row, reason = checkLabel(row)
	}
	if reason != "" {
		p.problem(n, reason)
		return
	}
	if i, twice := p.at[row.URL]; twice {
		p.rows[i] = row
		return
	}
	p.at[row.URL] = len(p.rows)
	p.rows = append(p.rows, row)
}

// header reports whether the first line names the columns, and stores them.
func (p *labelParser) header(fields []string) bool {
	names := make([]string, len(fields))
	for i, f := range fields {
		names[i] = strings.ToLower(strings.TrimSpace(f))
	}
	if !slices.Contains(names, "url") || !slices.Contains(names, "label") {
		return false
	}
	p.columns = names
	return true
}

// csvReason removes the position from a csv error; the caller knows the line.
func csvReason(err error) string {
	var pe *csv.ParseError
	if errors.As(err, &pe) {
		err = pe.Err
	}
	return "not CSV: " + err.Error()
}

func parseJSONLabel(text []byte) (row LabelRow, reason string) {
	if err := json.Unmarshal(text, &row); err != nil {
		return row, "not a JSON label: " + clip(err.Error(), 120)
	}
	return row, ""
}

func parseCSVLabel(columns, fields []string) (row LabelRow, reason string) {
	for i, f := range fields {
		if i >= len(columns) {
			break
		}
		f = strings.TrimSpace(f)
		switch columns[i] {
		case "url":
			row.URL = f
		case "label":
			row.Label = Label(f)
		case "by":
			row.By = f
		case "at":
			if f == "" {
				continue
			}
			at, err := time.Parse(time.RFC3339, f)
			if err != nil {
				return row, fmt.Sprintf("time %q is not like 2026-01-31T15:04:05+08:00", clip(f, 40))
			}
			row.At = at
		}
	}
	return row, ""
}

// checkLabel normalises a row; reason says why it is not a label.
func checkLabel(row LabelRow) (_ LabelRow, reason string) {
	label := Label(strings.ToLower(strings.TrimSpace(string(row.Label))))
	row.URL = strings.TrimSpace(row.URL)
	switch {
	case row.URL == "":
		return row, "no url"
	case len(row.URL) > maxLabelURL:
		return row, fmt.Sprintf("url longer than %d bytes", maxLabelURL)
	case !webAddress(row.URL) || unprintable(row.URL):
		return row, fmt.Sprintf("url %q is no http address", clip(row.URL, 80))
	case label == NoLabel:
		return row, "no label"
	case label != Yes && label != No && label != Unsure:
		return row, fmt.Sprintf("label %q is not yes, no or unsure", clip(string(row.Label), 20))
	case len(row.By) > maxLabelBy || unprintable(row.By):
		return row, fmt.Sprintf("name %q is too long or cannot be shown", clip(row.By, 20))
	}
	row.Label = label
	return row, ""
}

func webAddress(url string) bool {
	scheme, rest, ok := strings.Cut(url, "://")
	return ok && rest != "" && (strings.EqualFold(scheme, "http") || strings.EqualFold(scheme, "https"))
}

func unprintable(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return r == utf8.RuneError || !unicode.IsPrint(r) })
}

// clip shortens a field for a message.
func clip(s string, runes int) string {
	if r := []rune(s); len(r) > runes {
		return string(r[:runes]) + "…"
	}
	return s
}

// WriteLabelsCSV writes the rows with a line of column names, by URL.
func WriteLabelsCSV(w io.Writer, rows []LabelRow) error {
	out := csv.NewWriter(w)
	// csv.Writer returns its first error from Flush.
	_ = out.Write(labelColumns)
	for _, r := range byURL(rows) {
		at := ""
		if !r.At.IsZero() {
			at = r.At.Format(time.RFC3339Nano)
		}
		_ = out.Write([]string{r.URL, string(r.Label), r.By, at})
	}
	out.Flush()
	return out.Error()
}

// WriteLabelsJSON writes one JSON object a line, by URL.
func WriteLabelsJSON(w io.Writer, rows []LabelRow) error {
	out := json.NewEncoder(w)
	out.SetEscapeHTML(false) // addresses contain many &
	for _, r := range byURL(rows) {
		if err := out.Encode(r); err != nil {
			return err
		}
	}
	return nil
}

func byURL(rows []LabelRow) []LabelRow {
	rows = slices.Clone(rows)
	slices.SortStableFunc(rows, func(a, b LabelRow) int { return cmp.Compare(a.URL, b.URL) })
	return rows
}
