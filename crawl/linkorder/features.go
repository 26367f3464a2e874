package linkorder

import (
	"math/bits"
	"strings"
)

// What learned sees of a link: features, each hashed into one of 2¹⁸ buckets, so
// that the model has a fixed size. Two features that meet in a bucket share its
// weight.

const (
	bucketBits = 18
	buckets    = 1 << bucketBits

	mostTokens = 12 // of an anchor text
	mostDirs   = 3  // directory prefixes of a URL
	mostWords  = 8  // of a file name
	levels     = 5  // of a block path, from the link up

	// bias, anchor tokens and length, host, directories raw and masked, file
	// mask and words, segments, block, source directories (raw and masked) and
	// file × block
	mostFeatures = 1 + mostTokens + 1 + 1 + 2*mostDirs + 1 + mostWords + 1 + 1 + 2*mostDirs + 1
)

// kind is a kind of feature; equal texts of different kinds are different
// features.
type kind uint8

const (
	kindBias kind = iota
	kindAnchor
	kindLength
	kindHost
	kindDir
	kindMaskedDir
	kindFile
	kindWord
	kindSegments
	kindBlock
	kindDirBlock
	kindFileBlock
	kindAnchorScore
	kindParentScore
	kindURLScore
	kindRawDirBlock
)

// kindNames is how people read them.
var kindNames = [...]string{"bias", "anchor", "anchor length ~", "host", "dir", "dir pattern", "file", "word", "segments", "block", "from", "from", "anchor score ~", "parent score ~", "URL score ~", "from"}

// features of one link. The zero value is ready; with names set it also says
// what each feature stands for, which allocates.
type features struct {
	n     int
	where int                  // at[where:n] tell the place: the target's directories, the source × block
	at    [mostFeatures]uint32 // buckets
	names *[]string
}

func bucket(k kind, h uint64) uint32 {
	return uint32(mix(h+uint64(k)*0x9e3779b97f4a7c15) >> (64 - bucketBits))
}

// add counts a feature by its hash; text and more, in that order, are its name.
func (f *features) add(k kind, h uint64, text, more string) {
	f.at[f.n] = bucket(k, h)
	f.n++
	if f.names == nil {
		return
	}
	switch k {
	case kindAnchor, kindMaskedDir, kindFile, kindDirBlock, kindFileBlock:
		text = mask(text)
	}
	name := kindNames[k]
	if text != "" {
		name += " " + text
	}
	if more != "" {
		name += " in " + more
	}
	*f.names = append(*f.names, name)
}

// link collects the features of a link that its strings give:
//
//   - the tokens of the anchor (see anchor) and log₂ of its length;
//   - host, directory prefixes raw and with digits masked, file name with digits
//     masked, its words, and the number of segments of the target's URL;
//   - the block's path, and that path with each directory prefix (masked, and raw
//     where that differs: many sites number their columns) and the masked file
//     name of the source page.
//
// What its scores give is added by scoreBuckets, because scores change.
func (f *features) link(target string, in *Inlink) {
	f.n = 0
	f.add(kindBias, 0, "", "")
	text := in.Anchor[:min(len(in.Anchor), mostAnchor)]
	f.anchor(text)
	length := bits.Len(uint(characters(text))+1) - 1
	f.add(kindLength, uint64(length), f.name(1<<length-1), "")

	t := locate(target)
	f.add(kindHost, t.host, t.url[:t.hostEnd], "")
	for i := range t.dirs {
		f.add(kindMaskedDir, t.masked[i], t.url[t.hostEnd:t.ends[i]], "")
	}
	if t.segments > 1 {
		f.add(kindFile, t.file, t.url[t.fileStart:t.fileEnd], "")
		f.words(t.url[t.fileStart:t.fileEnd])
	}
	f.add(kindSegments, uint64(t.segments), f.name(t.segments), "")

	path := tail(in.Block)
	block := hashString(path)
	f.add(kindBlock, block, path, "")
	f.where = f.n
	for i := range t.dirs {
		f.add(kindDir, t.raw[i], t.url[t.hostEnd:t.ends[i]], "")
	}
	s := locate(in.SourceURL)
	for i := range s.dirs {
		dir := s.url[s.hostEnd:s.ends[i]]
		f.add(kindDirBlock, s.masked[i]^mix(block), dir, path)
		if s.raw[i] != s.masked[i] {
			f.add(kindRawDirBlock, s.raw[i]^mix(block), dir, path)
		}
	}
	if s.segments > 1 {
		f.add(kindFileBlock, s.file^mix(block), s.url[s.fileStart:s.fileEnd], path)
	}
}

// mostAnchor bounds what is read of an anchor, in bytes.
const mostAnchor = 1024

// characters counts the characters of a text, as far as it is UTF-8.
func characters(s string) (n int) {
	for i := range len(s) {
		if s[i]&0xc0 != 0x80 {
			n++
		}
	}
	return n
}

// name prints a number for a feature's name, if names are wanted.
func (f *features) name(n int) string {
	if f.names == nil {
		return ""
	}
	return number(float64(n))
}

// words adds the words of a file name or a query pair: what stands between
// punctuation and digits.
func (f *features) words(file string) {
	start, words := 0, 0
	h := uint64(fnvOffset)
	for i := range len(file) + 1 {
		if i < len(file) {
			if c := lower(file[i]); !separates(c) {
				h = hashByte(h, c)
				continue
			}
		}
		if i > start && words < mostWords {
			f.add(kindWord, h, file[start:i], "")
			words++
		}
		start, h = i+1, fnvOffset
	}
}

func separates(c byte) bool {
	return c == '.' || c == '_' || c == '-' || c == '=' || c == '~' || digit(c)
}

// place is a URL taken apart: segments are what stands between slashes, ? and
// &. The first is the host, the last the file, those between are directories,
// of which the first three prefixes count. Digits are masked by runs: /2024/t12
// is /#/t#.
type place struct {
	url                string // without its scheme
	hostEnd            int
	host               uint64
	dirs               int
	raw, masked        [mostDirs]uint64
	ends               [mostDirs]int
	fileStart, fileEnd int
	file               uint64 // masked
	segments           int
}

// mostURL bounds what is read of a URL. Longer ones are traps or data.
const mostURL = 1024

func locate(url string) place {
	if i := strings.Index(url, "://"); i >= 0 {
		url = url[i+3:]
	}
	p := place{url: url[:min(len(url), mostURL)]}
	raw, masked := uint64(fnvOffset), uint64(fnvOffset)
	for i := 0; i < len(p.url); {
		if urlBytes[p.url[i]] == 0 {
			i++
			continue
		}
		// The segment before this one is no file then, but a directory.
		if p.segments > 1 && p.dirs < mostDirs {
			p.raw[p.dirs], p.masked[p.dirs], p.ends[p.dirs] = raw, masked, p.fileEnd
			p.dirs++
		}
		start, digits, length := i, false, 0
		raw, masked = hashByte(raw, '/'), hashByte(masked, '/')
		file := uint64(fnvOffset)
		for ; i < len(p.url); i++ {
			c := urlBytes[p.url[i]]
			if c == 0 {
				break
			}
			raw = hashByte(raw, c)
			if digit(c) {
				if digits {
					continue
				}
				digits, c = true, '#'
			} else {
				digits = false
			}
			masked, file = hashByte(masked, c), hashByte(file, c)
			length++
		}
		p.segments++
		if p.segments == 1 {
			p.host, p.hostEnd = raw, i
			raw, masked = fnvOffset, fnvOffset
			continue
		}
		p.fileStart, p.fileEnd, p.file = start, i, file
		if length > longFile {
			p.file = fnvOffset // every long name is the same
		}
	}
	return p
}

// longFile is the masked length above which a file name is an identifier, or a
// title, without a pattern.
const longFile = 24

// urlBytes are the bytes of a URL in lower case, and 0 where it splits.
var urlBytes = func() (t [256]byte) {
	for i := range t {
		t[i] = lower(byte(i))
	}
	t['/'], t['?'], t['&'] = 0, 0, 0
	return t
}()

func digit(c byte) bool { return c-'0' < 10 }

func lower(c byte) byte {
	if c-'A' < 26 {
		c += 'a' - 'A'
	}
	return c
}

// tail is the part of a block's path nearest to the link.
func tail(path string) string {
	for i, n := len(path), 0; i > 0; {
		i = strings.LastIndexByte(path[:i], '>')
		if n++; n == levels && i >= 0 {
			return path[i+1:]
		}
	}
	return path
}

// mask replaces runs of digits by #, as the hashes do.
func mask(s string) string {
	var b strings.Builder
	digits := false
	for i := range len(s) {
		d := digit(s[i])
		if !d {
			b.WriteByte(s[i])
		} else if !digits {
			b.WriteByte('#')
		}
		digits = d
	}
	return b.String()
}

// scoreBuckets are the features of a link's scores: anchor and parent in fifths,
// URL in eighths.
func scoreBuckets(in *Inlink) [3]uint32 {
	a, _ := in.anchor()
	return [3]uint32{
		anchorBuckets[int(a*5)],
		parentBuckets[int(unit(in.SourceScore)*5)],
		urlBuckets[int(unit(in.URLScore)*8)],
	}
}

// scoreNames names them.
func scoreNames(in *Inlink) [3]string {
	a, _ := in.anchor()
	name := func(k kind, v, steps float64) string {
		return kindNames[k] + " " + number(float64(int(v*steps))/steps)
	}
	return [3]string{name(kindAnchorScore, a, 5), name(kindParentScore, unit(in.SourceScore), 5), name(kindURLScore, unit(in.URLScore), 8)}
}

var (
	anchorBuckets = steps(kindAnchorScore)
	parentBuckets = steps(kindParentScore)
	urlBuckets    = steps(kindURLScore)
)

func steps(k kind) (at [9]uint32) {
	for i := range at {
		at[i] = bucket(k, uint64(i))
	}
	return at
}
