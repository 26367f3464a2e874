package attachments

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Converter is an installed program that reads old formats.
type Converter struct {
	Path  string
	Name  string
	Kinds []documentKind
}

// converters are the known programs, the best first.
var converters = []struct {
	names []string
	kinds []documentKind
}{
	{[]string{"soffice", "libreoffice"}, []documentKind{DOC, XLS, PPT, RTF}},
	{[]string{"antiword"}, []documentKind{DOC}},
	{[]string{"catdoc"}, []documentKind{DOC, RTF}},
	{[]string{"xls2csv"}, []documentKind{XLS}},
	{[]string{"catppt"}, []documentKind{PPT}},
}

// Installed returns the converters on this machine.
func Installed() []Converter {
	out := []Converter{}
	for _, c := range converters {
		for _, name := range c.names {
			if path, err := exec.LookPath(name); err == nil {
				out = append(out, Converter{path, name, c.kinds})
				break
			}
		}
	}
	return out
}

// readsKind reports whether one of the converters reads a kind.
func readsKind(have []Converter, k documentKind) bool {
	return slices.ContainsFunc(have, func(c Converter) bool { return slices.Contains(c.Kinds, k) })
}

// missingConverter names the packages that would read a kind; "" if none is known.
func missingConverter(k documentKind) string {
	switch k {
	case DOC:
		return "antiword, catdoc or libreoffice"
	case XLS, RTF, PPT:
		return "catdoc or libreoffice"
	}
	return ""
}

// convert reads a document of an old format with the installed converters, one after the other,
// until one returns a text.
func (r *documentReader) convert(j *job, kind documentKind, body []byte) (documentContent, error) {
	have := r.Converters
	if have == nil {
		have = Installed()
	}
	err := fmt.Errorf("%w: %s files take %s", errNoConverter, strings.ToUpper(string(kind)), missingConverter(kind))
	if protected(kind, body) {
		return documentContent{}, errEncrypted
	}
	for _, c := range have {
		if !slices.Contains(c.Kinds, kind) {
			continue
		}
		t, cerr := c.convert(r, j, kind, body)
		if cerr == nil && strings.TrimSpace(t.Text) != "" {
			return t, nil
		}
		if j.ctx.Err() != nil {
			return documentContent{}, ended(j.ctx)
		}
		if err = cerr; err == nil {
			err = fmt.Errorf("%w: %s finds no text in it", errDamaged, c.Name)
		}
	}
	return documentContent{}, err
}

// protected reports whether a Word file is encrypted, from a bit of the header block at a sector
// boundary.
func protected(kind documentKind, body []byte) bool {
	if kind != DOC {
		return false
	}
	for at := 512; at+12 <= len(body) && at < 1<<20; at += 512 {
		if body[at] == 0xec && body[at+1] == 0xa5 {
			return body[at+11]&1 != 0
		}
	}
	return false
}

// Bounds of a converter: time, and bytes of output.
const (
	maxConvertTime   = 40 * time.Second
	maxConvertOutput = 32 << 20
)

// convert runs the converter in a temporary folder, with a minimal environment, no terminal and
// limits of memory, CPU time and file size.
func (c Converter) convert(r *documentReader, j *job, kind documentKind, body []byte) (documentContent, error) {
	dir, err := os.MkdirTemp("", "angler-convert-*")
	if err != nil {
		return documentContent{}, fmt.Errorf("no folder for the converter: %w", err)
	}
	defer os.RemoveAll(dir)
	in := filepath.Join(dir, "in."+string(kind))
	if err := os.WriteFile(in, body, 0o600); err != nil {
		return documentContent{}, fmt.Errorf("no file for the converter: %w", err)
	}
	ctx, cancel := context.WithTimeout(j.ctx, maxConvertTime)
	defer cancel()
	var args []string
	to := documentKind("")
	switch c.Name {
	case "antiword":
		args = []string{"-m", "UTF-8.txt", "-w", "0", in}
	case "catdoc", "catppt":
		args = []string{"-d", "utf-8", in}
		if c.Name == "catdoc" {
			args = append([]string{"-w"}, args...)
		}
	case "xls2csv":
		args = []string{"-d", "utf-8", "-q", "0", "-c", "\t", "-f", "%Y-%m-%d", in}
	default:
		to = map[documentKind]documentKind{DOC: DOCX, RTF: DOCX, XLS: XLSX, PPT: PPTX}[kind]
		if err := officeProfile(dir); err != nil {
			return documentContent{}, err
		}
		args = []string{"-env:UserInstallation=file://" + filepath.Join(dir, "profile"), "--headless", "--norestore",
			"--nolockcheck", "--convert-to", string(to), "--outdir", dir, in}
	}
	cmd := exec.CommandContext(ctx, c.Path, args...)
	cmd.Dir, cmd.Stdin = dir, nil
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "TMPDIR=" + dir, "LANG=C.UTF-8", "LC_ALL=C.UTF-8"}
	out, complaint := &bounded{most: maxConvertOutput, stop: cancel}, &bounded{most: 64 << 10, stop: cancel}
	cmd.Stdout, cmd.Stderr = out, complaint
	cmd.WaitDelay = 2 * time.Second
	err = runConfined(cmd, to == "")
	switch {
	case out.full || complaint.full:
		return documentContent{}, fmt.Errorf("%w: %s writes without end", errDamaged, c.Name)
	case ctx.Err() != nil:
		return documentContent{}, errTooLong
	case err != nil && out.kept.Len() == 0:
		return documentContent{}, fmt.Errorf("%w: %s cannot read it (%s)", errDamaged, c.Name,
			firstLine(complaint.kept.String(), err))
	}
	if to == "" {
		text := strings.ToValidUTF8(out.kept.String(), "")
		if kind == PPT || kind == XLS { // form feeds separate slides and sheets
			text = strings.ReplaceAll(text, "\f", "\n")
		}
		j.put(text)
		return j.text(0), nil
	}
	f, err := os.Open(filepath.Join(dir, "in."+string(to)))
	if err != nil {
		return documentContent{}, fmt.Errorf("%w: %s made nothing of it (%s)", errDamaged, c.Name,
			firstLine(complaint.kept.String(), err))
	}
	defer f.Close()
	made, err := io.ReadAll(io.LimitReader(f, maxConvertOutput))
	if err != nil {
		return documentContent{}, err
	}
	return r.read(j, to, made, "", "")
}

// officeProfile disables macros and network of LibreOffice. Its proxy is a port without a listener.
func officeProfile(dir string) error {
	user := filepath.Join(dir, "profile", "user")
	if err := os.MkdirAll(user, 0o700); err != nil {
		return err
	}
	var b strings.Builder
	b.WriteString(`<?xml version="1.0" encoding="UTF-8"?><oor:items xmlns:oor="http://openoffice.org/2001/registry" xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">`)
	for _, s := range [][3]string{
		{"org.openoffice.Inet/Settings", "ooInetProxyType", "2"},
		{"org.openoffice.Inet/Settings", "ooInetHTTPProxyName", "127.0.0.1"},
		{"org.openoffice.Inet/Settings", "ooInetHTTPProxyPort", "9"},
		{"org.openoffice.Inet/Settings", "ooInetHTTPSProxyName", "127.0.0.1"},
		{"org.openoffice.Inet/Settings", "ooInetHTTPSProxyPort", "9"},
		{"org.openoffice.Office.Common/Security/Scripting", "DisableMacrosExecution", "true"},
		{"org.openoffice.Office.Common/Security/Scripting", "BlockUntrustedRefererLinks", "true"},
	} {
		fmt.Fprintf(&b, `<item oor:path="/%s"><prop oor:name="%s" oor:op="fuse"><value>%s</value></prop></item>`, s[0],
			s[1], s[2])
	}
	b.WriteString("</oor:items>")
	return os.WriteFile(filepath.Join(user, "registrymodifications.xcu"), []byte(b.String()), 0o600)
}

// bounded keeps output up to a limit, then calls stop. The buffer is not embedded, because io.Copy
// would bypass Write.
type bounded struct {
	kept bytes.Buffer
	most int
	full bool
	stop func()
}

func (b *bounded) Write(p []byte) (int, error) {
	if b.kept.Len()+len(p) > b.most {
		b.full = true
		b.stop()
		return len(p), nil
	}
	return b.kept.Write(p)
}

func firstLine(s string, err error) string {
	s, _, _ = strings.Cut(strings.TrimSpace(strings.ToValidUTF8(s, "")), "\n")
	if s == "" {
		return err.Error()
	}
	return s
}
