package lang

import "strings"

// Span renders a span of time or "now" in the language: "59 min" is "59 分".
func (l *Lang) Span(s string) string {
	if l == nil || l.words == nil {
		return s
	}
	n, unit, ok := strings.Cut(s, " ")
	if t := zhUnits[unit]; ok && t != "" {
		return n + " " + t
	}
	return l.T(s)
}

var zhUnits = map[string]string{"s": "秒", "min": "分", "h": "小时", "d": "天"}
