package linkorder

import (
	"math"
	"math/bits"
)

// tagClusters groups tag paths by similarity, like the actions of SB-CLASSIFIER (bandit.go). A path is a sketch of 64
// bits (htmldoc.Link.Tags), from which the cosine of two paths' pairs of neighbours follows. A path joins the cluster
// with the nearest centroid, or begins a new one if that is less similar than a threshold. The centroid of a cluster
// is the majority of its paths' bits. Above its limits every path joins the nearest cluster.
//
// A new path costs a comparison per cluster, at most about 1 µs; a known one a look-up.
type tagClusters struct {
	apart    int // bits that may differ at most
	clusters []tagCluster
	known    map[uint64]int32 // clusters of paths
}

type tagCluster struct {
	centroid uint64
	paths    int32
	votes    [64]int32 // by bit: paths with it minus paths without it
}

const (
	maxClusters = 512
	maxTagPaths = 1 << 15
)

// newTagClusters takes the least cosine within a cluster.
func newTagClusters(similarity float64) tagClusters {
	return tagClusters{apart: int(64 * math.Acos(similarity) / math.Pi), known: map[uint64]int32{}}
}

// linkTags returns the tag path of a link. In older rows its block stands for it.
func linkTags(in *Inlink) uint64 {
	if in.Tags != 0 {
		return in.Tags
	}
	return mix(hashString(in.Block)) | 1
}

// nearest returns the cluster of a path, without learning it; -1 if it would begin a new one.
func (c *tagClusters) nearest(tags uint64) int32 {
	if at, ok := c.known[tags]; ok {
		return at
	}
	best, least := int32(-1), 65
	for i := range c.clusters {
		if d := bits.OnesCount64(c.clusters[i].centroid ^ tags); d < least {
			best, least = int32(i), d
		}
	}
	if least > c.apart && len(c.clusters) < maxClusters {
		return -1
	}
	return best
}

// assign returns the cluster of a path and learns it.
func (c *tagClusters) assign(tags uint64) int32 {
	if at, ok := c.known[tags]; ok {
		return at
	}
	at := c.nearest(tags)
	if at < 0 {
		at = int32(len(c.clusters))
		c.clusters = append(c.clusters, tagCluster{})
	}
	if len(c.known) < maxTagPaths {
		c.known[tags] = at
		c.clusters[at].add(tags)
	}
	return at
}

func (c *tagCluster) add(tags uint64) {
	c.paths++
	c.centroid = 0
	for i := range c.votes {
		if tags>>i&1 == 1 {
			c.votes[i]++
		} else {
			c.votes[i]--
		}
		if c.votes[i] > 0 || c.votes[i] == 0 && tags>>i&1 == 1 {
			c.centroid |= 1 << i
		}
	}
}
