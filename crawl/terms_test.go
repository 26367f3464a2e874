package crawl

import (
	"reflect"
	"testing"

	"angler/topic"
)

func FuzzDecodeDoc(f *testing.F) {
	f.Add(encodeDoc(&topic.Doc{Full: topic.Vector{{ID: 1, N: 3}, {ID: 900, N: 1}}, List: topic.Vector{{ID: 7, N: 2}}, Records: 20, Dated: 19}, 7))
	f.Add([]byte{0, 0, 0xff, 0xff, 0xff, 0x0f})
	f.Fuzz(func(t *testing.T, b []byte) {
		d, print, err := decodeDoc(b, 1000)
		if err != nil {
			return
		}
		for _, v := range []topic.Vector{d.Full, d.List} {
			for _, x := range v {
				if x.ID >= 1000 || x.N == 0 {
					t.Fatalf("term %+v let through", x)
				}
			}
		}
		again, printed, err := decodeDoc(encodeDoc(&d, print), 1000)
		if err != nil || printed != print || !reflect.DeepEqual(d, again) {
			t.Errorf("%+v came back as %+v, %v", d, again, err)
		}
	})
}

func TestTermsOfUnknownWordsAreRefused(t *testing.T) {
	b := encodeDoc(&topic.Doc{Full: topic.Vector{{ID: 12, N: 1}}}, 1)
	if _, _, err := decodeDoc(b, 12); err == nil {
		t.Error("a vector with a word beyond the lexicon was accepted")
	}
	if d, _, err := decodeDoc(b, 13); err != nil || len(d.Full) != 1 {
		t.Errorf("%+v, %v", d, err)
	}
}

func TestURLScoreFollowsTheSamples(t *testing.T) {
	j := newURLJudge([]string{"http://zbb.a.test/zbgg/list2.htm", "http://cg.b.test/zbgg/list.htm"})
	for _, c := range []struct {
		url  string
		more string // scores less than url
	}{
		{"http://www.c.test/zbgg/list5.htm", "http://www.c.test/xwzx/list5.htm"},
		{"http://www.c.test/zbgg/list.htm", "http://www.c.test/zbgg/2024/c12a33/page.htm"},
		{"http://www.c.test/xwzx/list.htm", "http://www.c.test/xwzx/info.htm"},
	} {
		if a, b := j.score(c.url), j.score(c.more); a <= b || a > 1 || b < 0 {
			t.Errorf("%s scores %.2f, %s %.2f", c.url, a, c.more, b)
		}
	}
	if s := newURLJudge(nil).score("http://a.test/"); s != 0 {
		t.Errorf("without samples %f", s)
	}
}

func TestLargestIsStable(t *testing.T) {
	key := map[uint64]float64{1: 3, 2: 9, 3: 9, 4: 1, 5: 7}
	got := largest([]uint64{1, 2, 3, 4, 5}, 3, func(id uint64) float64 { return key[id] })
	if !reflect.DeepEqual(got, []uint64{2, 3, 5}) {
		t.Errorf("got %v", got)
	}
	if got := largest([]uint64{1, 2}, 0, func(uint64) float64 { return 1 }); len(got) != 0 {
		t.Errorf("none asked for, got %v", got)
	}
}
