package page

import "slices"

// HostSample holds the hashes that Boilerplate and ErrorPages learn from a page's text. It
// replaces the text of a page that another machine parsed.
type HostSample struct {
	Lines []uint32 // hashes of the distinct lines in document order; at most MaxLines
	Error uint64   // fingerprint for ErrorPages, only with Short
	Short bool     // the page is short enough for an error page
}

// MaxLines bounds HostSample.Lines.
const MaxLines = learnLines

// HostSample returns the sample of a page that has its text.
func (p *Page) HostSample() HostSample {
	l := traceScratches.Get().(*traceScratch)
	defer traceScratches.Put(l)
	clear(l.lines)
	s := HostSample{Lines: lineHashes(l, p.Text), Short: p.maybeError()}
	if s.Short {
		s.Error = fingerprint(p)
	}
	return s
}

// sampleLines returns the distinct line hashes of a sample, at most learnLines.
func sampleLines(l *traceScratch, sample *HostSample) (lines []uint32) {
	for _, h := range sample.Lines[:min(len(sample.Lines), learnLines)] {
		lines = appendNew(l.lines, lines, h)
	}
	return slices.Clip(lines)
}
