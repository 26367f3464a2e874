package facts

import (
	"encoding/binary"
	"maps"
	"math"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"angler/crawl/fields"
	"angler/crawl/filter"
)

// PackedFacts holds the field values of a notice in about 100 bytes. Lists show, sort and filter a
// hundred thousand notices by it without reading the store. Repeated texts are indexes into Words.
// It is immutable; the zero value has no values.
type PackedFacts struct {
	packed string
	words  *Words
}

// Words holds the texts of many PackedFacts, each once, and the names of their fields. It is safe
// for concurrent use.
type Words struct {
	mu    sync.Mutex
	known map[string]uint32
	list  atomic.Pointer[[]string]
	slots atomic.Pointer[map[string]byte]
}

// NewWords returns empty Words.
func NewWords() *Words {
	w := &Words{known: map[string]uint32{}}
	w.list.Store(new([]string))
	w.slots.Store(&map[string]byte{})
	return w
}

const (
	maxSlots = 200     // names of fields
	maxTexts = 1 << 20 // shared texts; further ones are stored in their PackedFacts
)

// Forms of a value in a PackedFacts, with flags.
const (
	formNumber = iota + 1
	formTime
	formSpan
	formText
	formWord
	formTitle
	formMask  = 0x0f
	ofLot     = 0x10
	hasClock  = 0x20
	hasItem   = 0x40 // the number of its item precedes the value
	doubts    = 0x01 // first byte: a value was found that is not believed
	corrected = 0x02 // first byte: an analyst corrected a value
)

// slot returns the number of a field, 0 beyond maxSlots.
func (w *Words) slot(name string) byte {
	if n, ok := (*w.slots.Load())[name]; ok {
		return n
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	now := *w.slots.Load()
	if n, ok := now[name]; ok || len(now) >= maxSlots {
		return n
	}
	next := maps.Clone(now)
	next[name] = byte(len(next) + 1)
	w.slots.Store(&next)
	return next[name]
}

func (w *Words) word(s string) (uint32, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if n, ok := w.known[s]; ok {
		return n, true
	}
	list := *w.list.Load()
	if len(list) >= maxTexts {
		return 0, false
	}
	s = strings.Clone(s)
	n := uint32(len(list))
	list = append(list, s) // readers see only up to the length of their slice
	w.list.Store(&list)
	w.known[s] = n
	return n, true
}

// Pack packs the values of a notice; title is the notice's title.
func (w *Words) Pack(s *NoticeFacts, title string) PackedFacts {
	b := []byte{0}
	if len(s.Result.Doubtful) > 0 {
		b[0] |= doubts
	}
	if len(s.Corrected) > 0 {
		b[0] |= corrected
	}
	many := map[string]int{} // number of values by field
	for i := range s.Result.Values {
		many[s.Result.Values[i].Field]++
	}
	for i := range s.Result.Values {
		v := &s.Result.Values[i]
		f := s.Set.Named(v.Field)
		slot := w.slot(v.Field)
		if f == nil || slot == 0 {
			continue
		}
		thing := 0
		// a contact after the last of many posts belongs to all
		if s.Set.Itemised() && (many[v.Field] > 1 || f.UnitPrice()) {
			thing, _ = strconv.Atoi(v.Lot)
		}
		b = w.value(append(b, slot), f, v, thing, title)
	}
	return PackedFacts{string(b), w}
}

func (w *Words) value(b []byte, f *fields.Field, v *fields.Value, thing int, title string) []byte {
	flags := byte(0)
	if thing > 0 {
		flags |= hasItem
	}
	begin := func(form byte) []byte {
		if b = append(b, form|flags); thing > 0 {
			b = binary.AppendUvarint(b, uint64(thing))
		}
		return b
	}
	if v.Lot != "" && !f.UnitPrice() {
		flags |= ofLot
	}
	if v.Clock {
		flags |= hasClock
	}
	switch f.Type {
	case fields.Money, fields.Number:
		if n, err := strconv.ParseFloat(v.Norm, 64); err == nil {
			return binary.LittleEndian.AppendUint64(begin(formNumber), math.Float64bits(n))
		}
	case fields.Time:
		first, last, several := strings.Cut(v.Norm, "/")
		t, ok := moment(first)
		until, ok2 := moment(last)
		switch {
		case ok && several && ok2:
			return binary.AppendVarint(binary.AppendVarint(begin(formSpan), t), until)
		case ok:
			return binary.AppendVarint(begin(formTime), t)
		}
	}
	text := v.Norm
	if at := strings.Index(title, text); at >= 0 && f.Type != fields.Choice { // filters know words of Words
		return binary.AppendUvarint(binary.AppendUvarint(begin(formTitle), uint64(at)), uint64(len(text)))
	}
	if !(len(text) <= 40 && strings.ContainsAny(text, "0123456789")) {
		if n, ok := w.word(text); ok {
			return binary.AppendUvarint(begin(formWord), uint64(n))
		}
	}
	return append(binary.AppendUvarint(begin(formText), uint64(len(text))), text...)
}

// Gather moves values into one piece of memory in the order of the list, so that reading them in this order is fast.
func Gather(list []*PackedFacts) {
	var b strings.Builder
	for _, f := range list {
		b.WriteString(f.packed)
	}
	all := b.String()
	for _, f := range list {
		f.packed, all = all[:len(f.packed)], all[len(f.packed):]
	}
}

// moment parses a normalised time, in minutes since 1970.
func moment(norm string) (int64, bool) {
	for _, form := range [...]string{"2006-01-02T15:04Z07:00", "2006-01-02Z07:00"} {
		if t, err := time.Parse(form, norm); err == nil {
			return t.Unix() / 60, true
		}
	}
	return 0, false
}

// PackedValue is one value of a PackedFacts.
type PackedValue struct {
	Number     float64   // of money and number fields
	Time, Till time.Time // of time fields; Till is the end of a span, else zero
	Clock      bool
	Text       string // of all other fields
	Lot        bool   // belongs to one of several lots
	Thing      int    // number of its item, from 1; 0 = the whole notice
	form       byte
}

// each yields the values of a field.
func (b PackedFacts) each(slot byte, title string, yield func(v PackedValue) bool) {
	b.raw(slot, func(form byte, p string) bool {
		v := PackedValue{Lot: form&ofLot != 0, Clock: form&hasClock != 0}
		b.read(p, &v, form, title)
		return yield(v)
	})
}

// raw yields the values of a field as they are packed: p begins with the value.
func (b PackedFacts) raw(slot byte, yield func(form byte, p string) bool) {
	if b.packed == "" || slot == 0 {
		return
	}
	for p := b.packed[1:]; len(p) >= 2; {
		at, form := p[0], p[1]
		p = p[2:]
		if at == slot && !yield(form, p) {
			return
		}
		p = skipped(p, form)
	}
}

// skipped returns what follows the value at the beginning of p.
func skipped(p string, form byte) string {
	numbers, size := 1, uint64(0)
	switch form & formMask {
	case formNumber:
		numbers, size = 0, 8
	case formSpan, formTitle:
		numbers = 2
	}
	if form&hasItem != 0 {
		numbers++
	}
	for n := uint64(0); numbers > 0; numbers-- {
		if n, p = uvarint(p); form&formMask == formText {
			size = n // the last one counts
		}
	}
	return p[size:]
}

// uvarint returns the number at the beginning of p, and the rest.
func uvarint(p string) (n uint64, rest string) {
	for shift := 0; len(p) > 0; shift += 7 {
		c := p[0]
		p = p[1:]
		if n |= uint64(c&0x7f) << shift; c < 0x80 {
			break
		}
	}
	return n, p
}

// read reads the value at the beginning of p.
func (b PackedFacts) read(p string, v *PackedValue, form byte, title string) {
	number := func() (n uint64) {
		n, p = uvarint(p)
		return n
	}
	minutes := func() time.Time {
		n := number()
		return time.Unix(60*(int64(n>>1)^-int64(n&1)), 0).In(fields.PrintedZone)
	}
	if form&hasItem != 0 {
		v.Thing = int(number())
	}
	switch v.form = form & formMask; v.form {
	case formNumber:
		var bits uint64
		for i := range 8 {
			bits |= uint64(p[i]) << (8 * i)
		}
		v.Number = math.Float64frombits(bits)
	case formTime:
		v.Time = minutes()
	case formSpan:
		v.Time, v.Till = minutes(), minutes()
	case formText:
		n := int(number())
		v.Text = p[:n]
	case formWord:
		v.Text = (*b.words.list.Load())[number()]
	case formTitle:
		from := int(number())
		to := from + int(number())
		if to <= len(title) {
			v.Text = title[from:to]
		}
	}
}

// packedField names a field for questions about many PackedFacts of the same Words. It saves the look-up of the name.
type packedField struct {
	name  string
	words *Words
	slot  byte // 0 = no values yet
}

// Field returns the field with a name.
func (w *Words) Field(name string) packedField { return packedField{name, w, (*w.slots.Load())[name]} }

// of returns the slot of the field in b.
func (f packedField) of(b PackedFacts) byte {
	if f.slot != 0 && f.words == b.words {
		return f.slot
	}
	return b.slot(f.name)
}

// Number is PackedFacts.Number.
func (f packedField) Number(b PackedFacts) (sum float64, known bool) { return b.number(f.of(b)) }

// Time is PackedFacts.Time.
func (f packedField) Time(b PackedFacts) time.Time { return b.time(f.of(b)) }

// keptTexts is the number of results that Some keeps, of 4 bytes.
const keptTexts = 1024

// Some returns a function that reports whether holds is true for one of the texts that PackedFacts.Texts returns. It
// keeps results for texts of Words and is safe for concurrent use.
func (f packedField) Some(holds func(string) bool) func(b PackedFacts, title string) bool {
	kept := new([keptTexts]atomic.Uint32) // (number of the text + 1) * 2, and 1 if it holds
	return func(b PackedFacts, title string) (some bool) {
		b.raw(f.of(b), func(form byte, p string) bool {
			if form == formWord && b.words == f.words {
				n, _ := uvarint(p)
				place := &kept[n%keptTexts]
				was := place.Load()
				if was>>1 != uint32(n)+1 {
					was = (uint32(n) + 1) << 1
					if text := (*b.words.list.Load())[n]; text != "" && holds(text) {
						was |= 1
					}
					place.Store(was)
				}
				some = was&1 != 0
				return !some
			}
			var v PackedValue
			b.read(p, &v, form, title)
			some = v.Text != "" && holds(v.Text)
			return !some
		})
		return some
	}
}

func (b PackedFacts) slot(field string) byte {
	if b.words == nil {
		return 0
	}
	return (*b.words.slots.Load())[field]
}

// Values returns the distinct values of a field; title is the notice's title.
func (b PackedFacts) Values(field, title string) []PackedValue {
	var out []PackedValue
	if slot := b.slot(field); slot != 0 {
		b.each(slot, title, func(v PackedValue) bool {
			for i := range out {
				if o := &out[i]; o.Text == v.Text && o.Number == v.Number && o.Time.Equal(v.Time) {
					return true
				}
			}
			out = append(out, v)
			return true
		})
	}
	return out
}

// Has reports whether a notice has a value of a field.
func (b PackedFacts) Has(field string) bool {
	slot, has := b.slot(field), false
	if slot != 0 {
		b.each(slot, "", func(PackedValue) bool { has = true; return false })
	}
	return has
}

// Number returns the number of a money or number field: with several lots the printed total, else
// their sum.
func (b PackedFacts) Number(field string) (sum float64, known bool) { return b.number(b.slot(field)) }

func (b PackedFacts) number(slot byte) (sum float64, known bool) {
	b.each(slot, "", func(v PackedValue) bool {
		if v.form != formNumber {
			return true
		}
		known = true
		if !v.Lot {
			sum = v.Number
			return false
		}
		sum += v.Number
		return true
	})
	return sum, known
}

// Range returns the least and the greatest number of a field.
func (b PackedFacts) Range(field string) (least, most float64, known bool) {
	b.each(b.slot(field), "", func(v PackedValue) bool {
		if v.form != formNumber {
			return true
		}
		if !known {
			least, most, known = v.Number, v.Number, true
		}
		least, most = min(least, v.Number), max(most, v.Number)
		return true
	})
	return least, most, known
}

// NumbersOf returns the items with a number of a field for which holds returns true. whole means
// that the sum of all numbers counts for the whole notice.
func (b PackedFacts) NumbersOf(field string, whole bool, holds func(float64) bool) (out filter.Things) {
	b.each(b.slot(field), "", func(v PackedValue) bool {
		if v.form == formNumber && holds(v.Number) {
			note(&out, &v)
		}
		return true
	})
	if sum, known := b.Number(field); whole && known && holds(sum) {
		out.Join(filter.Whole)
	}
	return out
}

// TextsOf returns the items with a text of a field for which holds returns true; title is the
// notice's title.
func (b PackedFacts) TextsOf(field, title string, holds func(string) bool) (out filter.Things) {
	b.each(b.slot(field), title, func(v PackedValue) bool {
		if v.Text != "" && holds(v.Text) {
			note(&out, &v)
		}
		return true
	})
	return out
}

func note(out *filter.Things, v *PackedValue) {
	if v.Thing == 0 {
		out.Join(filter.Every)
		return
	}
	out.Add(v.Thing)
}

// Time returns the first time of a field: the end of a span, or the last minute of a day without a
// clock time. Zero = none.
func (b PackedFacts) Time(field string) (t time.Time) { return b.time(b.slot(field)) }

func (b PackedFacts) time(slot byte) (t time.Time) {
	b.each(slot, "", func(v PackedValue) bool {
		if v.form != formTime && v.form != formSpan {
			return true
		}
		if t = v.Time; !v.Till.IsZero() {
			t = v.Till
		}
		if !v.Clock {
			t = t.Add(24*time.Hour - time.Minute)
		}
		return false
	})
	return t
}

// Texts returns the texts of a field; title is the notice's title.
func (b PackedFacts) Texts(field, title string) []string {
	var out []string
	if slot := b.slot(field); slot != 0 {
		b.each(slot, title, func(v PackedValue) bool {
			if v.Text != "" {
				out = append(out, v.Text)
			}
			return true
		})
	}
	return out
}

// Doubts reports whether a value was found that is not believed; Corrected, whether an analyst
// corrected a value.
func (b PackedFacts) Doubts() bool { return b.packed != "" && b.packed[0]&doubts != 0 }

func (b PackedFacts) Corrected() bool { return b.packed != "" && b.packed[0]&corrected != 0 }

// Bytes returns the size of the packed data.
func (b PackedFacts) Bytes() int { return len(b.packed) }
