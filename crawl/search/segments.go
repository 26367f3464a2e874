package search

import (
	"fmt"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/blevesearch/bleve/v2/index/scorch"
	bleve "github.com/blevesearch/bleve_index_api"
	segment "github.com/blevesearch/scorch_segment_api/v2"
	zap "github.com/blevesearch/zapx/v17"
)

// segments makes, merges and opens bleve's segments. bleve does so in its own goroutines, where a
// panic would end the program. Here a panic becomes an error, for example on a disk that fills
// during a merge.
type segments struct{ zap.ZapPlugin }

func init() { scorch.RegisterSegmentPlugin(new(segments), true) }

// caught turns a panic into an error.
func caught(err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("the library of the index: %v", p)
	}
}

// NewUsing implements scorch.SegmentPlugin, as the others do.
func (s *segments) NewUsing(docs []bleve.Document, config map[string]any) (_ segment.Segment, _ uint64, err error) {
	defer caught(&err)
	return s.ZapPlugin.NewUsing(docs, config)
}

func (s *segments) OpenUsing(path string, config map[string]any) (_ segment.Segment, err error) {
	defer caught(&err)
	return s.ZapPlugin.OpenUsing(path, config)
}

func (s *segments) MergeUsing(of []segment.Segment, drops []*roaring.Bitmap, path string, closed chan struct{},
	r segment.StatsReporter, config map[string]any) (_ [][]uint64, _ uint64, err error) {
	defer caught(&err)
	return s.ZapPlugin.MergeUsing(of, drops, path, closed, r, config)
}
