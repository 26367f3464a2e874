package attachments

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"
	"unicode/utf8"

	"angler/crawl/htmldoc"

	"github.com/nwaples/rardecode/v2"
	"golang.org/x/text/encoding/simplifiedchinese"
)

// entriesPerPage entries of a listing count as one page.
const entriesPerPage = 10

// zipListing lists a ZIP archive without unpacking it.
func (j *job) zipListing(body []byte) (documentContent, error) {
	z, err := zip.NewReader(bytes.NewReader(body), int64(len(body)))
	if err != nil {
		return documentContent{}, fmt.Errorf("%w: %v", errDamaged, err)
	}
	for i, f := range z.File {
		if i >= j.lim.Pages*entriesPerPage || j.full() {
			j.cutAt("%d of %d entries", i, len(z.File))
			break
		}
		j.entry(zipName(f), f.FileInfo().IsDir(), f.UncompressedSize64, f.Flags&1 != 0)
	}
	return j.text(len(z.File)), nil
}

// zipName returns an entry's name. It may be UTF-8, in the Unicode extra field, or in the code page
// of Chinese Windows.
func zipName(f *zip.File) string {
	for extra := f.Extra; len(extra) >= 4; {
		tag, n := binary.LittleEndian.Uint16(extra), int(binary.LittleEndian.Uint16(extra[2:]))
		if len(extra) < 4+n {
			break
		}
		if tag == 0x7075 && n > 5 && utf8.Valid(extra[9:4+n]) { // Info-ZIP Unicode path
			return string(extra[9 : 4+n])
		}
		extra = extra[4+n:]
	}
	return chinese(f.Name)
}

// chinese decodes a name that is no UTF-8 as GB 18030.
func chinese(name string) string {
	if utf8.ValidString(name) {
		return name
	}
	if s, err := simplifiedchinese.GB18030.NewDecoder().String(name); err == nil {
		return s
	}
	return strings.ToValidUTF8(name, "\ufffd")
}

// rarListing lists a RAR archive. It skips the data between headers without unpacking it.
func (j *job) rarListing(body []byte) (documentContent, error) {
	r, err := rardecode.NewReader(bytes.NewReader(body), rardecode.MaxDictionarySize(64<<20), rardecode.SkipCheck)
	if err != nil {
		return documentContent{}, rarError(err)
	}
	n := 0
	for {
		h, err := r.Next()
		if err == io.EOF {
			return j.text(n), nil
		}
		if err != nil {
			if n == 0 {
				return documentContent{}, rarError(err)
			}
			if errors.Is(err, rardecode.ErrMultiVolume) {
				j.cutAt("the archive goes on in another file")
			} else {
				j.cutAt("it is damaged behind here")
			}
			return j.text(n), nil
		}
		if n >= j.lim.Pages*entriesPerPage || j.full() || j.ctx.Err() != nil {
			j.cutAt("%d entries", n)
			return j.text(n), nil
		}
		n++
		size := uint64(max(0, h.UnPackedSize))
		if h.UnKnownSize {
			size = 0
		}
		j.entry(chinese(h.Name), h.IsDir, size, h.Encrypted || h.HeaderEncrypted)
	}
}

func rarError(err error) error {
	if errors.Is(err, rardecode.ErrArchiveEncrypted) || errors.Is(err, rardecode.ErrArchivedFileEncrypted) ||
		errors.Is(err, rardecode.ErrBadPassword) {
		return errEncrypted
	}
	return fmt.Errorf("%w: %v", errDamaged, err)
}

// entry writes a line of a listing: name, size, and whether the entry is encrypted. A name that
// leads out of the archive's folder is made relative to it.
func (j *job) entry(name string, folder bool, size uint64, encrypted bool) {
	name = safeEntryName(name)
	if folder {
		name += "/"
	}
	j.put(htmldoc.CleanLine(name, 300))
	if !folder {
		j.put(fmt.Sprintf("\t%d", size))
	}
	if encrypted {
		j.put("\tencrypted")
	}
	j.put("\n")
}

// safeEntryName returns an entry's name as a relative path without root, drive, or steps upward.
func safeEntryName(name string) string {
	name = strings.ReplaceAll(name, "\\", "/")
	if len(name) > 1 && name[1] == ':' {
		name = name[2:]
	}
	return strings.TrimPrefix(path.Clean("/"+name), "/")
}
