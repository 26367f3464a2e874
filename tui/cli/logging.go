package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"sync"

	"angler/crawl"
	"angler/store/secrets"
)

// logEvents writes the engine's events to the log.
func logEvents(ctx context.Context, e *crawl.Engine, log *slog.Logger) {
	snaps, end := e.Subscribe()
	defer end()
	levels := map[string]slog.Level{"warn": slog.LevelWarn, "error": slog.LevelError}
	seen := uint64(0)
	for {
		select {
		case s := <-snaps:
			for _, ev := range s.Events {
				if ev.Seq <= seen {
					continue
				}
				seen = ev.Seq
				if ev.By != "" {
					log.Info(ev.What.String(), "by", ev.By)
				} else {
					log.Log(ctx, levels[ev.Kind], ev.Text.String())
				}
			}
		case <-ctx.Done():
			return
		}
	}
}

// logFile is a log whose file can be reopened under the same name while it is written, because
// logrotate renames the old one. It is safe for concurrent use.
type logFile struct {
	path string // "-": standard error, which is never reopened

	mu sync.Mutex // guards w
	w  io.WriteCloser
}

// openLog opens a log to write at its end. Only its owner can read a new one; an existing one keeps
// its mode.
func openLog(path string) (io.WriteCloser, error) {
	return os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
}

func (f *logFile) Write(p []byte) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.w.Write(p)
}

// reopen opens the name again. After an error the log continues in the old file.
func (f *logFile) reopen() error {
	if f.path == "-" {
		return nil
	}
	w, err := openLog(f.path)
	if err != nil {
		return fmt.Errorf("cannot open the log again: %w; it goes on in the old file", err)
	}
	f.mu.Lock()
	old := f.w
	f.w = w
	f.mu.Unlock()
	return old.Close()
}

// Close closes the current file.
func (f *logFile) Close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.w.Close()
}

// unclosed is a writer with another owner.
type unclosed struct{ io.Writer }

func (unclosed) Close() error { return nil }

// redacted removes passwords from all log lines.
var redacted = &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
	switch v := a.Value.Any().(type) {
	case string:
		a.Value = slog.StringValue(secrets.Redact(v))
	case error:
		a.Value = slog.StringValue(secrets.Redact(v.Error()))
	case []string:
		list := make([]string, len(v))
		for i := range v {
			list[i] = secrets.Redact(v[i])
		}
		a.Value = slog.AnyValue(list)
	}
	return a
}}

// logger writes to standard error or to the end of a file.
func logger(stderr io.Writer, path, format string) (*slog.Logger, *logFile, error) {
	f := &logFile{path: path, w: unclosed{stderr}}
	if path != "-" {
		w, err := openLog(path)
		if err != nil {
			return nil, nil, fmt.Errorf("cannot write the log: %w; choose another file with --log", err)
		}
		f.w = w
	}
	switch format {
	case "text":
		return slog.New(slog.NewTextHandler(f, redacted)), f, nil
	case "json":
		return slog.New(slog.NewJSONHandler(f, redacted)), f, nil
	}
	return nil, nil, misuse(errors.Join(fmt.Errorf("log format %q is none of text, json", format), f.Close()))
}
