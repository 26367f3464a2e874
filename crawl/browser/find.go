package browser

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// names are the programs to look for, in this order.
var names = []string{"chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome",
	"chromium-headless-shell", "headless_shell", "microsoft-edge"}

// Find returns the path of the browser: the named program, or the first of names that is installed.
// The error is errNone, or says what is wrong with the name.
func Find(named string) (string, error) {
	if named != "" {
		path, err := exec.LookPath(named)
		if err != nil {
			return "", fmt.Errorf("render.browser = %q is no program that can be run (%v); leave it empty to have one looked for", named, cause(err))
		}
		return filepath.Abs(path)
	}
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return filepath.Abs(path)
		}
	}
	return "", errNone
}

func cause(err error) error {
	if e, ok := err.(*exec.Error); ok {
		return e.Err
	}
	return err
}

// versionOf returns a browser's name and version, e.g. "Chromium 156.0.8078.79".
func versionOf(ctx context.Context, path string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	c := exec.CommandContext(ctx, path, "--version")
	c.WaitDelay = time.Second
	out, err := c.Output()
	if err != nil {
		return "", fmt.Errorf("%s --version: %w", path, err)
	}
	line, _, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
	if len(line) > 100 {
		line = line[:100]
	}
	return strings.ToValidUTF8(line, ""), nil
}
