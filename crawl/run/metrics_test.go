package run

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"angler/crawl/fetch"
)

func TestMetrics(t *testing.T) {
	var m Metrics
	m.Fetched(&fetch.Response{Status: 200, Body: make([]byte, 1000), Took: 30 * time.Millisecond}, nil)
	m.Fetched(&fetch.Response{Status: 404, Took: 3 * time.Second}, nil)
	m.Fetched(nil, &fetch.Error{Kind: fetch.DNS})
	m.Fetched(nil, &fetch.Error{Kind: fetch.Canceled})
	m.Fetched(nil, errors.New("odd"))
	n := m.Totals()
	if n.Fetched != 4 || n.Bytes != 1000 || n.Timed != 2 {
		t.Errorf("fetched %d, bytes %d, timed %d", n.Fetched, n.Bytes, n.Timed)
	}
	if got := fmt.Sprint(n.Errors); got != "map[dns:1 http 404:1 other:1]" {
		t.Errorf("errors %s", got)
	}
	if n.Buckets[2] != 1 || n.Buckets[8] != 1 {
		t.Errorf("buckets %v", n.Buckets)
	}
}
