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

// features holds the features of one link. The zero value is ready.
type features struct {
	n     int
	where int                             // at[where:n] describe the place: target directories, source × block
	at    [maxFeatures + maxScores]uint32 // buckets; room for those of scored
}

func bucket(k kind, h uint64) uint32 {
	return uint32(mix(h+uint64(k)*0x9e3779b97f4a7c15) >> (64 - bucketBits))
}

// add appends a feature by its hash.
func (f *features) add(k kind, h uint64) {
	f.at[f.n] = bucket(k, h)
	f.n++
}

// link collects the features that a link's strings give:
//
//   - the tokens of the anchor (see anchor) and log₂ of its length;
//   - host, directory prefixes (raw and with masked digits), masked file name, its words, and the number of segments
//     of the target's URL;
//   - the block's path, alone and with each directory prefix of the source page (masked, and raw where it differs,
//     because many sites number their columns) and its masked file name.
//
// scored adds the features of scores, which change.
func (f *features) link(target string, in *Inlink) {
	f.n = 0
	f.add(kindBias, 0)
	text := in.Anchor[:min(len(in.Anchor), maxAnchorBytes)]
	f.anchor(text)
	length := bits.Len(uint(characters(text))+1) - 1
	f.add(kindLength, uint64(length))

	t := locate(target)
	f.add(kindHost, t.host)
	for i := range t.dirs {
		f.add(kindMaskedDir, t.masked[i])
	}
	if t.segments > 1 {
		f.add(kindFile, t.file)
		f.words(t.url[t.fileStart:t.fileEnd])
	}
	f.add(kindSegments, uint64(t.segments))

	block := hashString(in.Block)
	f.add(kindBlock, block)
	if in.Tags != 0 {
		f.add(kindTags, in.Tags)
	}
	f.where = f.n
	for i := range t.dirs {
		f.add(kindDir, t.raw[i])
	}
	s := locate(in.SourceURL)
	for i := range s.dirs {
		f.add(kindDirBlock, s.masked[i]^mix(block))
		if s.raw[i] != s.masked[i] {
			f.add(kindRawDirBlock, s.raw[i]^mix(block))
		}
	}
	if s.segments > 1 {
		f.add(kindFileBlock, s.file^mix(block))
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
			f.add(kindWord, h)
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
	host               uint64
	dirs               int
	raw, masked        [maxDirs]uint64
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
			p.raw[p.dirs], p.masked[p.dirs] = raw, masked
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
			p.host = raw
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

// maxScores is the number of features that scored adds.
const maxScores = 3

// scored returns the features of a link with those of its scores: anchor and parent in fifths, URL in eighths. They
// are valid until f changes.
func (f *features) scored(in *Inlink) []uint32 {
	a, _ := in.anchor()
	return append(f.at[:f.n], anchorBuckets[int(a*5)], parentBuckets[int(unit(in.SourceScore)*5)],
		urlBuckets[int(unit(in.URLScore)*8)])
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
