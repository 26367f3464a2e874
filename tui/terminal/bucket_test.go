package terminal

import (
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// A flood of keys is slowed down, a single paste is not; a person notices neither.
func TestFloodsAreSlowedDown(t *testing.T) {
	cases := map[string]struct {
		sent string
		took time.Duration
	}{
		"a few keys":             {strings.Repeat("j", 200), 0},
		"a wheel, spun":          {strings.Repeat("\x1b[<65;20;12M", 300), 0},
		"keys for a minute":      {strings.Repeat("jk", (typeBurst+60*typeRate)/2), 60 * time.Second},
		"arrows for a minute":    {strings.Repeat("\x1b[A", (typeBurst+60*typeRate)/3), 60 * time.Second},
		"a paste":                {pasteBegin + strings.Repeat("x", sendBurst-100) + pasteEnd, 0},
		"a long paste":           {pasteBegin + strings.Repeat("x", 60<<10) + pasteEnd, (60<<10 - sendBurst) * time.Second / sendRate},
		"pastes of nothing":      {strings.Repeat(pasteBegin+pasteEnd, 10_000), (60_000 - typeBurst) * time.Second / typeRate},
		"pastes, begun too late": {pasteEnd + strings.Repeat(pasteBegin+"j"+pasteEnd, 10_000), (60_000 - typeBurst) * time.Second / typeRate},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				began := time.Now()
				in := NewInput(strings.NewReader(c.sent), Far, t.Context().Done(), nil)
				n, err := io.Copy(io.Discard, struct{ io.Reader }{in})
				if err != nil || n == 0 {
					t.Fatal(n, err)
				}
				if took := time.Since(began); took < c.took*9/10 || took > c.took*11/10+100*time.Millisecond {
					t.Errorf("%d bytes took %v, want about %v", len(c.sent), took, c.took)
				}
			})
		})
	}
}

// A writer slowed down by a flood ends with the session.
func TestAFloodEndsWithItsSession(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		done := make(chan struct{})
		in := NewInput(strings.NewReader(strings.Repeat("j", 1<<20)), Far, done, nil)
		time.AfterFunc(10*time.Second, func() { close(done) })
		began := time.Now()
		if n, err := io.Copy(io.Discard, struct{ io.Reader }{in}); err != nil || n > typeBurst+11*typeRate {
			t.Errorf("%d bytes came in, %v", n, err)
		}
		if took := time.Since(began); took != 10*time.Second {
			t.Errorf("it ended after %v", took)
		}
	})
}

// must fails the test at an error.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
