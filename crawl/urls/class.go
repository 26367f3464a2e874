package urls

import "strings"

// extensions maps a lower-case file ending to its class. Other endings (htm, jsp, aspx, none …) mean a page.
var extensions = map[string]Class{}

func init() {
	for class, list := range map[Class]string{
		Document:  "pdf doc docx docm dot dotx wps wpt xls xlsx xlsm xlt et csv ppt pptx pps ppsx dps rtf odt ods odp ofd ceb caj epub txt gef zcf",
		Image:     "jpg jpeg jpe png bmp ico tif tiff webp svg psd heic avif",
		Animation: "gif swf flv fla",
		Software:  "exe msi apk ipa dmg pkg deb rpm bin iso img jar bat dll cab",
		Media:     "mp3 mp4 m4a m4v wav wma wmv avi mov mkv mpg mpeg mpe rm rmvb ogg ogv webm mid midi aac flac 3gp m3u m3u8",
		Archive:   "zip rar 7z gz tgz bz2 xz tar z",
		Style:     "css js mjs map woff woff2 ttf eot otf json",
	} {
		for _, ext := range strings.Fields(list) {
			extensions[ext] = class
		}
	}
}

// ClassOf returns the class of a URL or written href without a request. It uses the ending of the last path segment.
// For a download script ("download.jsp?file=a.pdf") it uses the ending of a query value. It does not allocate for
// lower-case endings.
func ClassOf(rawURL string) Class {
	if i := strings.IndexByte(rawURL, '#'); i >= 0 {
		rawURL = rawURL[:i]
	}
	path, query, _ := strings.Cut(rawURL, "?")
	if i := strings.Index(path, "://"); i >= 0 {
		path = path[i+3:]
		slash := strings.IndexByte(path, '/')
		if slash < 0 {
			return queryClass(query) // http://x.zip is a host, not an archive
		}
		path = path[slash:]
	}
	path, _, _ = strings.Cut(path, ";")
	name := path[strings.LastIndexByte(path, '/')+1:]
	if dot := strings.LastIndexByte(name, '.'); dot >= 0 {
		if class := extClass(name[dot+1:]); class != Page {
			return class
		}
	}
	if query == "" {
		return Page
	}
	if class := queryClass(query); class != Page {
		return class
	}
	// Visual SiteBuilder, used by half the Chinese universities, serves attachments through a script whose URL lacks
	// the file name.
	if strings.Contains(query, "DownloadAttachUrl") {
		return Document
	}
	return Page
}

// queryClass looks for a value with a file ending.
func queryClass(query string) Class {
	for query != "" {
		var pair string
		pair, query, _ = strings.Cut(query, "&")
		_, value, ok := strings.Cut(pair, "=")
		if !ok {
			continue
		}
		if dot := strings.LastIndexByte(value, '.'); dot > 0 {
			switch class := extClass(value[dot+1:]); class {
			case Document, Archive, Image, Animation, Software, Media:
				return class
			}
		}
	}
	return Page
}

func extClass(ext string) Class {
	if len(ext) == 0 || len(ext) > 5 {
		return Page
	}
	for i := 0; i < len(ext); i++ {
		if ext[i] >= 'A' && ext[i] <= 'Z' {
			return extensions[strings.ToLower(ext)]
		}
	}
	return extensions[ext]
}
