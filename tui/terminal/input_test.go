package terminal

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

// parts is a source that returns one part a Read.
type parts struct{ list [][]byte }

func (p *parts) Read(b []byte) (int, error) {
	if len(p.list) == 0 {
		return 0, io.EOF
	}
	n := copy(b, p.list[0])
	if p.list[0] = p.list[0][n:]; len(p.list[0]) == 0 {
		p.list = p.list[1:]
	}
	return n, nil
}

// reads returns the result of each Read. Waiting never turns an escape into a key.
func reads(t *testing.T, src io.Reader, size int) []string {
	t.Helper()
	in := NewInput(src, Far, nil, nil)
	in.after = func(time.Duration) <-chan time.Time { return nil }
	var out []string
	for {
		b := make([]byte, size)
		n, err := in.Read(b)
		if n > 0 {
			out = append(out, string(b[:n]))
		}
		if err != nil {
			if err != io.EOF {
				t.Fatal(err)
			}
			return out
		}
	}
}

func TestInputSplitAtEveryByte(t *testing.T) {
	bursts := map[string]string{
		"mouse wheel":     "\x1b[<64;39;12M\x1b[<64;39;12M\x1b[<65;40;13M",
		"mouse drag":      "\x1b[<0;10;5M\x1b[<32;11;5M\x1b[<32;12;5M\x1b[<0;12;5m",
		"old mouse":       "\x1b[M !!\x1b[M#yn",
		"arrows and keys": "\x1b[Aj\x1b[B\x1bOPk\x1b[1;5C",
		"Chinese":         "/招标公告\r",
		"paste":           "\x1b[200~y n 招标\x1b[201~",
		"alt":             "\x1by\x1b招",
	}
	for name, burst := range bursts {
		t.Run(name, func(t *testing.T) {
			keys := []string{}
			for rest := []byte(burst); len(rest) > 0; {
				n := key(rest)
				if n == 0 {
					t.Fatalf("%q does not end in a key", rest)
				}
				keys, rest = append(keys, string(rest[:n])), rest[n:]
			}
			for cut := 1; cut < len(burst); cut++ {
				got := reads(t, &parts{[][]byte{[]byte(burst[:cut]), []byte(burst[cut:])}}, 257)
				ends := 0
				for i, part := range got {
					n := whole([]byte(part), len(part))
					if n != len(part) {
						t.Fatalf("cut at %d: Read %d ends inside a key: %q", cut, i, part)
					}
					ends += n
				}
				if strings.Join(got, "") != burst || ends != len(burst) {
					t.Fatalf("cut at %d: got %q", cut, got)
				}
			}
			var single [][]byte
			for i := range len(burst) {
				single = append(single, []byte(burst[i:i+1]))
			}
			if got := reads(t, &parts{single}, 257); !slices.Equal(got, keys) {
				t.Errorf("byte by byte: got %q, want %q", got, keys)
			}
		})
	}
}

func TestInputLoneEscape(t *testing.T) {
	for _, c := range []struct {
		name, first, next string
		want              []string
	}{
		{"a key, then an arrow", "\x1b", "\x1b[A", []string{"\x1b", "\x1b[A"}},
		{"a key, then letters", "\x1b", "[A", []string{"\x1b", "[A"}},
		{"a mouse report that stopped after its escape", "\x1b", "[<64;39;12M", []string{"\x1b", "\x1b[<64;39;12M"}},
		{"alt+O, then a letter", "\x1bO", "y", []string{"\x1bO", "y"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, w := io.Pipe()
			in := NewInput(r, Far, nil, nil)
			late := make(chan time.Time)
			in.after = func(d time.Duration) <-chan time.Time {
				if d != Far.Escape {
					t.Errorf("waits %v", d)
				}
				return late
			}
			go func() {
				w.Write([]byte(c.first))
				late <- time.Time{}
				w.Write([]byte(c.next))
				w.Close()
			}()
			for _, want := range c.want {
				b := make([]byte, 257)
				if n, err := in.Read(b); err != nil || string(b[:n]) != want {
					t.Errorf("got %q, %v; want %q", b[:n], err, want)
				}
			}
		})
	}
}

func TestInputTooLongSequence(t *testing.T) {
	long := "\x1b[" + strings.Repeat("9;", 4000) + "y"
	if got := strings.Join(reads(t, &parts{[][]byte{[]byte(long), []byte("j")}}, 257), ""); got != "j" {
		t.Errorf("got %q, want only the key after the monster", got)
	}
}

// A terminal's reply is dropped wherever its packets are cut; the keys around it are not.
func TestInputDropsReplies(t *testing.T) {
	for name, reply := range map[string]string{
		"background colour":        "\x1b]11;rgb:0000/0000/0000\x1b\\",
		"background colour to BEL": "\x1b]11;rgb:0000/0000/0000\x07",
		"name":                     "\x1bP>|xterm(390)\x1b\\",
		"capability":               "\x1bP1+r524742=38\x1b\\",
		"graphics":                 "\x1b_Gi=31;OK\x1b\\",
		"clipboard":                "\x1b]52;c;" + strings.Repeat("5oub", 900) + "\x07",
		"two of them":              "\x1b]10;rgb:ff/ff/ff\x07\x1b]11;rgb:0/0/0\x07",
	} {
		t.Run(name, func(t *testing.T) {
			whole := "采" + reply + "\x1b[A购"
			for cut := 1; cut < min(len(whole), 300); cut++ {
				got := strings.Join(reads(t, &parts{[][]byte{[]byte(whole[:cut]), []byte(whole[cut:])}}, 257), "")
				if got != "采\x1b[A购" {
					t.Fatalf("cut at %d: got %q", cut, got)
				}
			}
		})
	}
	for name, c := range map[string]struct{ in, want string }{
		"broken off by a key":                      {"a\x1b]11;rgb:00\rb", "a\rb"},
		"broken off by an arrow":                   {"a\x1b]11;rgb:00\x1b[Ab", "a\x1b[Ab"},
		"without an end":                           {"\x1b]11;" + strings.Repeat("j", 5000), strings.Repeat("j", 908)},
		"alt, then letters":                        {"\x1bPx\x1b]y\x1b_z", "\x1bPx\x1b]y\x1b_z"},
		"an escape and alt":                        {"\x1b\x1bPx", "\x1b\x1bPx"},
		"an escape before a reply":                 {"\x1b\x1b]11;rgb:00\x07b", "\x1bb"},
		"Home, End and F1 of the application mode": {"\x1bOHx\x1bOF\x1bOP", "\x1b[Hx\x1b[F\x1bOP"},
		"an escape and a cut reply":                {"\x1b\x1b]1", "\x1b"},
	} {
		if got := strings.Join(reads(t, &parts{[][]byte{[]byte(c.in)}}, 257), ""); got != c.want {
			t.Errorf("%s: got %d bytes, %.40q", name, len(got), got)
		}
	}
}

func TestInputEndsWithDone(t *testing.T) {
	r, w := io.Pipe()
	defer w.Close()
	done := make(chan struct{})
	in := NewInput(r, Far, done, nil)
	close(done)
	if _, err := in.Read(make([]byte, 8)); !errors.Is(err, io.EOF) {
		t.Errorf("got %v", err)
	}
}

func FuzzInput(f *testing.F) {
	f.Add([]byte("\x1b[<64;39;12Mj\x1b[M !!招\x1bOP\x1b\x1b"), uint8(3))
	f.Add([]byte("\x1b[200~\xff\xfe"), uint8(1))
	f.Add([]byte("a\x1b]11;rgb:00/00/00\x1b\\b\x1b\x1bP>|x\x07"), uint8(2))
	f.Fuzz(func(t *testing.T, b []byte, size uint8) {
		var list [][]byte
		for c := range slices.Chunk(bytes.Clone(b), int(size%16)+1) {
			list = append(list, c)
		}
		n := 0
		for _, part := range reads(t, &parts{list}, 257) {
			n += len(part)
			if part[len(part)-1] < utf8.RuneSelf {
				part += "\r" // tells alt+P, or an escape before a reply, from the start of a reply
			}
			if utf8.Valid(b) && whole([]byte(part), len(part)) != len(part) {
				t.Fatalf("%q ends inside a key", part)
			}
		}
		if n > len(b) {
			t.Fatalf("%d bytes came of %d", n, len(b))
		}
	})
}
