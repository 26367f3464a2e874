package config

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// render says which pages are read through a browser, and what it may use.
type render struct {
	Pages    []string `toml:"pages,multiline" comment:"hosts (\"www.x.cn\") and sections (\"www.x.cn/list/\") whose pages are read through an installed Chromium, for lists that only scripts fill. See angler doctor"`
	Browser  string   `toml:"browser" comment:"the program; empty: the first of chromium, google-chrome … that is installed"`
	Tabs     int      `toml:"tabs" bounds:"1 … 16" comment:"pages in it at a time"`
	MemoryMB int      `toml:"memory_mb" bounds:"500 … 100 000" comment:"memory of all its processes above which it is ended; the next page begins another"`
	Timeout  Duration `toml:"timeout" bounds:"1s … 10m" comment:"of one page; what is there by then is taken"`
	Restart  int      `toml:"restart" bounds:"1 … 100 000" comment:"pages after which another is begun"`
}

func defaultRender() render {
	return render{Pages: []string{}, Tabs: 2, MemoryMB: 1500, Timeout: Duration(30 * time.Second), Restart: 100}
}

// mostRendered bounds Render.Pages.
const mostRendered = 1000

// check says what of [render] cannot work.
func (r *render) check() (key, why string) {
	if len(r.Pages) > mostRendered {
		return "pages", fmt.Sprintf("%d are more than %d", len(r.Pages), mostRendered)
	}
	for _, p := range r.Pages {
		host, _, _ := strings.Cut(p, "/")
		if why := CheckHostName(host); why != "" {
			return "pages", fmt.Sprintf("%.80q %s; a section is written www.x.cn/list/", p, why)
		}
	}
	return "", ""
}

// branch brings a row of Render.Pages to the form of urls.Below: a host alone means
// all of it.
func branch(row string) string {
	if !strings.Contains(row, "/") {
		return strings.ToLower(row) + "/"
	}
	return row
}

// Rendered reports whether the page of a canonical address is read through a browser:
// it lies in a host or section of Render.Pages, or its host has render = "always" and
// not "never".
func (s *Settings) Rendered(address string) bool {
	if len(s.Render.Pages) == 0 && len(s.Host) == 0 {
		return false
	}
	_, rest, ok := strings.Cut(address, "://")
	if !ok {
		return false
	}
	host, _, _ := strings.Cut(rest, "/")
	switch s.Host[host].Render {
	case renderAlways:
		return true
	case renderNever:
		return false
	}
	return slices.ContainsFunc(s.Render.Pages, func(row string) bool { return strings.HasPrefix(rest, branch(row)) })
}

// Renders reports whether any page is read through a browser.
func (s *Settings) Renders() bool {
	if len(s.Render.Pages) > 0 {
		return true
	}
	for _, h := range s.Host {
		if h.Render == renderAlways {
			return true
		}
	}
	return false
}

// RenderedBranches are the hosts and sections whose pages are read through a browser,
// as "host/" and "host/section/", in order.
func (s *Settings) RenderedBranches() (list []string) {
	for _, row := range s.Render.Pages {
		list = append(list, branch(row))
	}
	for host, h := range s.Host {
		if h.Render == renderAlways {
			list = append(list, host+"/")
		}
	}
	list = slices.DeleteFunc(list, func(b string) bool {
		host, _, _ := strings.Cut(b, "/")
		return s.Host[host].Render == renderNever
	})
	slices.Sort(list)
	return slices.Compact(list)
}

// SetRendered has the pages of a branch ("host/" or "host/section/") read through a
// browser, or no longer. Switching a host off switches off its sections, too.
func (s *Settings) SetRendered(branchOf string, on bool) {
	host, section, _ := strings.Cut(branchOf, "/")
	row := strings.TrimSuffix(branchOf, "/")
	if section != "" {
		row = branchOf
	}
	pages := s.notBelow(branchOf)
	if h, ok := s.Host[host]; ok && (h.Render == renderNever && on || h.Render == renderAlways && !on && section == "") {
		s.Host = cloneHosts(s.Host)
		h.Render = ""
		s.Host[host] = h
	}
	if on && !s.Rendered("http://"+branchOf) {
		pages = append(pages, row)
	}
	s.Render.Pages = pages
}

// notBelow are the rows of render.pages that neither name a branch nor a section of it.
func (s *Settings) notBelow(branchOf string) []string {
	return slices.DeleteFunc(slices.Clone(s.Render.Pages), func(p string) bool { return strings.HasPrefix(branch(p), branchOf) })
}

// RenderingOf is what settings say of the rendering of a branch and of its sections.
type RenderingOf struct {
	branch string
	rows   []string // of render.pages
	host   string   // what the host says of itself
}

// RenderingOf returns what SetRendered of a branch would change, for PutRendering.
func (s *Settings) RenderingOf(branchOf string) RenderingOf {
	host, _, _ := strings.Cut(branchOf, "/")
	rest := s.notBelow(branchOf)
	rows := slices.DeleteFunc(slices.Clone(s.Render.Pages), func(p string) bool { return slices.Contains(rest, p) })
	return RenderingOf{branch: branchOf, rows: rows, host: s.Host[host].Render}
}

// PutRendering puts back what RenderingOf has returned; what is said of other branches
// stays as it is.
func (s *Settings) PutRendering(was RenderingOf) {
	host, _, _ := strings.Cut(was.branch, "/")
	s.Render.Pages = append(s.notBelow(was.branch), was.rows...)
	if h, ok := s.Host[host]; ok && h.Render != was.host {
		s.Host = cloneHosts(s.Host)
		h.Render = was.host
		s.Host[host] = h
	}
}
