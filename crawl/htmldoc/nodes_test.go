package htmldoc

import (
	"strings"
	"testing"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

func parsed(t *testing.T, text string) *html.Node {
	t.Helper()
	doc, err := html.Parse(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// element returns the first element of a kind.
func element(t *testing.T, doc *html.Node, tag atom.Atom) (found *html.Node) {
	t.Helper()
	Walk(doc, func(n *html.Node) WalkStep {
		if n.DataAtom != tag {
			return WalkInto
		}
		found = n
		return WalkStop
	})
	if found == nil {
		t.Fatalf("there is no %s", tag)
	}
	return found
}

// A walk stays within its root, and skips or ends as visit says.
func TestWalk(t *testing.T) {
	doc := parsed(t, `<div><ul><li>a<b>b</b></li><li>c</li></ul><p>d</p></div><i>e</i>`)
	for _, c := range []struct {
		root atom.Atom
		tag  atom.Atom
		step WalkStep
		want string
	}{
		{atom.Body, 0, WalkInto, "abcde"},
		{atom.Div, 0, WalkInto, "abcd"},
		{atom.B, 0, WalkInto, "b"},
		{atom.Body, atom.Ul, WalkOver, "de"},
		{atom.Div, atom.Div, WalkOver, ""},
		{atom.Body, atom.P, WalkStop, "abc"},
	} {
		got := ""
		Walk(element(t, doc, c.root), func(n *html.Node) WalkStep {
			if n.Type == html.TextNode {
				got += n.Data
			}
			if c.tag != 0 && n.DataAtom == c.tag {
				return c.step
			}
			return WalkInto
		})
		if got != c.want {
			t.Errorf("%s without %s: %q, want %q", c.root, c.tag, got, c.want)
		}
	}
}

func TestChosen(t *testing.T) {
	for options, want := range map[string]string{
		``:                                   "",
		`<option value=1>a<option value=2>b`: "1",
		`<option value=1>a<option value=2 selected>b<option value=3 selected>c`: "2",
		`<option> a `:                           "a",
		`<option value=""> a`:                   "",
		`<option>a<option selected> b <option>`: "b",
		`<option value=""><option value=2>b`:    "",
		`<option selected value="">a<option>b`:  "",
	} {
		if got := Chosen(element(t, parsed(t, "<select>"+options+"</select>"), atom.Select)); got != want {
			t.Errorf("%s: %q, want %q", options, got, want)
		}
	}
}
