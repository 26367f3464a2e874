package htmldoc

import (
	"bytes"
	"mime"
)

// prescan is how far into a body a <meta> declaration is searched. The HTML standard says 1 KiB;
// content systems put scripts before it.
const prescan = 8 << 10

// headerCharset returns the charset of a Content-Type header.
func headerCharset(contentType string) string {
	if contentType == "" {
		return ""
	}
	if _, params, err := mime.ParseMediaType(contentType); err == nil {
		return params["charset"]
	}
	return charsetValue([]byte(contentType))
}

// metaCharset returns the charset of a <meta> or an XML declaration.
func metaCharset(body []byte) string {
	head := body[:min(len(body), prescan)]
	for {
		i := bytes.IndexByte(head, '<')
		if i < 0 || i+5 >= len(head) {
			return ""
		}
		head = head[i+1:]
		meta := len(head) > 5 && bytes.EqualFold(head[:4], []byte("meta"))
		xml := bytes.HasPrefix(head, []byte("?xml"))
		if !meta && !xml {
			continue
		}
		tag := head
		if end := bytes.IndexByte(tag, '>'); end >= 0 {
			tag = tag[:end]
		}
		if v := charsetValue(tag); v != "" {
			return v
		}
	}
}

// charsetValue returns the name after "charset" or "encoding" and an equals sign.
func charsetValue(b []byte) string {
	low := bytes.ToLower(b)
	for _, word := range [...]string{"charset", "encoding"} {
		i := bytes.Index(low, []byte(word))
		if i < 0 {
			continue
		}
		rest := bytes.TrimLeft(low[i+len(word):], " \t\r\n")
		if len(rest) == 0 || rest[0] != '=' {
			continue
		}
		rest = bytes.TrimLeft(rest[1:], " \t\r\n\"'")
		end := 0
		for end < len(rest) && end < 40 && (rest[end] == '-' || rest[end] == '_' || rest[end] >= '0' &&
			rest[end] <= '9' || rest[end] >= 'a' && rest[end] <= 'z') {
			end++
		}
		return string(rest[:end])
	}
	return ""
}
