package sitemap

import (
	"strings"
	"testing"
)

func BenchmarkFeedOfAPage(b *testing.B) {
	page := "<!DOCTYPE html>\n<html lang=\"zh\"><head><title>x</title>" + strings.Repeat("<p>text</p>", 1000)
	b.ReportAllocs()
	for b.Loop() {
		if _, ok := Feed(page, base); ok {
			b.Fatal("it is no feed")
		}
	}
}
