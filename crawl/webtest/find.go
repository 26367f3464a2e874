package webtest

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// FindMaterial returns testdata/web of the module around the working directory. Tests use it; the program embeds the
// same folder.
func FindMaterial() (fs.FS, error) {
	dir, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			web := filepath.Join(dir, "testdata", "web")
			_, err = os.Stat(web)
			return os.DirFS(web), err
		}
		up := filepath.Dir(dir)
		if up == dir {
			return nil, errors.New("no go.mod above the working directory: run inside the module")
		}
		dir = up
	}
}

// Demo returns the demo's web from the material of FindMaterial.
func Demo(o Options) (*Web, error) { return Plan("", o) }

// Plan returns the web of a plan from the material of FindMaterial.
func Plan(name string, o Options) (*Web, error) {
	fsys, err := FindMaterial()
	if err != nil {
		return nil, err
	}
	m, err := LoadPlan(fsys, name)
	if err != nil {
		return nil, err
	}
	return New(m, o)
}
