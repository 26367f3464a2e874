// Command angler is a terminal workbench for focused crawling. It learns from sample list pages,
// lets an analyst tune the similarity threshold live, and harvests every notice that such pages
// list.
//
// This file only wires the parts: it embeds the demo web, and opens files and sockets for the
// commands.
package main

import (
	"context"
	"embed"
	"fmt"
	"io"
	"io/fs"
	"log"
	"net"
	"os"
	"os/exec"
	"syscall"

	"angler/tui/cli"
	_ "angler/tui/early/garbage" // before the packages that initialise large tables
)

//go:embed testdata/web
var sources embed.FS

func main() { os.Exit(run()) }

func run() int {
	ctx, reloads, stop := cli.WatchSignals(os.Stderr, os.Exit)
	defer stop()
	// net/http logs misbehaving servers to the standard logger, which would write over the screen; the
	// crawl records them with the page.
	log.SetOutput(io.Discard)
	web, err := fs.Sub(sources, "testdata/web")
	if err != nil {
		panic(err) // the pattern above and this path differ
	}
	if os.Getenv(cli.WatchEnv) != "" {
		return cli.Watch(os.Stdin)
	}
	p := cli.Program{Web: web, Open: open, Listen: net.Listen, Append: appendTo, Exec: execute, Pipe: pipe,
		Reloads:  reloads,
		Terminal: func() func() { return cli.Remember(os.Stdin, os.Stdout) }}
	return p.Run(ctx, os.Args[1:])
}

func open(path string) (io.ReadCloser, error) {
	if path == "-" {
		return io.NopCloser(os.Stdin), nil
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("%w; check its name, and that you may read it", err)
	}
	return f, nil
}

// appendTo opens a log. Only its owner can read a new one; an existing one keeps its mode.
func appendTo(path string) (io.WriteCloser, error) {
	return os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
}

// execute runs another program on this terminal until it ends or ctx does. It returns the exit
// status, or -1 if a signal ended it.
func execute(ctx context.Context, program string, args []string) (int, error) {
	return pipe(ctx, program, args, os.Stdout)
}

// pipe is execute with the program's standard output in out.
func pipe(ctx context.Context, program string, args []string, out io.Writer) (int, error) {
	c := exec.CommandContext(ctx, program, args...)
	c.Stdin, c.Stdout, c.Stderr = os.Stdin, out, os.Stderr
	c.Cancel = func() error { return c.Process.Signal(syscall.SIGTERM) }
	err := c.Run()
	if c.ProcessState != nil {
		return c.ProcessState.ExitCode(), nil
	}
	return 0, err
}
