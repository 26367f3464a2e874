package page

import (
	"bytes"
	"strings"

	"angler/crawl/htmldoc"

	"golang.org/x/text/encoding/simplifiedchinese"
)

// Bounds of IsChallenge, in bytes. A challenge is small, and one without a title for it is tiny.
const (
	maxChallengeBytes = 24 << 10
	maxTinyBytes      = 4 << 10
)

var (
	// challengeTitles make up at least half of the title of a firewall's page. Lower case.
	challengeTitles = inBoth("just a moment", "attention required", "access denied", "access forbidden",
		"are you a robot", "are you human",
		"security check", "captcha", "安全验证", "访问验证", "人机验证", "滑动验证", "身份核实", "访问被拒绝", "访问被拦截", "请求被拦截", "网站防火墙", "验证码")
	// passwordFields are the attributes of the password field of a login. Lower case.
	passwordFields = inBoth(`type="password"`, "type='password'", "type=password")
	// challengeMarks occur in tiny pages of firewalls: names of scripts, and sentences. Lower case.
	challengeMarks = inBoth("cf_chl_opt", "cf-browser-verification", "_incapsula_resource", "acw_sc__v2", "yunsuo",
		"safedog", "g-recaptcha", "h-captcha", "geetest",
		"access denied", "web application firewall", "请输入验证码", "请完成安全验证", "请完成验证", "拖动滑块", "访问过于频繁", "请求过于频繁", "您的访问被",
		"您的请求被", "网站防火墙")
)

// busyMarks occur in pages that an overloaded server sends. Lower case.
var busyMarks = inBoth("系统繁忙", "系统忙", "服务器繁忙", "服务器忙", "服务繁忙", "网络繁忙", "访问人数过多", "访问量过大", "稍后再试", "稍候再试",
	"稍后重试", "稍后访问", "server is busy", "temporarily unavailable", "try again later")

// maxBusyChars is the maximum of bytes outside tags of a page that IsBusy reports.
const maxBusyChars = 300

// IsBusy reports whether a body with status 200 only says that the server is busy. It is false for bodies of
// more than maxTinyBytes.
func IsBusy(body []byte) bool {
	if len(body) > maxTinyBytes || !contains(lower(body), busyMarks, 0) {
		return false
	}
	shown := strings.Fields(htmldoc.WithoutTags(string(body)))
	return len(strings.Join(shown, " ")) <= maxBusyChars
}

// inBoth encodes marks in UTF-8 and, if that differs, in GBK.
func inBoth(marks ...string) (out [][]byte) {
	gbk := simplifiedchinese.GBK.NewEncoder()
	for _, m := range marks {
		out = append(out, []byte(m))
		if other, err := gbk.String(m); err == nil && other != m {
			out = append(out, []byte(other))
		}
	}
	return out
}

// IsChallenge reports whether a body with status 200 is a firewall's captcha or refusal. It is
// false for bodies of more than maxChallengeBytes. A page with a password field is a login, which
// may have a captcha of its own.
func IsChallenge(body []byte) bool {
	if len(body) > maxChallengeBytes {
		return false
	}
	title := titleOf(body)
	if len(body) > maxTinyBytes && len(title) == 0 {
		return false
	}
	if !contains(title, challengeTitles, 2) && (len(body) > maxTinyBytes || !contains(lower(body), challengeMarks, 0)) {
		return false
	}
	return !contains(lower(body), passwordFields, 0)
}

// titleOf returns the text of a body's <title> in lower case, without decoding
// it; at most 200 bytes.
func titleOf(body []byte) []byte {
	for rest := body; ; {
		i := bytes.IndexByte(rest, '<')
		if i < 0 || len(rest) < i+7 {
			return nil
		}
		if rest = rest[i+1:]; !bytes.EqualFold(rest[:5], []byte("title")) {
			continue
		}
		_, text, _ := bytes.Cut(rest, []byte(">"))
		text = text[:min(len(text), 200)]
		text, _, _ = bytes.Cut(text, []byte("<"))
		return lower(bytes.TrimSpace(text))
	}
}

// lower returns a copy with ASCII letters in lower case. Bytes of other encodings stay.
func lower(b []byte) []byte {
	out := make([]byte, len(b))
	for i, c := range b {
		if c >= 'A' && c <= 'Z' {
			c += 'a' - 'A'
		}
		out[i] = c
	}
	return out
}

// contains reports whether a text contains a mark and is at most times as long as the mark. 0
// means any length.
func contains(text []byte, marks [][]byte, times int) bool {
	for _, m := range marks {
		if (times == 0 || len(text) <= times*len(m)) && bytes.Contains(text, m) {
			return true
		}
	}
	return false
}
