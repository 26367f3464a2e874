package htmldoc

import (
	"iter"
	"strings"
)

// Class attributes are split into words and looked up. An alternation of fifty words as a regular
// expression would cost more than the rest of the page.

// traits is a set of flags about an element's content, from its class, id or tag.
type traits uint8

// The flags of Traits.
const (
	Negative traits = 1 << iota // navigation, sharing, related links, footers …
	Titular                     // holds a title
	Footing                     // the foot of the page: negative, and never the content
)

// negativeWords mark content that the page is not about.
var negativeWords = fieldSet(`foot footer copyright copy nav navi navigation menu side sidebar crumb crumbs
	breadcrumb breadcrumbs share bdshare relate related relative recommend comment comments hot rank ranking banner search
	login pager pagination friend friends ad ads advert advertisement toolbar tools location position dqwz weizhi header
	topbar topnav bottom btm widget promo social newsletter subscribe cookie cookies modal popup disqus`)

// footingWords mark the foot of a page, which is never content even if it holds most of the text.
var footingWords = fieldSet(`foot footer copyright bottom btm`)

// negativeStems are negative at the beginning of a word.
var negativeStems = []string{"relat", "recommend", "bdshare", "cookie", "disqus", "rank", "advert"}

// titularWords mark the title of an article.
var titularWords = fieldSet(`title tit bt headline subject biaoti heading caption arttitle articletitle`)

func fieldSet(s string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(s) {
		set[w] = true
	}
	return set
}

// traitsOf reads a class or id attribute.
func traitsOf(attr string) traits {
	var t traits
	for w := range ClassWords(attr) {
		if negativeWords[string(w)] {
			t |= Negative
			if footingWords[string(w)] {
				t |= Footing
			}
		} else {
			for _, stem := range negativeStems {
				if len(w) > len(stem) && string(w[:len(stem)]) == stem {
					t |= Negative
				}
			}
		}
		if titularWords[string(w)] || len(w) > 5 && string(w[len(w)-5:]) == "title" {
			t |= Titular
		}
	}
	return t
}

// ClassWords yields the words of a class or id attribute in lower case. Words end at non-letters
// and at a change from lower to upper case ("newsTitle"). The next word overwrites the yielded
// bytes.
func ClassWords(attr string) iter.Seq[[]byte] {
	if len(attr) > 256 {
		attr = attr[:256]
	}
	return func(yield func([]byte) bool) {
		var buf [32]byte
		n := 0
		for i := 0; i <= len(attr); i++ {
			c := byte(' ')
			if i < len(attr) {
				c = attr[i]
			}
			upper := c >= 'A' && c <= 'Z'
			letter := upper || c >= 'a' && c <= 'z'
			if n > 0 && (!letter || upper && attr[i-1] >= 'a' && attr[i-1] <= 'z') {
				if !yield(buf[:n]) {
					return
				}
				n = 0
			}
			if !letter {
				continue
			}
			if n == len(buf) {
				n = 0
			}
			buf[n] = c | 0x20
			n++
		}
	}
}
