package htmldoc

import "golang.org/x/net/html/atom"

// tagKind groups the elements by the effect of their start tag in a body (HTML standard
// 13.2.6.4.7).
type tagKind uint8

const (
	tagOther    tagKind = iota // only opens an element
	tagHard                    // left to html.Parse
	tagHTML                    // html, head, body
	tagMeta                    // empty, allowed in a head
	tagEmpty                   // empty
	tagRaw                     // holds raw text
	tagBlock                   // closes an open p
	tagHeading                 // h1 … h6
	tagPre                     // pre, listing
	tagItem                    // li, dd, dt
	tagForm                    // at most one
	tagButton                  // closes an open button
	tagFormat                  // a, b, font and similar
	tagMarker                  // applet, marquee, object: formatting inside them does not leak out
	tagTable                   // table
	tagSection                 // tbody, thead, tfoot
	tagRow                     // tr
	tagCell                    // td, th
	tagSelect                  // select
	tagOption                  // option
	tagOptgroup                // optgroup
	tagInput                   // input
	tagRule                    // hr
)

// tagInfo is the plain builder's data about an element.
type tagInfo struct {
	atom    atom.Atom
	name    string
	kind    tagKind
	special bool // a special element of the standard
	stop    bool // ends the default scope
	ended   bool // its end tag may be left out
	ends    bool // its end tag closes the open elements up to it in the default scope
}

var plainTags = map[string]*tagInfo{}

// tagSlots is a hash table of plainTags: a tag is in its tagSlot or in the next free one. A page
// names about 450 elements, and a map costs twice as much.
var tagSlots [1024]*tagInfo

func tagSlot(name string) int {
	n := len(name)
	return int(name[0])*37 + int(name[n/2])*11 + int(name[n-1])*5 + n
}

func init() {
	kinds := []struct {
		kind tagKind
		tags []atom.Atom
	}{
		{tagHard, []atom.Atom{atom.Frameset, atom.Plaintext, atom.Image, atom.Nobr, atom.Template, atom.Svg, atom.Math,
			atom.Xmp,
			atom.Noembed, atom.Noframes, atom.Rb, atom.Rtc, atom.Rp, atom.Rt, atom.Caption, atom.Col, atom.Colgroup,
			atom.Frame}},
		{tagHTML, []atom.Atom{atom.Html, atom.Head, atom.Body}},
		{tagMeta, []atom.Atom{atom.Base, atom.Basefont, atom.Bgsound, atom.Link, atom.Meta}},
		{tagEmpty, []atom.Atom{atom.Area, atom.Br, atom.Embed, atom.Img, atom.Keygen, atom.Wbr, atom.Param, atom.Source,
			atom.Track}},
		{tagRaw, []atom.Atom{atom.Script, atom.Style, atom.Title, atom.Textarea, atom.Noscript, atom.Iframe}},
		{tagBlock, []atom.Atom{atom.Address, atom.Article, atom.Aside, atom.Blockquote, atom.Center, atom.Details,
			atom.Dialog,
			atom.Dir, atom.Div, atom.Dl, atom.Fieldset, atom.Figcaption, atom.Figure, atom.Footer, atom.Header,
			atom.Hgroup,
			atom.Main, atom.Menu, atom.Nav, atom.Ol, atom.P, atom.Search, atom.Section, atom.Summary, atom.Ul}},
		{tagHeading, []atom.Atom{atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6}},
		{tagPre, []atom.Atom{atom.Pre, atom.Listing}},
		{tagItem, []atom.Atom{atom.Li, atom.Dd, atom.Dt}},
		{tagForm, []atom.Atom{atom.Form}},
		{tagButton, []atom.Atom{atom.Button}},
		{tagFormat, []atom.Atom{atom.A, atom.B, atom.Big, atom.Code, atom.Em, atom.Font, atom.I, atom.S, atom.Small,
			atom.Strike,
			atom.Strong, atom.Tt, atom.U}},
		{tagMarker, []atom.Atom{atom.Applet, atom.Marquee, atom.Object}},
		{tagTable, []atom.Atom{atom.Table}},
		{tagSection, []atom.Atom{atom.Tbody, atom.Thead, atom.Tfoot}},
		{tagRow, []atom.Atom{atom.Tr}},
		{tagCell, []atom.Atom{atom.Td, atom.Th}},
		{tagSelect, []atom.Atom{atom.Select}},
		{tagOption, []atom.Atom{atom.Option}},
		{tagOptgroup, []atom.Atom{atom.Optgroup}},
		{tagInput, []atom.Atom{atom.Input}},
		{tagRule, []atom.Atom{atom.Hr}},
	}
	info := func(a atom.Atom) *tagInfo {
		t := plainTags[a.String()]
		if t == nil {
			t = &tagInfo{atom: a, name: a.String()}
			plainTags[t.name] = t
		}
		return t
	}
	for _, k := range kinds {
		for _, a := range k.tags {
			t := info(a)
			t.kind = k.kind
			switch k.kind {
			case tagBlock:
				// html.Parse does not treat search, dialog and similar as special elements
				t.special = a != atom.Search && a != atom.Dialog
				t.ends = a != atom.P
			case tagOther, tagFormat, tagOption, tagOptgroup:
			case tagHard:
				t.special = a != atom.Svg && a != atom.Math && a != atom.Nobr && a != atom.Image
			default:
				t.special = true
			}
			t.ends = t.ends || k.kind == tagPre || k.kind == tagButton || k.kind == tagSelect
		}
	}
	for _, a := range []atom.Atom{atom.Applet, atom.Caption, atom.Html, atom.Table, atom.Td, atom.Th, atom.Marquee,
		atom.Object, atom.Template, atom.Select} {
		info(a).stop = true
	}
	for _, a := range []atom.Atom{atom.Dd, atom.Dt, atom.Li, atom.Optgroup, atom.Option, atom.P} {
		info(a).ended = true
	}
	for _, a := range []atom.Atom{atom.Span, atom.Label, atom.Ins, atom.Del, atom.Sub, atom.Sup, atom.Time, atom.Abbr,
		atom.Cite,
		atom.Legend, atom.Map, atom.Q, atom.Video, atom.Audio, atom.Canvas} {
		info(a)
	}
	for _, t := range plainTags {
		i := tagSlot(t.name)
		for ; tagSlots[i%len(tagSlots)] != nil; i++ {
		}
		tagSlots[i%len(tagSlots)] = t
	}
}

// tagOf returns the data about a lower-case element name. The result may keep the name.
func tagOf(name string) *tagInfo {
	for i := tagSlot(name); ; i++ {
		t := tagSlots[i%len(tagSlots)]
		if t == nil {
			break
		}
		if t.name == name {
			return t
		}
	}
	a := atom.Lookup([]byte(name))
	if a != 0 {
		name = a.String()
	}
	return &tagInfo{atom: a, name: name}
}
