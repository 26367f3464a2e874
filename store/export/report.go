package export

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// This file writes a table as one HTML file that a browser opens without network: charts as SVG,
// and a table with filter and sorting.
//
// Strangers wrote the texts. Each is escaped when written, and only http and https addresses become
// links. The page's policy forbids requests, frames and all scripts but its own, which a hash
// identifies.
//
// The charts count all rows. The table shows at most listed rows, because browsers grow slow with
// more, and says so. Rows stay in memory until Close: about 500 bytes each.

// listed is how many rows the table shows.
const listed = 10_000

// longest is how many letters of a text the table shows; a click shows the rest.
const longest = 160

// whole is how many letters of a text the file holds.
const whole = 4_000

// reportHead is the heading of the report.
type reportHead struct {
	Title string
	Lang  string    // "zh": Chinese; otherwise English
	At    time.Time // when it was written
}

// reportWriter collects a report. It is for one goroutine.
type reportWriter struct {
	w       io.Writer
	head    reportHead
	columns []Column
	say     func(string) string
	charts  charts
	rows    bytes.Buffer
	n       int
}

// newReport starts a report.
func newReport(w io.Writer, head reportHead, columns []Column) *reportWriter {
	x := &reportWriter{w: w, head: head, columns: columns, say: func(s string) string { return s }}
	if head.Lang == "zh" {
		x.say = inChinese
	}
	x.charts.begin(columns, head.At)
	return x
}

// Row adds a row.
func (x *reportWriter) Row(values []Value) error {
	x.n++
	x.charts.count(values)
	if x.n > listed {
		return nil
	}
	x.rows.WriteString("<tr>")
	for i := range values {
		x.cell(&values[i])
	}
	x.rows.WriteString("</tr>\n")
	return nil
}

func (x *reportWriter) cell(v *Value) {
	b := &x.rows
	switch v.Kind {
	case none:
		b.WriteString("<td></td>")
	case Number:
		fmt.Fprintf(b, `<td class="n">%s</td>`, esc(v.String()))
	case Money:
		fmt.Fprintf(b, `<td class="n" data-v="%s">%s</td>`, esc(v.String()), esc(grouped(v.Number)))
	case Flag:
		if v.Number != 0 {
			b.WriteString("<td>✓</td>")
		} else {
			b.WriteString("<td></td>")
		}
	case Time:
		text := v.Text
		if len(text) > len("2006-01-02 15:04") {
			text = v.Time.Format("2006-01-02 15:04")
		}
		fmt.Fprintf(b, `<td class="t"><time datetime="%s">%s</time></td>`, esc(v.Text), esc(text))
	case Link:
		if to, ok := reportLinkable(v.Text); ok {
			fmt.Fprintf(b, `<td><a href="%s" rel="noopener noreferrer nofollow">%s</a></td>`, esc(to),
				esc(clip(v.Text, 80)))
		} else {
			fmt.Fprintf(b, "<td>%s</td>", esc(clip(v.Text, longest)))
		}
	case List:
		fmt.Fprintf(b, "<td>%s</td>", esc(clip(several(v.Text), longest)))
	default:
		if utf8.RuneCountInString(v.Text) <= longest {
			fmt.Fprintf(b, "<td>%s</td>", esc(v.Text))
		} else {
			fmt.Fprintf(b, `<td><details><summary>%s</summary><div class="x">%s</div></details></td>`,
				esc(clip(v.Text, longest)), esc(clip(v.Text, whole)))
		}
	}
}

// several returns a JSON list for people: its values separated by semicolons, numbers with
// thousands separators. Text that is not a list of plain values stays as it is.
func several(text string) string {
	var list []any
	if json.Unmarshal([]byte(text), &list) != nil {
		return text
	}
	var out []string
	for _, v := range list {
		switch v := v.(type) {
		case float64:
			out = append(out, grouped(v))
		case string:
			out = append(out, v)
		default:
			return text
		}
	}
	return strings.Join(out, "; ")
}

// Close writes the file.
func (x *reportWriter) Close() error {
	w := bufio.NewWriterSize(x.w, 1<<16)
	lang := "en"
	if x.head.Lang == "zh" {
		lang = "zh-CN"
	}
	hash := sha256.Sum256([]byte(script))
	title := esc(x.head.Title)
	fmt.Fprintf(w, `<!DOCTYPE html>
<html lang="%s">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-%s'; base-uri 'none'; form-action 'none'">
<title>%s</title>
<style>%s</style>
</head>
<body>
<a class="skip" href="#table">%s</a>
<header><h1>%s</h1><p>%s</p></header>
<main>
`, lang, base64.StdEncoding.EncodeToString(hash[:]), title, style, esc(x.say("to the table")), title, esc(x.summary()))
	x.charts.write(w, x.say)
	x.table(w)
	fmt.Fprintf(w, "</main>\n<script>%s</script>\n</body>\n</html>\n", script)
	return w.Flush()
}

func (x *reportWriter) summary() string {
	s := fmt.Sprintf(x.say("%d rows"), x.n)
	if !x.head.At.IsZero() {
		s += " · " + x.head.At.Format("2006-01-02 15:04")
	}
	return s
}

func (x *reportWriter) table(w *bufio.Writer) {
	fmt.Fprintf(w, `<section aria-labelledby="th"><h2 id="th">%s</h2>`, esc(x.say("Table")))
	if x.n > listed {
		fmt.Fprintf(w, `<p>%s</p>`, esc(fmt.Sprintf(x.say("The first %d of %d rows; the charts count all."), listed, x.n)))
	}
	if x.n == 0 {
		fmt.Fprintf(w, `<p id="table">%s</p></section>`, esc(x.say("Nothing to list.")))
		return
	}
	fmt.Fprintf(w, `<p class="f"><label for="q">%s</label> <input id="q" type="search" autocomplete="off" spellcheck="false"> <output id="c" for="q" aria-live="polite" data-all="%d" data-form="%s"></output></p>
<noscript><p>%s</p></noscript>
<div class="s" tabindex="0" role="region" aria-labelledby="th"><table id="table"><thead><tr>`,
		esc(x.say("Filter:")), min(x.n, listed), esc(x.say("# of @")),
		esc(x.say("Filter and sorting need JavaScript; the table is whole without.")))
	for _, c := range x.columns {
		fmt.Fprintf(w, `<th scope="col" aria-sort="none"><button type="button">%s</button></th>`, esc(c.head()))
	}
	w.WriteString("</tr></thead><tbody>\n")
	_, _ = w.Write(x.rows.Bytes()) // Flush returns the same error again
	w.WriteString("</tbody></table></div></section>\n")
}

// esc escapes a text between tags and in double quotes. It removes invisible characters and those
// that reverse the direction of text.
func esc(s string) string {
	return html.EscapeString(strings.Map(func(r rune) rune {
		switch {
		case r < ' ' && r != '\n' && r != '\t', r >= 0x7f && r < 0xa0, r >= 0x202a && r <= 0x202e, r >= 0x2066 &&
			r <= 0x2069, r == 0xfffe, r == 0xffff:
			return -1
		}
		return r
	}, s))
}

// clip cuts a text after n letters.
func clip(s string, n int) string {
	for i := range s {
		if n--; n < 0 {
			return s[:i] + "…"
		}
	}
	return s
}

func reportLinkable(s string) (string, bool) {
	u, err := url.Parse(s)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return "", false
	}
	return u.String(), true
}

// grouped formats an amount with commas and at most two decimals.
func grouped(x float64) string {
	s := fmt.Sprintf("%.2f", x)
	s = strings.TrimSuffix(s, ".00")
	whole, rest, cut := strings.Cut(s, ".")
	sign := ""
	if strings.HasPrefix(whole, "-") {
		sign, whole = "-", whole[1:]
	}
	var parts []string
	for len(whole) > 3 {
		parts, whole = append(parts, whole[len(whole)-3:]), whole[:len(whole)-3]
	}
	parts = append(parts, whole)
	slices.Reverse(parts)
	s = sign + strings.Join(parts, ",")
	if cut {
		s += "." + rest
	}
	return s
}

//go:embed report.css
var style string

//go:embed report.js
var script string
