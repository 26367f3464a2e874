// Package unfollowed finds what a page shows of a list and no link of it leads
// to: a pager that a script turns, a form, rows that open by a click, entries that
// a script fetches, a login in the place of a list. Whoever is not told of them
// takes the first page of a list for all of it.
//
// It looks at the tree of a page that is parsed already. A list whose pager has
// links costs a glance at its links, and so does a text with a date. The others
// cost a pass over their elements, and only one that has signs of a list without
// entries has its scripts looked through. Nothing is run, fetched or allocated
// before something was found. Pages are hostile: what is looked at of one element,
// one script and one page is bounded, and so is what is said of them.
//
// The danger is to cry wolf. A list that says it is complete, or on its last page,
// is left alone, and so is whatever may be a slide show, a calendar or a menu.
package unfollowed

import (
	"strings"

	"angler/crawl/htmldoc"

	"angler/crawl/page/turns"
)

// Unfollowed is something that a page shows of a list and that nothing leads to. Its
// Text is what the page shows, or the address that it names, on one clean line of at
// most MaxText runes.
type Unfollowed = turns.Unfollowed

// The kinds.
const (
	Pager    = turns.Pager    // a pager without addresses
	Form     = turns.Form     // a form that turns the page
	Postback = turns.Postback // a form that carries the state of its page and is sent by a script
	Script   = turns.Script   // entries that a script fetches or writes
	Data     = turns.Data     // entries that stand in a script
	Frame    = turns.Frame    // a frame that is not followed
	Rows     = "rows"         // entries that open by a script
	Login    = "login"        // a login in the place of a list
	Captcha  = "captcha"      // a captcha in the place of a list
	Barred   = "barred"       // a script or the server leads to an address that is not public
)

// Kinds lists the kinds, those first that hide most of a list.
var Kinds = []string{Login, Captcha, Barred, Script, Data, Frame, Rows, Postback, Form, Pager}

// LeftOut is why a pager is not followed whose links are left out.
const LeftOut = "the scope or a filter leaves its address out"

// BarredMeta names the meta element of a rendered page that holds where its scripts have
// sent it and it was not let go.
const BarredMeta = "angler-barred"

// MaxText bounds Unfollowed.Text and Why, in runes.
const MaxText = 80

// Input is a page that was parsed.
type Input struct {
	Tree    *htmldoc.Tree
	Links   []htmldoc.Link
	Records int          // entries that were found
	Dated   int          // of them, how many have dates
	List    bool         // the page was taken for a list
	Text    bool         // it was taken for a text with a date
	Page    int          // which page of its list the address names; 0 = none
	Turned  bool         // a request that was read of it brings another of its pages
	Named   []Unfollowed // what is named already
}

// leastRecords are entries from which a page is a list that shows its entries.
const leastRecords = 3

// Find returns what is shown and not followed, what is named already among it; nil
// where there is nothing. It is safe for concurrent use.
func Find(in *Input) []Unfollowed {
	f := finder{Input: in, found: in.Named}
	if address := in.Tree.Meta(BarredMeta); address != "" {
		f.name(Barred, address, "it is no public address")
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
		if !in.Turned && !leadsOn(in) {
			f.pager()
		}
	}
	return f.found
}

// leadsOn reports whether a link leads on to another page of the list.
func leadsOn(in *Input) bool {
	for i := range in.Links {
		l := &in.Links[i]
		if l.Pager && l.URL != "" && l.URL != in.Tree.URL && !backward(l.Anchor) {
			return true
		}
	}
	return false
}

// mostEmpty elements are remembered.
const mostEmpty = 12

// finder looks at one page.
type finder struct {
	*Input
	found []Unfollowed
	empty [mostEmpty]int32 // elements without a text that have a name: something may fill them
	blank int              // how many
}

// name notes what was found, unless something of its kind is named already.
func (f *finder) name(kind, text, why string) {
	for i := range f.found {
		if alike(f.found[i].Kind, kind) {
			return
		}
	}
	f.found = append(f.found, Unfollowed{Kind: kind, Text: strings.Clone(htmldoc.CleanLine(text, MaxText)), Why: strings.Clone(htmldoc.CleanLine(why, MaxText)), Help: HelpFor(kind)})
}

// alike tells that two kinds are about the same: pages that follow, or entries.
func alike(a, b string) bool {
	return a == b || turnsPage(a) && turnsPage(b) || (a == Script || a == Data) && (b == Script || b == Data)
}

func turnsPage(kind string) bool { return kind == Pager || kind == Form || kind == Postback }

// Plainly is what would help, for people who have no workbench before them: {recipes}
// stands for the key of the recipes there, which the settings may change.
func Plainly(help string) string {
	return strings.ReplaceAll(help, "{recipes}", RecipesKey+" in the workbench")
}

// RecipesKey is the key of the recipes, as long as no settings change it.
const RecipesKey = "Q"

// HelpFor is what would help against a kind, in a sentence; "" where nothing does
// yet. {recipes} in it stands for a key of the workbench, see Plainly.
func HelpFor(kind string) string {
	switch kind {
	case Pager, Form, Postback, Rows:
		return "look for a recipe ({recipes}, or angler source DIR add ADDRESS); or open the list in a browser: where page 2 or an entry has an address of its own, add that to the seeds"
	case Script, Data:
		return "look for a recipe ({recipes}, or angler source DIR add ADDRESS); or have it read through a browser: add its host or section to render.pages in angler.toml"
	case Frame:
		return "add the frame's address to the seeds, and its host to the scope"
	case Login:
		return "give the host a login: a table of its own under [host] in angler.toml"
	case Barred:
		return "open the list in a browser and look where it leads: a private address is asked only where it is a seed"
	case Captcha:
		return "a person has to answer it: look for an open list of the same body"
	}
	return ""
}

// Remedy is HelpFor in a few words, for the log and for messages: commands alone, no keys.
func Remedy(kind string) string {
	switch kind {
	case Pager, Form, Postback, Rows:
		return "look for a recipe: angler source DIR add ADDRESS"
	case Script, Data:
		return "look for a recipe: angler source DIR add ADDRESS; or read it through a browser: render.pages"
	}
	return HelpFor(kind)
}

// backward tells by its anchor that a link leads back, or to the first page.
func backward(anchor string) bool {
	switch strings.Trim(anchor, " []【】()（）<>«‹") {
	case "上一页", "上页", "上一頁", "前一页", "前页", "首页", "第一页", "1":
		return true
	case "":
		return strings.ContainsAny(anchor, "<«‹")
	}
	return len(anchor) < 16 && (htmldoc.ContainsFold(anchor, "prev") || htmldoc.ContainsFold(anchor, "newer") || htmldoc.ContainsFold(anchor, "first"))
}
