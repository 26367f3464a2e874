package htmldoc

import (
	"strings"

	"golang.org/x/net/html/atom"
)

// The rules of tables. Only parts of a table may be between its cells. The standard moves other
// content in front of the table; here the page is refused.

// startTable applies the rule of a start tag between the cells of a table, or of a part of a table.
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
			i := b.stack.findCell()
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

// popCell closes a cell with all its open elements, including formatting.
func (b *plainBuilder) popCell(i int) error {
	for k := len(b.stack) - 1; k > i; k-- {
		if t := b.stack[k].tag; t.kind == tagMarker {
			return errNotPlain // the end tag would only end the formatting inside it
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
		cell := b.stack.findCell()
		switch {
		case cell < 0:
			return nil
		case tag.kind == tagCell:
			if b.stack[cell].tag != tag {
				return nil
			}
			return b.popCell(cell)
		case b.stack.findPart(tag, cell) < 0:
			return nil
		}
		if err := b.popCell(cell); err != nil {
			return err
		}
	}
	if tag.kind == tagCell {
		return nil
	}
	i := b.stack.findPart(tag, len(b.stack))
	if i < 0 {
		return nil
	}
	b.stack = b.stack[:i]
	return nil
}
