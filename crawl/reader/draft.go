package reader

import (
	"errors"
	"slices"

	"angler/crawl/page"
	"angler/crawl/urls"
	"angler/dict"
	"angler/store"
	"angler/topic"
)

// This file is the part of reading that needs nothing of a workspace, so that it can be
// done at another machine: a worker makes a Draft, and the owner of the workspace takes it
// up as if it had read the page itself.

// Draft is a page as it was understood elsewhere.
type Draft struct {
	Page *page.Page      // without its text
	Said page.HostSample // what its host is learned by of the text
	None store.Failure   // why it is no page; none = it is one
	Body []byte          // what it was made of, as store.Compress writes it; nil = that is not known

	Notice *page.Notice // what it says as the notice that a list has announced; nil = that was not asked for

	Fingerprint uint64 // of the dictionary that counted the words
	Full, List  []Word // as topic.Doc has them, in the order in which they are numbered

	Frame // of what was known of the host when it was read
}

// Narrow leaves of a draft what Noticed asks for.
func (d *Draft) Narrow() {
	d.Full, d.List = nil, nil
	if p := d.Page; p != nil {
		d.Page = &page.Page{URL: p.URL, Scripts: p.Scripts, Asked: p.Asked}
	}
}

// Word is a word and how often it stands on a page, n ≥ 1.
type Word struct {
	Text  string
	N     uint32
	ID    uint32 // of the word in the lexicon of the draft's owner
	Known bool   // ID stands for Text, which is ""
}

// Frame is what the pages of a host repeat, at one moment.
type Frame struct {
	Profile []byte // as page.HostProfile writes it; nil = nothing is known
	Version int    // of the profile
}

// Frame returns the profile of a page's host for a worker that reads the page.
func (r *Reader) Frame(url string) Frame {
	p := r.profile(url)
	return Frame{p.Bytes(), p.Version()}
}

// NewDraft reads a document by what is known of its host. opt names the time, and the
// Resolver; words and lexicon are the reader's own, because a draft has its words in full.
func NewDraft(src page.Source, opt page.Options, f Frame, words *dict.Dict, lexicon *dict.Lexicon) (*Draft, error) {
	host, err := page.ProfileFrom(f.Profile)
	if err != nil {
		return nil, err
	}
	opt.Host = host
	p, err := parsed(src, opt)
	if err != nil {
		var none store.Failure
		if !errors.As(err, &none) {
			return nil, err // the owner follows it
		}
		return &Draft{None: none, Frame: f}, nil
	}
	doc := count(words, lexicon, p)
	d := &Draft{Page: p, Said: p.Said(), Fingerprint: words.Fingerprint(), Full: inFull(doc.Full, lexicon), List: inFull(doc.List, lexicon), Frame: f}
	d.Notice, p.Notice = p.Notice, nil
	p.Text = ""
	return d, nil
}

// parsed is a document that is a page; the error is a store.Failure, or a *Moved.
func parsed(src page.Source, opt page.Options) (*page.Page, error) {
	p, err := page.Parse(src, opt)
	if err != nil {
		return nil, store.Failure{Kind: store.FailedNoPage, Detail: err.Error()}
	}
	if why := p.Soft404(); why != "" {
		return nil, store.Failure{Kind: store.FailedSoft404, Detail: why}
	}
	switch {
	case p.Moved != "":
		return nil, &Moved{p.Moved}
	case p.Unread != "":
		return nil, store.Failure{Kind: store.FailedRedirect, Detail: "a script leads on, and " + p.Unread}
	}
	return p, nil
}

func inFull(v topic.Vector, lexicon *dict.Lexicon) []Word {
	out := make([]Word, len(v))
	for i, t := range v {
		out[i] = Word{Text: lexicon.Word(t.ID), N: t.N}
	}
	return out
}

// vector numbers words by the workspace's lexicon.
func (r *Reader) vector(words []Word) topic.Vector {
	var room [512]uint64
	both := room[:0] // ID and N: plain numbers are sorted in half the time
	for _, w := range words {
		if !w.Known {
			w.ID = r.Lexicon.Intern(w.Text)
		}
		if w.ID != dict.NoWord {
			both = append(both, uint64(w.ID)<<32|uint64(w.N))
		}
	}
	slices.Sort(both)
	v := make(topic.Vector, 0, len(both))
	for _, x := range both {
		if t := (topic.Term{ID: uint32(x >> 32), N: uint32(x)}); len(v) == 0 || v[len(v)-1].ID != t.ID {
			v = append(v, t)
		}
	}
	return v
}

// Fits reports whether a draft says what Read would say: another dictionary may be in
// force by now, or a script file may have come that the page was read without.
func (r *Reader) Fits(d *Draft) bool {
	if d.None != (store.Failure{}) {
		return true
	}
	if d.Fingerprint != r.dict.Load().Fingerprint() {
		return false
	}
	return r.without(d.Page.Scripts)
}

// Noticed is what the page of a draft says as a notice: nil where it was not read so, or
// would be read otherwise here.
func (r *Reader) Noticed(d *Draft, as page.Announced) *page.Notice {
	if d == nil || d.Notice == nil || d.Notice.As != as || !r.Holds(d.Page.URL, d.Page.Scripts, &d.Notice.Heard) {
		return nil
	}
	return d.Notice
}

// Holds reports whether a page would be read today as it was, by what it has heard of its
// host and the script files that it was read without.
func (r *Reader) Holds(url string, scripts []string, heard *page.HostDependencies) bool {
	return r.without(scripts) && r.profile(url).Holds(heard)
}

// without reports whether none of these script files has come.
func (r *Reader) without(scripts []string) bool {
	for _, url := range scripts {
		if _, known := r.script(url); known {
			return false
		}
	}
	return true
}

// Take is Read for a document that was read elsewhere. The draft is trusted as far as the
// document itself is: its sizes and encodings must have been looked at.
func (r *Reader) Take(id uint64, d *Draft, contentType string, visit Visit) (*Reading, error) {
	if d.None != (store.Failure{}) {
		return nil, d.None
	}
	p := d.Page
	if d.Notice != nil && r.Holds(p.URL, p.Scripts, &d.Notice.Heard) {
		p.Notice = d.Notice
	}
	h := r.hosts.of(urls.HostOf(p.URL))
	why := r.learned(h, id, p, d.Version, visit, &d.Said)
	if why != "" {
		p.Limits = append(p.Limits, why)
	}
	doc := wordless(p)
	doc.Full, doc.List = r.vector(d.Full), r.vector(d.List)
	return r.reading(p, doc, d.Fingerprint, contentType, visit), nil
}
