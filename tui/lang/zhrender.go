package lang

// zhRender is what is said of pages that are read through a browser.
var zhRender = map[string]string{
	"rendered": "浏览器", "#request": "%s 次请求", "#time": "%s 次", "render": "渲染",
	"read its pages through a browser": "用浏览器读取其网页", "read its pages without a browser": "不再用浏览器读取",
	"for lists of scripts; slow":                                      "适用于只靠脚本填充的列表；每页需一两秒",
	"%s: pages are read through the browser from their next visit on": "%s：下次访问起用浏览器读取",
	"%s: pages are read as they come":                                 "%s：按原样读取",
	"%s rendered, %s failed: %s":                                      "已渲染 %s，失败 %s：%s", "%s rendered, %s each, %s made": "已渲染 %s，每页 %s，共 %s",
	"none has come yet": "尚无网页", "%s, %s failed: %s": "%s，失败 %s：%s", "for %s, none has come yet": "用于 %s，尚无网页",
	"%s, %s each, %s of %s MB": "%s，每页 %s，%s / %s MB", "%s, %s each, asleep": "%s，每页 %s，休眠中", "ended %s for its memory": "因内存超限结束 %s",

	"render.pages": "用浏览器渲染的站点和栏目", "render.browser": "浏览器程序", "render.tabs": "浏览器标签页数", "render.memory_mb": "浏览器内存上限（MB）", "render.timeout": "单页渲染时限", "render.restart": "渲染多少页后重启",

	"hosts (\"www.x.cn\") and sections (\"www.x.cn/list/\") whose pages are read through an installed Chromium, for lists that only scripts fill. See angler doctor": "哪些站点（\"www.x.cn\"）和栏目（\"www.x.cn/list/\"）的网页用已安装的 Chromium 读取，适用于只靠脚本填充的列表。参见 angler doctor",
	"the program; empty: the first of chromium, google-chrome … that is installed":                                                                                   "浏览器程序；留空则使用已安装的 chromium、google-chrome 等中的第一个",
	"pages in it at a time": "同时渲染的网页数",
	"memory of all its processes above which it is ended; the next page begins another": "其全部进程的内存超过此值即被结束，下一个网页会重新启动",
	"of one page; what is there by then is taken":                                       "单个网页的时限；到时取当时已有的内容",
	"pages after which another is begun":                                                "渲染这么多网页后重新启动",
}
