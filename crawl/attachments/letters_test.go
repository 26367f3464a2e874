//go:build heavy

package attachments

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"unicode"
)

// letters counts the letters and digits of a text.
func letters(s string) map[rune]int {
	m := map[rune]int{}
	for _, r := range s {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			m[r]++
		}
	}
	return m
}

// The letters of PDFs are those that pdftotext finds, at least .98 of them. The PDFs
// are made here, and those of a folder that ANGLER_PDFS names are read besides: what they
// have more, such as text outside the page, is told only.
func TestLettersOfPDFs(t *testing.T) {
	needsPDFToText(t)
	dir := t.TempDir()
	var long []string
	for i := range 40 {
		long = append(long, fmt.Sprintf("第%d包：电子显微镜 %d 台，最高限价人民币%d.%02d万元（大写：贰佰）。\n投标文件递交截止时间：2026年%d月%d日09:30（北京时间）。", i, i, 10*i, i, i%12+1, i%28+1))
	}
	made := filepath.Join(dir, "made.pdf")
	must(t, os.WriteFile(made, madePDF("", long...), 0o600))
	lettersFound(t, made)
	var foreign []string
	if dir := os.Getenv("ANGLER_PDFS"); dir != "" {
		foreign, _ = filepath.Glob(filepath.Join(dir, "*.pdf"))
	}
	for _, f := range foreign {
		got, c, err := compareLetters(t, f)
		switch {
		case errors.Is(err, errNoText), got.Cut != "":
			t.Logf("%s: left out: %v, cut by %q", filepath.Base(f), err, got.Cut)
		case err != nil:
			t.Errorf("%s: %v", f, err)
		case c.all >= 300 && c.share() < .98:
			t.Errorf("%s: %.4f of %d letters", f, c.share(), c.all)
		}
	}
}

func needsPDFToText(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("pdftotext"); err != nil {
		t.Skip("pdftotext (poppler-utils) is not installed")
	}
	if maps, _ := filepath.Glob("/usr/share/poppler/cMap/*/UniGB-UTF16-H"); len(maps) == 0 {
		t.Skip("the Chinese character maps of pdftotext (poppler-data) are not installed")
	}
}

// lettersFound is the share of pdftotext's letters that are read of a PDF; below .98 the
// test fails, as it does where 2 % more are read.
func lettersFound(t *testing.T, f string) float64 {
	t.Helper()
	_, c, err := compareLetters(t, f)
	if err != nil || c.all < 300 || c.share() < .98 || float64(c.more) > .02*float64(c.all) {
		t.Errorf("%s: %.4f of %d letters, and %d others: %v", f, c.share(), c.all, c.more, err)
	}
	return c.share()
}

// compared are the letters of a PDF: all that pdftotext finds, those of them that are read,
// and what is read besides.
type compared struct{ all, common, more int }

func (c compared) share() float64 { return float64(c.common) / float64(max(1, c.all)) }

// compareLetters reads a PDF here and by pdftotext.
func compareLetters(t *testing.T, f string) (got documentContent, c compared, err error) {
	t.Helper()
	body, err := os.ReadFile(f)
	must(t, err)
	if got, err = one.Read(context.Background(), body, f, ""); err != nil {
		return got, c, err
	}
	out, err := exec.Command("pdftotext", "-enc", "UTF-8", f, "-").Output()
	must(t, err)
	have, want := letters(got.Text), letters(string(out))
	for r, n := range want {
		c.all += n
		c.common += min(n, have[r])
	}
	for r, n := range have {
		c.more += max(0, n-want[r])
	}
	t.Logf("%.4f of %d letters, and %d others, on %d pages: %s", c.share(), c.all, c.more, got.Pages, filepath.Base(f))
	return got, c, nil
}
