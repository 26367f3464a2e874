package bench

import (
	"context"
	_ "embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"angler/crawl/webtest"
)

// crawler is one that is measured. All begin at the home pages of the web, stay in
// it, fetch no files but pages, and have no pause between two requests.
type crawler struct {
	name    string
	role    string // of a process of this program; "" is another program, name
	fails   bool   // it ends with an error where one address of thousands is missing
	options func(b *bench, dir string) ([]string, error)
}

const (
	oursName  = "angler"
	bareName  = "bare"
	collyName = "colly"
)

// own are the crawlers that are part of this program.
var own = []crawler{
	{name: oursName, role: oursName},
	{name: bareName, role: bareName},
	{name: collyName, role: collyName},
}

// peers are other programs. They reach the site as their proxy.
var peers = []crawler{
	{name: "wget", fails: true, options: wget},
	{name: "wget2", fails: true, options: func(b *bench, dir string) ([]string, error) {
		out, err := wget(b, dir)
		return append([]string{"--max-threads=" + strconv.Itoa(b.Workers)}, out...), err
	}},
	{name: "httrack", options: httrack},
	{name: "scrapy", options: scrapy},
}

func names(list []crawler) string {
	var out []string
	for _, c := range list {
		out = append(out, c.name)
	}
	return strings.Join(out, ", ")
}

// installed reports whether the crawler can be run here.
func (c crawler) installed(ctx context.Context) bool {
	if c.role != "" {
		return true
	}
	_, err := exec.LookPath(c.name)
	return err == nil && ctx.Err() == nil
}

// version is what the program says of its version, in its own words.
func (c crawler) version(ctx context.Context) string {
	if c.role != "" {
		return ""
	}
	arg := "--version"
	if c.name == "scrapy" {
		arg = "version"
	}
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	out, err := exec.CommandContext(ctx, c.name, arg).Output()
	if err != nil {
		return ""
	}
	line, _, _ := strings.Cut(string(out), "\n")
	return strings.TrimSpace(line)
}

// command is the process of the crawler, with its files in dir.
func (c crawler) command(ctx context.Context, b *bench, dir string) (*exec.Cmd, error) {
	if c.role != "" {
		return ours(ctx, b.Child, c.role, "-addr", b.site.addr, "-dir", dir,
			"-pages", strconv.Itoa(b.asked), "-workers", strconv.Itoa(b.Workers)), nil
	}
	args, err := c.options(b, dir)
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, c.name, args...)
	proxy := "http://" + b.site.addr
	cmd.Env = append(os.Environ(), "http_proxy="+proxy, "https_proxy="+proxy, "no_proxy=", "HOME="+dir)
	return cmd, nil
}

// wget crawls once for every address that it is given, so that it gets one.
func wget(_ *bench, dir string) ([]string, error) {
	return []string{"-q", "-r", "-l", "1000", "-H", "-D", "test", "-R", strings.Join(fileEndings, ","), "--follow-tags=a",
		"-t", "1", "-T", "30", "-P", filepath.Join(dir, "files"), webtest.Start}, nil
}

func httrack(b *bench, dir string) ([]string, error) {
	out := append(b.web.Seeds(), "-O", filepath.Join(dir, "files"), "-P", b.site.addr, "-c"+strconv.Itoa(b.Workers),
		"--disable-security-limits", "-A0", "-%c0", "-r1000", "-s2", "-C0", "-I0", "-p1", "-R0", "-q", "+*.test/*")
	for _, ending := range fileEndings {
		out = append(out, "-*."+ending)
	}
	return out, nil
}

//go:embed spider.py
var spider string

func scrapy(b *bench, dir string) ([]string, error) {
	file := filepath.Join(dir, "spider.py")
	if err := os.WriteFile(file, []byte(spider), 0o600); err != nil {
		return nil, fmt.Errorf("cannot write the spider: %w", err)
	}
	set := func(name string, value any) string { return fmt.Sprintf("%s=%v", name, value) }
	return []string{"runspider", file, "-a", "seeds=" + strings.Join(b.web.Seeds(), ","), "-a", "files=" + strings.Join(fileEndings, ","),
		"-s", set("CONCURRENT_REQUESTS", b.Workers), "-s", set("LOG_LEVEL", "ERROR"), "-s", set("ROBOTSTXT_OBEY", true)}, nil
}
