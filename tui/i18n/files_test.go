package i18n

import (
	"testing"
	"unicode"
)

// The states of documents have Chinese, including figures.
func TestReasonsOfDocumentsAreKnown(t *testing.T) {
	zh := chinese()
	for _, s := range []string{"the server says that there is none (404)", "the server failed (503)", "the server failed (503), 4 times", "the server answered 403",
		"a web page came in place of a PDF file; the site may want a login or a code", "it is longer than 20 MB (attachments.max_mb)", "it was not fetched", "its file was kept long enough (retention.attachment_days)",
		"it is encrypted; ask the publisher for the password", "it is damaged", "it is damaged: it has no bytes", "it is damaged: antiword finds no text in it", "it holds no text: its 12 pages are pictures", "it unpacks to more than is read",
		"no converter for its format is installed: DOC files take antiword, catdoc or libreoffice", "reading it took too long", "robots.txt forbids it", "the budget of today is spent",
		"300 of 812 pages", "3 of 9 sheets", "1000 of 2000 entries", "2000000 bytes of text", "200 MB unpacked", "it is damaged behind here"} {
		got := zh.Line(s)
		han := false
		for _, r := range got {
			han = han || unicode.Is(unicode.Han, r)
		}
		if got == s || !han {
			t.Errorf("%q is not told in Chinese: %q", s, got)
		}
	}
}
