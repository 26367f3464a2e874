package page

import (
	"encoding/binary"
	"slices"
	"strings"
	"sync"
)

// HostProfile is what the pages of a host repeated when it was made: links, lines of text,
// and the ending of titles. It is immutable and safe for concurrent use. The zero value
// knows nothing.
//
// The danger: a list's newest records stand on its front page, too. So a link only counts
// as repeated if it is on more than 4 pages and more than 10 % of them, and a line if it is
// on more than 4 and more than 5 %. Copies of a page count once, see sample.
type HostProfile struct {
	lines, targets []uint32 // hashes, ascending
	tail           string   // the ending that most titles share, with its joint: "-某某大学"
	version        int      // the profiles before it since Boilerplate.Settled

	writing sync.Once
	written []byte // by Bytes
}

// profileOf makes the profile of a sample.
func profileOf(pages []sampled) *HostProfile {
	s := newSample(pages)
	once := s.distinct()
	return &HostProfile{lines: s.lines.repeated(once, 20), targets: s.links.repeated(once, 10), tail: s.tail(once)}
}

// WithoutLinks is the profile for a page that an analyst shows as a sample: none of its
// links counts as repeated.
func (p *HostProfile) WithoutLinks() *HostProfile {
	return &HostProfile{lines: p.lines, tail: p.tail, version: p.version}
}

// Version counts the profiles of the host since Boilerplate.Settled.
func (p *HostProfile) Version() int { return p.version }

// RepeatedLink reports whether the host repeats a link to a canonical URL under one name.
// The name counts, because a site's files may all be handed out by one address.
func (p *HostProfile) RepeatedLink(url, anchor string) bool {
	return len(p.targets) > 0 && has(p.targets, hashLink(url, anchor))
}

// RepeatedText reports whether the host repeats every line of a text.
func (p *HostProfile) RepeatedText(text string) bool {
	return len(p.lines) > 0 && p.repeatedText(text, nil)
}

// repeatedText is RepeatedText that writes down what it looks up: lines that are not
// repeated, and that are. nil = it does not.
func (p *HostProfile) repeatedText(text string, heard *[2][]uint32) bool {
	known := false
	for s := range strings.SplitSeq(text, "\n") {
		if len(s) > 3 {
			h := hashLine(s)
			yes := has(p.lines, h)
			if heard != nil {
				heard[truth(yes)] = append(heard[truth(yes)], h)
			}
			if !yes {
				return false
			}
			known = true
		}
	}
	return known
}

// titleTail returns the ending, joint included, that most titles of the host
// share, "" when there is none.
func (p *HostProfile) titleTail() string { return p.tail }

// has reports whether a hash is among ascending ones.
func has(all []uint32, h uint32) bool {
	_, yes := slices.BinarySearch(all, h)
	return yes
}

// Bytes writes the profile: some hundred bytes to some KB, which are not to be written to.
// nil = it knows nothing.
func (p *HostProfile) Bytes() []byte {
	p.writing.Do(func() {
		if p.tail == "" && len(p.lines)+len(p.targets) == 0 {
			return
		}
		out := append(binary.AppendUvarint(nil, uint64(len(p.tail))), p.tail...)
		p.written = appendHashes(appendHashes(out, p.lines), p.targets)
	})
	return p.written
}

// ProfileFrom returns the profile that Bytes wrote.
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

// ascending reports whether hashes are in order, without repetitions.
func ascending(all []uint32) bool {
	return slices.IsSorted(all) && len(slices.Compact(slices.Clone(all))) == len(all)
}

// appendHashes writes hashes after their number.
func appendHashes(out []byte, all []uint32) []byte {
	out = binary.AppendUvarint(out, uint64(len(all)))
	for _, h := range all {
		out = binary.LittleEndian.AppendUint32(out, h)
	}
	return out
}

// cutHashes reads what appendHashes wrote, and returns the rest. ok is false if it is incomplete.
func cutHashes(in []byte) (all []uint32, rest []byte, ok bool) {
	stored, rest, ok := cutStored(in, 4)
	all = slices.Grow(all, len(stored)/4)
	for i := 0; i < len(stored); i += 4 {
		all = append(all, binary.LittleEndian.Uint32(stored[i:]))
	}
	return all, rest, ok
}

// cutStored reads things of a size after their number.
func cutStored(in []byte, size int) (stored, rest []byte, ok bool) {
	n, w := binary.Uvarint(in)
	if w <= 0 || n > uint64((len(in)-w)/size) {
		return nil, nil, false
	}
	end := w + int(n)*size
	return in[w:end], in[end:], true
}
