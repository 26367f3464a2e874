package urls

import (
	"strings"
	"sync"
)

// eachToken calls f for the parts of a canonical URL that hint at a section: its directories, as a path from the
// root with masked digits, and the words of its last segment. A token is valid during the call only.
func eachToken(canonical string, f func(token []byte)) {
	buf := tokens.Get().(*[]byte)
	*buf = tokensInto((*buf)[:0], canonical, f)
	tokens.Put(buf)
}

// tokens pools buffers, because every link of every page is split.
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
		case c >= '0' && c <= '9': // a run of digits becomes one '#'
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

// wordTokens calls f for the lower-cased words of 2 to 24 letters in s; b is scratch space, and is returned.
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

// TokenShares scores a URL by tokens shared with other URLs, such as a topic's samples. It maps a token to the share
// of URLs that have it. It is immutable and safe for concurrent use.
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

// Score returns the mean share of the URL's tokens, 0 … 1; 0 without tokens. It does not allocate.
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
