package tui

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"angler/crawl/auth"
	"angler/store/config"
)

// A text for readers is a literal in one of these places, or looks like a sentence.
var (
	textCalls = map[string]int{"T": 0, "F": 0, "N": 1, "Say": 3, "DrawNote": 1, "NewChooser": 0, "Offer": 0, "tell": 0, "Waiting": 0, "Run": 0, "run": 0, "Line": 0, "Refusal": 0, "SomeText": 0,
		"analyst": 0, "admin": 0, "Own": 0, "As": 0, "NewLoader": 2, "label": 1}
	textFields = map[string]bool{"Name": true, "Help": true, "Off": true, "Title": true, "Label": true, "Hint": true, "Note": true, "label": true, "help": true, "name": true}
	sentence   = regexp.MustCompile(`[A-Za-z]{2,}[,;:]? [A-Za-z]{2,}`)
	word       = regexp.MustCompile(`[A-Za-z]{2,}`)
	verbs      = regexp.MustCompile(`%[+.0-9]*[a-z]`) // as message.Of makes them %s
	inBraces   = regexp.MustCompile(`\{[a-z_]+\}`)    // the key of an action
)

// literal folds a constant of strings joined by +.
func literal(e ast.Expr) (string, bool) {
	switch x := e.(type) {
	case *ast.BasicLit:
		if x.Kind == token.STRING {
			s, err := strconv.Unquote(x.Value)
			return s, err == nil
		}
	case *ast.BinaryExpr:
		a, ok := literal(x.X)
		b, ok2 := literal(x.Y)
		return a + b, x.Op == token.ADD && ok && ok2
	case *ast.ParenExpr:
		return literal(x.X)
	}
	return "", false
}

// texts returns every text of the interface with its place in the code.
func texts(t *testing.T) map[string]string {
	t.Helper()
	out := map[string]string{}
	fset := token.NewFileSet()
	var files []string
	for _, dir := range []string{".", "screen", "screen/home", "screen/topic", "screen/crawl", "screen/inbox", "widget", "keymap"} {
		list, err := filepath.Glob(filepath.Join(dir, "*.go"))
		must(t, err)
		files = append(files, list...)
	}
	for _, path := range files {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(fset, path, nil, 0)
		must(t, err)
		add := func(e ast.Expr, noun bool) {
			if s, ok := literal(e); ok && (word.MatchString(inBraces.ReplaceAllString(s, "")) || noun) {
				out[s] = fset.Position(e.Pos()).String()
			}
		}
		ast.Inspect(f, func(n ast.Node) bool {
			switch x := n.(type) {
			case *ast.CallExpr:
				name := ""
				switch fn := x.Fun.(type) {
				case *ast.SelectorExpr:
					name = fn.Sel.Name
					if p, ok := fn.X.(*ast.Ident); ok && (p.Name == "errors" || p.Name == "fmt" && name != "Sprintf") {
						return false // errors are English; Line shows the known ones
					}
				case *ast.Ident:
					name = fn.Name
				}
				if i, ok := textCalls[name]; ok && len(x.Args) > i {
					add(x.Args[i], name == "N")
				}
			case *ast.KeyValueExpr:
				if path == "screen/glossary.go" { // a title and what it means
					add(x.Value, false)
					return false
				}
				if k, ok := x.Key.(*ast.Ident); ok && textFields[k.Name] {
					add(x.Value, false)
				}
			case *ast.BasicLit, *ast.BinaryExpr:
				if s, ok := literal(n.(ast.Expr)); ok {
					if sentence.MatchString(s) {
						add(n.(ast.Expr), false)
					}
					return false
				}
			case *ast.ImportSpec:
				return false
			}
			return true
		})
	}
	set := config.Default()
	set.Host = map[string]config.Host{"x.cn": {}}
	for _, r := range append(set.Rows(), set.HostRows()...) {
		if r.Comment != "" {
			out[r.Comment] = "store/settings.go"
		}
	}
	return out
}

// notShown are literals like sentences that no reader sees.
var notShown = map[string]bool{
	// lines of the log, which every viewer sees; i18n.Line translates them
	"expert word ": true, "weight of ": true, "weight of %s ×%.1f": true, "weight of %s ×%g": true,
	"label %s of %d pages like %s": true, "label none of %d pages like %s": true, "; the help lists the actions with their names": true, "; did you mean %s?": true, "label %s of %d marked pages": true, "label none ": true,
	// an error, which Line translates
	"[keys] %s = %q: %s is %s's already; give one of them another key": true,
	// keys
	"pgdown ctrl+f": true, "pgup ctrl+b": true,
	// errors that leave the program
	"a new workspace is wanted": true, "the workspace %s is wanted": true, "the workbench crashed: %v": true,
	// why crawl/auth refuses an action
	"your key has role=": true, "; it takes role=": true, "no rule says who may do this": true,
	"set on the server": true, "the file would be the server's; run: ssh HOST export KIND > FILE": true,
}

func TestEveryTextIsTranslated(t *testing.T) {
	zh := lang(t, "zh")
	all := texts(t)
	var missing []string
	for _, s := range slices.Sorted(maps.Keys(all)) {
		if !zh.Known(s) && !notShown[s] {
			missing = append(missing, strconv.Quote(s)+" // "+all[s])
		}
	}
	if path := os.Getenv("ANGLER_MISSING"); path != "" {
		must(t, os.WriteFile(path, []byte(strings.Join(missing, "\n")), 0o644))
	}
	if len(missing) > 0 {
		t.Errorf("%d texts have no Chinese:\n%s", len(missing), strings.Join(missing, "\n"))
	}
}

// A translation that drops or changes a verb would show %!s(MISSING).
func TestTranslationsKeepTheirVerbs(t *testing.T) {
	zh := lang(t, "zh")
	verb := regexp.MustCompile(`%(?:\[\d\])?(?:\.\d)?[sdvgf]`)
	place := regexp.MustCompile(`\[(\d)\]`)
	for _, k := range zh.Keys() {
		want, got := verb.FindAllString(k, -1), verb.FindAllString(zh.T(k), -1)
		inPlace := slices.Clone(got)
		for i, v := range got {
			if m := place.FindStringSubmatch(v); m != nil {
				i = int(m[1][0] - '1')
			}
			if i < len(inPlace) {
				inPlace[i] = place.ReplaceAllString(v, "")
			}
		}
		if !slices.Equal(want, inPlace) {
			t.Errorf("%q became %q", k, zh.T(k))
		}
	}
}

// english are words that stay in Chinese texts: names of methods, keys, units, addresses.
var english = regexp.MustCompile(`^(angler|left|right|Shark|search|HITS|CPU|HTTP|HTML|SSH|robots|txt|host|pattern|socks|true|gse|flat|delta|hflp|elf|queue|count|PageRank|CSV|Excel|Atom|site|prefix|jobs|data|hub|anchor|min|timeout|sitemap|xml|IDF|JSON|toml|serve|every|learner|auto|esc|enter|backspace|tab|space|home|end|pgdown|pgup|ctrl|shift|gb18030|http|www|test|html?|htm|list\d*|ist|info|files?|docx|DOCX|XLSX|PDF|ZIP|RAR|OSC|URL|θ|AUC|tenders|discovery|DOCTYPE|head|body|title|href|span|wang|url|file|all|lists|notices|terms|mine|WORDS|DIR|FILE|invite|workers|join|nats|token|demo)$`)

// The Chinese catalogue has no texts that the code does not use.
func TestNoTranslationIsUnused(t *testing.T) {
	zh := lang(t, "zh")
	said := map[string]bool{auth.Viewer.Denied(auth.CancelJob): true, auth.Viewer.Denied(auth.Workers): true, auth.Analyst.Denied(auth.Workers): true}
	keys := map[string]bool{} // of angler.toml, without their table
	for _, dir := range []string{".", "../crawl", "../store", "../topic"} {
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			f, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
			if err != nil {
				return err
			}
			ast.Inspect(f, func(n ast.Node) bool {
				if f, ok := n.(*ast.Field); ok && f.Tag != nil {
					tag, _ := literal(f.Tag)
					key, _, _ := strings.Cut(reflect.StructTag(tag).Get("toml"), ",")
					keys[key], said[reflect.StructTag(tag).Get("comment")] = true, true
				}
				e, ok := n.(ast.Expr)
				if !ok {
					return true
				}
				s, ok := literal(e)
				_, why, _ := strings.Cut(s, "%w: ")
				said[s], said[why], said[verbs.ReplaceAllString(strings.ReplaceAll(s, "%q", `"%s"`), "%s")] = true, true, true
				return !ok
			})
			return nil
		})
		must(t, err)
	}
	for _, k := range zh.Keys() {
		if strings.HasSuffix(k, "Copy as cURL") {
			continue // its end is a constant that several errors share
		}
		if _, key, ok := strings.Cut(k, "."); !said[k] && (!ok || !keys[key]) {
			t.Errorf("nothing says %q", k)
		}
	}
}

func TestRefusalsOfRolesAreTranslated(t *testing.T) {
	zh := lang(t, "zh")
	for _, why := range []string{auth.Viewer.Denied(auth.CancelJob), auth.Viewer.Denied(auth.Workers), auth.Analyst.Denied(auth.Workers), auth.Admin.Denied(auth.Export)} {
		if why == "" || zh.T(why) == why {
			t.Errorf("%q is not translated", why)
		}
	}
}

// On every screen and at every size a Chinese reader sees only Chinese.
func TestNoEnglishIsLeftInChinese(t *testing.T) {
	invented := regexp.MustCompile(`[a-z0-9-]+(\\?\.[a-z0-9-]+)*(\\?\.test(/[^ │]*)?|\.?[a-z]*…[a-z0-9./]*|\.?[╭│╰])`)
	latin := regexp.MustCompile(`[A-Za-z]{3,}`)
	check := func(t *testing.T, screen string, keys *regexp.Regexp) {
		t.Helper()
		for _, line := range strings.Split(screen, "\n") {
			for _, w := range latin.FindAllString(keys.ReplaceAllString(invented.ReplaceAllString(line, ""), ""), -1) {
				if !english.MatchString(w) {
					t.Errorf("%q in %s", w, strings.TrimSpace(line))
				}
			}
		}
	}
	none := regexp.MustCompile(`^$`)
	for i, st := range states {
		t.Run(st.name, func(t *testing.T) {
			t.Parallel()
			keys := none
			if st.name == "settings" { // values and addresses are what the file holds
				keys = regexp.MustCompile(`User-Agent +.*$|[│ ]name：`)
			}
			d := drawState(t, "zh", i, 200, 60)
			for _, size := range slices.Backward(sizes[1:]) {
				d.send(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
				d.settle()
				check(t, d.screen(), keys)
			}
		})
	}
	typed := regexp.MustCompile(`x\.edu\.cn|✗ (not|address) `) // an example, and what the test typed
	for name, keys := range wizardSteps {
		t.Run("wizard-"+name, func(t *testing.T) {
			x := wizardsIn(t, &maker{}, "zh")
			x.press(keys...)
			for _, size := range sizes[1:] {
				x.send(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
				check(t, ansi.Strip(x.w.View()), typed)
			}
		})
	}
}

// Replaced wordings are on no screen in either language.
func TestReplacedWordsAreGone(t *testing.T) {
	zh := lang(t, "zh")
	for s, at := range texts(t) {
		for _, old := range []string{"not ready: 10 of both", "add lists of other sites", "No page lies near θ", "now θ ", "here θ ", "cuts off %s", "%s among %s in %s", "worth a label %s",
			"with less similarity and more PageRank", "leave the list alone, or read it again", "likeness", "to cancel or to close", "look at some pages", "look started", "probing %s", "named over SSH"} {
			if s == old || strings.Contains(s, old) && old != "likeness" {
				t.Errorf("%s: %q", at, s)
			}
		}
		for _, old := range []string{"询问理由", "可疑", "带回 %[1]s", "程序就学会", "需两类共"} {
			if said := zh.T(s); strings.Contains(said, old) {
				t.Errorf("%s: %q", at, said)
			}
		}
	}
}

// must fails the test at an error.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
