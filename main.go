// Command angler is a terminal workbench for focused crawling: point it at
// sample list pages, tune the similarity threshold live, and let it bring home
// every notice such pages announce.
//
// This file only wires: it embeds the demo web, opens files for the commands,
// and turns signals into the end of a context.
package main

import (
	"context"
	"embed"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"syscall"

	"angler/tui/command"
)

//go:embed testdata/web
var sources embed.FS

func main() { os.Exit(run()) }

func run() int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	web, err := fs.Sub(sources, "testdata/web")
	if err != nil {
		panic(err) // the pattern above and this path differ
	}
	if os.Getenv(command.WatchEnv) != "" {
		return command.Watch(os.Stdin)
	}
	p := command.Program{Web: web, Open: open}
	return p.Run(ctx, os.Args[1:])
}

func open(path string) (io.ReadCloser, error) {
	if path == "-" {
		return io.NopCloser(os.Stdin), nil
	}
	return os.Open(path)
}
