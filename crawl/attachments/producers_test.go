//go:build heavy

package attachments

import (
	"bytes"
	"fmt"
	"html"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/text/encoding/simplifiedchinese"
)

// producers make PDFs of what leaves offices: LibreOffice, Chromium, cairo (pdftocairo of
// poppler-utils, rsvg-convert) and Ghostscript, each where it is installed, with the
// Chinese fonts that are. They embed subsets of fonts as Type 0, TrueType, Type 1 and Type
// 3, with and without a table of Unicode.
type producers struct {
	t     *testing.T
	dir   string
	fonts []string
	made  []string
}

func (p *producers) has(program string) bool {
	_, err := exec.LookPath(program)
	return err == nil
}

func (p *producers) file(name, text string) string {
	path := filepath.Join(p.dir, name)
	must(p.t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

// run makes files by a program. One that cannot make one of them is told of; the test
// counts what is there.
func (p *producers) run(program string, args []string, out ...string) {
	cmd := exec.CommandContext(p.t.Context(), program, args...)
	cmd.Env = append(os.Environ(), "HOME="+p.dir)
	said, err := cmd.CombinedOutput()
	for _, f := range out {
		if s, bad := os.Stat(f); bad != nil || s.Size() == 0 {
			p.t.Logf("%s made no %s: %v %.200s", program, filepath.Base(f), err, said)
			continue
		}
		p.made = append(p.made, f)
	}
}

// chineseFonts are installed families, of those that offices have.
func chineseFonts() (list []string) {
	out, err := exec.Command("fc-list", ":lang=zh-cn", "family").Output()
	if err != nil {
		return nil
	}
	for _, f := range []string{"Noto Sans CJK SC", "Noto Serif CJK SC", "WenQuanYi Zen Hei", "WenQuanYi Micro Hei", "AR PL UMing CN", "AR PL UKai CN"} {
		if bytes.Contains(out, []byte(f)) {
			list = append(list, f)
		}
	}
	return list
}

// common are the 3,755 most common characters, in lines of 40.
func common(t *testing.T) (lines []string) {
	var all []rune
	for hi := 0xB0; hi <= 0xD7; hi++ {
		for lo := 0xA1; lo <= 0xFE; lo++ {
			if hi == 0xD7 && lo > 0xF9 {
				break
			}
			s, err := simplifiedchinese.GBK.NewDecoder().String(string([]byte{byte(hi), byte(lo)}))
			must(t, err)
			all = append(all, []rune(s)...)
		}
	}
	for line := range slices.Chunk(all, 40) {
		lines = append(lines, string(line))
	}
	return lines
}

// notice is what offices write: a heading, sentences, amounts, dates, letters of all widths.
func notice(n int) (lines []string) {
	for i := range 30 {
		lines = append(lines, fmt.Sprintf("%d．第%d包：电子显微镜（型号 JEM-%dF）%d 台，最高限价人民币%d.%02d万元（大写：贰佰叁拾肆万伍仟陆佰柒拾捌元整）。", i+1, i, 1400+i, i+2, 10*i+n, i))
		lines = append(lines, fmt.Sprintf("投标文件递交截止时间：２０２６年%d月%d日０９：３０（北京时间），地点：湖北省武汉市洪山区东湖路%d号。E-mail: bid%d@example.cn", i%12+1, i%28+1, i, i))
	}
	return lines
}

// dressed is a text as HTML in one of many dresses.
func dressed(lines []string, font, style, head string) string {
	var b strings.Builder
	fmt.Fprintf(&b, `<!DOCTYPE html><html lang="zh-CN"><head><meta charset="utf-8"><title>公告</title><style>body{font-family:"%s"}%s</style></head><body>%s`, font, style, head)
	for i, line := range lines {
		if i%7 == 3 && strings.Contains(style, "td{") {
			b.WriteString("<table>")
			for part := range strings.SplitSeq(line, "，") {
				fmt.Fprintf(&b, "<tr><td>%d</td><td>%s</td></tr>", i, html.EscapeString(part))
			}
			b.WriteString("</table>")
			continue
		}
		fmt.Fprintf(&b, "<p>%s</p>", html.EscapeString(line))
	}
	return b.String() + "</body></html>"
}

func (p *producers) chromium() {
	program := "chromium"
	if !p.has(program) {
		return
	}
	styles := map[string]string{
		"plain":    "",
		"columns":  "body{columns:2;font-size:11px}",
		"table":    "table{border-collapse:collapse}td{border:1px solid;padding:2px 6px}",
		"bold":     "p{font-weight:bold;letter-spacing:2px}p:nth-child(even){font-style:italic}",
		"vertical": "body{writing-mode:vertical-rl;height:900px}",
		"turned":   "p:nth-child(5n){transform:rotate(2deg);color:#888}h1{font-size:40px}",
	}
	n := 0
	for _, name := range slices.Sorted(maps.Keys(styles)) {
		font := p.fonts[n%len(p.fonts)]
		lines := notice(n)
		if n%3 == 2 {
			lines = common(p.t)
		}
		p.print(program, "chromium-"+name, dressed(lines, font, styles[name], "<h1>某某大学电子显微镜采购项目公开招标公告</h1>"))
		if n++; n == 2 && testing.Short() {
			return
		}
	}
	p.print(program, "chromium-svg", `<!DOCTYPE html><meta charset="utf-8"><svg xmlns="http://www.w3.org/2000/svg" width="900" height="1200">`+drawn(notice(7), p.fonts[0])+`</svg>`)
}

func (p *producers) print(program, name, page string) {
	out := filepath.Join(p.dir, name+".pdf")
	p.run(program, []string{"--headless", "--no-sandbox", "--disable-gpu", "--no-pdf-header-footer", "--user-data-dir=" + filepath.Join(p.dir, "chromium"), "--print-to-pdf=" + out, "file://" + p.file(name+".html", page)}, out)
}

// drawn is a text as elements of an SVG.
func drawn(lines []string, font string) string {
	var b strings.Builder
	for i, line := range lines {
		fmt.Fprintf(&b, `<text x="20" y="%d" font-size="13" font-family="%s">%s</text>`, 30+i*19, font, html.EscapeString(line))
	}
	return b.String()
}

// office makes documents by LibreOffice: texts where its Writer is installed, tables.
func (p *producers) office() {
	if !p.has("soffice") {
		return
	}
	var files, out []string
	add := func(name, text string) {
		files = append(files, p.file(name, text))
		out = append(out, filepath.Join(p.dir, strings.TrimSuffix(name, filepath.Ext(name))+".pdf"))
	}
	for i, font := range p.fonts[:min(len(p.fonts), 4)] {
		add(fmt.Sprintf("calc%d.fods", i), spreadsheet(notice(i), font))
		lines := notice(i + 10)
		if i == 1 {
			lines = common(p.t)
		}
		add(fmt.Sprintf("writer%d.fodt", i), writerDocument(lines, font, i+1))
	}
	add("writer-word.docx", string(archive(p.t, "[Content_Types].xml", `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`,
		"_rels/.rels", `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>`,
		"word/document.xml", word(notice(20)))))
	args := []string{"-env:UserInstallation=file://" + filepath.Join(p.dir, "office"), "--headless", "--convert-to", "pdf", "--outdir", p.dir}
	p.run("soffice", append(args, files...), out...)
}

// spreadsheet is a flat document of LibreOffice's Calc.
func spreadsheet(lines []string, font string) string {
	var b strings.Builder
	fmt.Fprintf(&b, `<?xml version="1.0" encoding="UTF-8"?><office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" xmlns:fo="urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0" office:version="1.2" office:mimetype="application/vnd.oasis.opendocument.spreadsheet"><office:styles><style:default-style style:family="table-cell"><style:text-properties style:font-family-asian="%s" style:font-size-asian="9pt"/></style:default-style></office:styles><office:automatic-styles><style:style style:name="w" style:family="table-column"><style:table-column-properties style:column-width="16cm"/></style:style><style:style style:name="c" style:family="table-cell"><style:table-cell-properties fo:wrap-option="wrap"/></style:style></office:automatic-styles><office:body><office:spreadsheet><table:table table:name="清单"><table:table-column table:style-name="w"/>`, font)
	for _, line := range lines {
		fmt.Fprintf(&b, `<table:table-row><table:table-cell table:style-name="c" office:value-type="string"><text:p>%s</text:p></table:table-cell></table:table-row>`, html.EscapeString(line))
	}
	return b.String() + `</table:table></office:spreadsheet></office:body></office:document>`
}

// document is a flat document of LibreOffice's Writer, in columns.
func writerDocument(lines []string, font string, columns int) string {
	var b strings.Builder
	fmt.Fprintf(&b, `<?xml version="1.0" encoding="UTF-8"?><office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:fo="urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0" office:version="1.2" office:mimetype="application/vnd.oasis.opendocument.text"><office:styles><style:default-style style:family="paragraph"><style:text-properties style:font-family-asian="%s" style:font-size-asian="11pt"/></style:default-style></office:styles><office:automatic-styles><style:style style:name="s" style:family="section"><style:section-properties><style:columns fo:column-count="%d" fo:column-gap="0.5cm"/></style:section-properties></style:style></office:automatic-styles><office:body><office:text><text:h>采购公告</text:h><text:section text:name="s" text:style-name="s">`, font, columns)
	for _, line := range lines {
		fmt.Fprintf(&b, `<text:p>%s</text:p>`, html.EscapeString(line))
	}
	return b.String() + `</text:section></office:text></office:body></office:document>`
}

// word is the body of a document of Word.
func word(lines []string) string {
	var b strings.Builder
	b.WriteString(`<?xml version="1.0" encoding="UTF-8"?><w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>`)
	for _, line := range lines {
		fmt.Fprintf(&b, `<w:p><w:r><w:t>%s</w:t></w:r></w:p>`, html.EscapeString(line))
	}
	return b.String() + `</w:body></w:document>`
}

// again has PDFs written once more by other programs.
func (p *producers) again() {
	once := slices.Clone(p.made)
	for i, f := range once {
		name := strings.TrimSuffix(filepath.Base(f), ".pdf")
		if i%3 == 0 && p.has("pdftocairo") {
			out := filepath.Join(p.dir, "cairo-"+name+".pdf")
			p.run("pdftocairo", []string{"-pdf", f, out}, out)
		}
		if i%3 == 1 && p.has("gs") {
			out := filepath.Join(p.dir, "ghostscript-"+name+".pdf")
			p.run("gs", []string{"-q", "-dNOPAUSE", "-dBATCH", "-dSAFER", "-sDEVICE=pdfwrite", "-sOutputFile=" + out, f}, out)
		}
	}
	for i, font := range p.fonts {
		if p.has("rsvg-convert") {
			name := fmt.Sprintf("rsvg%d", i)
			out := filepath.Join(p.dir, name+".pdf")
			p.run("rsvg-convert", []string{"-f", "pdf", "-o", out, p.file(name+".svg", `<svg xmlns="http://www.w3.org/2000/svg" width="900" height="1900">`+drawn(append(notice(i), common(p.t)[i*5:i*5+20]...), font)+`</svg>`)}, out)
		}
	}
}

// PDFs of the programs that offices use have the letters that pdftotext finds in them.
func TestLettersOfProducers(t *testing.T) {
	needsPDFToText(t)
	p := &producers{t: t, dir: t.TempDir(), fonts: chineseFonts()}
	switch {
	case len(p.fonts) == 0:
		t.Skip("no Chinese font is installed")
	case !p.has("soffice") && !p.has("chromium"):
		t.Skip("neither LibreOffice nor Chromium is installed")
	}
	p.chromium()
	if !testing.Short() { // under the race detector two PDFs do
		p.office()
		p.again()
	}
	least, sum := 1.0, 0.0
	for _, f := range p.made {
		share := lettersFound(t, f)
		least, sum = min(least, share), sum+share
	}
	t.Logf("%d PDFs with %d fonts: the least share is %.4f, the mean %.4f", len(p.made), len(p.fonts), least, sum/float64(len(p.made)))
	if p.has("soffice") && p.has("chromium") && len(p.made) < 12 && !testing.Short() {
		t.Errorf("%d PDFs were made", len(p.made))
	}
}
