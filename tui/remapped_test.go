package tui

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"angler/crawl/view"
	"angler/tui/keymap"
)

// elsewhere gives every action a key that is in no text.
func elsewhere() map[string]any {
	set := map[string]any{}
	for i, e := range keymap.All() {
		set[e.ID] = string(rune('\u1e00' + i))
	}
	return set
}

// now returns the changed key for a key of the table in the current state.
func (d *driver) now(key string) string {
	if key == "space" {
		key = " "
	}
	for _, off := range []bool{false, true} {
		for _, b := range d.a.bindings() {
			if (b.Off != "") == off && slices.Contains(b.Entry().Keys, key) {
				return b.Keys[0]
			}
		}
	}
	return key
}

// No text holds a key of the table: texts name actions, {undo}, and lang inserts their keys.
func TestTextsNameActions(t *testing.T) {
	keys := map[string]bool{}
	for _, e := range keymap.All() {
		for _, k := range e.Keys {
			keys[strings.TrimSpace(keymap.Printed([]string{k}))] = true
		}
	}
	// Signs and words that are no keys in texts, and keys of dialogues, which are no actions.
	fixed := strings.Fields("a A - : ; , = + / | esc enter tab up down left right home end space < > # 0 1 2 3 4 5 6 7")
	token := regexp.MustCompile(`[^\s;:,.()“”]+|[?!]`)
	verb := regexp.MustCompile(`^(Press|press|with|then|and|or) $`)
	for text, at := range texts(t) {
		if plain[text] || notShown[text] || strings.HasPrefix(at, "wizard") || strings.HasPrefix(at, "store/") {
			continue
		}
		for _, i := range token.FindAllStringIndex(text, -1) {
			w := text[i[0]:i[1]]
			after := verb.MatchString(text[max(0, i[0]-6):i[0]]) || strings.HasSuffix(text[:i[0]], "ress ")
			if keys[w] && (!slices.Contains(fixed, w) || after && w != "a" && len(w) == 1) {
				t.Errorf("%s: %q names the key %s: write {the action's name}", at, text, w)
			}
		}
	}
}

// plain are texts in which a letter or sign is not a key of a screen.
var plain = map[string]bool{
	"A crawl is running. Quit and stop it? y quits, any other key stays.": true, "save t as the setting harvest.similarity_share": true, "when the notice was published; ? where the year is guessed": true,
	"words · ! hides · ↑ earlier · esc clears": true, "weight PageRank more (t −.05)": true, "weight similarity more (t +.05)": true,
	"events; ! is an error, ▲ a warning": true, "an analyst's label: y yes, x no, - unsure; the rest is not judged": true, "feature words m:": true, "below m": true, "%s by %s, %s s ago": true,
	"Bloom k %d · fill %s · maybe %s, false %s": true, "Bloom m %s · k %d · fill %s · error %s · maybe %s, false %s": true, "set m, the number of feature words": true, "1 in %s d": true, "t %s · in force %s · {quality_save} saves": true,
	"● unread; ★ starred, ✓ done; ✎ it has a note; y x - judged; ▸ copies are folded under it": true, "save t": true, "a host, or the beginning of a URL with * and **": true,
	"P1 2.7: t · similarity + (1 − t) · PageRank, 0 to 1; {quality_lower} and {quality_raise} move t": true,
	"t is where it was: {quality_lower} and {quality_raise} move it":                                  true, "the m heaviest words score": true,
}

// With every key changed no screen shows an old key, and no text shows the name of an action.
func TestChangedKeysAreNamedEverywhere(t *testing.T) {
	set := elsewhere()
	stale := regexp.MustCompile(`(?:[Pp]ress|按|then|：按|再按) ?([A-Za-z?!]|esc|enter|space|tab)(?: |，|。|\.|$)|\{[a-z_]+\}`)
	for _, code := range []string{"en", "zh"} {
		for _, st := range states {
			t.Run(st.name+"-"+code, func(t *testing.T) {
				t.Parallel()
				c := can(st.at())
				if st.next != nil {
					c.next = st.next()
				}
				c.publish(func(s *view.Snapshot) { s.Keys = set })
				d := begin(t, code, c.parts(), 160, 45)
				d.settle()
				d.press(d.now("1"))
				for k := range strings.FieldsSeq(st.keys) {
					if !d.a.over.typing() && d.a.over.help == nil && d.a.over.form == nil {
						k = d.now(k)
					}
					d.press(k)
				}
				if c.next != nil { // the moment that followed knows nothing of keys
					c.publish(func(s *view.Snapshot) { s.Keys = set })
					d.settle()
				}
				for _, line := range strings.Split(d.screen(), "\n") {
					if m := stale.FindString(line); m != "" {
						t.Errorf("%q in %s", m, strings.TrimSpace(line))
					}
				}
			})
		}
	}
}
