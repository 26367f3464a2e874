package i18n

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"angler/message"
)

var (
	verb    = regexp.MustCompile(`%[+.0-9]*[a-zA-Z]`)
	letters = regexp.MustCompile(`[A-Za-z]{2,}`)
)

// Every message of the engine has Chinese.
func TestMessagesAreTranslated(t *testing.T) {
	zh := chinese()
	formats := map[string]string{}
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
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
		args := make([]any, strings.Count(format, "%"))
		for i := range args {
			args[i] = errors.New("x")
		}
		if id, _ := message.Of(format, args...).Parts(); letters.MatchString(verb.ReplaceAllString(format, "")) && zh.cat.Texts[id] == "" {
			t.Errorf("%s: %q has no Chinese", path, id)
		}
	}
}

// noted returns the format of a message that a call makes, or "".
func noted(n ast.Node) string {
	call, ok := n.(*ast.CallExpr)
	if !ok {
		return ""
	}
	f, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return ""
	}
	at := 0
	switch of, _ := f.X.(*ast.Ident); {
	case f.Sel.Name == "Note":
		at = 1
	case of == nil || of.Name != "message" || f.Sel.Name != "Of" && f.Sel.Name != "Errorf":
		return ""
	}
	if len(call.Args) <= at {
		return ""
	}
	text, ok := call.Args[at].(*ast.BasicLit)
	if !ok || text.Kind != token.STRING {
		return ""
	}
	s, _ := strconv.Unquote(text.Value)
	return s
}
