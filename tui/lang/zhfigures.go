package lang

// zhFigures are the figures of a run, and what is said of every number.
var zhFigures = map[string]string{
	": ": "：", ", ": "，", "%s left": "还需 %s", "%s lists": "%s 个列表页", "#new list": "%s 个新列表页", "#error": "%s 次出错", "no errors": "无错误", "nothing to undo": "没有可撤销的", "failed %s": "失败 %s",
	"%s and %s on %s in %s": "%s、%s，抓取 %s，用时 %s", "%s from %s in %s": "从 %[2]s获取 %[1]s，用时 %[3]s", "%s on %s in %s": "%s，抓取 %s，用时 %s",
	"1 entry does not match the title patterns": "1 条未匹配公告模式", "%s entries do not match the title patterns": "%s 条未匹配公告模式", " (%s)": "（%s）",
	"{yes} accepts all entries of this list · {settings} changes the patterns": "{yes} 收录此列表的全部条目 · {settings} 修改公告模式", "%s: {screen_harvest}": "%s：按 {screen_harvest}", "not of the patterns": "未匹配模式",
	"%s is dropped: %s keys wait already": "%s 未执行：已有 %s 个按键在等待", "%s waits until the screen is ready · {cancel} drops it": "%s 待界面就绪后执行 · {cancel} 取消",
	"%s: pages like this are not accepted": "%s：此类网页不会被接受", "fewer than 3 dated records": "带日期的记录不足 3 条", "less than half of its records have a date": "带日期的记录不到一半", "a front page": "站点首页", "rejects %s of your %s": "会拒绝 %[2]s中的 %[1]s 个",
	"text by %s":                  "正文按%s提取",
	"%s, elsewhere on the screen": "%s（此屏其他处）",
	"no new lists":                "没有新列表页", "%s, %s (%s)": "%s，%s（用时 %s）", "%s (%s)": "%s（用时 %s）", "%s, not judged without samples (%s)": "%s，没有样本，未作判定（用时 %s）", "≥%s left": "至少还需 %s", "in force": "现用",
	"%s accepted and not visited yet: {next_step} harvests them.": "%s已接受但尚未访问：按 {next_step} 采集。",
	"%s not due": "%s未到期", "%s not due, next %s": "%s未到期，下次 %s",
	"%s in %s": "%s，用时 %s", "stopped: %s": "已停止：%s", "%s failed": "%s失败",
	"gone": "失效", "refused": "被拒", "faulty": "站点故障", "unreachable": "连不上", "barred": "禁止抓取", "no page": "不是网页", "soon": "即将", "came home": "带回", "harvest rate": "采集率",

	// the form of settings
	"what belongs to the crawl": "爬取范围", "visits to known pages": "已知网页的重访", "dictionary": "词典", "store": "存储", "documents of notices": "公告附件", "pages through a browser": "用浏览器取的网页", "how long things are kept": "保留期限",
	"applies at once": "立即生效", "applies when the workspace is opened again": "重新打开工作区后生效", "default": "默认", "default %s": "默认 %s", "save": "保存", "leave": "离开",
	"change": "修改", "remove": "移除", "search": "查找", "close": "关闭", "clear": "清除", "to the settings": "到设置项", "No setting matches. Press esc to see all.": "没有匹配的设置。按 esc 显示全部。", "The list is empty. Press a to add to it.": "列表为空。按 a 添加。",

	// the settings, by their keys in angler.toml
	"sitemaps": "站点地图", "scope.kind": "范围类型", "scope.include": "另外包含", "scope.exclude": "排除", "crawl.depth": "深度", "crawl.workers": "线程数", "crawl.delay": "抓取间隔", "crawl.ip_delay": "同一 IP 的间隔", "crawl.per_host": "单站并发", "crawl.timeout": "抓取时限", "crawl.max_body_mb": "正文上限（MB）", "crawl.retries": "失败重试次数", "crawl.strategy": "链接排序", "crawl.constants": "排序常数", "crawl.important": "重要域名", "crawl.queues": "站点队列", "crawl.queue_count": "队列数", "crawl.frontier_memory": "内存中的待抓网址", "crawl.host_urls": "单站待抓上限", "crawl.proxy": "代理", "crawl.user_agent": "User-Agent", "crawl.ignore_robots": "忽略 robots.txt", "crawl.sitemaps": "读取站点地图", "crawl.allow_private": "允许内网地址", "crawl.public_only": "仅限公网的站点", "harvest.patterns": "公告标题模式", "harvest.fields": "公告字段", "harvest.method": "正文提取方法", "harvest.punctuation": "标点数 α", "harvest.link_chars": "链接字符数 β", "harvest.pages": "列表翻页数", "harvest.share": "全站发现中用于采集的份额", "harvest.check": "核查公告内容", "harvest.versions": "保留的历史版本数", "revisit.watch": "公告回访期限", "revisit.watch_min": "公告最短回访间隔", "harvest.similarity_share": "质量中相似度的份额", "revisit.off": "不重访已知网页", "revisit.aggregation_min": "列表页最短间隔", "revisit.aggregation_max": "列表页最长间隔", "revisit.other_min": "其他网页最短间隔", "revisit.other_max": "其他网页最长间隔", "revisit.chance": "发现变化的概率", "revisit.growth": "间隔增长倍数", "words.segmenter": "分词器", "terms.method": "术语提取方法", "terms.patterns": "词性模式", "terms.threshold": "C 值下限", "terms.corpus": "术语语料", "terms.propose": "采集后提出术语", "retention.body_days": "正文保留天数", "retention.notice_body_days": "公告原页保留天数", "retention.version_days": "旧版本保留天数", "retention.attachment_days": "附件保留天数", "retention.event_days": "操作记录保留天数", "retention.run_days": "运行历史保留天数", "store.backups": "每日备份份数", "store.expected_urls": "预计网址数", "store.false_positive": "误判率",

	// i explains
	"explain": "释义", "another": "下一个", "explain a number here in a sentence; again: the next one": "用一句话解释此处的数字；再按解释下一个", "state": "状态", "rate": "速率", "pace": "进度",

	// θ in the analyst's words
	"some %s": "约 %s", "up to %s": "至多 %s", "gains %s": "增加 %s", "loses %s": "失去 %s", "preview θ ": "预览 θ ", "two groups": "两组分界", "no suggestion: the scores do not part, and no page is labelled yes": "没有建议：得分分不成两组，也没有标为“是”的网页",
	"right: pages fetched; up: targets found; the curve that rises first is best": "向右为已抓网页，向上为已找到的目标；最先上升的曲线最好",

	"{next_pane} goes to the notices, {open} opens one. {yes} and {no} teach the program what you want. {help} lists all keys, {palette} finds every action, {settings} holds the settings. The rest is yours: {screen_home} goes back to Home.": "按 {next_pane} 转到公告，按 {open} 打开。按 {yes} / {no} 判定，程序会逐步学会您的需求。{help} 列出所有按键，{palette} 查找所有命令，{settings} 打开设置。接下来就交给您了：按 {screen_home} 回到首页。",
	"Nothing at this moment: waiting for the delay of each host.": "此刻没有：各站点正保持两次抓取之间的间隔。",
}
