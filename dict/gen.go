//go:build ignore

// gen writes base.txt.zst from the dictionary text of the gse module in go.mod. It keeps the words
// that gse's LoadDictEmbed("zh_s") keeps: words with a frequency of at least 2, Latin letters in
// lower case, the first of equal words, and every single character at frequency 2.
package main

import (
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/klauspost/compress/zstd"
)

func main() {
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/go-ego/gse").Output()
	if err != nil {
		log.Fatalf("find the gse module: %v", err)
	}
	text, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(dir)), "data", "dict", "zh", "s_1.txt"))
	if err != nil {
		log.Fatal(err)
	}
	seen := map[string]bool{}
	var lines []string
	for _, line := range strings.Split(string(text), "\n") {
		f := strings.Fields(line)
		if len(f) != 3 {
			continue
		}
		freq, err := strconv.Atoi(f[1])
		word := strings.ToLower(f[0])
		if err != nil || freq < 2 || seen[word] {
			continue
		}
		seen[word] = true
		if utf8.RuneCountInString(word) < 2 {
			freq = 2
		}
		lines = append(lines, fmt.Sprintf("%s %d %s\n", word, freq, f[2]))
	}
	slices.SortFunc(lines, func(a, b string) int {
		return strings.Compare(a[:strings.IndexByte(a, ' ')], b[:strings.IndexByte(b, ' ')])
	})
	enc, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression), zstd.WithEncoderCRC(true))
	if err != nil {
		log.Fatal(err)
	}
	// EncodeAll stores the size, so that the reader allocates once.
	out := enc.EncodeAll([]byte(strings.Join(lines, "")), nil)
	if err := os.WriteFile("base.txt.zst", out, 0o644); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d words, %d bytes\n", len(lines), len(out))
}
