package lang

// zhFiles are the documents that notices link to.
var zhFiles = map[string]string{
	"resources": "资源", "documents, images, animations and software that pages offer, by their context": "网页提供的文档、图像、动画和软件，按上下文评分",
	"fetch documents": "下载附件", "fetch the documents of the notice, or of the marked ones": "下载此公告的附件，或选取的各条公告的附件",
	"documents are fetched": "开始下载附件", "fetching documents": "下载附件", "reading documents": "读取附件文本",
	"read its text": "阅读文本", "not fetched": "未下载", "is to be fetched": "等待下载", "waits: %s": "待重试：%s", "not here: %s": "未取得：%s",
	"its text is still to be read": "文本待读取", "no text: %s": "没有文本：%s", "%s letters": "%s 字",
	"document %s": "附件 %s", "opening the document": "打开附件",
	"The document cannot be shown: %s": "附件无法显示：%s", "The text ends here: %s": "文本到此为止：%s",

	"attachments.fetch": "自动下载哪些公告的附件", "attachments.types": "自动下载的类型", "attachments.max_mb": "单个附件上限（MB）", "attachments.budget_mb": "每日自动下载上限（MB）",

	"whose documents are fetched by themselves after a run: a filter of notices, e.g. \"is:starred age<30d\"; empty: only on request": "运行后自动下载哪些公告的附件：一个筛选条件，例如 \"状态：星标 距今<30天\"；留空则只在有人要求时下载",
	"endings of the documents that are fetched by themselves":                                                                         "自动下载的附件类型（扩展名）",
	"a longer document is not kept":                              "超过此大小的附件不保存",
	"what may be fetched by itself a day; requests do not count": "每天自动下载的上限；有人要求下载的不计入",
	"it is encrypted; ask the publisher for the password":        "文件已加密，请向发布方索取密码",
	"it is damaged":            "文件已损坏",
	"it holds no text":         "此类文件没有文本",
	"reading it took too long": "读取用时过长",
	"robots.txt forbids it":    "robots.txt 禁止抓取",
	"its file is gone from the folder attachments; fetch it again": "文件已不在 attachments 文件夹中，请重新下载",
	"the budget of today is spent":                                 "今天的自动下载额度已用完",
	"it unpacks to more than is read":                              "解压后超过可读取的大小",
	"it was not fetched":                                           "尚未下载",
	"it has no bytes":                                              "文件为空",
	"the part with its text is missing":                            "缺少正文部分",
	"its file was kept long enough (retention.attachment_days)":    "已过保留期限，文件已删除（retention.attachment_days）",
	"it is damaged behind here":                                    "此处之后已损坏",
	"the archive goes on in another file":                          "压缩包在另一个文件中继续",
	"pages that cannot be read":                                    "有的页无法读取",
	"#file":                                                        "%s 个文件",
	"#sheet":                                                       "%s 个工作表",
	"1 page":                                                       "1 页",
	"%s pages":                                                     "%s 页",
}

// zhFileLines are what becomes of documents, with their figures.
var zhFileLines = [][2]string{
	{"cancelled after %s; what is left is fetched on the next request, or when the workspace is opened again", "已下载 %s 后取消；其余在再次请求或重新打开工作区时下载"},
	{"the server says that there is none (%s)", "服务器上没有此文件（%s）"}, {"the server failed (%s), %s times", "服务器出错（%s），已试 %s 次"}, {"the server failed (%s)", "服务器出错（%s）"}, {"the server answered %s", "服务器返回 %s"},
	{"a web page came in place of a %s file; the site may want a login or a code", "得到的是网页而不是 %s 文件，网站可能要求登录或验证码"}, {"it is longer than %s MB (attachments.max_mb)", "超过 %s MB（attachments.max_mb）"},
	{"no converter for its format is installed: %s files take %s", "没有安装此格式的转换程序：读取 %s 需要 %s"}, {"it holds no text: its %s pages are pictures", "没有文本：%s 页都是图片"},
	{"it is damaged: %s finds no text in it", "文件已损坏：%s 在其中找不到文本"}, {"it is damaged: %s writes without end", "文件已损坏：%s 输出不停"}, {"it is damaged: %s cannot read it (%s)", "文件已损坏：%s 无法读取（%s）"}, {"it is damaged: %s made nothing of it (%s)", "文件已损坏：%s 没有读出内容（%s）"},
	{"it is damaged, or a binary workbook, which is not read", "文件已损坏，或是不支持的二进制工作簿"}, {"it is damaged: %s", "文件已损坏：%s"},
	{"the file %s was changed since it was fetched", "文件 %s 下载后被改动过"},
	{"%s bytes of text", "文本已达 %s 字节"}, {"%s of %s pages", "共 %[2]s 页，只读了 %[1]s 页"}, {"%s of %s sheets", "共 %[2]s 个工作表，只读了 %[1]s 个"}, {"%s of %s entries", "共 %[2]s 项，只列出 %[1]s 项"},
	{"%s MB unpacked", "解压已达 %s MB"}, {"%s elements in one another", "嵌套已达 %s 层"},
}
