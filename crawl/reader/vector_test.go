package reader

import (
	"reflect"
	"testing"

	"angler/topic"
)

func FuzzDecodeDoc(f *testing.F) {
	f.Add(encodeDoc(&topic.Doc{Full: topic.Vector{{ID: 1, N: 3}, {ID: 900, N: 1}}, List: topic.Vector{{ID: 7, N: 2}}, Records: 20, Dated: 19}, 7))
	f.Add([]byte{0, 0, 0xff, 0xff, 0xff, 0x0f})
	f.Fuzz(func(t *testing.T, b []byte) {
		d, fingerprint, err := DecodeDoc(b, 1000)
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
		again, printed, err := DecodeDoc(encodeDoc(&d, fingerprint), 1000)
		if err != nil || printed != fingerprint || !reflect.DeepEqual(d, again) {
			t.Errorf("%+v came back as %+v, %v", d, again, err)
		}
	})
}

func TestTermsOfUnknownWordsAreRefused(t *testing.T) {
	b := encodeDoc(&topic.Doc{Full: topic.Vector{{ID: 12, N: 1}}}, 1)
	if _, _, err := DecodeDoc(b, 12); err == nil {
		t.Error("a vector with a word beyond the lexicon was accepted")
	}
	if d, _, err := DecodeDoc(b, 13); err != nil || len(d.Full) != 1 {
		t.Errorf("%+v, %v", d, err)
	}
}
