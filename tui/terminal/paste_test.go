package terminal

import (
	"strings"
	"testing"
)

// passed returns the output for a stream in parts of n bytes.
func passed(p *paste, stream string, n int) string {
	var out strings.Builder
	for b := []byte(stream); len(b) > 0; {
		part := b[:min(n, len(b))]
		b = b[len(part):]
		out.Write(p.pass(make([]byte, 0, len(part)+len(pasteEnd)+1), part))
	}
	return out.String()
}

func TestPasteIsBounded(t *testing.T) {
	long := strings.Repeat("招标", maxPaste)
	for _, c := range []struct{ name, in, want string }{
		{"short", "a" + pasteBegin + "y n" + pasteEnd + "b", "a" + pasteBegin + "y n" + pasteEnd + "b"},
		{"two", pasteBegin + "1" + pasteEnd + pasteBegin + "2" + pasteEnd, pasteBegin + "1" + pasteEnd + pasteBegin + "2" + pasteEnd},
		{"an end without a beginning", pasteEnd + "j", pasteEnd + "j"},
		{"a beginning inside", pasteBegin + pasteBegin + "x" + pasteEnd + "j", pasteBegin + pasteBegin + "x" + pasteEnd + "j"},
		{"too long, then a key", pasteBegin + long + pasteEnd + "j", pasteBegin + long[:maxPaste] + pasteEnd + "j"},
		{"without an end", pasteBegin + long, pasteBegin + long[:maxPaste] + pasteEnd},
		{"half an end inside", pasteBegin + "\x1b[20x\x1b\x1b[201~j", pasteBegin + "\x1b[20x\x1b\x1b[201~j"},
		{"after another sequence", "\x1bO" + pasteBegin + long, "\x1bO" + pasteBegin + long[:maxPaste] + pasteEnd},
		{"typed for hours", strings.Repeat("j", 3*maxPaste), strings.Repeat("j", 3*maxPaste)},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, n := range []int{1, 7, 249, len(c.in)} {
				if got := passed(&paste{most: maxPaste}, c.in, n); got != c.want {
					t.Fatalf("in parts of %d: %d bytes, want %d: %.60q … %.20q", n, len(got), len(c.want), got, got[max(0, len(got)-20):])
				}
			}
		})
	}
}

// FuzzPaste checks that in any stream at most maxPaste bytes are between a start marker and the
// next end marker.
func FuzzPaste(f *testing.F) {
	f.Add(pasteBegin+"x"+pasteEnd, 3, 70_000)
	f.Add("\x1b\x1b[200~\x1b[20", 1, 66_000)
	f.Add("\x1b[201~\x1b[200\x1b[200~", 5, 1)
	f.Fuzz(func(t *testing.T, stream string, n, fill int) {
		if n < 1 || n > 1<<10 || fill < 0 || fill > 1<<18 || len(stream) > 1<<12 {
			t.Skip()
		}
		p := &paste{most: maxPaste}
		rest := passed(p, stream+strings.Repeat("x", fill)+stream, n)
		for {
			_, after, found := strings.Cut(rest, pasteBegin)
			if !found {
				return
			}
			inside, then, ended := strings.Cut(after, pasteEnd)
			if len(inside) > maxPaste+len(stream) {
				t.Fatalf("%d bytes in one paste (ended: %v)", len(inside), ended)
			}
			rest = then
		}
	})
}
