package notices

import (
	"math/bits"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"angler/crawl/htmldoc"
)

// Simhash is the stored digest of a text for comparisons.
type Simhash struct {
	Words   uint64 // SimHash of the words
	Figures uint64 // hash of all figures in any order
	Long    bool   // the text is long enough to compare
}

// sameTextLikeness is the similarity from which texts with the same figures are duplicates.
const sameTextLikeness = .9

// minSimhashBytes is the minimum text length for duplicates. "see the attachment" and document names occur under
// many titles.
const minSimhashBytes = 60

// maxSimhashBytes is the maximum number of bytes digested.
const maxSimhashBytes = 64 << 10

// same reports whether two texts are duplicates.
func (s Simhash) same(o Simhash) bool {
	return s.Long && o.Long && s.Figures == o.Figures && likeness(s.Words, o.Words) >= sameTextLikeness
}

// likeness returns the similarity of two SimHashes: 1 if equal, about .5 for unrelated texts.
func likeness(a, b uint64) float64 { return 1 - float64(bits.OnesCount64(a^b))/64 }

// SimhashOf computes the digest of a text.
func SimhashOf(text string) Simhash {
	if len(text) > maxSimhashBytes {
		text = strings.ToValidUTF8(text[:maxSimhashBytes], "")
	}
	var seen [8][256]int32 // count of each value in each byte of the hashes
	var figures []uint64
	size := 0
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if isFurnitureLine(line) {
			continue
		}
		if !isDocumentLine(line) {
			size += len(line)
		}
		words(line, func(w []byte, figure bool) {
			h := hash(w)
			for i := range seen {
				seen[i][byte(h>>(8*i))]++
			}
			if figure {
				figures = append(figures, h)
			}
		})
	}
	s := Simhash{Figures: combine(figures), Long: size >= minSimhashBytes}
	for i := range 64 {
		sum := int32(0)
		for v, n := range seen[i/8] {
			sum += n * (int32(v>>(i%8)&1)*2 - 1)
		}
		if sum > 0 {
			s.Words |= 1 << i
		}
	}
	return s
}

// combine combines a set of numbers into one.
func combine(set []uint64) uint64 {
	slices.Sort(set)
	n := uint64(0)
	for _, h := range slices.Compact(set) {
		n = (n ^ h) * 0x9e3779b97f4a7c15
		n ^= n >> 29
	}
	return n
}

// hash is FNV-1a with a finaliser that spreads short words over all bits. Hashes are stored: never change it.
func hash(w []byte) uint64 {
	h := uint64(14695981039346656037)
	for _, c := range w {
		h = (h ^ uint64(c)) * 1099511628211
	}
	h ^= h >> 32
	h *= 0xd6e8feb86659fd93
	h ^= h >> 32
	h *= 0xd6e8feb86659fd93
	return h ^ h>>32
}

// hanFigures lists Chinese numerals, which count as figures before a counter: 第二包, 三标段.
const hanFigures = "一二三四五六七八九十百零两"

// counted lists the counters after a Chinese figure.
const counted = "包标次批期轮号年月日"

// words calls f for each word of a line, in lower case and half width; figure marks numbers. The word is valid
// during the call only.
func words(line string, f func(w []byte, figure bool)) {
	var buf []byte
	var last rune // a Chinese character that waits for its neighbour
	digits := false
	flush := func() {
		if len(buf) > 0 {
			f(trim(buf), digits)
		}
		buf, digits = buf[:0], false
	}
	var pair [2 * utf8.UTFMax]byte
	for i := 0; i < len(line); {
		r, n := utf8.DecodeRuneInString(line[i:])
		i += n
		if r >= 0xff01 && r <= 0xff5e {
			r -= 0xfee0
		}
		switch {
		case r < utf8.RuneSelf && (r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'):
			if r >= 'A' && r <= 'Z' {
				r += 'a' - 'A'
			}
			digits = digits || r <= '9'
			buf = append(buf, byte(r))
			last = 0
		case (r == '.' || r == ',') && len(buf) > 0 && digits && i < len(line) && line[i] >= '0' && line[i] <= '9':
			if r == '.' {
				buf = append(buf, '.')
			}
		case unicode.Is(unicode.Han, r):
			flush()
			if last != 0 {
				k := utf8.EncodeRune(pair[:], last)
				k += utf8.EncodeRune(pair[k:], r)
				f(pair[:k], strings.ContainsRune(hanFigures, last) && strings.ContainsRune(counted, r) || last == '第' &&
					strings.ContainsRune(hanFigures, r))
			}
			last = r
		default:
			flush()
			if !unicode.IsSpace(r) {
				last = 0
			}
		}
	}
	flush()
}

// trim normalises a number: 92.280 becomes 92.28, and 09 becomes 9.
func trim(w []byte) []byte {
	if i := slices.Index(w, '.'); i >= 0 {
		for len(w) > i && w[len(w)-1] == '0' {
			w = w[:len(w)-1]
		}
		if w[len(w)-1] == '.' {
			w = w[:len(w)-1]
		}
	}
	for len(w) > 1 && len(w) < 3 && w[0] == '0' {
		w = w[1:]
	}
	return w
}

// furniture matches lines of the page around a notice.
var furniture = htmldoc.NewPattern(
	`(?i)^[\s\[【(（|•·*-]*(?:(?:信息|文章|稿件|新闻|公告)?(?:来源|出处)|发布(?:时间|日期|者|人|单位|机构|部门)|发稿时间|录入(?:时间|者|人)?|更新(?:时间|日期)|编辑|责任编辑|责编|作者|审核(?:人)?|审稿|供稿|撰稿|签发|浏览(?:次数|量|数)?|阅读(?:次数|量|数)?|点击(?:次数|量|数|率)?|访问(?:次数|量|数)?|人气|打印|字体|字号|分享(?:到)?|关闭(?:窗口)?|收藏|上一[篇条]|下一[篇条]|返回|当前位置|您(?:的|现在的)位置|今天是|views?|hits|clicks?|read|published|source|author|share|print|updated)(?:[\s:：\[【(（<《\]】)）]|$)`)

// counters matches reader counters in such lines and after titles.
var counters = htmldoc.NewPattern(
	`(?i)[\[【(（]?\s*(?:浏览|阅读|点击|访问|查看|人气|hits|views|clicks)(?:次数|量|数|率|人数)?\s*[:：]?\s*\d*\s*次?\s*[\]】)）]?`)

// maxFurniture is the maximum length of such a line in bytes.
const maxFurniture = 240

// isFurnitureLine reports whether a line belongs to the page instead of the notice: author, date of entry, reader
// counter, link to the next notice.
func isFurnitureLine(line string) bool {
	if line == "" || len(line) > maxFurniture {
		return line == ""
	}
	return mayBeFurniture(line) && furniture.MatchString(line) ||
		counts(line) && strings.TrimSpace(counters.ReplaceAllString(line, "")) == "" && counters.MatchString(line)
}

// documentName matches a line with a document's name: 附件1：采购文件.docx（下载 12 次）.
var documentName = htmldoc.NewPattern(`(?i)\.(?:pdf|docx?|wps|xlsx?|et|pptx?|ofd|txt|zip|rar|7z|jpe?g|png|tiff?)` +
	`[\s"”》】)）\]]*(?:[(（\[【]?[^。；]{0,30}(?:下载|次|[kmg]b?|字节)[^。；]{0,6})?$`)

// isDocumentLine reports whether a line contains only a document's name.
func isDocumentLine(line string) bool {
	return len(line) <= maxFurniture && strings.IndexByte(line, '.') > 0 && documentName.MatchString(line)
}

// mayBeFurniture excludes most lines without the regular expression furniture.
func mayBeFurniture(line string) bool {
	line = strings.TrimLeft(line, " \t[【(（|•·*-")
	r, _ := utf8.DecodeRuneInString(line)
	return strings.ContainsRune("信文稿新公来出发录更编责作审供撰签浏阅点访人打字分关收上下返当您今vVhHcCrRpPsSaAuU", r)
}

// counts excludes most lines without the regular expression counters.
func counts(line string) bool {
	for _, w := range [...]string{"浏览", "阅读", "点击", "访问", "查看", "人气", "its", "ITS", "iews", "IEWS", "licks", "LICKS"} {
		if strings.Contains(line, w) {
			return true
		}
	}
	return false
}

// withoutCounters removes reader counters from a line.
func withoutCounters(line string) string {
	if len(line) > maxFurniture || !counts(line) {
		return line
	}
	return strings.TrimSpace(counters.ReplaceAllString(line, ""))
}
