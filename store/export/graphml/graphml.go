// Package graphml writes graphs as GraphML, which Gephi, yEd, Cytoscape and networkx
// read. Nodes and edges are written as they come and none is kept.
package graphml

import (
	"bufio"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Type says what the values of an attribute are.
type Type string

// The types of attributes.
const (
	String  Type = "string"
	Int     Type = "int"
	Double  Type = "double"
	Boolean Type = "boolean"
)

// Key is an attribute of nodes or of edges.
type Key struct {
	Name string // a name as in XML: letters, digits and _
	For  string // "node" or "edge"
	Type Type
}

// Data is the value of an attribute; an empty one is left out.
type Data struct{ Key, Value string }

// Text, Number, Count and Flag are attributes.
func Text(key, s string) Data { return Data{key, s} }

// Number is an attribute of type Double.
func Number(key string, x float64) Data { return Data{key, strconv.FormatFloat(x, 'f', -1, 64)} }

// Count is an attribute of type Int.
func Count(key string, n int) Data { return Data{key, strconv.Itoa(n)} }

// Flag is an attribute of type Boolean.
func Flag(key string, yes bool) Data { return Data{key, strconv.FormatBool(yes)} }

// Writer writes one directed graph. It is for one goroutine. Ids must be made of
// letters and digits.
type Writer struct{ w *bufio.Writer }

// New begins a graph whose nodes and edges have some of the keys.
func New(w io.Writer, keys []Key) (*Writer, error) {
	g := &Writer{bufio.NewWriterSize(w, 1<<16)}
	g.put(`<?xml version="1.0" encoding="UTF-8"?>`+"\n"+`<graphml xmlns="http://graphml.graphdrawing.org/xmlns" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="http://graphml.graphdrawing.org/xmlns http://graphml.graphdrawing.org/xmlns/1.0/graphml.xsd">`, "\n")
	for _, k := range keys {
		g.put(`<key id="`, k.Name, `" for="`, k.For, `" attr.name="`, k.Name, `" attr.type="`, string(k.Type), `"/>`, "\n")
	}
	return g, g.put(`<graph id="links" edgedefault="directed">`, "\n")
}

// Node writes a node.
func (g *Writer) Node(id string, data ...Data) error {
	g.put(`<node id="`, id, `">`)
	g.data(data)
	return g.put("</node>\n")
}

// Edge writes an edge between two nodes, which may follow later.
func (g *Writer) Edge(source, target string, data ...Data) error {
	g.put(`<edge source="`, source, `" target="`, target, `">`)
	g.data(data)
	return g.put("</edge>\n")
}

// Close ends the graph. It does not close the file.
func (g *Writer) Close() error {
	g.put("</graph>\n</graphml>\n")
	return g.w.Flush()
}

func (g *Writer) data(data []Data) {
	for _, d := range data {
		if d.Value != "" {
			g.put(`<data key="`, d.Key, `">`)
			g.put(escaped.Replace(strings.Map(allowed, d.Value)), `</data>`)
		}
	}
}

func (g *Writer) put(parts ...string) (err error) {
	for _, s := range parts {
		_, err = g.w.WriteString(s)
	}
	return err
}

var escaped = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;")

// allowed leaves out the characters that XML forbids.
func allowed(r rune) rune {
	switch {
	case r < ' ' && r != '\n' && r != '\t', r == 0xfffe, r == 0xffff:
		return -1
	case !utf8.ValidRune(r):
		return utf8.RuneError
	}
	return r
}
