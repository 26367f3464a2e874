package message

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"
)

type kind string

func (k kind) Message() Text { return Of("kind %s", string(k)) }

func TestPartsOfTexts(t *testing.T) {
	inner := Errorf("no answer within %v", 3*time.Second)
	for _, c := range []struct {
		text    Text
		english string
		id      string
		args    []string
	}{
		{"", "", "", nil},
		{"the list is empty", "the list is empty", "the list is empty", nil},
		{Of("all of it"), "all of it", "all of it", nil},
		{Of("%d of %.1f, %5.2f %%", 3, 4.0, .5), "3 of 4.0,  0.50 %", "%s of %s, %s %%", []string{"3", "4.0", " 0.50"}},
		{Of("no field %q here", "a\"b"), `no field "a\"b" here`, `no field "%s" here`, []string{`a\"b`}},
		{Of("%s failed: %v", "x.test", inner), "x.test failed: no answer within 3s", "%s failed: %s", []string{"x.test", "no answer within 3s"}},
		{Of("%v; wait", kind("7")), "kind 7; wait", "%s; wait", []string{"kind 7"}},
		{Of("a%sb", "x\u2068y\u2069\u2069z"), "axyzb", "a%sb", []string{"xyz"}},
		{Of("%s and %s", "one"), "one and %!s(MISSING)", "%s and %%!s(MISSING)", []string{"one"}},
		{Join([]Text{"a", Of("b %d", 2)}, "; "), "a; b 2", "%s; %s", []string{"a", "b 2"}},
		{Plain("x\u2068y"), "xy", "xy", nil},
		{"torn \u2068x", "torn x", "torn x", nil},
		{"torn \u2069x\u2068", "torn x", "torn x", nil},
	} {
		id, args := c.text.Parts()
		var english []string
		for _, a := range args {
			english = append(english, a.String())
		}
		if c.text.String() != c.english || id != c.id || !slices.Equal(english, c.args) {
			t.Errorf("%q is %q, of %q with %q", string(c.text), c.text, id, english)
		}
	}
	_, args := Of("%s failed: %v", "x.test", inner).Parts()
	if id, args := args[1].Parts(); id != "no answer within %s" || len(args) != 1 || args[0] != "3s" {
		t.Errorf("the inner text is %q with %q", id, args)
	}
}

func TestErrorsKeepTheirArguments(t *testing.T) {
	err := Errorf("reading %s: %w", "a.toml", io.ErrUnexpectedEOF)
	if err.Error() != "reading a.toml: unexpected EOF" || !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("the error is %v", err)
	}
	for _, c := range []struct {
		err error
		id  string
	}{
		{err, "reading %s: %s"},
		{fmt.Errorf("in all: %w", err), "in all: %s"},
		{fmt.Errorf("%w", err), "reading %s: %s"},
		{fmt.Errorf("100%% of %w; see to it", err), "100%% of %s; see to it"},
		{errors.New("too many"), "too many"},
		{errors.Join(err), "reading a.toml: unexpected EOF"},
		{nil, ""},
	} {
		if id, _ := From(c.err).Parts(); id != c.id {
			t.Errorf("%v has the id %q, want %q", c.err, id, c.id)
		}
	}
}

// However often errors are wrapped, what they say stays readable and bounded.
func TestDepthIsBounded(t *testing.T) {
	err := errors.New("x")
	for range 100 {
		err = Errorf("in %w", err)
	}
	text := From(err)
	if n := strings.Count(string(text), begin); n > 2*maxDepth {
		t.Errorf("%d marks", n)
	}
	if text.String() != err.Error() {
		t.Errorf("the text is %s", text)
	}
}

// Whatever bytes a row holds, the parts say what the text says.
func FuzzParts(f *testing.F) {
	f.Add(string(Of("%s of %s", Of("%d", 1), "x%")))
	f.Add("\u2069\u2068")
	f.Fuzz(func(t *testing.T, s string) {
		id, args := Text(s).Parts()
		if args == nil {
			return
		}
		all := make([]any, len(args))
		for i, a := range args {
			all[i] = a.String()
		}
		if got := fmt.Sprintf(id, all...); got != Text(s).String() {
			t.Errorf("%q has the parts %q %q, which say %q", s, id, args, got)
		}
	})
}
