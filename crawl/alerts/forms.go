package alerts

import (
	"fmt"
	"html"
	"strings"
	"unicode/utf8"

	"angler/store/config"
)

// Text returns the digest as plain text. Lines end with \n.
func (d *Digest) Text() string {
	var b strings.Builder
	b.WriteString(d.title() + "\n")
	for _, s := range d.Sections {
		fmt.Fprintf(&b, "\n■ %s (%d)\n", d.t(s.Tells), len(s.Items)+len(s.Lists))
		site := "\x00"
		for _, it := range grouped(s.Items) {
			if it.Site != site {
				site = it.Site
				fmt.Fprintf(&b, "\n  %s\n", digestLine(site, 60))
			}
			fmt.Fprintf(&b, "  · %s\n", digestLine(it.Title, 200))
			if f := d.facts(&it); len(f) > 0 {
				fmt.Fprintf(&b, "    %s\n", strings.Join(f, " · "))
			}
			if u := link(it.URL); u != "" {
				fmt.Fprintf(&b, "    %s\n", u)
			}
		}
		for i := range s.Lists {
			l := &s.Lists[i]
			fmt.Fprintf(&b, "  · %s · %s\n    %s\n", digestLine(l.Host, 60), digestLine(l.Title, 120), d.alarm(l))
			if help := d.help(l); help != "" {
				fmt.Fprintf(&b, "    → %s\n", help)
			}
			if u := link(l.URL); u != "" {
				fmt.Fprintf(&b, "    %s\n", u)
			}
		}
	}
	fmt.Fprintf(&b, "\n--\n%s\n", d.foot())
	return b.String()
}

func (d *Digest) foot() string {
	return d.f("foot", digestLine(d.Workspace, 60), digestLine(d.Notify, 40))
}

// html returns the digest as a complete page that loads nothing.
func (d *Digest) html() string {
	var b strings.Builder
	esc := html.EscapeString
	language := "en"
	if d.zh() {
		language = "zh-CN"
	}
	fmt.Fprintf(&b, `<!DOCTYPE html><html lang="%s"><head><meta charset="utf-8"><title>%s</title></head><body style="font-family:sans-serif;max-width:46em;color:#222">`+"\n", language, esc(d.title()))
	fmt.Fprintf(&b, `<p style="font-size:115%%"><b>%s</b></p>`+"\n", esc(d.title()))
	title := func(text, u string) string {
		if u = link(u); u != "" {
			return `<a href="` + esc(u) + `" style="color:#0a58a8">` + esc(text) + `</a>`
		}
		return esc(text)
	}
	for _, s := range d.Sections {
		fmt.Fprintf(&b, `<h3 style="border-bottom:1px solid #ccc">%s (%d)</h3>`+"\n", esc(d.t(s.Tells)),
			len(s.Items)+len(s.Lists))
		site := "\x00"
		for _, it := range grouped(s.Items) {
			if it.Site != site {
				site = it.Site
				fmt.Fprintf(&b, `<p style="margin:.8em 0 .2em;color:#666"><b>%s</b></p>`+"\n",
					esc(digestLine(site, 60)))
			}
			fmt.Fprintf(&b, `<p style="margin:.2em 0 .5em 1em">%s`, title(digestLine(it.Title, 200), it.URL))
			if f := d.facts(&it); len(f) > 0 {
				fmt.Fprintf(&b, `<br><span style="color:#555">%s</span>`, esc(strings.Join(f, " · ")))
			}
			b.WriteString("</p>\n")
		}
		for i := range s.Lists {
			l := &s.Lists[i]
			fmt.Fprintf(&b, `<p style="margin:.2em 0 .5em 1em">%s · %s<br><span style="color:#a33">%s</span>`,
				esc(digestLine(l.Host, 60)), title(digestLine(l.Name(), 120), l.URL), esc(d.alarm(l)))
			if help := d.help(l); help != "" {
				fmt.Fprintf(&b, `<br><span style="color:#555">→ %s</span>`, esc(help))
			}
			b.WriteString("</p>\n")
		}
	}
	fmt.Fprintf(&b, `<p style="color:#999;font-size:85%%">%s</p></body></html>`+"\n", esc(d.foot()))
	return b.String()
}

// chatReplacer replaces characters that markdown and chat robots interpret by similar ones.
var chatReplacer = strings.NewReplacer("<", "＜", ">", "＞", "[", "［", "]", "］", "`", "'", "*", "＊", "#", "＃", "~", "～", "|", "｜", "_", "＿", "\\", "＼", "!", "！", "@", "＠")

func chatText(s string, most int) string { return chatReplacer.Replace(digestLine(s, most)) }

// markdown returns the digest in the common markdown of DingTalk, WeCom and Feishu.
func (d *Digest) markdown() string {
	var b strings.Builder
	b.WriteString("**" + chatText(d.title(), 200) + "**\n")
	for _, s := range d.Sections {
		fmt.Fprintf(&b, "\n**%s (%d)**\n", d.t(s.Tells), len(s.Items)+len(s.Lists))
		for i := range s.Items {
			b.WriteString(d.markdownItem(&s.Items[i]))
		}
		for i := range s.Lists {
			l := &s.Lists[i]
			fmt.Fprintf(&b, "- %s · %s · %s", chatText(l.Host, 60), linked(chatText(l.Name(), 60), l.URL),
				chatText(d.alarm(l), 160))
			if help := d.help(l); help != "" {
				b.WriteString(" → " + chatText(help, 160))
			}
			b.WriteString("\n")
		}
	}
	return b.String()
}

func (d *Digest) markdownItem(it *digestItem) string {
	parts := []string{linked(chatText(it.Title, 120), it.URL), chatText(it.Site, 40)}
	for _, f := range d.facts(it) {
		parts = append(parts, chatText(f, 120))
	}
	return "- " + strings.Join(parts, " · ") + "\n"
}

func linked(text, u string) string {
	if text == "" {
		text = "…"
	}
	if u = link(u); u != "" {
		return "[" + text + "](" + u + ")"
	}
	return text
}

// fit splits a digest so that the markdown of each part has at most bytes bytes. cutBytes shortens
// a single row that is longer.
func (d *Digest) fit(bytes int) []*Digest {
	most := max(1, d.size())
	for {
		parts := d.split(most)
		longest := 0
		for _, p := range parts {
			longest = max(longest, len(p.markdown()))
		}
		if longest <= bytes || most == 1 {
			return parts
		}
		most = max(1, min(most-1, most*bytes/longest))
	}
}

// cutBytes shortens a text to at most bytes bytes at a rune boundary.
func cutBytes(s string, bytes int) string {
	if len(s) <= bytes {
		return s
	}
	s = s[:max(0, bytes-len("…"))]
	for len(s) > 0 {
		if r, n := utf8.DecodeLastRuneInString(s); r != utf8.RuneError || n > 1 {
			break
		}
		s = s[:len(s)-1]
	}
	return s + "…"
}

// sectionOrder is the order of sections in a digest.
var sectionOrder = []string{config.TellDue, config.TellNew, config.TellChanged, config.TellWon, config.TellLists}
