package config

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// render selects the pages that a browser renders, and bounds the browser.
type render struct {
	Pages    []string `toml:"pages,multiline" comment:"hosts (\"www.x.cn\") and sections (\"www.x.cn/list/\") whose lists need scripts; an installed Chromium renders their pages. See angler doctor"`
	Browser  string   `toml:"browser" comment:"browser program; empty: the first installed one of chromium, google-chrome, …"`
	Tabs     int      `toml:"tabs" bounds:"1 … 16" comment:"pages rendered at once"`
	MemoryMB int      `toml:"memory_mb" bounds:"500 … 100 000" comment:"memory in MB above which the browser is restarted"`
	Timeout  Duration `toml:"timeout" bounds:"1s … 10m" comment:"time limit of one page; the page is taken as it is by then"`
	Restart  int      `toml:"restart" bounds:"1 … 100 000" comment:"pages after which the browser is restarted"`
}

func defaultRender() render {
	return render{Pages: []string{}, Tabs: 2, MemoryMB: 1500, Timeout: Duration(30 * time.Second), Restart: 100}
}

// mostRendered bounds Render.Pages.
const mostRendered = 1000

// check reports the first invalid setting of [render].
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

// branch converts a row of Render.Pages to the form of urls.Below: a bare host means the whole
// host.
func branch(row string) string {
	if !strings.Contains(row, "/") {
		return strings.ToLower(row) + "/"
	}
	return row
}

// Rendered reports whether the browser renders the page of a canonical address. It does if the page
// is in a host or section of Render.Pages, or its host has render = "always", but never if the host
// has "never".
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

// Renders reports whether the browser renders any page.
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

// RenderedBranches lists the rendered hosts and sections, as "host/" and "host/section/", sorted.
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

// SetRendered switches rendering of a branch ("host/" or "host/section/") on or off. Switching a
// host off also switches off its sections.
func (s *Settings) SetRendered(branchOf string, on bool) {
	host, section, _ := strings.Cut(branchOf, "/")
	row := strings.TrimSuffix(branchOf, "/")
	if section != "" {
		row = branchOf
	}
	pages := s.notBelow(branchOf)
	if h, ok := s.Host[host]; ok && (h.Render == renderNever && on || h.Render == renderAlways && !on &&
		section == "") {
		s.Host = cloneHosts(s.Host)
		h.Render = ""
		s.Host[host] = h
	}
	if on && !s.Rendered("http://"+branchOf) {
		pages = append(pages, row)
	}
	s.Render.Pages = pages
}

// notBelow returns the rows of render.pages that are neither a branch nor a section of it.
func (s *Settings) notBelow(branchOf string) []string {
	return slices.DeleteFunc(slices.Clone(s.Render.Pages),
		func(p string) bool { return strings.HasPrefix(branch(p), branchOf) })
}

// RenderingOf holds the render settings of a branch and its sections.
type RenderingOf struct {
	branch string
	rows   []string // of render.pages
	host   string   // Host.Render
}

// RenderingOf returns the settings that SetRendered of a branch would change, for PutRendering.
func (s *Settings) RenderingOf(branchOf string) RenderingOf {
	host, _, _ := strings.Cut(branchOf, "/")
	rest := s.notBelow(branchOf)
	rows := slices.DeleteFunc(slices.Clone(s.Render.Pages), func(p string) bool { return slices.Contains(rest, p) })
	return RenderingOf{branch: branchOf, rows: rows, host: s.Host[host].Render}
}

// PutRendering restores settings that RenderingOf returned; settings of other branches stay.
func (s *Settings) PutRendering(was RenderingOf) {
	host, _, _ := strings.Cut(was.branch, "/")
	s.Render.Pages = append(s.notBelow(was.branch), was.rows...)
	if h, ok := s.Host[host]; ok && h.Render != was.host {
		s.Host = cloneHosts(s.Host)
		h.Render = was.host
		s.Host[host] = h
	}
}
