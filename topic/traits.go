package topic

import (
	"math"
)

// traits are an index's data of one page besides words and score, packed because a million pages
// may be in memory.
type traits struct {
	shape     uint16 // index into shapes.list; 0: none
	site      uint16 // number of the site
	records   uint8  // at most 255
	dated     uint8  // of those
	linkShare uint8  // link characters ÷ all characters, in 255ths
	marks     marks
}

// marks are flags of a page.
type marks uint8

const (
	asFront marks = 1 << iota // a front page, or a page with its content
	asAside                   // not in the background
	asHome                    // a front page by its address
	ungated                   // passes the gate, unless it has the content of a front page
)

func (m marks) has(mark marks) bool { return m&mark != 0 }

// shapes numbers the URL shapes of an index and their columns. Both lists only grow at their ends,
// so snapshots may share them.
type shapes struct {
	list      []string
	ids       map[string]uint16
	columns   []uint32 // by shape; 0 = none
	columnIDs map[string]uint32
}

// maxShapes bounds the shapes. A site that spells every title in its first directories has a shape
// for each page; further shapes share number 0.
const maxShapes = 1 << 16

func (s *shapes) id(url string) uint16 {
	of := URLShape(url)
	if id, ok := s.ids[of]; ok || of == "" {
		return id
	}
	if len(s.list) >= maxShapes {
		return 0
	}
	return s.add(of)
}

// add numbers a new shape.
func (s *shapes) add(of string) uint16 {
	if s.ids == nil {
		s.list, s.ids = []string{""}, map[string]uint16{}
		s.columns, s.columnIDs = []uint32{0}, map[string]uint32{}
	}
	id := uint16(len(s.list))
	s.list = append(s.list, of)
	s.ids[of] = id
	name := shapeColumn(of)
	column, ok := s.columnIDs[name]
	if !ok {
		column = uint32(len(s.columnIDs) + 1)
		s.columnIDs[name] = column
	}
	s.columns = append(s.columns, column)
	return id
}

// name returns the shape of an id.
func (s *shapes) name(id uint16) string {
	if int(id) < len(s.list) {
		return s.list[id]
	}
	return ""
}

// traits leaves shape and site to the index, which numbers them; front is also true for a page with
// the content of a front page.
func (d *Doc) traits(front bool) traits {
	records, dated := max(d.Records, 0), min(max(d.Dated, 0), max(d.Records, 0))
	if records > math.MaxUint8 {
		// The learner uses the share; rounded up, half stays half.
		dated = (dated*math.MaxUint8 + records - 1) / records
		records = math.MaxUint8
	}
	var m marks
	if front {
		m |= asFront
	}
	if d.Aside {
		m |= asAside
	}
	if d.Front {
		m |= asHome
	}
	if !d.gated() {
		m |= ungated
	}
	return traits{
		marks:   m,
		records: uint8(records),
		dated:   uint8(dated),
		// β is a ratio of two counts; the share is the same within 0 … 1.
		linkShare: uint8(255 * share(d.Beta)),
	}
}

// share turns a ratio a÷b, b ≥ 0, into a÷(a+b); 0 for an invalid ratio.
func share(ratio float64) float64 {
	switch {
	case math.IsInf(ratio, 1):
		return 1
	case !(ratio > 0):
		return 0
	}
	return ratio / (1 + ratio)
}

// The numeric inputs of the learner, each within 0 … 1 but the first.
const (
	inScore   = iota // (score − θ) ÷ (score + θ): −1 … 1, 0 at the threshold
	inGate           // 1 if at least 3 records and half of them are dated
	inDated          // dated records ÷ records
	inRecords        // log₂(1 + records) ÷ 6, at most 1
	inLinks          // link characters ÷ all characters
	numInputs
)

var inputNames = [numInputs]string{"score", "list gate", "dated share", "records", "link share"}

type inputs [numInputs]float64

func (t *traits) inputs(score, theta float64) inputs {
	d := Doc{Records: int(t.records), Dated: int(t.dated), Front: t.marks.has(asFront)}
	var in inputs
	in[inScore] = -1
	if score > 0 {
		in[inScore] = (score - theta) / (score + theta)
	}
	if !d.gated() {
		in[inGate] = 1
	}
	if t.records > 0 {
		in[inDated] = min(float64(t.dated)/float64(t.records), 1)
	}
	in[inRecords] = min(math.Log2(1+float64(t.records))/6, 1)
	in[inLinks] = float64(t.linkShare) / 255
	return in
}
