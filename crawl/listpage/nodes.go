package listpage

import (
	"strconv"
	"strings"
)

// node is one expression or statement. What op says:
//
//	str num            text is the value
//	tpl                kids are its pieces
//	id                 text is the name
//	member             kids[0].text
//	index              kids[0][kids[1]]
//	call new           kids[0](kids[1:])
//	bin assign         kids[0] text kids[1]
//	cond               kids[0] ? kids[1] : kids[2]
//	not neg            of kids[0]
//	array object       kids; of an object text pairs: kids[i] is a pair, text its name
//	unknown            what is not read: a function, a regular expression
//	var                text = kids[0], if there is one
//	if                 kids[0], then kids[1], else kids[2] if there is one
//	return             kids[0], if there is one
//	block              kids
//	skip               a statement that is not read
type node struct {
	op, text string
	kids     []*node
	few      [3]*node // where the first kids stand
}

func (n *node) add(kid *node) { n.kids = append(n.kids, kid) }

var unknown = &node{op: "unknown"}

// nodes gives out nodes and takes all of them back at once.
type nodes struct {
	chunks [][]node
	used   int
}

const chunk = 64 // nodes

// make returns a new node.
func (a *nodes) make(op, text string, kids ...*node) *node {
	if a.used == len(a.chunks)*chunk {
		a.chunks = append(a.chunks, make([]node, chunk))
	}
	n := &a.chunks[a.used/chunk][a.used%chunk]
	a.used++
	n.op, n.text = op, text
	n.kids = append(n.few[:0], kids...)
	return n
}

// reset takes the nodes back. They hold nothing then, and few of them are kept.
func (a *nodes) reset() {
	for i, c := range a.chunks {
		clear(c[:min(chunk, max(0, a.used-i*chunk))])
	}
	const keep = 8
	if len(a.chunks) > keep {
		clear(a.chunks[keep:])
		a.chunks = a.chunks[:keep]
	}
	a.used = 0
}

// numeral is a number as JavaScript would write it.
func numeral(s string) string {
	if n, err := strconv.ParseInt(s, 0, 64); err == nil && !strings.HasPrefix(s, "0b") && (len(s) == 1 || s[0] != '0' || s[1]|0x20 == 'x') {
		return strconv.FormatInt(n, 10)
	}
	if f, err := strconv.ParseFloat(s, 64); err == nil {
		return strconv.FormatFloat(f, 'f', -1, 64)
	}
	return s
}
