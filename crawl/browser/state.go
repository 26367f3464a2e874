package browser

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"angler/crawl/view"
	"angler/store/config"
)

// State returns the state of rendering for the screen.
func (r *Rendering) State() view.Rendering {
	set := r.Settings()
	b := r.browser.state()
	s := view.Rendering{Branches: set.RenderedBranches(), Pages: b.Pages, Failed: b.Failed, Begun: b.Begun,
		Killed: b.Killed, Memory: b.Memory, Bound: int64(set.Render.MemoryMB) << 20, Requests: b.Requests,
		Took: b.Took, Err: b.Err}
	r.mu.Lock()
	defer r.mu.Unlock()
	seen := maps.Clone(r.hosts)
	for _, branch := range s.Branches { // also hosts without a page yet
		host, _, _ := strings.Cut(branch, "/")
		if seen[host] == nil {
			seen[host] = &view.RenderedHost{Host: host}
		}
	}
	for _, h := range seen {
		s.Hosts = append(s.Hosts, *h)
	}
	slices.SortFunc(s.Hosts, func(a, b view.RenderedHost) int {
		return cmp.Or(cmp.Compare(b.Pages+b.Failed, a.Pages+a.Failed), strings.Compare(a.Host, b.Host))
	})
	if len(s.Hosts) > view.MostRendered {
		s.Hosts = s.Hosts[:view.MostRendered]
	}
	return s
}

// CheckInstalled reports whether there is a browser, which one, and the consequences.
func CheckInstalled(ctx context.Context, set *config.Settings) (says string, ok bool) {
	wanted := set.Renders()
	path, err := Find(set.Render.Browser)
	version := ""
	if err == nil {
		version, err = versionOf(ctx, path)
	}
	switch {
	case err != nil && wanted:
		return err.Error() + "; until then the pages of " + strings.Join(set.RenderedBranches(), ", ") +
			" are read without their scripts", false
	case err != nil:
		return err.Error() + "; nothing needs one as long as render.pages is empty", true
	}
	says = version + " at " + path
	if noSandbox() {
		says += "; it runs without its sandbox, because angler runs as root"
	}
	if !wanted {
		says += "; no pages are rendered, render.pages is empty"
	}
	return says, true
}
