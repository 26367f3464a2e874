package seeds

import (
	"regexp"
	"slices"
	"strings"

	"angler/store/config"
)

// This file defines the kinds of notices for a workspace.

// The kinds. AllNotices takes every record of a list.
const (
	Tenders    = "tenders"
	Jobs       = "jobs"
	Prices     = "prices"
	AllNotices = "all"
)

// patterns holds the title patterns of each kind, Chinese and English.
var patterns = map[string][]string{
	Tenders: append(slices.Clone(config.TenderPatterns),
		`(?i)\b(tenders?|tendering|bids?|bidding|procurements?|rfps?|rfqs?|request for (proposals?|quotations?)|contract awards?)\b`),
	Jobs: {`招聘|招募|诚聘|急聘|招工|聘用|应聘|求职|职位|岗位|录用|面试|笔试|引进人才|人才引进|选调|公选|实习生`,
		`(?i)\b(jobs?|vacanc(y|ies)|hiring|careers?|recruit(s|ing|ments?)?|internships?|job openings?)\b`},
	Prices: {`价格|行情|报价|价目|调价|指导价|均价|单价|信息价|收购价|批发价|零售价|油价|涨跌|降价|涨价`,
		`(?i)\b(prices?|pricing|price lists?|quotes?|market rates?|tariffs?)\b`},
}

// named maps topic names to kinds.
var named = []struct {
	kind string
	re   *regexp.Regexp
}{
	{Tenders, regexp.MustCompile(`(?i)招标|招投标|投标|采购|中标|标讯|标书|竞价|询价|磋商|比选|\b(tender|bid|procure|rfp|rfq)`)},
	{Jobs, regexp.MustCompile(`(?i)招聘|招工|招募|职位|岗位|求职|就业|人才|\b(job|vacanc|career|recruit|hiring|internship)`)},
	{Prices, regexp.MustCompile(`(?i)价格|行情|报价|价目|油价|\b(price|pricing|quote)`)},
}

// KindOf returns the kind of notices for a topic name in English or Chinese; AllNotices if unknown.
func KindOf(topic string) string {
	for _, n := range named {
		if n.re.MatchString(topic) {
			return n.kind
		}
	}
	return AllNotices
}

// NoticePatterns returns the patterns of a kind; none for AllNotices. Other text is a list of words, separated by
// spaces or commas. A title must contain one of them.
func NoticePatterns(kind string) []string {
	if list, ok := patterns[kind]; ok {
		return slices.Clone(list)
	}
	words := strings.FieldsFunc(kind, func(r rune) bool { return strings.ContainsRune(" \t\n,;，；、", r) })
	if len(words) == 0 || kind == AllNotices {
		return []string{}
	}
	for i, w := range words {
		words[i] = regexp.QuoteMeta(w)
	}
	return []string{"(?i)" + strings.Join(words, "|")}
}
