package frontier

import "math"

// spilledTable holds depth and generation of the IDs on disk. Neighbouring IDs cost three bytes
// each, a lone one 250.
type spilledTable map[uint64]*spilledPage

type spilledPage struct {
	depth [64]uint16 // depth + 1; 0 = not on disk
	gen   [64]uint8
}

func (t spilledTable) depth(id uint64) (int16, bool) {
	p := t[id/64]
	if p == nil || p.depth[id%64] == 0 {
		return 0, false
	}
	return int16(p.depth[id%64] - 1), true
}

// put records that id goes to disk and returns the generation of its row.
func (t spilledTable) put(id uint64, depth int16) uint8 {
	p := t[id/64]
	if p == nil {
		p = new(spilledPage)
		t[id/64] = p
	}
	p.depth[id%64] = uint16(depth) + 1
	return p.gen[id%64]
}

// void makes the row of id invalid. It returns false if the generations are used up; the entry then
// stays.
func (t spilledTable) void(id uint64) bool {
	p := t[id/64]
	if p.gen[id%64] == math.MaxUint8 {
		return false
	}
	p.gen[id%64]++
	p.depth[id%64] = 0
	return true
}

// live reports whether a row is the valid one.
func (t spilledTable) live(id uint64, gen uint8) bool {
	p := t[id/64]
	return p != nil && p.depth[id%64] != 0 && p.gen[id%64] == gen
}

// back records that the row of id was read.
func (t spilledTable) back(id uint64) { t[id/64].depth[id%64] = 0 }
