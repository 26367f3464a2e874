package listpage

import (
	"cmp"
	"strings"

	"angler/crawl/htmldoc"
)

// The kinds.
const (
	KindRows    = "rows"    // entries that open by a script
	KindLogin   = "login"   // a login in the place of a list
	KindCaptcha = "captcha" // a captcha in the place of a list
	KindBarred  = "barred"  // a script or the server leads to an address that is not public
)

// MissingKinds lists the kinds, those first that hide most of a list.
var MissingKinds = []string{KindLogin, KindCaptcha, KindBarred, KindScript, KindData, KindFrame, KindRows, KindPostback,
	KindForm, KindPager}

// OutOfScope is why a pager is not followed whose links are left out.
const OutOfScope = "the scope or a filter leaves its address out"

// BarredMeta names the meta element of a rendered page that holds where its scripts have
// sent it and it was not let go.
const BarredMeta = "angler-barred"

// MaxMissingText bounds MissingEntries.Text and Why, in runes.
const MaxMissingText = 80

// MissingInput is a page that was parsed.
type MissingInput struct {
	Tree    *htmldoc.Tree
	Links   []htmldoc.Link
	Records int              // entries that were found
	Dated   int              // of them, how many have dates
	List    bool             // the page was taken for a list
	Text    bool             // it was taken for a text with a date
	Page    int              // which page of its list the address names; 0 = none
	Turned  bool             // a request that was read of it brings another of its pages
	Named   []MissingEntries // what is named already
}

// leastRecords are entries from which a page is a list that shows its entries.
const leastRecords = 3

// FindMissing returns what is shown and not followed, what is named already among it; nil
// where there is nothing. It is safe for concurrent use.
func FindMissing(in *MissingInput) []MissingEntries {
	f := missingFinder{MissingInput: in, found: in.Named}
	if address := in.Tree.Meta(BarredMeta); address != "" {
		f.name(KindBarred, address, "it is no public address")
		in.Named = f.found
	}
	for i := range f.found {
		if x := &f.found[i]; x.Help == "" {
			x.Help = HelpFor(x.Kind)
		}
	}
	switch list := in.List || in.Dated >= leastRecords; {
	case in.Text && !list && f.sentences() > 0:
		return f.found
	case !list:
		if f.shell(); len(f.found) > len(in.Named) || in.Records < 2*leastRecords {
			return f.found
		}
		fallthrough // entries without dates
	default:
		if !in.Turned && !in.turnsPage(forward) {
			f.pager()
		}
	}
	return f.found
}

// turnsPage reports whether a link whose anchor suits leads to another page of the list.
func (in *MissingInput) turnsPage(suits func(anchor string) bool) bool {
	for i := range in.Links {
		if l := &in.Links[i]; l.Pager && l.URL != "" && l.URL != in.Tree.URL && suits(l.Anchor) {
			return true
		}
	}
	return false
}

// mostEmpty elements are remembered.
const mostEmpty = 12

// missingFinder looks at one page.
type missingFinder struct {
	*MissingInput
	found []MissingEntries
	empty [mostEmpty]int32 // elements without a text that have a name: something may fill them
	blank int              // how many
}

// name notes what was found, unless something of its kind is named already.
func (f *missingFinder) name(kind, text, why string) {
	for i := range f.found {
		if subjectOf(f.found[i].Kind) == subjectOf(kind) {
			return
		}
	}
	f.found = append(f.found, MissingEntries{Kind: kind, Text: strings.Clone(htmldoc.CleanLine(text, MaxMissingText)),
		Why: strings.Clone(htmldoc.CleanLine(why, MaxMissingText)), Help: HelpFor(kind)})
}

// subjects holds the kinds that are about the same as another one: pages that follow, or entries.
var subjects = map[string]string{KindForm: KindPager, KindPostback: KindPager, KindData: KindScript}

func subjectOf(kind string) string { return cmp.Or(subjects[kind], kind) }

// PlainHelp is the remedy in words for people without a workbench: {recipes}
// stands for the key of the recipes there, which the settings may change.
func PlainHelp(help string) string {
	return strings.ReplaceAll(help, "{recipes}", recipesKey+" in the workbench")
}

// recipesKey is the key of the recipes, as long as no settings change it.
const recipesKey = "Q"

// remedy is what helps against a kind of missing entries.
type remedy struct {
	help  string // a sentence
	short string // commands alone, no keys; "" = help
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

// HelpFor is the remedy for a kind, in a sentence; "" where nothing does
// yet. {recipes} in it stands for a key of the workbench, see PlainHelp.
func HelpFor(kind string) string { return remedies[kind].help }

// RemedyFor is HelpFor in a few words, for the log and for messages: commands alone, no keys.
func RemedyFor(kind string) string { return cmp.Or(remedies[kind].short, remedies[kind].help) }

// forward tells by its anchor that a link leads neither back nor to the first page.
func forward(anchor string) bool {
	switch strings.Trim(anchor, " []【】()（）<>«‹") {
	case "上一页", "上页", "上一頁", "前一页", "前页", "首页", "第一页", "1":
		return false
	case "":
		return !strings.ContainsAny(anchor, "<«‹")
	}
	return len(anchor) >= 16 || !htmldoc.AnyWord(anchor, htmldoc.ContainsFold, "prev", "newer", "first")
}

func anyAnchor(string) bool { return true }
