package attachments

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"golang.org/x/text/encoding/simplifiedchinese"
)

// one reads with the compiled PDFium of all tests.
var one documentReader

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "doctext")
	if err != nil {
		panic(err)
	}
	one.Cache, one.Limits = filepath.Join(dir, "cache"), defaultDocumentLimits
	one.Limits.Time = 15 * time.Minute // compiling PDFium takes minutes under the race detector on a busy machine
	code := m.Run()
	one.Close()
	os.RemoveAll(dir)
	os.Exit(code)
}

func gb(t *testing.T, s string) string {
	t.Helper()
	b, err := simplifiedchinese.GBK.NewEncoder().String(s)
	must(t, err)
	return b
}

func TestTexts(t *testing.T) {
	for _, c := range []struct {
		name string
		body []byte
		kind documentKind
		text string
	}{
		{"a PDF whose font is not embedded", madePDF("", "采购公告\n预算金额：90.2万元", "第二页"), PDF, "采购公告\n预算金额：90.2万元\n第二页"},
		{"a PDF behind rubbish", append([]byte("\r\n\r\n"), madePDF("", "公告")...), PDF, "公告"},
		{"Word", docx(t, wordX), DOCX, wordText},
		{"Excel", xlsx(t, rows), XLSX, rowsText},
		{"a presentation", archive(t, "[Content_Types].xml", types, "ppt/presentation.xml", "<p/>",
			"ppt/slides/slide10.xml", "<p:sld><a:p><a:r><a:t>十</a:t></a:r></a:p></p:sld>", "ppt/slides/slide2.xml", "<p:sld><a:p><a:r><a:t>二</a:t></a:r></a:p></p:sld>"), PPTX, "二\n十"},
		{"OpenDocument", archive(t, "mimetype", "application/vnd.oasis.opendocument.text", "content.xml",
			"<o:text><text:h>标题</text:h><text:p>一<text:span>二</text:span></text:p><table:table-row><table:table-cell><text:p>甲</text:p></table:table-cell><table:table-cell><text:p>乙</text:p></table:table-cell></table:table-row></o:text>"), ODF, "标题\n一二\n甲\t乙"},
		{"OFD", archive(t, "OFD.xml", "<ofd:OFD/>", "Doc_0/Pages/Page_1/Content.xml", "<ofd:Page><ofd:TextCode>第二页</ofd:TextCode></ofd:Page>",
			"Doc_0/Pages/Page_0/Content.xml", "<ofd:Page><ofd:TextCode>第一页</ofd:TextCode></ofd:Page>"), OFD, "第一页\n第二页"},
		{"an archive with hostile names", archive(t, "../../etc/passwd", "x", "C:\\附件\\清单.xls", "12345", gb(t, "招标文件.doc"), "123", "a/\x1b[31mred.txt", ""), ZIP,
			"etc/passwd\t1\n附件/清单.xls\t5\n招标文件.doc\t3\na/red.txt\t0"},
		{"a page that calls itself a document", []byte("<html><head><meta charset=gb2312><title>x</title></head><body><p>" + gb(t, "更正公告") + "</p><script>evil()</script></body></html>"), HTML, "更正公告"},
		{"text in GBK", []byte(gb(t, "第一行采购\r\n\r\n第二行招标\x1b[2J公告\n")), TXT, "第一行采购\n第二行招标公告"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := one.Read(context.Background(), c.body, "附件.doc", "")
			if err != nil || got.Kind != c.kind || got.Text != c.text || got.Cut != "" {
				t.Errorf("%s %q, cut %q, %v; want %s %q", got.Kind, got.Text, got.Cut, err, c.kind, c.text)
			}
		})
	}
}

func TestRefused(t *testing.T) {
	word := append([]byte("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"), make([]byte, 2000)...)
	locked := append([]byte(nil), word...)
	copy(locked[512:], "\xec\xa5\xc1\x00\x00\x00\x00\x00\x00\x00\x00\x01")
	none := documentReader{Converters: []Converter{}}
	for _, c := range []struct {
		name string
		r    *documentReader
		file string
		body []byte
		kind documentKind
		want error
	}{
		{"an encrypted PDF", &one, "", madePDF(encrypted, "x"), PDF, errEncrypted},
		{"a torn PDF", &one, "", []byte("%PDF-1.4\n1 0 obj"), PDF, errDamaged},
		{"a PDF of pictures", &one, "", pdfOf("", "", []byte("0 0 10 10 re f")), PDF, errNoText},
		{"a torn archive", &one, "", []byte("PK\x03\x04abc"), ZIP, errDamaged},
		{"a torn RAR archive", &one, "", []byte("Rar!\x1a\x07\x01\x00abcdefgh"), RAR, errDamaged},
		{"Word without a document", &one, "", archive(t, "[Content_Types].xml", types, "word/document.xml", ""), DOCX, errNoText},
		{"no converter", &none, "a.doc", word, DOC, errNoConverter},
		{"an encrypted old document", &none, "a.wps", locked, DOC, errEncrypted},
		{"a picture", &one, "", []byte("\x89PNG\r\n\x1a\n"), Image, errNoText},
		{"a program", &one, "", []byte("MZ\x90\x00"), OtherKind, errNoText},
		{"nothing", &one, "", nil, EmptyText, errDamaged},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := c.r.Read(context.Background(), c.body, c.file, "")
			if got.Kind != c.kind || !errors.Is(err, c.want) || got.Text != "" {
				t.Errorf("%s %q, %v; want %s, %v", got.Kind, got.Text, err, c.kind, c.want)
			}
		})
	}
}

// bombSize multiplies the sizes of the bombs, which begin with five times what the bounds
// allow; heavy_test.go sets it.
var bombSize = 1

// What unpacks to gigabytes, goes on without end or holds too much gives what was read
// up to a bound, or an error, and the next document is read as if nothing had been.
func TestBombs(t *testing.T) {
	if testing.Short() {
		t.Skip("reads one document after the other, some of gigabytes; -short leaves it out")
	}
	small := documentLimits{Pages: 3, Letters: 10_000, Unpacked: 8 << 20, Memory: 64 << 20, Time: time.Minute}
	r := &documentReader{Cache: one.Cache, Limits: small}
	defer r.Close()
	huge := deflated(t, "BT (x) Tj ET ", bombSize*3<<20) // 39 MB
	million := `<row><c t="inlineStr"><is><t>x</t></is></c>` + strings.Repeat(`<c><v>1</v></c>`, bombSize*150_000) + `</row>`
	for _, c := range []struct {
		name string
		body []byte
		kind documentKind
	}{
		{"a huge page", pdfOf("", "/Filter /FlateDecode", huge), PDF},
		{"a page compressed twice", pdfOf("", "/Filter [ /FlateDecode /FlateDecode ]", deflated(t, string(huge[:min(len(huge), 1<<20)]), 1)), PDF},
		{"pages without end", madePDF("", strings.Split(strings.Repeat("页 ", 400), " ")...), PDF},
		{"a loop of pages", []byte(strings.Replace(string(madePDF("", "x")), "/Kids [ 6 0 R ]", "/Kids [ 2 0 R ]", 1)), PDF},
		{"many cells", xlsx(t, million), XLSX},
		{"a huge Word", docx(t, "<w:document><w:t>"+strings.Repeat("x", bombSize*12<<20)+"</w:t></w:document>"), DOCX},
		{"Word of comments", docx(t, "<w:document><!--"+strings.Repeat("x", bombSize*12<<20)+"--></w:document>"), DOCX},
		{"elements in one another", docx(t, strings.Repeat("<w:p>", bombSize*20_000)), DOCX},
		{"entities of entities", docx(t, `<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;">]><w:document><w:t>&b;</w:t></w:document>`), DOCX},
		{"an archive of 40 000 entries", archive(t, manyEntries(40_000)...), ZIP},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := r.Read(context.Background(), c.body, "", "")
			if got.Kind != c.kind || len(got.Text) > small.Letters {
				t.Errorf("%s, %d bytes", got.Kind, len(got.Text))
			}
			if err == nil && got.Cut == "" && c.name != "entities of entities" && c.name != "a loop of pages" {
				t.Errorf("nothing says that it was cut: %d bytes", len(got.Text))
			}
			if errors.Is(err, context.Canceled) {
				t.Error(err)
			}
		})
	}
	if got, err := r.Read(context.Background(), madePDF("", "公告"), "", ""); err != nil || got.Text != "公告" {
		t.Errorf("after the bombs %q, %v", got.Text, err)
	}
}

func manyEntries(n int) (parts []string) {
	for range n {
		parts = append(parts, "a/b", "")
	}
	return parts
}

// A caller that waits for a document stops waiting when the context ends, and a document that
// takes too long is said to.
func TestTime(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := one.Read(ctx, madePDF("", "x"), "", ""); !errors.Is(err, context.Canceled) {
		t.Errorf("after the end of the context: %v", err)
	}
	r := &documentReader{Cache: one.Cache, Limits: documentLimits{Pages: 1, Letters: 1 << 16, Unpacked: 1 << 20, Memory: 64 << 20, Time: time.Nanosecond}}
	defer r.Close()
	if _, err := r.Read(context.Background(), madePDF("", "x"), "", ""); !errors.Is(err, errTooLong) {
		t.Errorf("without time: %v", err)
	}
}

func TestInside(t *testing.T) {
	for in, want := range map[string]string{"a/b": "a/b", "/etc/x": "etc/x", "../../x": "x", "a/../../x": "x", `C:\x\..\..\y`: "y", "": "", "..": "", "./a": "a"} {
		if got := safeEntryName(in); got != want {
			t.Errorf("Inside(%q) = %q, want %q", in, got, want)
		}
	}
}

// Old formats are read by the converters that are installed, and what they are given
// ends with them.
func TestConverters(t *testing.T) {
	script := filepath.Join(t.TempDir(), "catdoc")
	write := func(s string) Converter {
		must(t, os.WriteFile(script, []byte("#!/bin/sh\n"+s), 0o700))
		return Converter{Path: script, Name: "catdoc", Kinds: []documentKind{DOC, RTF}}
	}
	rtf := []byte(`{\rtf1 Bid}`)
	read := func(ctx context.Context, c Converter) (documentContent, error) {
		return (&documentReader{Converters: []Converter{c}}).Read(ctx, rtf, "a.rtf", "")
	}
	if got, err := read(t.Context(), write(`for f; do :; done; printf '公告 %s' "$(cat "$f" | wc -c)"; [ -z "$ANGLER_SECRET" ] && echo clean`)); err != nil || got.Text != "公告 11clean" {
		t.Errorf("%q, %v", got.Text, err)
	}
	if _, err := read(t.Context(), write("echo broken >&2; exit 3")); !errors.Is(err, errDamaged) || !strings.Contains(err.Error(), "broken") {
		t.Errorf("of one that fails: %v", err)
	}
	if _, err := read(t.Context(), write("while :; do echo xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx; done")); !errors.Is(err, errDamaged) || !strings.Contains(err.Error(), "without end") {
		t.Errorf("of one that writes without end: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	begun := filepath.Join(t.TempDir(), "begun")
	go func() {
		for ; ctx.Err() == nil; runtime.Gosched() {
			if _, err := os.Stat(begun); err == nil {
				cancel()
			}
		}
	}()
	if _, err := read(ctx, write("touch "+begun+"; cat /dev/zero | cat >/dev/null")); !errors.Is(err, context.Canceled) {
		t.Errorf("of one that hangs: %v", err)
	}
	cancel()
}

func FuzzRead(f *testing.F) {
	for _, b := range [][]byte{madePDF("", "公告"), docx(f, wordX), xlsx(f, rows), archive(f, "a/b", "x"), []byte("Rar!\x1a\x07\x01\x00abcdefgh"),
		[]byte("<html><p>x"), []byte("text"), []byte("{\\rtf1 x}"), archive(f, "OFD.xml", "", "Doc_0/Pages/Page_0/Content.xml", "<a><TextCode>x")} {
		f.Add(b, "a.doc")
	}
	r := &documentReader{Converters: []Converter{}, Limits: documentLimits{Pages: 5, Letters: 1 << 16, Unpacked: 1 << 20, Memory: 64 << 20, Time: 10 * time.Second}}
	f.Fuzz(func(t *testing.T, body []byte, name string) {
		if documentKindOf(body, name) == PDF {
			return // FuzzPDF
		}
		got, err := r.Read(context.Background(), body, name, "")
		if err == nil && (!utf8.ValidString(got.Text) || strings.ContainsAny(got.Text, "\x1b\x00\r")) {
			t.Errorf("%q", got.Text)
		}
	})
}

// TestSpoiledPDFs reads documents with bytes that are others. It is no fuzz target: an
// execution begins with seconds of compiling in every process of the fuzzer, which takes
// that for a hang.
func TestSpoiledPDFs(t *testing.T) {
	if testing.Short() {
		t.Skip("reads one document after the other; -short leaves it out")
	}
	seeds := [][]byte{madePDF("", "公告"), madePDF(encrypted, "x"), pdfOf("", "/Filter /FlateDecode", deflated(t, "BT (x) Tj ET ", 10))}
	r := &documentReader{Cache: one.Cache, Limits: documentLimits{Pages: 5, Letters: 1 << 16, Unpacked: 256 << 20, Memory: 64 << 20, Time: 15 * time.Minute}}
	t.Cleanup(func() { r.Close() })
	rnd := rand.New(rand.NewPCG(1, 2))
	for n := range 30 {
		body := bytes.Clone(seeds[n%len(seeds)])
		for range 1 + rnd.IntN(20) {
			body[rnd.IntN(len(body))] = byte(rnd.IntN(256))
		}
		got, err := r.Read(context.Background(), body, "", "")
		if err == nil && (!utf8.ValidString(got.Text) || len(got.Text) > 1<<16) {
			t.Errorf("document %d: %q", n, got.Text)
		}
	}
}

// Each format is read in pieces, so the name inside a ZIP may be anything.
func FuzzInside(f *testing.F) {
	f.Add("../a\\..\\b")
	f.Fuzz(func(t *testing.T, name string) {
		if got := safeEntryName(name); strings.HasPrefix(got, "/") || got == ".." || strings.HasPrefix(got, "../") || strings.Contains(got, "/../") {
			t.Errorf("Inside(%q) = %q", name, got)
		}
	})
}

// must fails the test at an error.
func must(t testing.TB, errs ...error) {
	t.Helper()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}
