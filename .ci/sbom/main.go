// Command sbom prints which modules a Go program was built from, as the program
// itself says, in the form of CycloneDX 1.5: sbom PROGRAM VERSION. The same program
// gives the same bytes.
package main

import (
	"debug/buildinfo"
	"encoding/json"
	"fmt"
	"os"
	"runtime/debug"
)

type component struct {
	Type       string     `json:"type"`
	Ref        string     `json:"bom-ref"`
	Name       string     `json:"name"`
	Version    string     `json:"version"`
	URL        string     `json:"purl"`
	Properties []property `json:"properties,omitempty"`
}

type property struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

type document struct {
	Format   string `json:"bomFormat"`
	Spec     string `json:"specVersion"`
	Version  int    `json:"version"`
	Metadata struct {
		Component component `json:"component"`
	} `json:"metadata"`
	Components []component `json:"components"`
}

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: sbom PROGRAM VERSION")
		os.Exit(2)
	}
	if err := write(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func write(program, version string) error {
	info, err := buildinfo.ReadFile(program)
	if err != nil {
		return fmt.Errorf("%s does not say what it was built from: %w", program, err)
	}
	d := document{Format: "CycloneDX", Spec: "1.5", Version: 1}
	d.Metadata.Component = library(&info.Main)
	d.Metadata.Component.Type, d.Metadata.Component.Version = "application", version
	for _, s := range info.Settings {
		d.Metadata.Component.Properties = append(d.Metadata.Component.Properties,
			property{"go:build:" + s.Key, s.Value})
	}
	d.Components = append(d.Components, component{Type: "library", Ref: "pkg:golang/std@" + info.GoVersion, Name: "std",
		Version: info.GoVersion, URL: "pkg:golang/std@" + info.GoVersion})
	for _, m := range info.Deps {
		d.Components = append(d.Components, library(m))
	}
	enc := json.NewEncoder(os.Stdout)
	enc.SetIndent("", "  ")
	return enc.Encode(d)
}

// library describes a module; one that another takes the place of is named with it.
func library(m *debug.Module) component {
	url := "pkg:golang/" + m.Path + "@" + m.Version
	c := component{Type: "library", Ref: url, Name: m.Path, Version: m.Version, URL: url}
	if m.Sum != "" {
		c.Properties = append(c.Properties, property{"go:sum", m.Sum})
	}
	if r := m.Replace; r != nil {
		c.Properties = append(c.Properties, property{"go:replaced-by", r.Path + " " + r.Version})
	}
	return c
}
