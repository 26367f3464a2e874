package query

import (
	"context"
	"errors"
	"regexp"
	"strings"

	"angler/crawl/jobs"
	"angler/crawl/urls"
)

// This file selects pages for one answer by host or by the shape of their address.

// maxMatched is the maximum number of pages in one batch of labels.
const maxMatched = 100_000

// URLPattern parses an analyst's pattern. A host includes its subdomains ("news.x.edu.cn"). The start of an address
// may contain * for anything but a slash, and ** for anything ("x.edu.cn/xw/*/list"). The scheme is ignored. An
// empty or unlimited pattern is an error.
func URLPattern(pattern string) (match func(url string) bool, err error) {
	p := strings.TrimSpace(pattern)
	if _, rest, ok := strings.Cut(p, "://"); ok {
		p = rest
	}
	p = strings.ToLower(p)
	switch {
	case p == "" || strings.Trim(p, "*/.") == "":
		return nil, errors.New("type a host or the beginning of an address")
	case len(p) > 500:
		return nil, errors.New("the pattern is too long")
	}
	if !strings.ContainsAny(p, "/*") {
		return func(url string) bool {
			h := strings.ToLower(urls.HostOf(url))
			if !strings.Contains(p, ":") {
				h, _, _ = strings.Cut(h, ":")
			}
			return h == p || strings.HasSuffix(h, "."+p)
		}, nil
	}
	var re strings.Builder
	re.WriteString(`^(?:[^/]*\.)?`)
	for len(p) > 0 {
		switch {
		case strings.HasPrefix(p, "**"):
			re.WriteString(".*")
			p = strings.TrimLeft(p, "*")
		case p[0] == '*':
			re.WriteString("[^/]*")
			p = p[1:]
		default:
			n := len(p)
			if i := strings.IndexByte(p, '*'); i >= 0 {
				n = i
			}
			re.WriteString(regexp.QuoteMeta(p[:n]))
			p = p[n:]
		}
	}
	shape, err := regexp.Compile(re.String())
	if err != nil {
		return nil, errors.New("the pattern is no text")
	}
	return func(url string) bool {
		_, u, _ := strings.Cut(strings.ToLower(url), "://")
		return shape.MatchString(u)
	}, nil
}

// PagesLike returns the stored pages whose address matches pattern (see URLPattern), in order of discovery, at most
// 100,000.
func (q *Query) PagesLike(ctx context.Context, pattern string) ([]CandidateRow, error) {
	match, err := URLPattern(pattern)
	if err != nil {
		return nil, err
	}
	m := q.candidates()
	var rows []CandidateRow
	for p, err := range jobs.Until(ctx, q.Store.Pages()) {
		if err != nil {
			return nil, err
		}
		if p.Status == 200 && match(p.URL) {
			if rows = append(rows, m.row(p)); len(rows) == maxMatched {
				break
			}
		}
	}
	return rows, nil
}
