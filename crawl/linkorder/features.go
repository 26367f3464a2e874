package linkorder

import (
	"math/bits"
	"strings"
)

// Features of a link for learned. Each is hashed into one of 2¹⁸ buckets, so the model has a fixed size. Features in
// one bucket share its weight.

const (
	bucketBits = 18
	buckets    = 1 << bucketBits

	maxTokens = 12 // of an anchor text
	maxDirs   = 3  // directory prefixes of a URL
	maxWords  = 8  // of a file name

	// bias, anchor tokens and length, host, directories (raw and masked), file mask and words, segments, block,
	// tag path, source directories (raw and masked), file × block
	maxFeatures = 1 + maxTokens + 1 + 1 + 2*maxDirs + 1 + maxWords + 1 + 1 + 1 + 2*maxDirs + 1
)

// kind is the kind of a feature. Equal texts of different kinds are different features.
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
	kindTags
)

// kindNames holds the kinds' names in reasons.
var kindNames = [...]string{"bias", "anchor", "anchor length ~", "host", "dir", "dir pattern", "file", "word",
	"segments", "block", "from", "from", "anchor score ~", "parent score ~", "URL score ~", "from", "tag path"}

// features holds the features of one link. The zero value is ready. If names is set, each feature gets a name, which
// allocates.
type features struct {
	n     int
	where int                 // at[where:n] describe the place: target directories, source × block
	at    [maxFeatures]uint32 // buckets
	names *[]string
}

func bucket(k kind, h uint64) uint32 {
	return uint32(mix(h+uint64(k)*0x9e3779b97f4a7c15) >> (64 - bucketBits))
}

// add appends a feature by its hash. text and more form its name.
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

// link collects the features that a link's strings give:
//
//   - the tokens of the anchor (see anchor) and log₂ of its length;
//   - host, directory prefixes (raw and with masked digits), masked file name, its words, and the number of segments
//     of the target's URL;
//   - the block's path, alone and with each directory prefix of the source page (masked, and raw where it differs,
//     because many sites number their columns) and its masked file name.
//
// scoreBuckets adds the features of scores, because scores change.
func (f *features) link(target string, in *Inlink) {
	f.n = 0
	f.add(kindBias, 0, "", "")
	text := in.Anchor[:min(len(in.Anchor), maxAnchorBytes)]
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

	block := hashString(in.Block)
	f.add(kindBlock, block, in.Block, "")
	if in.Tags != 0 {
		f.add(kindTags, in.Tags, "", "")
	}
	f.where = f.n
	for i := range t.dirs {
		f.add(kindDir, t.raw[i], t.url[t.hostEnd:t.ends[i]], "")
	}
	s := locate(in.SourceURL)
	for i := range s.dirs {
		dir := s.url[s.hostEnd:s.ends[i]]
		f.add(kindDirBlock, s.masked[i]^mix(block), dir, in.Block)
		if s.raw[i] != s.masked[i] {
			f.add(kindRawDirBlock, s.raw[i]^mix(block), dir, in.Block)
		}
	}
	if s.segments > 1 {
		f.add(kindFileBlock, s.file^mix(block), s.url[s.fileStart:s.fileEnd], in.Block)
	}
}

// maxAnchorBytes is the maximum number of bytes read of an anchor.
const maxAnchorBytes = 1024

// characters counts the UTF-8 characters of a text.
func characters(s string) (n int) {
	for i := range len(s) {
		if s[i]&0xc0 != 0x80 {
			n++
		}
	}
	return n
}

// name formats a number for a feature's name; "" without names.
func (f *features) name(n int) string {
	if f.names == nil {
		return ""
	}
	return number(float64(n))
}

// words adds the words of a file name or query pair, split at punctuation and digits.
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
		if i > start && words < maxWords {
			f.add(kindWord, h, file[start:i], "")
			words++
		}
		start, h = i+1, fnvOffset
	}
}

func separates(c byte) bool {
	return c == '.' || c == '_' || c == '-' || c == '=' || c == '~' || digit(c)
}

// place is a split URL. Segments are separated by slashes, ? and &. The first is the host and the last is the file.
// Those between are directories; the first three prefixes count. A run of digits is masked: /2024/t12 becomes /#/t#.
type place struct {
	url                string // without its scheme
	hostEnd            int
	host               uint64
	dirs               int
	raw, masked        [maxDirs]uint64
	ends               [maxDirs]int
	fileStart, fileEnd int
	file               uint64 // masked
	segments           int
}

// maxURL is the maximum number of bytes read of a URL. Longer ones are traps or data.
const maxURL = 1024

func locate(url string) place {
	if i := strings.Index(url, "://"); i >= 0 {
		url = url[i+3:]
	}
	p := place{url: url[:min(len(url), maxURL)]}
	raw, masked := uint64(fnvOffset), uint64(fnvOffset)
	for i := 0; i < len(p.url); {
		if urlBytes[p.url[i]] == 0 {
			i++
			continue
		}
		// The previous segment is a directory, not a file.
		if p.segments > 1 && p.dirs < maxDirs {
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
			p.file = fnvOffset // all long names are equal
		}
	}
	return p
}

// longFile is the masked length above which a file name is an identifier or title without a pattern.
const longFile = 24

// urlBytes maps the bytes of a URL to lower case, and separators to 0.
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

// mask replaces runs of digits by #, like the hashes.
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

// scoreBuckets returns the features of a link's scores: anchor and parent in fifths, URL in eighths.
func scoreBuckets(in *Inlink) [3]uint32 {
	a, _ := in.anchor()
	return [3]uint32{
		anchorBuckets[int(a*5)],
		parentBuckets[int(unit(in.SourceScore)*5)],
		urlBuckets[int(unit(in.URLScore)*8)],
	}
}

// scoreNames returns the names of scoreBuckets.
func scoreNames(in *Inlink) [3]string {
	a, _ := in.anchor()
	name := func(k kind, v, steps float64) string {
		return kindNames[k] + " " + number(float64(int(v*steps))/steps)
	}
	return [3]string{name(kindAnchorScore, a, 5), name(kindParentScore, unit(in.SourceScore), 5),
		name(kindURLScore, unit(in.URLScore), 8)}
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
