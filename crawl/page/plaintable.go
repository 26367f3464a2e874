package page

import (
	"strings"

	"golang.org/x/net/html/atom"
)

// The rules of tables. Between the cells of a table stand its parts and little
// else; whatever the standard would move out in front of the table is refused.

// startTable handles a start tag between the cells of a table, or one of a
// part of a table anywhere.
func (b *plainBuilder) startTable(tag *tagInfo) error {
	top := b.top().tag.kind
	switch tag.kind {
	case tagRaw:
		if tag.atom == atom.Script || tag.atom == atom.Style {
			return b.raw(tag)
		}
	case tagInput:
		for i := range b.attrs {
			if a := &b.attrs[i]; a.Key == "type" && strings.EqualFold(a.Val, "hidden") {
				b.add(tag)
				return nil
			}
		}
	case tagForm:
		if b.form == nil {
			b.form = b.add(tag)
		}
		return nil
	case tagSection, tagRow, tagCell:
		if !tabular(top) {
			i := b.findCell()
			if i < 0 {
				return nil // no table around it
			}
			if err := b.popCell(i); err != nil {
				return err
			}
			top = tagRow
		}
		return b.tablePart(tag, top)
	}
	return errNotPlain
}

// tablePart opens a section, row or cell inside the innermost part of a table.
func (b *plainBuilder) tablePart(tag *tagInfo, top tagKind) error {
	if tag.kind == tagCell && top == tagRow {
		return b.push(tag)
	}
	if top == tagRow {
		b.stack = b.stack[:len(b.stack)-1]
	}
	if tag.kind == tagSection {
		if top != tagTable {
			b.stack = b.stack[:len(b.stack)-1]
		}
		return b.push(tag)
	}
	if top == tagTable {
		if err := b.pushImplied("tbody"); err != nil {
			return err
		}
	}
	if tag.kind == tagCell {
		if err := b.pushImplied("tr"); err != nil {
			return err
		}
	}
	return b.push(tag)
}

// findCell finds the cell around the innermost element, not beyond its table.
func (b *plainBuilder) findCell() int {
	for i := len(b.stack) - 1; i > 0; i-- {
		switch k := b.stack[i].tag; {
		case k.kind == tagCell:
			return i
		case k.kind == tagTable, k.atom == atom.Html:
			return -1
		}
	}
	return -1
}

// popCell closes a cell. Formatting left open in it ends with it.
func (b *plainBuilder) popCell(i int) error {
	for k := len(b.stack) - 1; k > i; k-- {
		if t := b.stack[k].tag; t.kind == tagMarker {
			return errNotPlain // ends with the formatting inside it only
		} else if t.atom == atom.P {
			b.paras--
		}
	}
	b.stack = b.stack[:i]
	return nil
}

func (b *plainBuilder) endTable(tag *tagInfo) error {
	top := b.top().tag.kind
	if !tabular(top) {
		cell := b.findCell()
		switch {
		case cell < 0:
			return nil
		case tag.kind == tagCell:
			if b.stack[cell].tag != tag {
				return nil
			}
			return b.popCell(cell)
		case b.findPart(tag, cell) < 0:
			return nil
		}
		if err := b.popCell(cell); err != nil {
			return err
		}
	}
	if tag.kind == tagCell {
		return nil
	}
	i := b.findPart(tag, len(b.stack))
	if i < 0 {
		return nil
	}
	b.stack = b.stack[:i]
	return nil
}

// findPart finds an open part of the innermost table below stack[from].
func (b *plainBuilder) findPart(tag *tagInfo, from int) int {
	for i := from - 1; i > 0; i-- {
		t := b.stack[i].tag
		if t == tag {
			return i
		}
		if !tabular(t.kind) || t.kind == tagTable {
			break
		}
	}
	return -1
}
