package propose

import (
	"cmp"
	"fmt"
	"net/url"
	"strings"

	"angler/crawl/htmldoc"
	"angler/crawl/source"
)

// This file is what the program knows of others' software: the full-text search of one
// family that fills the lists of every third platform of a province, and what makes a
// list unreadable.

var (
	epointSigns = htmldoc.NewPattern(`(?i)inteligentsearch|getFullTextData|esinteligentsearch|epointwebbuilder|webBuilderCommon|siteGuid`)
	epointPath  = htmldoc.NewPattern(`(?i)["'(=]((?:https?://[\w.:\-]+)?/?[\w/\-]*rest/(?:es)?inteligentsearch/getFullTextData(?:New)?)`)
	epointCnum  = htmldoc.NewPattern(`(?i)\bcnum["']?\s*[:=]\s*["']([0-9;]{1,60})["']`)
	epointCat   = htmldoc.NewPattern(`(?i)(?:id=["']viewGuid["'][^>]*value=["']|categorynum["']?\s*[:=]\s*["']|categoryNum=|data-categorynum=["'])(\d{3,15})`)
	epointTime  = htmldoc.NewPattern(`(?i)\b(webdate|infodatepx|infodate)\b`)
	categoryDir = htmldoc.NewPattern(`/(\d{3,12})(?:/|$)`)
)

// epointBody is what the family is asked, with category and site number. Sorting stands
// as a text, because that is how its pages send it.
const epointBody = `{"token":"","pn":{offset},"rn":{size},"sdt":"","edt":"","wd":"","inc_wd":"","exc_wd":"","fields":"title","cnum":"%s","sort":"{\"%s\":\"0\"}","ssort":"title","cl":500,"terminal":"","condition":%s,"time":null,"highlights":"","statistics":null,"unionCondition":null,"accuracy":"","noParticiple":"1","searchRange":null,"isBusiness":"1"}`

// Epoint is the recipe of the family for a page of a host. path is that of the search, ""
// for the usual one; category "" asks for all of them.
func Epoint(page, path, category, cnum, sort string) *source.Recipe {
	base, err := url.Parse(page)
	if err != nil {
		return nil
	}
	u, err := base.Parse(cmp.Or(path, "/inteligentsearch/rest/esinteligentsearch/getFullTextDataNew"))
	if err != nil {
		return nil
	}
	condition := "null"
	if category != "" {
		condition = fmt.Sprintf(`[{"fieldName":"categorynum","equal":"%s","notEqual":null,"equalList":null,"notEqualList":null,"isLike":true,"likeType":2}]`, category)
	}
	return &source.Recipe{SeenOn: page,
		Request: source.Request{Method: "POST", URL: u.String(), Body: fmt.Sprintf(epointBody, cmp.Or(cnum, "001"), cmp.Or(sort, "webdate"), condition),
			Headers: map[string]string{"Content-Type": "application/json;charset=utf-8"},
			Page:    source.Pages{First: 0, Step: 1, Size: 20, Total: "result.totalcount"}},
		Rows: source.Rows{Path: "result.records", Title: "title", Date: "webdate", URL: "linkurl"}}
}

// epoint proposes the recipe of the family when a page shows its signs.
func epoint(p *Page, scripts []string) *Draft {
	all := p.HTML + "\n" + strings.Join(scripts, "\n")
	if !epointSigns.MatchString(all) {
		return nil
	}
	first := func(e *htmldoc.Pattern, s string) string {
		if m := e.FindStringSubmatch(s); m != nil {
			return m[1]
		}
		return ""
	}
	path := first(epointPath, all)
	category := first(epointCat, p.HTML)
	if category == "" {
		if u, err := url.Parse(p.URL); err == nil {
			dirs := categoryDir.Regexp().FindAllStringSubmatch(u.Path, -1)
			if len(dirs) > 0 {
				category = dirs[len(dirs)-1][1]
			}
		}
	}
	if path != "" && !strings.HasPrefix(path, "/") && !strings.Contains(path, "://") {
		path = "/" + path
	}
	sort := strings.ToLower(first(epointTime, strings.Join(scripts, "\n")))
	r := Epoint(p.URL, path, category, first(epointCnum, all), sort)
	if r == nil {
		return nil
	}
	d := &Draft{Recipe: r, Why: "the page is made by the software of the Epoint family", From: source.FromFamily, Score: 4}
	if path != "" {
		d.Score = 9 // the page names the search
	}
	d.exchange = source.Exchange{SeenOn: p.URL, Title: p.Title}
	r.Name = source.NameOf(&d.exchange)
	r.Rows = source.Rows{} // found in the reply: sites of the family name the date's field differently
	r.ID = source.IDFor(r)
	return d
}

// signs of requests that we do not make.
var (
	signedWords = htmldoc.NewPattern(`(?i)portal-sign|nsssjss|x-dgi-req-signature|["']?\bsign(?:ature)?["']?\s*:\s*(?:\w+\.)*(?:md5|sha\w*|hmac\w*|getsign|sign\w*|encrypt\w*)\s*\(`)
	sealedWords = htmldoc.NewPattern(`(?i)CryptoJS\.(?:AES|DES|TripleDES)\.(?:de|en)crypt|JSEncrypt|sm[24]\.(?:do)?(?:de|en)crypt|\.decrypt\(\s*(?:res|data|result|response)`)
	captchaWord = htmldoc.NewPattern(`(?i)(?:verify|captcha|validate?)_?code["']?\s*:`)
)

// unreadable says why a request is not made: it is signed, its reply encrypted, or a
// captcha stands before it. Such lists are told of, and not solved.
func unreadable(s *script, a *ask, headers map[string]string) string {
	for k := range headers {
		if l := strings.ToLower(k); strings.Contains(l, "sign") || l == "nsssjss" {
			return "its requests are signed (header " + k + "): such lists are not read"
		}
	}
	from, to := s.around(a.at)
	near := s.text[from:to]
	switch {
	case signedWords.MatchString(near):
		return "its requests are signed: such lists are not read"
	case sealedWords.MatchString(near):
		return "its requests or replies are encrypted: such lists are not read"
	case captchaWord.MatchString(near):
		return "it asks for a captcha: such lists are not read"
	}
	return ""
}

// around are the bytes of a script near a token.
func (s *script) around(at int) (from, to int) {
	i := int(s.tokens[min(at, len(s.tokens)-1)].At)
	return max(0, i-600), min(len(s.text), i+900)
}
