package page

import (
	"encoding/binary"
	"slices"
	"strings"
	"sync"
)

// HostProfile holds the links, lines of text and title ending that the pages of a host repeat.
// It is immutable and safe for concurrent use. The zero value is an empty profile.
//
// The newest records of a list also stand on the home page. So a link is repeated only on more
// than 4 pages and more than 10 % of the pages. A line is repeated on more than 4 and more than
// 5 %. Copies of a page count once, see sample.
type HostProfile struct {
	lines, targets []uint32 // hashes, ascending
	tail           string   // the ending of most titles, with its joint: "-某某大学"
	version        int      // number of earlier profiles since Boilerplate.ResetVersions

	encodeOnce sync.Once
	encoded    []byte // result of Bytes
}

// profileOf makes the profile of the pages of a sample.
func profileOf(pages []sampled) *HostProfile {
	s := newSample(pages)
	once := s.distinct()
	return &HostProfile{lines: s.lines.repeated(once, 20), targets: s.links.repeated(once, 10), tail: s.tail(once)}
}

// WithoutLinks returns a copy of the profile without repeated links. It is for a page that an
// analyst has chosen as a sample.
func (p *HostProfile) WithoutLinks() *HostProfile {
	return &HostProfile{lines: p.lines, tail: p.tail, version: p.version}
}

// Version returns the number of earlier profiles since Boilerplate.ResetVersions.
func (p *HostProfile) Version() int { return p.version }

// RepeatedLink reports whether the host repeats a link to a canonical URL with the same anchor.
// The anchor counts, because one address may serve all files of a site.
func (p *HostProfile) RepeatedLink(url, anchor string) bool {
	return len(p.targets) > 0 && containsHash(p.targets, hashLink(url, anchor))
}

// RepeatedText reports whether the host repeats every line of a text.
func (p *HostProfile) RepeatedText(text string) bool {
	return len(p.lines) > 0 && p.repeatedText(text, nil)
}

// repeatedText is RepeatedText. It adds the hashes of lines that are not repeated to lookups[0],
// and of repeated ones to lookups[1]. lookups may be nil.
func (p *HostProfile) repeatedText(text string, lookups *[2][]uint32) bool {
	any := false
	for s := range strings.SplitSeq(text, "\n") {
		if len(s) > 3 {
			h := hashLine(s)
			repeated := containsHash(p.lines, h)
			if lookups != nil {
				lookups[boolIndex(repeated)] = append(lookups[boolIndex(repeated)], h)
			}
			if !repeated {
				return false
			}
			any = true
		}
	}
	return any
}

// titleTail returns the ending of most titles of the host with its joint, "" if there is none.
func (p *HostProfile) titleTail() string { return p.tail }

// containsHash reports whether h is in a list of ascending hashes.
func containsHash(all []uint32, h uint32) bool {
	_, found := slices.BinarySearch(all, h)
	return found
}

// Bytes encodes the profile in some hundred bytes to some KB. An empty profile is nil. Callers
// must not change the result.
func (p *HostProfile) Bytes() []byte {
	p.encodeOnce.Do(func() {
		if p.tail == "" && len(p.lines)+len(p.targets) == 0 {
			return
		}
		out := append(binary.AppendUvarint(nil, uint64(len(p.tail))), p.tail...)
		p.encoded = appendHashes(appendHashes(out, p.lines), p.targets)
	})
	return p.encoded
}

// ProfileFrom decodes the result of HostProfile.Bytes.
func ProfileFrom(in []byte) (*HostProfile, error) {
	p := new(HostProfile)
	if len(in) == 0 {
		return p, nil
	}
	tail, in, ok := cutStored(in, 1)
	lines, in, ok1 := cutHashes(in)
	targets, in, ok2 := cutHashes(in)
	if !ok || !ok1 || !ok2 || len(in) > 0 || !ascending(lines) || !ascending(targets) {
		return nil, errBoilerplate
	}
	p.tail, p.lines, p.targets = string(tail), lines, targets
	return p, nil
}

// ascending reports whether each hash is greater than the one before it.
func ascending(all []uint32) bool {
	return slices.IsSorted(all) && len(slices.Compact(slices.Clone(all))) == len(all)
}

// appendHashes appends the number of hashes and the hashes.
func appendHashes(out []byte, all []uint32) []byte {
	out = binary.AppendUvarint(out, uint64(len(all)))
	for _, h := range all {
		out = binary.LittleEndian.AppendUint32(out, h)
	}
	return out
}

// cutHashes decodes the result of appendHashes and returns the rest of in. ok is false if the
// data are incomplete.
func cutHashes(in []byte) (all []uint32, rest []byte, ok bool) {
	stored, rest, ok := cutStored(in, 4)
	all = slices.Grow(all, len(stored)/4)
	for i := 0; i < len(stored); i += 4 {
		all = append(all, binary.LittleEndian.Uint32(stored[i:]))
	}
	return all, rest, ok
}

// cutStored decodes a number n and cuts off the n items of size bytes that follow it. ok is
// false if the data are incomplete.
func cutStored(in []byte, size int) (stored, rest []byte, ok bool) {
	n, w := binary.Uvarint(in)
	if w <= 0 || n > uint64((len(in)-w)/size) {
		return nil, nil, false
	}
	end := w + int(n)*size
	return in[w:end], in[end:], true
}
