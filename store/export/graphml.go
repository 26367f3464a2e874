package export

import (
	"bufio"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"
)

// This file writes graphs as GraphML, which Gephi, yEd, Cytoscape and networkx read. It writes
// nodes and edges at once and keeps none.

// graphType is the type of an attribute's values.
type graphType string

// The types of attributes.
const (
	String  graphType = "string"
	Int     graphType = "int"
	Double  graphType = "double"
	Boolean graphType = "boolean"
)

// GraphKey is an attribute of nodes or edges.
type GraphKey struct {
	Name string // an XML name: letters, digits and _
	For  string // "node" or "edge"
	Type graphType
}

// graphData is the value of an attribute; an empty one is left out.
type graphData struct{ Key, Value string }

// GraphText returns an attribute of type String.
func GraphText(key, s string) graphData { return graphData{key, s} }

// GraphNumber is an attribute of type Double.
func GraphNumber(key string, x float64) graphData {
	return graphData{key, strconv.FormatFloat(x, 'f', -1, 64)}
}

// GraphCount is an attribute of type Int.
func GraphCount(key string, n int) graphData { return graphData{key, strconv.Itoa(n)} }

// GraphFlag is an attribute of type Boolean.
func GraphFlag(key string, yes bool) graphData { return graphData{key, strconv.FormatBool(yes)} }

// GraphWriter writes one directed graph. It is for one goroutine. Ids must be made of
// letters and digits.
type GraphWriter struct{ w *bufio.Writer }

// NewGraph starts a graph; keys are the attributes of its nodes and edges.
func NewGraph(w io.Writer, keys []GraphKey) (*GraphWriter, error) {
	g := &GraphWriter{bufio.NewWriterSize(w, 1<<16)}
	g.put(`<?xml version="1.0" encoding="UTF-8"?>`+"\n"+`<graphml xmlns="http://graphml.graphdrawing.org/xmlns" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="http://graphml.graphdrawing.org/xmlns http://graphml.graphdrawing.org/xmlns/1.0/graphml.xsd">`, "\n")
	for _, k := range keys {
		g.put(`<key id="`, k.Name, `" for="`, k.For, `" attr.name="`, k.Name, `" attr.type="`, string(k.Type), `"/>`,
			"\n")
	}
	return g, g.put(`<graph id="links" edgedefault="directed">`, "\n")
}

// Node writes a node.
func (g *GraphWriter) Node(id string, data ...graphData) error {
	g.put(`<node id="`, id, `">`)
	g.data(data)
	return g.put("</node>\n")
}

// Edge writes an edge between two nodes, which may be written later.
func (g *GraphWriter) Edge(source, target string, data ...graphData) error {
	g.put(`<edge source="`, source, `" target="`, target, `">`)
	g.data(data)
	return g.put("</edge>\n")
}

// Close ends the graph. It does not close the file.
func (g *GraphWriter) Close() error {
	g.put("</graph>\n</graphml>\n")
	return g.w.Flush()
}

func (g *GraphWriter) data(data []graphData) {
	for _, d := range data {
		if d.Value != "" {
			g.put(`<data key="`, d.Key, `">`)
			g.put(escaped.Replace(strings.Map(allowed, d.Value)), `</data>`)
		}
	}
}

func (g *GraphWriter) put(parts ...string) (err error) {
	for _, s := range parts {
		_, err = g.w.WriteString(s)
	}
	return err
}

var escaped = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;")

// allowed maps characters that XML forbids to -1.
func allowed(r rune) rune {
	switch {
	case r < ' ' && r != '\n' && r != '\t', r == 0xfffe, r == 0xffff:
		return -1
	case !utf8.ValidRune(r):
		return utf8.RuneError
	}
	return r
}
