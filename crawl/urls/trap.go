package urls

import (
	"hash/maphash"
	"slices"
	"strings"
	"time"
)

// Traps are endless sets of URLs on a site: a relative link that extends its own path, an endless calendar, a list
// that sorts and filters by parameters. The URL shows the first kind. The others show by counting the variants of
// one shape.

// maxVariants is the maximum number of variants in one of two generations, 8 bytes each. A forgotten shape counts
// from zero, so the limit is soft over millions of URLs.
const maxVariants = 1 << 19

type traps struct {
	seed       maphash.Seed
	young, old map[uint64]*shapeSeen
	size       int
}

// shapeSeen holds the admitted variants of one shape of URL.
type shapeSeen struct{ variants []uint64 }

// admit reports whether a URL is among the first n variants of its shape, and then records it. force records it
// always.
func (t *traps) admit(canonical string, limits *limits, force bool) bool {
	key, variant, limit := t.shapeOf(canonical, limits)
	if limit == 0 {
		return true
	}
	s := t.young[key]
	if s == nil {
		if s = t.old[key]; s == nil {
			s = &shapeSeen{}
		} else {
			delete(t.old, key)
		}
		if t.size+len(s.variants) > maxVariants {
			t.old, t.young, t.size = t.young, make(map[uint64]*shapeSeen), 0
		}
		t.young[key] = s
		t.size += len(s.variants) + 8 // a map entry costs about as much as eight variants
	}
	i, known := slices.BinarySearch(s.variants, variant)
	if known {
		return true
	}
	if len(s.variants) >= limit && !force {
		return false
	}
	if len(s.variants) < 8*limit {
		s.variants = slices.Insert(s.variants, i, variant)
		t.size++
	}
	return true
}

// shapeOf returns the hash of a URL's shape, the hash of its variant, and the limit of variants; 0 if it cannot be a
// trap.
func (t *traps) shapeOf(canonical string, limits *limits) (shape, variant uint64, limit int) {
	if t.young == nil {
		t.seed, t.young = maphash.MakeSeed(), make(map[uint64]*shapeSeen)
	}
	_, rest, _ := strings.Cut(canonical, "://") // ignore http or https
	bare, query, _ := strings.Cut(rest, "?")
	switch {
	case isCalendar(pathOf(canonical)):
		return maphash.String(t.seed, maskDigits(bare)), maphash.String(t.seed, rest), limits.calendar
	case query != "":
		return maphash.String(t.seed, bare), maphash.String(t.seed, query), limits.variants
	}
	return 0, 0, 0
}

// pathOf returns the path of a canonical URL, with its first slash.
func pathOf(canonical string) string {
	_, rest, _ := strings.Cut(canonical, "://")
	rest, _, _ = strings.Cut(rest, "?")
	if i := strings.IndexByte(rest, '/'); i >= 0 {
		return rest[i:]
	}
	return "/"
}

// shape returns the number of path segments and the count of the most frequent one. It stops at 64 segments.
func shape(path string) (segments, repeats int) {
	for rest := path; rest != ""; {
		var seg string
		if seg, rest, _ = strings.Cut(rest, "/"); seg == "" {
			continue
		}
		if segments++; segments > 64 {
			return segments, repeats
		}
		n := 1
		for other := range strings.SplitSeq(rest, "/") {
			if other == seg {
				n++
			}
		}
		repeats = max(repeats, n)
	}
	return segments, repeats
}

// repeatedName returns the count of the most frequent parameter name in a query: a pager may append its page to its
// own address. Array names count once. It reads the first 64 parameters.
func repeatedName(query string) (repeats int) {
	for i := 0; query != "" && i < 64; i++ {
		var pair string
		pair, query, _ = strings.Cut(query, "&")
		name, _, _ := strings.Cut(pair, "=")
		n := 1
		for rest := query; rest != "" && len(rest) > len(name) && !strings.HasSuffix(name, "%5D"); {
			var other string
			other, rest, _ = strings.Cut(rest, "&")
			if strings.HasPrefix(other, name) && (len(other) == len(name) || other[len(name)] == '=') {
				n++
			}
		}
		repeats = max(repeats, n)
	}
	return repeats
}

// calendarWords lists words whose path segment marks a calendar.
var calendarWords = []string{"calendar", "calender", "cal", "rili", "schedule", "events", "richeng"}

// isCalendar reports whether a path segment starts with a calendar word, alone or before an ending or number.
func isCalendar(path string) bool {
	for seg := range strings.SplitSeq(path, "/") {
		word := seg
		for i := 0; i < len(seg); i++ {
			if c := seg[i] | 0x20; c < 'a' || c > 'z' {
				word = seg[:i]
				break
			}
		}
		if len(word) < 3 || len(word) > 8 || strings.IndexByte("cers", word[0]|0x20) < 0 {
			continue // no calendar word starts like this
		}
		for _, w := range calendarWords {
			if strings.EqualFold(word, w) {
				return true
			}
		}
	}
	return false
}

// calendarYear reports whether a URL has a year outside 1990 … next year, in a calendar or in a date parameter.
// Other URLs may contain such numbers: an article may have number 2093.
func calendarYear(canonical string, calendar bool, now func() time.Time) bool {
	if calendar {
		return strangeYear(canonical[strings.Index(canonical, "://")+3+len(HostOf(canonical)):], now().Year())
	}
	_, query, _ := strings.Cut(canonical, "?")
	for query != "" {
		var pair string
		pair, query, _ = strings.Cut(query, "&")
		name, value, _ := strings.Cut(pair, "=")
		switch strings.ToLower(name) {
		case "year", "y", "yyyy", "month", "ym", "date", "day", "nian":
			if strangeYear(value, now().Year()) {
				return true
			}
		}
	}
	return false
}

// strangeYear finds a number of four digits, or the first four of six or eight, that is an implausible year.
func strangeYear(s string, now int) bool {
	for i := 0; i < len(s); {
		if s[i] < '0' || s[i] > '9' {
			i++
			continue
		}
		j, year := i, 0
		for j < len(s) && s[j] >= '0' && s[j] <= '9' {
			if j-i < 4 {
				year = year*10 + int(s[j]-'0')
			}
			j++
		}
		if n := j - i; (n == 4 || n == 6 || n == 8) && (year >= 1000 && year < 1990 || year > now+1 && year < 4000) {
			return true
		}
		i = j
	}
	return false
}

// maskDigits replaces every run of digits by one 0.
func maskDigits(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	for i := 0; i < len(s); i++ {
		if s[i] >= '0' && s[i] <= '9' {
			if i == 0 || s[i-1] < '0' || s[i-1] > '9' {
				b.WriteByte('0')
			}
			continue
		}
		b.WriteByte(s[i])
	}
	return b.String()
}
