package page

import "slices"

// neighbours are what a host's other pages say of what stands on one: *HostProfile, or one
// that a listener asked for. nil = nothing is known.
type neighbours interface {
	RepeatedLink(url, anchor string) bool
	RepeatedText(text string) bool
	titleTail() string
}

// HostDependencies is what the reading of a page has asked of its host, and what it was told: hashes
// of links and lines, ascending and each once, and the ending of titles. Some hundred bytes
// for a page. As long as it Holds the page would be read as it was.
type HostDependencies struct {
	Links, Lines [2][]uint32 // that are not repeated, and that are; at most MaxHeard of each
	Tail         string
	Over         bool // there was more: it is unknown whether it Holds
}

// MaxHeard bounds each list of a HostDependencies. A giant page asks more.
const MaxHeard = 1 << 10

// neighboursOf returns the repetitions on a host's other pages. It records every answer in heard unless heard is nil.
func neighboursOf(b *HostProfile, heard *HostDependencies) neighbours {
	switch {
	case b == nil:
		return nil
	case heard == nil:
		return b
	}
	return &listener{b, heard}
}

type listener struct {
	*HostProfile
	heard *HostDependencies
}

func (l *listener) RepeatedLink(url, anchor string) bool {
	yes := l.HostProfile.RepeatedLink(url, anchor)
	l.heard.Links[truth(yes)] = append(l.heard.Links[truth(yes)], hashLink(url, anchor))
	return yes
}

func (l *listener) RepeatedText(text string) bool { return l.repeatedText(text, &l.heard.Lines) }

func (l *listener) titleTail() string {
	l.heard.Tail = l.HostProfile.titleTail()
	return l.heard.Tail
}

func truth(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

// settle brings what was heard into its form.
func (h *HostDependencies) settle() {
	for _, list := range []*[]uint32{&h.Links[0], &h.Links[1], &h.Lines[0], &h.Lines[1]} {
		slices.Sort(*list)
		all := slices.Compact(*list)
		h.Over = h.Over || len(all) > MaxHeard
		*list = slices.Clone(all[:min(len(all), MaxHeard)])
	}
}

// Holds reports whether the host would say the same today to a caller that asked what h has
// asked.
func (p *HostProfile) Holds(h *HostDependencies) bool {
	if h.Over || p.tail != h.Tail {
		return false
	}
	for yes := range 2 {
		other := func(among []uint32) func(uint32) bool {
			return func(x uint32) bool { return truth(has(among, x)) != yes }
		}
		if slices.ContainsFunc(h.Links[yes], other(p.targets)) || slices.ContainsFunc(h.Lines[yes], other(p.lines)) {
			return false
		}
	}
	return true
}
