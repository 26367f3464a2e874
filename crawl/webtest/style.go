package webtest

import (
	"fmt"
	"strings"
)

// A style is the HTML of one content system: named parts, each split into literals (in both encodings) and slots for
// the renderer.
type style struct {
	parts [partCount]part
}

type part []piece

type piece struct {
	lit  text
	slot slot // slotNone: lit
}

type partID uint8

const (
	partPage partID = iota
	partMetas
	partMenuGroup
	partMenuItem
	partFriend
	partList
	partRecord
	partUndated
	partPageCurrent
	partPageLink
	partSidebar
	partNewest
	partCrumb
	partDetail
	partStatic
	partPara
	partTableOpen
	partRowOpen
	partCell
	partRowClose
	partTableClose
	partAttachment
	partPrevious
	partNext
	partBroken
	partHome
	partHub
	partBlock
	partItem
	partExtra
	partCount
)

var partNames = [partCount]string{
	"page", "metas", "menugroup", "menuitem", "friend", "list", "record", "undated", "pagecurrent",
	"pagelink", "sidebar", "newest", "crumb", "detail", "static", "para", "tableopen", "rowopen", "cell",
	"rowclose", "tableclose", "attachment", "previous", "next", "broken", "home", "hub", "block", "item", "extra",
}

type slot uint8

const (
	slotNone slot = iota
	slotAnchor
	slotArticle
	slotAttachments
	slotAuthor
	slotBlocks
	slotCharset
	slotCity
	slotCrumbs
	slotDate
	slotDoctitle
	slotDomain
	slotExtras
	slotFriends
	slotGroup
	slotHidden
	slotHostNum
	slotHref
	slotI
	slotItems
	slotKind
	slotListDate
	slotMain
	slotMenu
	slotMetas
	slotN
	slotName
	slotNeighbours
	slotNewest
	slotNum
	slotPage
	slotPager
	slotPages
	slotPhone
	slotRecords
	slotRoot
	slotSidebar
	slotSite
	slotSubmenu
	slotText
	slotTitle
	slotTotal
	slotCount
)

var slotNames = [slotCount]string{
	"", "anchor", "article", "attachments", "author", "blocks", "charset", "city", "crumbs", "date", "doctitle",
	"domain", "extras", "friends", "group", "hidden", "hostnum", "href", "i", "items", "kind", "listdate", "main", "menu",
	"metas", "n", "name", "neighbours", "newest", "num", "page", "pager", "pages", "phone", "records", "root",
	"sidebar", "site", "submenu", "text", "title", "total",
}

// compileStyle splits a style file at its <!--part name--> lines.
func compileStyle(src string) (*style, error) {
	s := new(style)
	for chunk := range strings.SplitSeq(src, "<!--part ") {
		if strings.TrimSpace(chunk) == "" {
			continue
		}
		name, body, ok := strings.Cut(chunk, "-->\n")
		id := find(partNames[:], name)
		if !ok || id < 0 {
			return nil, fmt.Errorf("unknown part %.20q", name)
		}
		p, err := compilePart(body)
		if err != nil {
			return nil, fmt.Errorf("part %s: %w", name, err)
		}
		s.parts[id] = p
	}
	for id, p := range s.parts {
		if p == nil {
			return nil, fmt.Errorf("part %s is missing", partNames[id])
		}
	}
	return s, nil
}

func compilePart(src string) (part, error) {
	p := part{}
	for src != "" {
		before, rest, found := strings.Cut(src, "{{")
		if before != "" {
			t, err := newText(before)
			if err != nil {
				return nil, err
			}
			p = append(p, piece{lit: t})
		}
		if !found {
			break
		}
		name, after, _ := strings.Cut(rest, "}}")
		id := find(slotNames[1:], name) + 1
		if id == 0 {
			return nil, fmt.Errorf("unknown slot %.20q", name)
		}
		p = append(p, piece{slot: slot(id)})
		src = after
	}
	return p, nil
}

func find(names []string, name string) int {
	for i, n := range names {
		if n == name {
			return i
		}
	}
	return -1
}
