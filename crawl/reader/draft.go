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

// This file holds the part of reading that needs no workspace. A worker on another machine makes a Draft; the
// workspace's owner uses it like its own reading.

// Draft is a page read by a worker.
type Draft struct {
	Page *page.Page      // without its text
	Said page.HostSample // facts in the text that its host's profile learns from
	None store.Failure   // why it is not a page; empty = it is one
	Body []byte          // source body as packed by store.Compress; nil = unknown

	Notice *page.Notice // the page read as an announced notice; nil = not requested

	Fingerprint uint64 // of the dictionary that counted the words
	Full, List  []Word // as in topic.Doc, in numbering order

	Frame // host profile used for reading
}

// Word is a word with its count on a page, N ≥ 1.
type Word struct {
	Text  string
	N     uint32
	ID    uint32 // word number in the lexicon of the draft's owner
	Known bool   // ID replaces Text, which is ""
}

// Frame is the profile of a host at one moment.
type Frame struct {
	Profile []byte // as encoded by page.HostProfile; nil = empty profile
	Version int    // of the profile
}

// Frame returns the profile of a page's host, for a worker.
func (r *Reader) Frame(url string) Frame {
	p := r.profile(url)
	return Frame{p.Bytes(), p.Version()}
}

// NewDraft reads a document with its host's profile. opt holds the time and the Resolver. words and lexicon belong
// to the caller, because a draft contains its words as text.
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
			return nil, err // the owner follows the redirect
		}
		return &Draft{None: none, Frame: f}, nil
	}
	doc := count(words, lexicon, p)
	d := &Draft{Page: p, Said: p.HostSample(), Fingerprint: words.Fingerprint(), Full: inFull(doc.Full, lexicon),
		List: inFull(doc.List, lexicon), Frame: f}
	d.Notice, p.Notice = p.Notice, nil
	p.Text = ""
	return d, nil
}

// parsed parses a document. The error is a store.Failure, or a *Moved.
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
	case p.MovedError != "":
		return nil, store.Failure{Kind: store.FailedRedirect, Detail: "a script leads on, and " + p.MovedError}
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

// vector converts words to numbers of the workspace's lexicon.
func (r *Reader) vector(words []Word) topic.Vector {
	var room [512]uint64
	both := room[:0] // ID and N: plain numbers sort twice as fast
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

// Fits reports whether a draft equals a reading here: the dictionary is the same, no missing script file has
// arrived, and addresses of its host leave nothing out.
func (r *Reader) Fits(d *Draft) bool {
	if d.None != (store.Failure{}) {
		return true
	}
	if d.Fingerprint != r.dict.Load().Fingerprint() {
		return false
	}
	return len(r.Resolver.Ignored()[urls.HostOf(d.Page.URL)]) == 0 && r.without(d.Page.Scripts)
}

// Holds reports whether a page would be read the same today, given its host dependencies and the script files it
// lacked.
func (r *Reader) Holds(url string, scripts []string, heard *page.HostDependencies) bool {
	return r.without(scripts) && r.profile(url).Holds(heard)
}

// without reports whether these script files are all still missing.
func (r *Reader) without(scripts []string) bool {
	for _, url := range scripts {
		if _, known := r.script(url); known {
			return false
		}
	}
	return true
}

// Take is Read for a draft. The draft is as untrusted as the document: sizes and encodings must be checked before.
func (r *Reader) Take(id uint64, d *Draft, contentType string, visit Visit) (*Reading, error) {
	if d.None != (store.Failure{}) {
		return nil, d.None
	}
	p := d.Page
	if d.Notice != nil && r.Holds(p.URL, p.Scripts, &d.Notice.HostDependencies) {
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
