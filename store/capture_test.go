package store

import "testing"

// The row of a page keeps that its body was cut, beside its type.
func TestPageRowKeepsTruncated(t *testing.T) {
	for _, want := range []Page{{Type: 3, Truncated: true}, {Type: 3}, {Limits: "links 5000"}} {
		got, err := decodePage(0, appendPage(nil, &want))
		if err != nil || got.Type != want.Type || got.Truncated != want.Truncated {
			t.Errorf("%+v is read as %+v, %v", want, got, err)
		}
	}
}
