package urls

import (
	"strings"
	"sync"
)

// eachToken calls f for the parts of a canonical URL that hint at a section:
// its directories, as a path from the root and with digits masked, and the
// words of its last segment. A token is valid during the call only.
func eachToken(canonical string, f func(token []byte)) {
	buf := tokens.Get().(*[]byte)
	*buf = tokensInto((*buf)[:0], canonical, f)
	tokens.Put(buf)
}

// tokens are what URLs are cut in; every link of every page is.
var tokens = sync.Pool{New: func() any { return new([]byte) }}

// tokensInto is eachToken with scratch space, which it returns.
func tokensInto(b []byte, canonical string, f func(token []byte)) []byte {
	_, rest, _ := strings.Cut(Bare(canonical), "://")
	_, path, ok := strings.Cut(rest, "/")
	if !ok {
		return b
	}
	file, query, _ := strings.Cut(path, "?")
	dirs := ""
	if i := strings.LastIndexByte(file, '/'); i >= 0 {
		dirs, file = file[:i], file[i+1:]
	}
	b = append(b, "d:"...)
	for i := range len(dirs) {
		switch c := dirs[i]; {
		case c >= '0' && c <= '9': // a run of digits is one '#'
			if i == 0 || dirs[i-1] < '0' || dirs[i-1] > '9' {
				b = append(b, '#')
			}
		default:
			if c == '/' {
				f(b)
			}
			b = append(b, c)
		}
	}
	if dirs != "" {
		f(b)
	}
	b = wordTokens(b, file, f)
	return wordTokens(b, query, f)
}

// wordTokens calls f for the lower-cased words of 2 to 24 letters of s; b is
// scratch space, and returned.
func wordTokens(b []byte, s string, f func(token []byte)) []byte {
	b = append(b[:0], "w:"...)
	for i := 0; i <= len(s); i++ {
		if i < len(s) && (s[i] < '0' || s[i] > '9') && strings.IndexByte("._-~?&=%", s[i]) < 0 {
			c := s[i]
			if c >= 'A' && c <= 'Z' {
				c += 'a' - 'A'
			}
			b = append(b, c)
			continue
		}
		if n := len(b) - 2; n > 1 && n <= 24 {
			f(b)
		}
		b = b[:2]
	}
	return b
}

// TokenShares scores a URL by the tokens it shares with some other URLs, the
// samples of a topic for example: token → share of those that have it. It is not
// written after it was made, and safe for concurrent use then.
type TokenShares map[string]float64

// SharesOf counts the tokens of canonical URLs.
func SharesOf(list []string) TokenShares {
	shares := TokenShares{}
	for _, s := range list {
		seen := map[string]bool{}
		eachToken(s, func(b []byte) {
			if t := string(b); !seen[t] {
				seen[t] = true
				shares[t] += 1 / float64(len(list))
			}
		})
	}
	return shares
}

// Score is the mean of the shares over the URL's tokens, 0 … 1; 0 when nothing
// was counted. It allocates nothing.
func (s TokenShares) Score(canonical string) float64 {
	if len(s) == 0 {
		return 0
	}
	sum, n := 0.0, 0
	eachToken(canonical, func(t []byte) {
		sum += s[string(t)]
		n++
	})
	if n == 0 {
		return 0
	}
	return min(1, sum/float64(n))
}
