package htmldoc

import (
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
	"golang.org/x/text/encoding/unicode"
)

const (
	simplified  = "江南理工大学招标与采购中心关于化学实验室通风系统采购项目的公开招标公告，欢迎符合条件的供应商参加投标。"
	traditional = "國立臺灣大學總務處關於化學實驗室通風系統採購案的公開招標公告，歡迎符合條件的廠商參加投標，並請於期限內送達。"
)

func encode(t testing.TB, e encoding.Encoding, s string) string {
	out, err := e.NewEncoder().String(s)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestDecodeMixed decodes pages that were put together from files in two charsets.

// TestDecodeMixed decodes pages assembled from files in two charsets.
func TestDecodeMixed(t *testing.T) {
	gbk := func(s string) string { return encode(t, simplifiedchinese.GBK, s) }
	const head, foot = "<h1>青松县医院呼吸机采购公告</h1>", "<p>版权所有 青松县卫生局</p>"
	long := "<p>" + simplified + "</p>"
	for _, c := range []struct {
		name, body, want, charset string
		mixed                     bool
	}{
		{"utf-8 with a foot in gbk", head + long + gbk(foot), head + long + foot, "utf-8", true},
		{"gbk with a foot in utf-8", gbk(head+long) + foot, head + long + foot, "gb18030", true},
		{"an attribute in the other charset", head + `<a title="` + gbk("采购公告一览") + `">` + long, head + `<a title="采购公告一览">` + long, "utf-8", true},
		{"gbk that holds three characters of utf-8 by accident", gbk(long) + "<b>\xe4\xb8\xad</b>", "", "gb18030", false},
		{"one broken piece is no second charset", head + long + "<i>\xff\xfe\xb0</i>", "", "utf-8", false},
		{"three characters in gbk", head + long + gbk("<b>新公告</b>"), head + long + "<b>新公告</b>", "utf-8", true},
		{"three characters of utf-8 are too few", gbk(head+long) + "<b>新公告</b>", "", "gb18030", false},
		{"big5 is none of the two", strings.Repeat(head, 9) + encode(t, traditionalchinese.Big5, traditional), "", "", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, charset, mixed := DecodePage([]byte(c.body), "")
			if mixed != c.mixed || c.charset != "" && charset != c.charset || c.want != "" && got != c.want {
				t.Errorf("%v, %s\n%s\nwant %v, %s\n%s", mixed, charset, got, c.mixed, c.charset, c.want)
			}
			if !utf8.ValidString(got) {
				t.Error("no UTF-8")
			}
		})
	}
}

func TestDecode(t *testing.T) {
	gbk := encode(t, simplifiedchinese.GBK, simplified)
	big5 := encode(t, traditionalchinese.Big5, traditional)
	utf16 := encode(t, unicode.UTF16(unicode.LittleEndian, unicode.UseBOM), simplified)
	for _, c := range []struct{ name, body, header, want, charset string }{
		{"utf-8", simplified, "", simplified, "utf-8"},
		{"utf-8 with a mark", "\xef\xbb\xbf" + simplified, "", simplified, "utf-8"},
		{"utf-8 declared as gbk in the header", simplified, "text/html; charset=gbk", simplified, "utf-8"},
		{"utf-8 declared as gb2312 in a meta", `<meta charset="gb2312">` + simplified, "", `<meta charset="gb2312">` + simplified, "utf-8"},
		{"gbk by header", gbk, "text/html; charset=GBK", simplified, "gb18030"},
		{"gbk by meta", `<meta http-equiv="Content-Type" content="text/html; charset=gb2312">` + gbk, "", `<meta http-equiv="Content-Type" content="text/html; charset=gb2312">` + simplified, "gb18030"},
		{"gbk declared as utf-8", `<meta charset=utf-8>` + gbk, "text/html; charset=utf-8", `<meta charset=utf-8>` + simplified, "gb18030"},
		{"gbk declared as latin 1 by the server", gbk, "text/html; charset=iso-8859-1", simplified, "gb18030"},
		{"gbk without any declaration", gbk, "", simplified, "gb18030"},
		{"gbk under a utf-8 mark", "\xef\xbb\xbf" + gbk, "text/html; charset=gbk", "", "gb18030"},
		{"big5 by header", big5, "text/html; charset=big5", traditional, "big5"},
		{"big5 without any declaration", big5, "", traditional, "big5"},
		{"utf-16 with a mark", utf16, "", simplified, "utf-16le"},
		{"shift-jis by meta", `<meta charset="shift_jis">` + encode(t, japanese.ShiftJIS, "こんにちは世界"), "", `<meta charset="shift_jis">こんにちは世界`, "shift_jis"},
		{"latin 1 without declaration", "<html><p>caf\xe9, na\xefve", "", "<html><p>café, naïve", "windows-1252"},
		{"four bytes of gb18030", encode(t, simplifiedchinese.GB18030, simplified+"𠮷㐀"), "", simplified + "𠮷㐀", "gb18030"},
		{"cut within a character", simplified[:len(simplified)-1], "", "", "utf-8"},
		{"one stray byte in utf-8", strings.Repeat(simplified, 3) + "\xff" + simplified, "", "", "utf-8"},
		{"unknown declaration", gbk, "text/html; charset=x-nonsense", simplified, "gb18030"},
		{"xml declaration", `<?xml version="1.0" encoding="gbk"?>` + gbk, "", `<?xml version="1.0" encoding="gbk"?>` + simplified, "gb18030"},
		{"empty", "", "", "", "utf-8"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, charset := DecodeText([]byte(c.body), c.header)
			if charset != c.charset {
				t.Errorf("charset %s, want %s", charset, c.charset)
			}
			if c.want != "" && got != c.want {
				t.Errorf("%.120q, want %.120q", got, c.want)
			}
			if c.want == "" && c.body != "" && !strings.Contains(got, "江南理工大学招标与采购中心") {
				t.Errorf("garbled: %.120q", got)
			}
		})
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte(simplified), "text/html; charset=gbk")
	f.Add([]byte("<meta charset=big5>\xa4\xa4"), "")
	f.Add([]byte("\xef\xbb\xbf\xff"), "x")
	f.Add([]byte("\xfe\xff\x00"), "text/html; charset=utf-16")
	f.Fuzz(func(t *testing.T, body []byte, contentType string) {
		text, charset := DecodeText(body, contentType)
		if !utf8.ValidString(text) || charset == "" || strings.ToLower(charset) != charset {
			t.Fatalf("charset %q, valid %v", charset, utf8.ValidString(text))
		}
		if utf8.Valid(body) && len(body) > 3 && body[0] < 0xef && text != string(body) {
			t.Fatalf("valid UTF-8 was changed: %q to %q", body, text)
		}
		Inflate(body, 1<<16)
	})
}

func BenchmarkDecode(b *testing.B) {
	for name, body := range map[string]string{"utf-8": strings.Repeat(simplified, 80), "gbk": encode(b, simplifiedchinese.GBK, strings.Repeat(simplified, 80))} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(body)))
			for b.Loop() {
				if text, _ := DecodeText([]byte(body), ""); len(text) == 0 {
					b.Fatal("no text")
				}
			}
		})
	}
}

// TestGBKPairs compares the fast decoder of GBK with the general one.
func TestGBKPairs(t *testing.T) {
	taken := 0
	for lead := 0x80; lead <= 0xff; lead++ {
		for tail := 0; tail <= 0xff; tail++ {
			body := []byte{'a', byte(lead), byte(tail), 'b'}
			got, ok := fromGBK(body)
			if !ok {
				continue
			}
			taken++
			want, err := simplifiedchinese.GB18030.NewDecoder().String(string(body))
			if err != nil || got != want {
				t.Errorf("%x: %q, the decoder says %q, %v", body, got, want, err)
			}
		}
	}
	if taken < 6_763 {
		t.Errorf("%d pairs taken; GB 2312 alone has 6 763 characters", taken)
	}
	for _, odd := range []string{"a\x80", "\xb0", "\xb0\xa1\xff\xff", "\x810\x810"} {
		if got, ok := fromGBK([]byte(odd)); ok {
			t.Errorf("%x was taken as %q", odd, got)
		}
	}
}

// TestUserDefined checks that GB 18030's three user-defined areas map to the private use area, with
// and without characters of four bytes.
func TestUserDefined(t *testing.T) {
	text := encode(t, simplifiedchinese.GBK, strings.Repeat(simplified, 20))
	for pair, want := range map[string]rune{
		"\xaa\xa1": 0xe000, "\xaf\xfe": 0xe233, "\xf8\xa1": 0xe234, "\xfe\xfe": 0xe4c5,
		"\xa1\x40": 0xe4c6, "\xa1\x7e": 0xe504, "\xa1\x80": 0xe505, "\xa2\x40": 0xe526, "\xa7\xa0": 0xe765,
		"\xa3\xa0": 0x3000, // the web's space, which the decoder knows
	} {
		for _, around := range []string{"", encode(t, simplifiedchinese.GB18030, "㐀"), "\x81\x20"} {
			got, name := DecodeText([]byte(text+around+pair+around+text), "text/html; charset=gbk")
			if name != "gb18030" || !strings.Contains(got, string(want)) || strings.Count(got, simplified) != 40 {
				t.Errorf("%x beside %x: %s, no %U in it", pair, around, name, want)
			}
		}
	}
	big5 := encode(t, traditionalchinese.Big5, strings.Repeat(traditional, 3))
	if got, name := DecodeText([]byte(big5), "text/html; charset=gbk"); name != "big5" {
		t.Errorf("Big5 declared as GBK was read as %s: %.60q", name, got)
	}
}

// BenchmarkDecodeGBK decodes a page of 60 KB in GBK, which is searched for UTF-8 pieces.
func BenchmarkDecodeGBK(b *testing.B) {
	body := []byte(encode(b, simplifiedchinese.GBK, strings.Repeat("<p class=\"c\">"+simplified+"</p>\n", 500)))
	b.SetBytes(int64(len(body)))
	for b.Loop() {
		if text, _ := DecodeText(body, "text/html; charset=gbk"); text == "" {
			b.Fatal("no text")
		}
	}
}
