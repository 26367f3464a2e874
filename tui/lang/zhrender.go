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

// zhRenderLines are what the engine says of the browser.
var zhRenderLines = [][2]string{
	{"the browser used %s MB, more than render.memory_mb = %s, and was ended; the next page begins another", "浏览器占用 %s MB，超过 render.memory_mb = %s，已被结束；下一个网页另起浏览器"},
	{"the browser runs without its sandbox, because angler runs as root; better run it as a user of its own", "angler 以 root 运行，浏览器因此没有沙箱；最好换用专门的用户运行"},
	{"which pages need no browser could not be stored: %s", "哪些网页不需浏览器，未能存储：%s"},
	{"pages of %s are read without their scripts: %s", "%s 的网页按原样读取，不运行脚本：%s"},
	{"pages like %s say the same without a browser: where a recipe reads the lists of %s they are not rendered", "形如 %s 的网页不用浏览器也能读全：%s 的列表由配方读取时，这些网页不再渲染"},
	{"no Chromium is installed; install the package chromium, or name the program in render.browser", "未安装 Chromium；请安装软件包 chromium，或在 render.browser 中指定程序"},
	{"the browser used more memory than render.memory_mb allows and was ended", "浏览器内存超过 render.memory_mb，已被结束"},
	{"the browser is closed", "浏览器已关闭"}, {"the page crashed in the browser", "网页在浏览器中崩溃"}, {"the page hung in the browser, which was ended", "网页在浏览器中卡住，浏览器已被结束"},
	{"the browser %s did not begin: %s", "浏览器 %s 未能启动：%s"}, {"the time for the page is up", "单页渲染时限已到"}, {"the browser ended", "浏览器已退出"},
	{"the page cannot be taken out of the browser: %s", "无法从浏览器取出网页：%s"}, {"no answer within two minutes", "两分钟内无应答"},
	{"render.browser = %s is no program that can be run (%s); leave it empty to have one looked for", "render.browser = %s 不是可运行的程序（%s）；留空则自动查找"},
}
