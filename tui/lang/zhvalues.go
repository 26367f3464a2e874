package lang

// Value is the name of a value of the settings in the language, and the value itself
// where it has none. Of is the setting where one value has several meanings, else "".
func (l *Lang) Value(of, value string) string {
	if l == nil || l.values == nil {
		return value
	}
	if t, ok := l.values[of+" "+value]; ok {
		return t
	}
	if t, ok := l.values[value]; ok {
		return t
	}
	return value
}

// zhValues are the values of angler.toml, and what stands beside them in the same lists.
var zhValues = map[string]string{
	// orders of links
	"bfs": "广度优先", "best-first": "最佳优先", "shark": "Shark", "block-shark": "分块 Shark", "hits": "HITS", "pagerank": "PageRank",
	"linear": "线性加权", "learned": "自学习", "oracle": "理想顺序",

	// how words are weighed, and pages compared
	"records": "记录", "tf/idf": "TF/IDF", "tf-idf": "TF-IDF", "tf": "词频", "full": "全词", "projected": "投影", "inner": "内积", "centroid": "质心", "mean": "均值",

	// the main text
	"auto": "自动", "mass": "文本量", "density": "文本密度", "pathratio": "路径比", "readability": "Readability", "trafilatura": "Trafilatura", "vote": "逐行表决", "post": "单帖",

	"scope.kind site": "整个网站", "scope.kind host": "仅此站点", "scope.kind prefix": "网址前缀", "scope.kind pattern": "网址模式",
	"crawl.queues host": "每站点一个", "crawl.queues hflp": "HFLP", "crawl.queues elf": "ELF",
	"words.segmenter flat": "内置", "words.segmenter gse": "gse",
	"terms.method ruled": "规则", "terms.method loose": "宽松", "terms.corpus all": "全部网页", "terms.corpus lists": "列表页", "terms.corpus notices": "公告",
	"smtp": "邮件", "webhook": "网络回调", "dingtalk": "钉钉", "wecom": "企业微信", "feishu": "飞书",
	"never": "从不", "always": "总是", "zh": "中文", "en": "英文", "none": "不加密", "starttls": "STARTTLS", "tls": "TLS",
}

// zhValueLines are sentences of the engine whose first hole is such a value.
var zhValueLines = [][2]string{
	{"scheme %s", "方案 %s"}, {"norm %s", "归一化 %s"}, {"strategy %s", "策略 %s"}, {"similarity %s", "相似度 %s"}, {"text by %s: %s", "正文依据 %s：%s"}, {"text by %s", "正文依据 %s"},
	{"%s answers with status %s; check the address", "%s 返回状态 %s；请检查网址"}, {"%s answers with status %s: name or password may be wrong, or the host refuses us", "%s 返回状态 %s：用户名或密码可能不对，或站点拒绝访问"},
	{"the login page answers with status %s: correct login_page", "登录页返回状态 %s：请更正 login_page"}, {"the login was answered with status %s", "登录请求返回状态 %s"},
	{"%s; %s answers with status %s, so the guess is wrong", "%s；%s 返回状态 %s，猜测有误"}, {"%s: status %s", "%s：状态 %s"}, {"status %s", "状态 %s"}, {"status %s means nothing", "状态 %s 没有意义"},
	{"status 304 to an unconditional request", "对无条件请求返回状态 304"},
	{"the page has hardly any punctuation", "网页几乎没有标点"}, {"the page is too short for another method", "网页太短，其他方法不适用"}, {"mass found %s of %s characters", "文本量法得 %s 字，全页 %s 字"}, {"readability reached a limit", "Readability 达到上限"}, {"mass found %s characters, readability at first sight %s", "占比法得 %s 字，Readability 初读得 %s 字"}, {"the title names one of many posts", "标题对应多篇帖子中的一篇"},
	{"the page shows %s characters and holds more", "网页显示 %s 个字，源码中更多"},
	{"mass found %s characters, readability %s with %s punctuation marks", "文本量法得 %s 字，Readability 得 %s 字，含 %s 个标点"},
	{"mass found %s characters, readability %s with %s punctuation marks, which lost %s characters of tables", "文本量法得 %s 字，Readability 得 %s 字，含 %s 个标点，丢失表格 %s 字"},
}
