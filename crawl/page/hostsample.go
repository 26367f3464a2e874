package page

import "slices"

// HostSample is what a host is learned by of a page's text. It stands for the text where that
// does not come along: a page that was read at another machine.
type HostSample struct {
	Lines []uint32 // hashes of the lines, each once, in their order; at most MaxLines
	Error uint64   // what ErrorPages knows the page by
	Short bool     // the page may be an error page: Error counts
}

// MaxLines bounds HostSample.Lines.
const MaxLines = learnLines

// Said returns what a host is learned by of the page. Pages with a text alone can say it.
func (p *Page) Said() HostSample {
	l := learnings.Get().(*learning)
	defer learnings.Put(l)
	clear(l.lines)
	s := HostSample{Lines: linesOf(l, p.Text), Short: p.maybeError()}
	if s.Short {
		s.Error = fingerprint(p)
	}
	return s
}

// LearnSaid is Learn for a page without its text.
func (b *Boilerplate) LearnSaid(at SampledPage, p *Page, said *HostSample) {
	b.learn(at, p, said)
}

// LearnSaid is Learn for a page without its text.
func (e *ErrorPages) LearnSaid(p *Page, said *HostSample) (reason string) {
	if !said.Short {
		return ""
	}
	return e.met(p.URL, said.Error)
}

// saidLines are the lines of a page without its text, each once.
func saidLines(l *learning, said *HostSample) (lines []uint32) {
	for _, h := range said.Lines[:min(len(said.Lines), learnLines)] {
		lines = addNew(l.lines, lines, h)
	}
	return slices.Clip(lines)
}
