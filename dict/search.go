package dict

// This file cuts text for a search index, like gse's CutSearch.

// CutSearch calls f for the words of text in the form of an index: folded, in order, without
// punctuation and stop words. word is valid only during the call. A word of three or more
// characters follows the words of two and three characters that the dictionary finds in it. A word
// that always wins (see Options.UserWords) comes with the words into which the text would be cut
// without it. So a search for a part of a long word finds the text, and so does a search for the
// long word. It waits for the load.
func (d *Dict) CutSearch(text string, f func(word []byte)) {
	<-d.ready
	sc := d.scratch.Get().(*scratch)
	defer d.scratch.Put(sc)
	eachBlock(text, func(_ int, block string) {
		d.cut(sc, block)
		n := len(sc.words)
		for i := range n {
			d.parts(sc, sc.words[i], f)
		}
	})
}

// parts calls f for the words within w and for w.
func (d *Dict) parts(sc *scratch, w span, f func(word []byte)) {
	word := sc.buf[sc.off[w.start]:sc.off[w.end]]
	if !letterOrNumber(sc.runes[w.start]) || w.end-w.start > maxWordRunes {
		return
	}
	if _, stop := d.stop[string(word)]; stop {
		return
	}
	if w.from == ofOwn {
		n := len(sc.words)
		d.engine.cut(sc, w.start, w.end)
		inner := sc.words[n:]
		for i := range inner {
			if x := inner[i]; x.end-x.start < w.end-w.start {
				d.parts(sc, x, f)
			}
		}
		sc.words = sc.words[:n]
	} else if isHan(sc.runes[w.start]) {
		for size := int32(2); size <= 3 && size < w.end-w.start; size++ {
			for i := w.start; i+size <= w.end; i++ {
				part := sc.buf[sc.off[i]:sc.off[i+size]]
				if _, known := d.engine.find(string(part)); known {
					if _, stop := d.stop[string(part)]; !stop {
						f(part)
					}
				}
			}
		}
	}
	f(word)
}

// Plain returns the words of text, cut without the words that always win, and so without the
// accepted domain terms. They are folded, in order, without punctuation and stop words. It waits
// for the load.
func (d *Dict) Plain(text string) []string {
	<-d.ready
	sc := d.scratch.Get().(*scratch)
	defer d.scratch.Put(sc)
	var out []string
	eachBlock(text, func(_ int, block string) {
		sc.fold(block)
		sc.words = sc.words[:0]
		d.engine.cut(sc, 0, int32(len(sc.runes)))
		for _, w := range sc.words {
			word := sc.buf[sc.off[w.start]:sc.off[w.end]]
			if _, stop := d.stop[string(word)]; letterOrNumber(sc.runes[w.start]) && !stop {
				out = append(out, string(word))
			}
		}
	})
	return out
}
