package lang

// zhHome are the texts of Home, of the wizard and of the list of workspaces.
var zhHome = map[string]string{
	"#broken list": "%s 个列表页访问失败", "#new notice": "%s 条新公告", "#failed URL": "%s 个失败网址",

	// 0 Home
	"Home": "首页", "next step": "下一步", "do the next step: go to its screen, or start its run": "执行下一步：转到相应的屏，或开始运行",

	"teach": "训练", "read": "阅读", "none yet": "尚无", "optional": "可选", "enough for the learner": "已够学习器使用", "nothing can be judged": "无法判定",
	"θ %s lets in %s": "θ %s，收入 %s", "next round %s": "下一轮 %s", "last notice %s": "最新公告 %s", "today: %s": "今天：%s", "%s due within 3 days": "%s 条在 3 天内截止", "no new notices": "没有新公告", "{next_step}: %s": "{next_step}：%s",
	"go to screen {screen_crawl}": "转到第 {screen_crawl} 屏", "sample the sites": "试抓", "choose samples": "选择样本", "look at the samples": "查看样本", "look at the threshold": "查看阈值", "start the harvest": "开始采集", "read the newest notice": "阅读最新公告", "go to what is due": "查看将截止的公告", "watch the run": "查看运行情况",
	"A crawl begins at its seeds. Press {seeds} on screen {screen_crawl} to name some.":                                                                        "爬取从种子开始。在第 {screen_crawl} 屏按 {seeds} 添加种子。",
	"The sites are still being sampled; choose from the pages that are there. Make the lists you want samples with {sample}, two or three of them if you can.": "试抓仍在进行，现在就可以从已抓取的网页中挑选：按 {sample} 把想要的列表页设为样本，最好两三个。",
	"A few pages of every seed are fetched, politely, so that there are lists to choose samples from.":                                                         "从每个种子礼貌地抓取少量网页，以便从中挑选样本。",
	"A run is under way. Screen {screen_crawl} shows what it fetches; this page tells when it has ended.":                                                      "运行正在进行。第 {screen_crawl} 屏显示正在抓取的内容；运行结束后，这里会给出下一步。",
	"Make the lists you want samples with {sample}, two or three of them if you can: what they have in common is the topic. {screen_home} comes back here.":    "按 {sample} 把想要的列表页设为样本，最好两三个：它们的共同点就是主题。按 {screen_home} 回到这里。",
	"Nothing can be judged: the negative samples take all weight from the words of the samples. Take one out with {negative} on screen {screen_samples}.":      "无法判定：反例扣尽了样本词的权重。在第 {screen_samples} 屏按 {negative} 移出一个反例。",
	"No page is as similar to the samples as θ asks. Lower it on screen {screen_threshold}, or press {discovery} to bring more pages.":                         "没有网页与样本的相似度达到 θ。在第 {screen_threshold} 屏调低 θ，或按 {discovery} 抓取更多网页。",
	"The lists are visited, and the notices that are new there are brought home.":                                                                              "访问各列表页，带回其中的新公告。",
	"take the better judge": "采用更好的判定方式", "your labels: learner F1 %s, now %s": "按您的标注：学习器 F1 %s，现为 %s", "your labels: θ %s F1 %s, now %s": "按您的标注：θ %s 的 F1 为 %s，现为 %s",
	"Your labels agree better with another judge than with θ in force. {next_step} takes it, {undo} undoes that.":                                           "另一种判定方式比当前 θ 更符合您的标注。按 {next_step} 采用，按 {undo} 撤销。",
	"Read what came home. {yes} and {no} on a page teach the program what you want.":                                                                        "查看新获取的公告；按 {yes} / {no} 判定，程序会逐步学会您的需求。",
	"Notices are due within 3 days: they come first, by their deadlines. {done} says of one that it is done; when all are, {next_step} goes to the newest.": "有公告在 3 天内截止：先看这些，按截止时间排列。处理完一条按 {done}；全部完成后，{next_step} 转到最新公告。",
	"%s angler serve DIR --every 24h visits the lists by itself.":                                                                                           "%sangler serve DIR --every 24h 可按计划自动访问列表页。",

	// the list of workspaces and the wizard
	"tenders": "招标", "jobs": "招聘", "prices": "价格", "new workspace: tenders": "新建工作区：招标", "new workspace: jobs": "新建工作区：招聘", "new workspace: prices": "新建工作区：价格", "an address, @FILE, or paste a list; words are searched for": "网址、@文件，或粘贴一份列表；词则用于搜索", "new workspace: own words …": "新建工作区：自定词 …", "what kind of notices?": "要哪一类公告？",
	"calls for tenders, awards, procurement": "招标、中标、采购", "vacancies, recruitment": "职位、招聘", "prices, quotations, market rates": "价格、报价、行情", "words of titles; none for all": "标题中的词；不填则收全部公告",
	"counts not known": "数量未知", "in use, counts not known": "正在使用，数量未知", "never used": "尚未使用", "last used %s": "上次使用 %s", "choose a kind of notices, paste its seeds": "选择公告类别，粘贴种子",
	"%s in the folder %s": "%s，存于文件夹 %s", "notices: %s": "公告：%s", "scope: %s": "范围：%s", "all of a list": "列表中的全部", "words:": "词：", "between spaces; none takes every notice": "用空格分隔；不填则收全部公告", "What do you look for?": "您要找什么？",
	"enter adds · tab name, folder, scope · pgdown pgup scroll · esc back":                          "enter 添加 · tab 名称、文件夹、范围 · pgdown pgup 滚动 · esc 返回",
	"enter makes the workspace · tab name, folder, scope · ctrl+x clears · esc back":                "enter 创建工作区 · tab 名称、文件夹、范围 · ctrl+x 清空 · esc 返回",
	"Which words does the title of a notice that you want hold? One of them is enough.":             "您要的公告，标题中有哪些词？含其中一个即可。",
	"They choose among the entries of mixed lists; lists that you mark as samples are taken whole.": "这些词用于在混合列表中挑选；您标为样本的列表会整份收入。",
}
