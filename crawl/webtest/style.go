package webtest

import (
	"fmt"
	"slices"
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
	fill func(*renderer) // nil: lit
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

// compileStyle splits a style file at its <!--part name--> lines.
func compileStyle(src string) (*style, error) {
	s := new(style)
	for chunk := range strings.SplitSeq(src, "<!--part ") {
		if strings.TrimSpace(chunk) == "" {
			continue
		}
		name, body, ok := strings.Cut(chunk, "-->\n")
		id := slices.Index(partNames[:], name)
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
		fill := slots[name]
		if fill == nil {
			return nil, fmt.Errorf("unknown slot %.20q", name)
		}
		p = append(p, piece{fill: fill})
		src = after
	}
	return p, nil
}
