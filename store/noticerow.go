package store

import "github.com/segmentio/encoding/json"

// DecodeNotice reads a notice's row, which encoding/json wrote. This library reads it once; encoding/json would scan
// it twice, and lists and exports read all rows of a workspace.
func DecodeNotice(_ uint64, v []byte) (*Notice, error) {
	n := new(Notice)
	return n, json.Unmarshal(v, n)
}
