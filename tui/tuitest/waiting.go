package tuitest

import (
	"fmt"
	"testing"

	"angler/store"
	"angler/store/config"
)

// Waiting makes a workspace with two hosts and 60 waiting URLs.
func Waiting(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	set := config.Default()
	set.Seeds = []string{"http://a.example.test/"}
	if err := store.Create(dir, set); err != nil {
		t.Fatal(err)
	}
	ws, err := store.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	var known []string
	for i := range 30 {
		known = append(known, fmt.Sprintf("http://a.example.test/info/%d.htm", 1000+7*i),
			fmt.Sprintf("http://b.example.test/list%d.htm", i))
	}
	if _, err := ws.Seed(known); err != nil {
		t.Fatal(err)
	}
	if err := ws.Close(); err != nil {
		t.Fatal(err)
	}
	return dir
}
