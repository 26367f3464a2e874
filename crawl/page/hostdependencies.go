package page

import "slices"

// repetitions is a *HostProfile or a *dependencyRecorder of one.
type repetitions interface {
	RepeatedLink(url, anchor string) bool
	RepeatedText(text string) bool
	titleTail() string
}

// HostDependencies records the lookups in a HostProfile by the parse of a page, with their
// results. The hashes of links and lines are distinct and ascending. It has some hundred bytes.
// While HostProfile.Holds, a new parse gives the same result.
type HostDependencies struct {
	Links, Lines [2][]uint32 // [0] not repeated, [1] repeated; at most MaxHostDependencies each
	Tail         string      // ending of the host's titles, "" if not looked up
	Truncated    bool        // a list had more hashes; Holds then reports false
}

// MaxHostDependencies is the maximum length of each list of a HostDependencies. Only giant
// pages look up more.
const MaxHostDependencies = 1 << 10

// noProfile is the profile of an unknown host.
var noProfile = new(HostProfile)

// repetitionsOf returns the repetitions of a host, none if profile is nil. It records every lookup in
// deps unless profile or deps is nil.
func repetitionsOf(profile *HostProfile, deps *HostDependencies) repetitions {
	switch {
	case profile == nil:
		return noProfile
	case deps == nil:
		return profile
	}
	return &dependencyRecorder{profile, deps}
}

// dependencyRecorder is a HostProfile that records its lookups.
// dependencyRecorder is a HostProfile that records its lookups.
type dependencyRecorder struct {
	*HostProfile
	deps *HostDependencies
}

func (r *dependencyRecorder) RepeatedLink(url, anchor string) bool {
	repeated := r.HostProfile.RepeatedLink(url, anchor)
	r.deps.Links[boolIndex(repeated)] = append(r.deps.Links[boolIndex(repeated)], hashLink(url, anchor))
	return repeated
}

func (r *dependencyRecorder) RepeatedText(text string) bool {
	return r.repeatedText(text, &r.deps.Lines)
}

func (r *dependencyRecorder) titleTail() string {
	r.deps.Tail = r.HostProfile.titleTail()
	return r.deps.Tail
}

func boolIndex(b bool) int {
	if b {
		return 1
	}
	return 0
}

// normalize sorts and bounds the lists, and deletes duplicates.
func (h *HostDependencies) normalize() {
	for _, list := range []*[]uint32{&h.Links[0], &h.Links[1], &h.Lines[0], &h.Lines[1]} {
		slices.Sort(*list)
		all := slices.Compact(*list)
		h.Truncated = h.Truncated || len(all) > MaxHostDependencies
		*list = slices.Clone(all[:min(len(all), MaxHostDependencies)])
	}
}

// Holds reports whether every lookup in h has the same result in the profile p.
func (p *HostProfile) Holds(h *HostDependencies) bool {
	if h.Truncated || p.tail != h.Tail {
		return false
	}
	for repeated := range 2 {
		differs := func(all []uint32) func(uint32) bool {
			return func(x uint32) bool { return boolIndex(containsHash(all, x)) != repeated }
		}
		if slices.ContainsFunc(h.Links[repeated], differs(p.targets)) ||
			slices.ContainsFunc(h.Lines[repeated], differs(p.lines)) {
			return false
		}
	}
	return true
}
