package fields

import (
	"strings"

	"angler/crawl/htmldoc"
)

// This file reads the names of attachments: 某项目（DHU-2026-017）招标文件.pdf.

// Bounds of the names.
const (
	maxNames     = 40
	maxNameBytes = 300 // bytes
)

var codeInName = htmldoc.NewPattern(`[A-Za-z]{2,10}[A-Za-z0-9]*[-_]?[A-Za-z0-9\-]*\d{3,}[A-Za-z0-9\-]*`)

// readAttachments reads the project number from the names of documents. A name alone is weak
// evidence, so it reads none if names disagree.
func (r *reading) readAttachments() {
	field, ok := r.preset("number")
	if !ok {
		return
	}
	found := map[string]place{}
	for i, name := range r.notice.Attachments {
		if i == maxNames || len(found) > 1 {
			break
		}
		if len(name) > maxNameBytes {
			continue
		}
		f := fold(name)
		end := len(f.s)
		if k := strings.LastIndexByte(f.s, '.'); k > 0 && end-k <= 6 {
			end = k
		}
		for _, m := range codeInName.FindAllStringIndex(f.s[:end], 4) {
			code := f.s[m[0]:m[1]]
			bracketed := m[0] > 0 && f.s[m[0]-1] == '(' || strings.Contains(code, "-")
			if bracketed && isCode(code) {
				found[strings.ToUpper(code)] = place{f: f, from: m[0], to: m[1], source: FromAttachment, label: name,
					sure: .6}
			}
		}
	}
	if len(found) == 1 {
		for _, p := range found {
			r.readField(field, p)
		}
	}
}
