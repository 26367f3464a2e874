package htmldoc

import (
	"slices"

	"golang.org/x/net/html/atom"
)

// start applies the rule of a start tag.
func (b *plainBuilder) start(tag *tagInfo) error {
	if b.stage != inBody {
		return b.startHead(tag)
	}
	b.ended = false
	if tabular(b.top().tag.kind) || tabular(tag.kind) && tag.kind != tagTable || tag.kind == tagCell {
		return b.startTable(tag)
	}
	switch tag.kind {
	case tagHard, tagHTML:
		return errNotPlain
	case tagMeta, tagEmpty:
		b.add(tag)
		return nil
	case tagRaw:
		return b.raw(tag)
	case tagBlock, tagPre:
		if err := b.closeParagraph(); err != nil {
			return err
		}
	case tagHeading:
		if err := b.closeParagraph(); err != nil {
			return err
		}
		if b.top().tag.kind == tagHeading {
			b.stack = b.stack[:len(b.stack)-1]
		}
	case tagForm:
		if b.form != nil {
			return nil
		}
		if err := b.closeParagraph(); err != nil {
			return err
		}
		err := b.push(tag)
		b.form = b.top().node
		return err
	case tagItem:
		if err := b.closeItem(tag); err != nil {
			return err
		}
	case tagButton:
		if i := b.stack.findAtom(atom.Button); i > 0 {
			if err := b.pop(i, false); err != nil {
				return err
			}
		}
	case tagFormat:
		if tag.atom == atom.A && b.stack.findFormat(tag) > 0 {
			return errNotPlain
		}
	case tagTable:
		if b.paras > 0 && b.stack.find(isParagraph, isButton) > 0 {
			return errNotPlain // depends on the doctype
		}
	case tagSelect:
		if i := b.stack.findAtom(atom.Select); i > 0 {
			return b.pop(i, false)
		}
	case tagOption, tagOptgroup:
		if err := b.closeOption(tag); err != nil {
			return err
		}
	case tagInput:
		if i := b.stack.findAtom(atom.Select); i > 0 {
			if err := b.pop(i, false); err != nil {
				return err
			}
		}
		b.add(tag)
		return nil
	case tagRule:
		return b.rule(tag)
	}
	return b.push(tag)
}

// startHead applies the rule of a start tag before the body.
func (b *plainBuilder) startHead(tag *tagInfo) error {
	switch {
	case b.stage == beforeHTML && tag.atom == atom.Html:
		b.stage = beforeHead
		return b.push(tag)
	case b.stage == beforeHead && tag.atom == atom.Head:
		b.stage = inHead
		return b.push(tag)
	case b.stage == inHead && tag.kind == tagMeta:
		b.add(tag)
		return nil
	case b.stage == inHead && tag.kind == tagRaw && tag.atom != atom.Textarea && tag.atom != atom.Iframe:
		return b.raw(tag)
	case b.stage == inHead && tag.atom == atom.Body:
		b.stack = b.stack[:len(b.stack)-1]
		fallthrough
	case b.stage == afterHead && tag.atom == atom.Body:
		b.stage = inBody
		return b.push(tag)
	}
	return errNotPlain
}

// closeItem closes the li, dd or dt before a new one.
func (b *plainBuilder) closeItem(tag *tagInfo) error {
	list := tag.atom == atom.Li
	for i := len(b.stack) - 1; i > 0; i-- {
		t := b.stack[i].tag
		if t.kind == tagItem && (t.atom == atom.Li) == list {
			if err := b.pop(i, false); err != nil {
				return err
			}
			break
		}
		if t.special && t.atom != atom.Address && t.atom != atom.Div && t.atom != atom.P {
			break
		}
	}
	return b.closeParagraph()
}

// closeOption closes the options that a new option or a group of them ends.
func (b *plainBuilder) closeOption(tag *tagInfo) error {
	except := atom.Atom(0)
	if tag.kind == tagOption {
		except = atom.Optgroup
	}
	if b.stack.findAtom(atom.Select) > 0 {
		return b.implyEnds(except)
	}
	if b.top().tag.kind == tagOption {
		return b.pop(len(b.stack)-1, false)
	}
	return nil
}

func (b *plainBuilder) rule(tag *tagInfo) error {
	if err := b.closeParagraph(); err != nil {
		return err
	}
	if b.stack.findAtom(atom.Select) > 0 {
		if err := b.implyEnds(0); err != nil {
			return err
		}
	}
	b.add(tag)
	return nil
}

// end applies the rule of an end tag.
func (b *plainBuilder) end(tag *tagInfo) error {
	switch b.stage {
	case inBody:
	case inHead:
		if tag.atom == atom.Head {
			b.stage = afterHead
			b.stack = b.stack[:len(b.stack)-1]
			return nil
		}
		if tag.kind == tagHTML || tag.atom == atom.Br || tag.atom == atom.Template {
			return errNotPlain
		}
		return nil
	default:
		return errNotPlain
	}
	if tag.kind == tagHTML {
		if tag.atom != atom.Head && b.stack.findAtom(atom.Body) > 0 {
			b.ended = true
		}
		return nil
	}
	b.ended = false
	switch tag.kind {
	case tagHard:
		return errNotPlain
	case tagTable, tagSection, tagRow, tagCell:
		return b.endTable(tag)
	case tagFormat:
		return b.endFormat(tag)
	case tagHeading:
		return b.endAt(b.stack.find(isHeading, nil))
	case tagForm:
		return b.endForm()
	case tagItem:
		if tag.atom == atom.Li {
			return b.endAt(b.stack.find(func(t *tagInfo) bool { return t == tag }, isListBox))
		}
		return b.endAt(b.stack.findAtom(tag.atom))
	case tagMarker:
		return b.endAt(b.stack.findAtom(tag.atom))
	}
	switch {
	case tag.atom == atom.P:
		return b.endParagraph()
	case tag.atom == atom.Br:
		return errNotPlain
	case tag.ends:
		return b.endAt(b.stack.findAtom(tag.atom))
	}
	return b.endOther(tag)
}

// endAt closes up to stack[i]; a negative i ignores the tag.
func (b *plainBuilder) endAt(i int) error {
	if i < 0 {
		return nil
	}
	return b.pop(i, false)
}

func (b *plainBuilder) endParagraph() error {
	if i := b.stack.find(isParagraph, isButton); i > 0 {
		return b.pop(i, false)
	}
	if tabular(b.top().tag.kind) {
		return errNotPlain
	}
	b.attrs = b.attrs[:0]
	b.add(plainTags["p"])
	return nil
}

func (b *plainBuilder) endForm() error {
	form := b.form
	b.form = nil
	i := b.stack.findAtom(atom.Form)
	if form == nil || i < 0 || b.stack[i].node != form {
		return nil
	}
	if err := b.implyEnds(0); err != nil {
		return err
	}
	// Elements inside the form stay open: content systems close a form before its last div.
	b.stack = slices.Delete(b.stack, i, i+1)
	return nil
}

func (b *plainBuilder) endFormat(tag *tagInfo) error {
	i := b.stack.findFormat(tag)
	if i < 0 {
		return b.endOther(tag)
	}
	for k := i; k < len(b.stack); k++ {
		if b.stack[k].tag.special {
			return errNotPlain // left to the adoption agency algorithm
		}
	}
	return b.pop(i, true)
}

// endOther closes the innermost element of that name, unless a special element is
// open inside it.
func (b *plainBuilder) endOther(tag *tagInfo) error {
	for i := len(b.stack) - 1; i > 0; i-- {
		t := b.stack[i].tag
		if t.atom == tag.atom && t.name == tag.name {
			return b.pop(i, false)
		}
		if t.special {
			break
		}
	}
	return nil
}
