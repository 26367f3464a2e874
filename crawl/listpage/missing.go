package listpage

import (
	"cmp"
	"strings"

	"angler/crawl/htmldoc"
)

// MissingKinds lists the kinds, those that hide most of a list first.
var MissingKinds = []string{KindLogin, KindCaptcha, KindBarred, KindScript, KindData, KindFrame, KindRows, KindPostback,
	KindForm, KindPager}

// OutOfScope is the reason for a pager whose links the scope or a filter excludes.
const OutOfScope = "the scope or a filter leaves its address out"

// BarredMeta names the meta element of a rendered page with the forbidden address that its scripts
// tried to open.
const BarredMeta = "angler-barred"

// MaxMissingText bounds MissingEntries.Text and Why, in runes.
const MaxMissingText = 80

// MissingInput is a parsed page and the findings on it.
type MissingInput struct {
	Tree    *htmldoc.Tree
	Links   []htmldoc.Link
	Records int              // number of entries
	Dated   int              // number of entries with dates
	List    bool             // the page is a list
	Text    bool             // the page is a text with a date
	Page    int              // number of the page in its address; 0 means none
	Turned  bool             // a PageRequest of the page gets another page of the list
	Named   []MissingEntries // known missing entries
}

// minListRecords is the least number of entries of a page that is a list.
const minListRecords = 3

// FindMissing returns the entries that a page shows and no link leads to, in.Named included; nil
// for none. It is safe for concurrent use.
func FindMissing(in *MissingInput) []MissingEntries {
	f := missingFinder{MissingInput: in, found: in.Named}
	if address := in.Tree.Meta(BarredMeta); address != "" {
		f.report(KindBarred, address, "it is no public address")
		in.Named = f.found
	}
	for i := range f.found {
		if x := &f.found[i]; x.Help == "" {
			x.Help = HelpFor(x.Kind)
		}
	}
	switch list := in.List || in.Dated >= minListRecords; {
	case in.Text && !list && f.sentences() > 0:
		return f.found
	case !list:
		if f.findHiddenList(); len(f.found) > len(in.Named) || in.Records < 2*minListRecords {
			return f.found
		}
		fallthrough // entries without dates
	default:
		if !in.Turned && !in.hasPageLink(leadsForward) {
			f.findPager()
		}
	}
	return f.found
}

// hasPageLink reports whether a link with a suitable anchor leads to another page of the list.
func (in *MissingInput) hasPageLink(matches func(anchor string) bool) bool {
	for i := range in.Links {
		if l := &in.Links[i]; l.Pager && l.URL != "" && l.URL != in.Tree.URL && matches(l.Anchor) {
			return true
		}
	}
	return false
}

// maxEmptyElements bounds missingFinder.emptyElements.
const maxEmptyElements = 12

// missingFinder searches one page for missing entries.
type missingFinder struct {
	*MissingInput
	found         []MissingEntries
	emptyElements [maxEmptyElements]int32 // empty elements with an id, which a script may fill
	emptyCount    int
}

// report adds missing entries, unless some with the same subject are known.
func (f *missingFinder) report(kind, text, why string) {
	for i := range f.found {
		if subjectOf(f.found[i].Kind) == subjectOf(kind) {
			return
		}
	}
	f.found = append(f.found, MissingEntries{Kind: kind, Text: strings.Clone(htmldoc.CleanLine(text, MaxMissingText)),
		Why: strings.Clone(htmldoc.CleanLine(why, MaxMissingText)), Help: HelpFor(kind)})
}

// subjects maps kinds to the kind with the same subject: further pages, or entries.
var subjects = map[string]string{KindForm: KindPager, KindPostback: KindPager, KindData: KindScript}

func subjectOf(kind string) string { return cmp.Or(subjects[kind], kind) }

// PlainHelp returns a remedy for readers without a workbench. It replaces {recipes}, the key of the
// recipes there, by its default.
func PlainHelp(help string) string {
	return strings.ReplaceAll(help, "{recipes}", recipesKey+" in the workbench")
}

// recipesKey is the default key of the recipes.
const recipesKey = "Q"

// remedy is the remedy for a kind of missing entries.
type remedy struct {
	help  string // a sentence
	short string // commands alone, no keys; "" means help
}

var (
	pagerRemedy = remedy{"look for a recipe ({recipes}, or angler lists recipe add DIR ADDRESS); or open the list in a browser: where page 2 or an entry has an address of its own, add that to the seeds",
		"look for a recipe: angler lists recipe add DIR ADDRESS"}
	scriptRemedy = remedy{"look for a recipe ({recipes}, or angler lists recipe add DIR ADDRESS); or have it read through a browser: add its host or section to render.pages in angler.toml",
		"look for a recipe: angler lists recipe add DIR ADDRESS; or read it through a browser: render.pages"}
	remedies = map[string]remedy{
		KindPager: pagerRemedy, KindForm: pagerRemedy, KindPostback: pagerRemedy, KindRows: pagerRemedy,
		KindScript: scriptRemedy, KindData: scriptRemedy,
		KindFrame:   {help: "add the frame's address to the seeds, and its host to the scope"},
		KindLogin:   {help: "give the host a login: a table of its own under [host] in angler.toml"},
		KindBarred:  {help: "open the list in a browser and look where it leads: a private address is asked only where it is a seed"},
		KindCaptcha: {help: "a person has to answer it: look for an open list of the same body"},
	}
)

// HelpFor returns the remedy for a kind in a sentence; "" if there is none yet. {recipes} in it
// stands for a key of the workbench, see PlainHelp.
func HelpFor(kind string) string { return remedies[kind].help }

// RemedyFor is HelpFor in a few words for the log and for messages: commands alone, no keys.
func RemedyFor(kind string) string { return cmp.Or(remedies[kind].short, remedies[kind].help) }

// leadsForward reports whether an anchor is neither one for an earlier page nor for the first page.
func leadsForward(anchor string) bool {
	switch strings.Trim(anchor, " []【】()（）<>«‹") {
	case "上一页", "上页", "上一頁", "前一页", "前页", "首页", "第一页", "1":
		return false
	case "":
		return !strings.ContainsAny(anchor, "<«‹")
	}
	return len(anchor) >= 16 || !htmldoc.AnyWord(anchor, htmldoc.ContainsFold, "prev", "newer", "first")
}
