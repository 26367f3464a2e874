package export

import (
	"bytes"
	"encoding/xml"
	"errors"
	"reflect"
	"testing"
)

// graph is the schema of GraphML.
type graph struct {
	XMLName xml.Name `xml:"http://graphml.graphdrawing.org/xmlns graphml"`
	Keys    []struct {
		ID   string    `xml:"id,attr"`
		For  string    `xml:"for,attr"`
		Name string    `xml:"attr.name,attr"`
		Type graphType `xml:"attr.type,attr"`
	} `xml:"key"`
	Graph struct {
		Default string `xml:"edgedefault,attr"`
		Nodes   []struct {
			ID   string  `xml:"id,attr"`
			Data []datum `xml:"data"`
		} `xml:"node"`
		Edges []struct {
			Source string  `xml:"source,attr"`
			Target string  `xml:"target,attr"`
			Data   []datum `xml:"data"`
		} `xml:"edge"`
	} `xml:"graph"`
}

type datum struct {
	Key   string `xml:"key,attr"`
	Value string `xml:",chardata"`
}

func decoded(t *testing.T, b []byte) graph {
	t.Helper()
	var g graph
	if err := xml.Unmarshal(b, &g); err != nil {
		t.Fatalf("%v in %s", err, b)
	}
	return g
}

func TestGraphIsReadAgain(t *testing.T) {
	var b bytes.Buffer
	w, err := NewGraph(&b, []GraphKey{{"title", "node", String}, {"score", "node", Double}, {"list", "node", Boolean}, {"links", "edge", Int}})
	must(t, err)
	title := "招标 </data><node id=\"x\"/> & \x00\x1b[31m \ufffe"
	must(t, errors.Join(w.Node("p1", GraphText("title", title), GraphNumber("score", .25), GraphFlag("list", true)), w.Node("p2", GraphText("title", "")),
		w.Edge("p1", "p2", GraphCount("links", 3)), w.Close()))
	g := decoded(t, b.Bytes())
	if len(g.Keys) != 4 || g.Keys[1].Name != "score" || g.Keys[1].Type != Double || g.Graph.Default != "directed" {
		t.Errorf("keys %+v", g.Keys)
	}
	want := []datum{{"title", "招标 </data><node id=\"x\"/> & [31m "}, {"score", "0.25"}, {"list", "true"}}
	if len(g.Graph.Nodes) != 2 || !reflect.DeepEqual(g.Graph.Nodes[0].Data, want) || g.Graph.Nodes[1].Data != nil {
		t.Errorf("nodes %+v", g.Graph.Nodes)
	}
	if len(g.Graph.Edges) != 1 || g.Graph.Edges[0].Source != "p1" || g.Graph.Edges[0].Data[0].Value != "3" {
		t.Errorf("edges %+v", g.Graph.Edges)
	}
}

func FuzzTextGraphml(f *testing.F) {
	f.Add("a & b \x00 \xff <")
	f.Fuzz(func(t *testing.T, s string) {
		var b bytes.Buffer
		w, _ := NewGraph(&b, []GraphKey{{"t", "node", String}})
		_ = w.Node("n", GraphText("t", s))
		_ = w.Close()
		if g := decoded(t, b.Bytes()); len(g.Graph.Nodes) != 1 {
			t.Errorf("%q makes %d nodes", s, len(g.Graph.Nodes))
		}
	})
}
