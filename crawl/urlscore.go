package crawl

import "strings"

// urlTokens calls f for the parts of a canonical URL that hint at a section:
// its directories, as a path from the root and with digits masked, and the
// words of its last segment.
func urlTokens(canonical string, f func(token string)) {
	_, rest, _ := strings.Cut(canonical, "://")
	_, path, ok := strings.Cut(rest, "/")
	if !ok {
		return
	}
	path, query, _ := strings.Cut(path, "?")
	dirs, file := "", path
	if i := strings.LastIndexByte(path, '/'); i >= 0 {
		dirs, file = path[:i], path[i+1:]
	}
	for rest, at := dirs, 0; rest != ""; {
		seg, more, _ := strings.Cut(rest, "/")
		at += len(seg)
		f("d:" + maskDigits(dirs[:at]))
		rest, at = more, at+1
	}
	for _, w := range strings.FieldsFunc(file+"?"+query, func(r rune) bool {
		return r >= '0' && r <= '9' || strings.ContainsRune("._-~?&=%", r)
	}) {
		if len(w) > 1 && len(w) <= 24 {
			f("w:" + strings.ToLower(w))
		}
	}
}

// maskDigits replaces every run of digits by one '#'.
func maskDigits(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	run := false
	for i := range len(s) {
		digit := s[i] >= '0' && s[i] <= '9'
		switch {
		case digit && !run:
			b.WriteByte('#')
		case !digit:
			b.WriteByte(s[i])
		}
		run = digit
	}
	return b.String()
}

// urlJudge scores a URL by the tokens it shares with the samples' URLs.
type urlJudge map[string]float64 // token → share of the samples that have it

func newURLJudge(samples []string) urlJudge {
	j := urlJudge{}
	for _, s := range samples {
		seen := map[string]bool{}
		urlTokens(s, func(t string) {
			if !seen[t] {
				seen[t] = true
				j[t] += 1 / float64(len(samples))
			}
		})
	}
	return j
}

// score is the mean of the shares over the URL's tokens, 0 … 1.
func (j urlJudge) score(canonical string) float64 {
	if len(j) == 0 {
		return 0
	}
	sum, n := 0.0, 0
	urlTokens(canonical, func(t string) {
		sum += j[t]
		n++
	})
	if n == 0 {
		return 0
	}
	return min(1, sum/float64(n))
}
