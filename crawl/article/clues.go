package article

import (
	"math"
	"strings"
	"unicode"

	"angler/crawl/htmldoc"

	"golang.org/x/net/html/atom"
)

// The clues of a line are the features by which it is classified as text or not. They are the
// methods that took it and the lines at its tag path, its own properties, and its place. The
// clues before LinearClues use no class and no word, and suffice for a thread. Other pages also
// need the others: the kind of page, repeated elements, classes and headings.
const (
	clueMass = iota // share of the line in the method's text
	clueReadability
	clueTrafilatura
	clueMassReadability // products of two of the three shares
	clueMassTrafilatura
	clueBothReaders
	clueAny // the largest of the three shares

	clueSpanMass // between the first and the last line that the method took
	clueSpanReadability
	clueSpanTrafilatura
	clueTakenMass // share of the page that the method took
	clueTakenReadability
	clueTakenTrafilatura

	cluePathLines // lines at the same tag path, logarithm
	cluePathChars // their mean length, logarithm
	cluePathPunct
	cluePathLinks
	cluePathShare // their share of the page
	cluePathMass  // share of their characters that the method took
	cluePathReadability
	cluePathTrafilatura

	clueChars // logarithm
	clueLinks // share of characters in links
	cluePunct // share of characters that are punctuation
	clueEnds  // ends with a mark of the end of a sentence

	clueHeading // the element, or for clueItem to clueQuoted one around it
	clueParagraph
	clueItem
	clueCell
	clueNav
	clueForm
	clueArticle
	clueFoot
	clueHeader
	clueButton
	clueQuoted
	clueHidden
	clueData // stands in a table of data
	clueNegative
	clueFurniture

	clueRepeated // number of occurrences on the page, logarithm
	clueTitle    // is the title
	clueBefore   // stands before the title
	clueDistance // lines to the title, logarithm
	clueNoTitle  // the page shows no title
	cluePlace    // share of the page before the line

	cluePrevChars // of the lines before and after it
	cluePrevLinks
	clueNextChars
	clueNextLinks
	cluePrevHeading
	clueNextHeading

	clueMassLikeReadability // of the page: likeness of the methods' texts, and its length
	clueMassLikeTrafilatura
	clueReadersAlike
	cluePageChars

	LinearClues // number of the clues above

	clueBeside = iota - 1 // classes, ids and roles around the line
	clueReply
	cluePrompt

	clueNear      // share of the page in the smallest element around the line and the title
	clueNearLevel // levels from the title to that element, logarithm
	clueOthers    // stands below a heading of other things: related products, latest news
	clueReplies   // below a heading of comments or reviews
	clueHeaded    // below another heading

	clueProduct // the page is of one product
	cluePrices  // number of prices on the page, logarithm

	clueCards // number of repeated elements around the line, logarithm, and means of their content
	clueCardChars
	clueCardText
	clueCardLines
	clueCardLinks
	clueCardHeads
	clueCardNumbers
	clueCardShare // their share of the page
	clueMainCards // they are the main cards of the page
	clueBestShare // share of the page of the main cards
	clueOutside   // clueBestShare for lines outside the main cards, else 0

	clueDetails   // stands in an element of details or a description
	clueNearPrice // lines to the nearest price, logarithm

	ClueCount // number of clues of a line
)

// methodCount is the number of voting methods: mass, Readability and trafilatura.
const methodCount = 3

// lineFacts holds the data of a page for the clues of its lines.
type lineFacts struct {
	x             *TextExtractor
	votes         [][methodCount]float64 // per run: share of its shingles in the methods' texts
	enclosing     []enclosure            // per node
	table         []int32                // per node: the table of data around it, 0 outside all
	paths         map[uint64]*pathFacts  // by the hash of the tag path
	path          []*pathFacts           // per run
	copies        map[string]copies      // by text
	taken         [methodCount]float64   // characters that each method took
	first         [methodCount]int       // first run that each method took
	last          [methodCount]int       // last run that each method took, -1 without one
	alike         [methodCount]float64   // likeness of the texts of methods 0 and 1, 0 and 2, 1 and 2
	chars         float64                // of the page
	title         int                    // run that shows the title, -1 without one
	squeezedTitle string                 // the title, squeezed

	repeats   []bool  // per run: it or its part stands on the page before
	before    []int32 // per run: the last run before it with the same text, -1 without one
	nearPrice []int32 // per run: lines to the nearest price, at most maxPriceDistance
	prices    float64
	*sections
	*cards
	product bool
}

// copies counts the runs with the same text.
type copies struct {
	count int32
	end   int32 // the run behind the last of them
}

// pathFacts sums the lines at one tag path.
type pathFacts struct {
	lines, chars, punct, links float64
	votes                      [methodCount]float64
}

// enclosure is the set of clues that the elements around a node have, itself included. It has one
// bit for each clue from clueItem to clueQuoted and from clueBeside to cluePrompt, and the last
// bit for clueDetails.
type enclosure uint16

func bitOf(clue int) enclosure {
	switch {
	case clue == clueDetails:
		return 1 << 15
	case clue >= clueBeside:
		clue -= clueBeside - clueQuoted - 1
	}
	return 1 << (clue - clueItem)
}

// enclosures maps elements to the clues of the nodes in them.
var enclosures = map[atom.Atom]enclosure{
	atom.Li: bitOf(clueItem), atom.Td: bitOf(clueCell), atom.Th: bitOf(clueCell), atom.Nav: bitOf(clueNav),
	atom.Aside: bitOf(clueNav), atom.Form: bitOf(clueForm), atom.Fieldset: bitOf(clueForm),
	atom.Article: bitOf(clueArticle), atom.Main: bitOf(clueArticle), atom.Footer: bitOf(clueFoot),
	atom.Header: bitOf(clueHeader), atom.Button: bitOf(clueButton), atom.Pre: bitOf(clueQuoted),
	atom.Code: bitOf(clueQuoted), atom.Blockquote: bitOf(clueQuoted),
}

// gatherFacts collects the data of the page and of the texts of the methods.
func (x *TextExtractor) gatherFacts(texts [methodCount]string) *lineFacts {
	t := x.Tree
	f := &lineFacts{x: x, title: titleRun(t, x.Title), squeezedTitle: string(htmldoc.Squeeze(nil, x.TitleText)),
		votes: make([][methodCount]float64, len(t.Runs)), path: make([]*pathFacts, len(t.Runs)),
		repeats: make([]bool, len(t.Runs)), before: make([]int32, len(t.Runs)),
		nearPrice: make([]int32, len(t.Runs)),
		enclosing: make([]enclosure, len(t.Nodes)), table: make([]int32, len(t.Nodes)),
		paths: map[uint64]*pathFacts{}, copies: make(map[string]copies, len(t.Runs))}
	keys := make([]uint64, len(t.Nodes))
	for i := range t.Nodes {
		n := &t.Nodes[i]
		f.enclosing[i] = enclosures[n.Tag]
		if n.Traits&htmldoc.Footing != 0 {
			f.enclosing[i] |= bitOf(clueFoot)
		}
		if n.Parent >= 0 {
			f.enclosing[i] |= f.enclosing[n.Parent]
			f.table[i] = f.table[n.Parent]
		}
		if n.Tag == atom.Table && f.table[i] == 0 && dataTable(t, int32(i)) {
			f.table[i] = int32(i)
		}
	}
	f.countVotes(texts)
	for i := range t.Runs {
		r := &t.Runs[i]
		c := float64(r.Chars)
		f.chars += c
		text := t.Text[r.From:r.To]
		same := f.copies[text]
		f.copies[text] = copies{same.count + 1, int32(i) + 1}
		f.before[i], f.repeats[i] = same.end-1, same.count > 0 && r.Chars >= minCopyChars
		p := f.pathOf(r.Host, keys)
		f.path[i] = p
		p.lines++
		p.chars += c
		p.punct += float64(r.Punct)
		p.links += float64(r.LinkChars)
		for k, v := range f.votes[i] {
			p.votes[k] += c * v
			f.taken[k] += c * v
		}
	}
	if x.Posts.Kind == Thread {
		return f
	}
	names := roleWords{}
	for i := range t.Nodes {
		f.enclosing[i] |= names.roleOf(&t.Nodes[i])
		if p := t.Nodes[i].Parent; p >= 0 {
			f.enclosing[i] |= f.enclosing[p]
		}
	}
	f.sections, f.cards, f.product = sectionsOf(t, x.Title), cardsOf(t), ofProduct(t)
	f.findPrices()
	f.findCopies()
	return f
}

// pathLevels is the number of elements of the tag path of a line. pathClasses is the number of
// those that count with their class.
const (
	pathLevels  = 4
	pathClasses = 3
)

// pathOf returns the sums of the tag path of element i. keys caches the hashes of paths, 0 for an
// unknown one.
func (f *lineFacts) pathOf(i int32, keys []uint64) *pathFacts {
	if keys[i] == 0 {
		t := f.x.Tree
		h := uint64(hashSeed)
		for j, level := i, 0; j >= 0 && level < pathLevels; j, level = t.Nodes[j].Parent, level+1 {
			h = hashElement(h, &t.Nodes[j], level < pathClasses)
		}
		keys[i] = h
	}
	p := f.paths[keys[i]]
	if p == nil {
		p = &pathFacts{}
		f.paths[keys[i]] = p
	}
	return p
}

// hashSeed and hashPrime are those of FNV-1a.
const (
	hashSeed  = 14695981039346656037
	hashPrime = 1099511628211
)

// hashElement adds an element's tag to a hash, and with class its first class without digits.
func hashElement(h uint64, n *htmldoc.Node, class bool) uint64 {
	h = (h ^ uint64(n.Tag)) * hashPrime
	if !class {
		return h
	}
	return HashClass(h, n)
}

// HashClass adds an element's first class without digits to a hash.
func HashClass(h uint64, n *htmldoc.Node) uint64 {
	for _, c := range []byte(htmldoc.Attr(n.HTML, "class")) {
		if c == ' ' {
			break
		}
		if c < '0' || c > '9' {
			h = (h ^ uint64(c)) * hashPrime
		}
	}
	return h
}

// minTakenChars is the minimum length of a line that counts as taken, in characters. minTakenShare is
// the minimum share of it in the method's text.
const (
	minTakenChars = 20
	minTakenShare = 0.8
)

// countVotes computes the share of each line in the methods' texts, and the first and last line
// that each method took.
func (f *lineFacts) countVotes(texts [methodCount]string) {
	t := f.x.Tree
	grams := shinglesOf(texts)
	f.alike = [methodCount]float64{grams.likeness(0, 1), grams.likeness(0, 2), grams.likeness(1, 2)}
	for k := range methodCount {
		f.first[k], f.last[k] = len(t.Runs), -1
	}
	for i := range t.Runs {
		r := &t.Runs[i]
		f.votes[i] = grams.votesFor(t.Text[r.From:r.To])
		for k := range methodCount {
			if r.Chars >= minTakenChars && f.votes[i][k] > minTakenShare {
				f.first[k], f.last[k] = min(f.first[k], i), i
			}
		}
	}
}

// clues returns the clues of run i. before is the share of the page before it.
func (f *lineFacts) clues(i int, before float64) (c [ClueCount]float64) {
	t := f.x.Tree
	r := &t.Runs[i]
	n := &t.Nodes[r.Host]
	text := strings.TrimSpace(t.Text[r.From:r.To])
	chars := float64(r.Chars)
	v := f.votes[i]
	p := f.path[i]
	for k := range methodCount {
		c[clueMass+k] = v[k]
		c[clueSpanMass+k] = indicator(i >= f.first[k] && i <= f.last[k])
		c[clueTakenMass+k] = f.taken[k] / f.chars
		c[cluePathMass+k] = p.votes[k] / p.chars
		c[clueMassLikeReadability+k] = f.alike[k]
	}
	c[clueMassReadability], c[clueMassTrafilatura], c[clueBothReaders] = v[0]*v[1], v[0]*v[2], v[1]*v[2]
	c[clueAny] = max(v[0], v[1], v[2])
	c[cluePathLines], c[cluePathChars] = math.Log(p.lines), math.Log1p(p.chars/p.lines)
	c[cluePathPunct], c[cluePathLinks], c[cluePathShare] = p.punct/p.chars, p.links/p.chars, p.chars/f.chars
	c[clueChars], c[clueLinks], c[cluePunct] = math.Log1p(chars), float64(r.LinkChars)/chars, float64(r.Punct)/chars
	c[clueEnds] = indicator(endsSentence(text))
	c[clueHeading], c[clueParagraph] = indicator(htmldoc.HeadingLevel(n.Tag) > 0), indicator(n.Tag == atom.P)
	for k := clueItem; k <= clueQuoted; k++ {
		c[k] = indicator(f.enclosing[r.Host]&bitOf(k) != 0)
	}
	c[clueData] = indicator(f.table[r.Host] > 0)
	c[clueHidden], c[clueNegative] = indicator(n.Hidden), indicator(r.Negative)
	c[clueFurniture] = indicator(r.Chars < 120 && htmldoc.IsFurniture(text))
	c[clueRepeated] = math.Log(float64(f.copies[t.Text[r.From:r.To]].count))
	c[clueTitle] = indicator(f.squeezedTitle != "" && len(text) < 2*len(f.squeezedTitle)+16 && string(htmldoc.Squeeze(nil, text)) == f.squeezedTitle)
	c[clueBefore], c[clueDistance], c[clueNoTitle] = indicator(i < f.title), math.Log1p(math.Abs(float64(i-f.title))), indicator(f.title < 0)
	c[cluePlace], c[cluePageChars] = before, math.Log(f.chars)
	if i > 0 {
		c[cluePrevChars], c[cluePrevLinks], c[cluePrevHeading] = neighbourClues(t, i-1)
	}
	if i+1 < len(t.Runs) {
		c[clueNextChars], c[clueNextLinks], c[clueNextHeading] = neighbourClues(t, i+1)
	}
	if f.cards == nil {
		return c
	}
	for k := clueBeside; k <= cluePrompt; k++ {
		c[k] = indicator(f.enclosing[r.Host]&bitOf(k) != 0)
	}
	c[clueProduct], c[cluePrices] = indicator(f.product), math.Log1p(f.prices)
	c[clueDetails] = indicator(f.enclosing[r.Host]&bitOf(clueDetails) != 0)
	c[clueNearPrice] = math.Log1p(float64(f.nearPrice[i]))
	f.sections.setClues(&c, r.Host)
	f.cards.setClues(&c, r.Host)
	return c
}

// Minimum lines and characters of a part that a page shows twice, once for each screen width.
const (
	minPartLines = 3
	minPartChars = 150
)

// findCopies sets repeats for the lines of parts that stand on the page before.
func (f *lineFacts) findCopies() {
	runs := f.x.Tree.Runs
	for i := 0; i < len(runs); {
		end, chars := i+1, runs[i].Chars
		for f.before[i] >= 0 && end < len(runs) && f.before[end] == f.before[end-1]+1 {
			chars += runs[end].Chars
			end++
		}
		if end-i >= minPartLines && chars >= minPartChars {
			for k := i; k < end; k++ {
				f.repeats[k] = true
			}
		}
		i = end
	}
}

// maxPriceDistance bounds the distance to a price, in lines.
const maxPriceDistance = 100

// findPrices counts the prices, and the lines from each line to the nearest price.
func (f *lineFacts) findPrices() {
	t := f.x.Tree
	away := int32(maxPriceDistance)
	for i := range t.Runs {
		away = min(away+1, maxPriceDistance)
		if r := &t.Runs[i]; r.Chars <= maxPriceChars && isPrice(t.Text[r.From:r.To]) {
			f.prices++
			away = 0
		}
		f.nearPrice[i] = away
	}
	for i := len(t.Runs) - 2; i >= 0; i-- {
		f.nearPrice[i] = min(f.nearPrice[i], f.nearPrice[i+1]+1)
	}
}

// maxPriceChars is the maximum length of the line of a price, in characters.
const maxPriceChars = 40

// isPrice reports whether a line is a price: $1,772.00, 45,00 €, or two prices with a few words.
func isPrice(s string) bool {
	digit, sign, letters := false, false, 0
	for _, r := range s {
		switch {
		case r >= '0' && r <= '9':
			digit = true
		case unicode.Is(unicode.Sc, r):
			sign = true
		case unicode.IsLetter(r):
			letters++
		}
	}
	return digit && sign && letters < 16
}

// neighbourClues returns the clues of run i for the line before or after it.
func neighbourClues(t *htmldoc.Tree, i int) (chars, links, heading float64) {
	run := &t.Runs[i]
	return math.Log1p(float64(run.Chars)), float64(run.LinkChars) / float64(run.Chars),
		indicator(htmldoc.HeadingLevel(t.Nodes[run.Host].Tag) > 0)
}

// indicator returns 1 for true and 0 for false.
func indicator(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// endsSentence reports whether a text ends with a sentence mark, a colon or a quotation mark.
func endsSentence(s string) bool {
	last := rune(0)
	for _, r := range s[max(0, len(s)-4):] {
		last = r
	}
	return strings.ContainsRune(`.!?。！？…:：;"”`, last)
}
