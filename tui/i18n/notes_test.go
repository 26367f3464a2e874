package i18n

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

var (
	verb     = regexp.MustCompile(`%(\.\d+)?[a-z]`)
	number   = regexp.MustCompile(`%(\.\d+)?[df]`)
	commands = regexp.MustCompile(`\bangler( [a-z]+)+`) // of the program, in any language
	words    = regexp.MustCompile(`[A-Za-z]{2,} [A-Za-z]{2,} [A-Za-z]{2,}`)
)

// Whatever an engine notes as an event has a Chinese sentence, whatever fills its holes.
func TestEventsAreTranslated(t *testing.T) {
	zh, err := Pick("zh", nil)
	if err != nil {
		t.Fatal(err)
	}
	formats := map[string]string{}
	err = filepath.WalkDir("../../crawl", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if s := noted(n); s != "" {
				formats[s] = path
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(formats) < 80 {
		t.Fatalf("%d events are found", len(formats))
	}
	for format, path := range formats {
		if !words.MatchString(verb.ReplaceAllString(format, "")) {
			continue // holes and signs
		}
		// What fills a hole is said by itself, so it is no sentence here.
		s := verb.ReplaceAllString(number.ReplaceAllString(format, "7"), "a.test")
		if got := zh.Line(s); words.MatchString(commands.ReplaceAllString(got, "")) {
			t.Errorf("%s: %q reads %q in Chinese", path, s, got)
		}
	}
}

// noted is the format of an event that a call notes, "" for anything else.
func noted(n ast.Node) string {
	call, ok := n.(*ast.CallExpr)
	if !ok || len(call.Args) < 2 {
		return ""
	}
	if f, ok := call.Fun.(*ast.SelectorExpr); !ok || f.Sel.Name != "Note" {
		return ""
	}
	text, ok := call.Args[1].(*ast.BasicLit)
	if !ok {
		return ""
	}
	s, _ := strconv.Unquote(text.Value)
	return s
}
