package notices

import (
	"cmp"
	"math/bits"
	"slices"
	"strings"
	"unicode"

	"angler/crawl/htmldoc"
)

// CheckCase holds the data of an announced page for the check.
type CheckCase struct {
	ID       uint64
	Title    string
	Aside    bool     // see IsOffTopicTitle
	Size     int      // bytes of its text
	Families Families // families in it
	Words    uint64   // SimHash of its text, see Simhash; 0 = none
}

// CheckReason is the reason of a decision.
type CheckReason string

// The reasons.
const (
	CheckOff         CheckReason = "off"      // no check: no families and no verdicts
	CheckedByFamily  CheckReason = "families" // enough families, or too few
	CheckedByLike    CheckReason = "like"     // similar to accepted notices, or not
	CheckedByShort   CheckReason = "short"    // almost no text, but a notice's title
	CheckedByPerson  CheckReason = "judged"   // verdict of a person
	CheckedByExample CheckReason = "example"  // verdict of a person on a similar page
	CheckedByTitle   CheckReason = "title"    // the title announces something else
	CheckedByNothing CheckReason = "unlike"   // no similar page has a verdict
)

// Finding is the result of a check.
type Finding struct {
	Doubtful bool
	Reason   CheckReason
	Families Families
	Need     int     // families required
	Like     float64 // similarity to accepted notices, or to the example; 0 = not computed
	Example  uint64  // id of the similar page with a verdict
}

// Judge decides whether pages are notices, from word families, verdicts of people, and similarity to accepted
// notices. It holds the state of one moment and is safe for concurrent use.
type Judge struct {
	set      *FamilySet
	accepted []uint64 // SimHashes of some accepted notices
	examples []example
	verdicts map[uint64]bool
	titles   map[string]int // plain title → index in examples
}

type example struct {
	id    uint64
	words uint64
	yes   bool
}

// Limits of the comparisons.
const (
	maxAccepted = 256
	maxExamples = 1024
)

// Similarity thresholds.
const (
	likeAccepted = .76 // mean of the nearest accepted notices, for an undecided page
	likeExample  = .80 // to an example, for an undecided page
	likeSure     = .92 // to an example, for a page with enough families
	nearest      = 5   // number of accepted notices in the mean
)

// NewJudge returns a judge. cases holds all pages; verdicts maps ids to verdicts of people, true for a notice.
func NewJudge(set *FamilySet, cases []CheckCase, verdicts map[uint64]bool) *Judge {
	j := &Judge{set: set, verdicts: verdicts, titles: map[string]int{}}
	enough := 0
	for i := range cases {
		c := &cases[i]
		if yes, ok := verdicts[c.ID]; ok && len(j.examples) < maxExamples {
			j.titles[plainTitle(c.Title)] = len(j.examples)
			j.examples = append(j.examples, example{c.ID, c.Words, yes})
		} else if !set.empty() && c.Families.Count() > set.Need {
			enough++
		}
	}
	step := max(1, enough/maxAccepted)
	for i, n := 0, 0; i < len(cases) && len(j.accepted) < maxAccepted; i++ {
		c := &cases[i]
		if set.empty() || c.Families.Count() <= set.Need || c.Words == 0 || verdicts[c.ID] {
			continue
		}
		if n++; n%step == 0 {
			j.accepted = append(j.accepted, c.Words)
		}
	}
	for _, x := range j.examples {
		if x.yes && x.words != 0 {
			j.accepted = append(j.accepted, x.words)
		}
	}
	return j
}

// Of decides one case.
func (j *Judge) Of(c *CheckCase) Finding {
	f := Finding{Families: c.Families, Need: j.set.Need}
	if yes, ok := j.verdicts[c.ID]; ok {
		f.Doubtful, f.Reason = !yes, CheckedByPerson
		return f
	}
	n := c.Families.Count()
	if !j.set.empty() && c.Aside {
		f.Need += 2
	}
	enough := !j.set.empty() && n >= f.Need
	if x, like := j.example(c); x != nil && (like >= likeSure || like >= likeExample && !enough) {
		f.Doubtful, f.Reason, f.Like, f.Example = !x.yes, CheckedByExample, like, x.id
		return f
	}
	switch {
	case j.set.empty() && len(j.examples) == 0:
		f.Reason = CheckOff
	case j.set.empty():
		f.Reason = CheckedByNothing
	case enough:
		f.Reason = CheckedByFamily
	case c.Size < shortText && isProcurementTitle(c.Title):
		f.Reason = CheckedByShort
	case n <= j.set.Few:
		f.Doubtful, f.Reason = true, CheckedByFamily
	case f.Need > j.set.Need:
		f.Doubtful, f.Reason = true, CheckedByTitle
	default:
		f.Like, f.Reason = j.like(c.Words), CheckedByLike
		f.Doubtful = f.Like < likeAccepted
	}
	return f
}

// example returns the most similar page with a verdict and the similarity; nil without verdicts. A page with the
// same title apart from figures has similarity 1.
func (j *Judge) example(c *CheckCase) (best *example, like float64) {
	if len(j.examples) == 0 {
		return nil, 0
	}
	if i, ok := j.titles[plainTitle(c.Title)]; ok {
		return &j.examples[i], 1
	}
	if c.Words == 0 {
		return nil, 0
	}
	least := 65
	for i := range j.examples {
		x := &j.examples[i]
		if d := bits.OnesCount64(x.words ^ c.Words); x.words != 0 && d < least {
			best, least = x, d
		}
	}
	if best == nil {
		return nil, 0
	}
	return best, likeness(best.words, c.Words)
}

// like returns the mean similarity to the nearest accepted notices; 0 if there are too few.
func (j *Judge) like(words uint64) float64 {
	if words == 0 || len(j.accepted) < nearest {
		return 0
	}
	var near [nearest]float64
	for _, w := range j.accepted {
		if l := likeness(w, words); l > near[0] {
			near[0] = l
			slices.SortFunc(near[:], cmp.Compare)
		}
	}
	sum := 0.0
	for _, l := range near {
		sum += l
	}
	return sum / nearest
}

// shortText is the length in bytes below which a text says almost nothing: "see the attachment".
const shortText = 240

var (
	// offTopicTitle matches titles of announcements that are not notices of the topic.
	offTopicTitle = htmldoc.NewPattern(
		`培训|讲座|研讨|会议|座谈|论坛|放假|学习|宣讲|竞赛|大赛|征文|表彰|招聘|招生|录取|奖学金|资助|任职|述职|考核|体检|党|团员|工会|值班|倡议|温馨提示|办公会|简报|(?i:\b(?:training|seminar|lecture|workshop|conference|scholarship)\b)`)
	// strong matches titles that only procurement notices have.
	strong = htmldoc.NewPattern(
		`招标|采购(?:项目|公告|公示|意向|结果|文件|更正|合同|需求|计划|[（(]|$)|磋商|谈判|询价|询比|比选|竞价|遴选|中标|成交|中选|废标|流标|单一来源|资格预审|更正公告|开标|评标|合同公[告示]|(?i:\b(?:tender|invitation to bid|invitation for bids|request for (?:proposals|quotations)|contract award)\b)`)
)

// IsOffTopicTitle reports whether a title announces something off topic, such as a training or a holiday. It costs
// about 15 µs.
func IsOffTopicTitle(title string) bool {
	return offTopicTitle.MatchString(htmldoc.CleanTitle(title)) && !isProcurementTitle(title)
}

// isProcurementTitle reports whether only a procurement notice has such a title. It ignores purchase words in the names of
// training subjects.
func isProcurementTitle(title string) bool {
	return strong.MatchString(trainingSubjects.ReplaceAllString(htmldoc.CleanTitle(title), ""))
}

// trainingSubjects matches subjects of trainings.
var trainingSubjects = htmldoc.NewPattern(`(?:招标|采购|招投标|投标)+(?:业务|管理|工作|法|政策|知识|人员|实务|制度|与)+`)

// ordinal matches the number in a series of titles.
var ordinal = htmldoc.NewPattern(`[(（]?第?[0-9一二三四五六七八九十]+[期次批号届轮]?[)）]?`)

// plainTitle removes figures, spaces and punctuation from a title.
func plainTitle(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, ordinal.ReplaceAllString(s, ""))
}
