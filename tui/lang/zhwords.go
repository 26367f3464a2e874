package lang

// zhWords are the texts around the screens: first run, settings, workspaces.
var zhWords = map[string]string{
	"angler": "angler", "name": "名称", "folder": "文件夹", "seeds": "种子", "scope": "范围", "name:": "名称：", "folder:": "文件夹：", "seed:": "种子：", "try a URL:": "试一个网址：",
	"look around in the demo": "看看演示", "a miniature web on this computer, no internet needed": "本机上的微型网络，不需要互联网", "new workspace …": "新建工作区 …", "name it, paste its seeds": "命名，粘贴种子", "open %s": "打开 %s", "what you look for": "要找什么", "type a name": "请输入名称", "it is made new": "将新建",
	"an address, @FILE, or paste a list · enter on an empty line goes on": "网址、@文件，或粘贴列表 · 空行按 enter 继续", "is it in or out? · enter makes the workspace": "在范围内还是外？· enter 创建工作区", "give at least one address where the crawl begins": "至少给出一个爬行起点", "one moment …": "请稍候 …",
	"A workspace is a folder that keeps one topic: its seeds, its pages, and what you decide.":                             "工作区是一个文件夹，保存一个主题：种子、网页，以及您的判断。",
	"What do you look for? With the name “tenders” the patterns of tender notices are set; any other name starts without.": "要找什么？名称为“tenders”时预置招标公告的模式；其他名称不预置。",
	"In which folder shall the workspace be kept?":                                                                         "工作区放在哪个文件夹？", "angler.toml there holds its settings; you may edit it.": "其中的 angler.toml 保存设置，可以直接编辑。",
	"Paste a list of addresses here, as long as you like, or type one after the other. http:// may be left out.": "在此粘贴网址列表，长短不限；或逐个输入。http:// 可省略。",
	"enter adds · pgdown pgup scroll · ctrl+x removes all · esc back":                                            "enter 添加 · pgdown pgup 滚动 · ctrl+x 全部移除 · esc 返回",
	"tab another scope · pgdown pgup scroll · enter makes the workspace · esc back":                              "tab 换范围 · pgdown pgup 滚动 · enter 创建工作区 · esc 返回",
	"enter goes on · esc back · ctrl+c leaves":                                                                   "enter 继续 · esc 返回 · ctrl+c 离开",
	"%s no address": "%s 个不是网址", "%s named twice": "%s 个重复", "%s is no address": "%s 不是网址", "is no address": "不是网址", "✓ in: %s": "✓ 在内：%s", "✗ out: %s": "✗ 在外：%s", "in: %s": "在内：%s", "out: %s": "在外：%s", "in and out": "范围内外",
	"site": "全站", "prefix": "前缀", "everything under a seed's domain: from www.x.edu.cn all of *.x.edu.cn": "种子域名之下的一切：由 www.x.edu.cn 得 *.x.edu.cn", "the seed's own host only": "仅种子自身的站点", "the seed's folder and what lies below it": "种子所在目录及其下级",

	"reading the settings": "正在读取设置", "looking for workspaces": "正在查找工作区", "workspaces": "工作区", "settings · angler.toml": "设置 · angler.toml", "%s (after reopening)": "%s（重新打开后生效）", "%s set to %s": "%s 设为 %s", "%s, when the workspace is opened again": "%s，重新打开工作区后生效", "saving the setting": "正在保存设置",
	"a number · esc leaves": "数字 · esc 离开", "500ms, 1s, 2m · esc leaves": "500ms、1s、2m · esc 离开", "enter saves, esc leaves": "enter 保存，esc 离开", `["one", "two"] · enter saves, esc leaves`: `["一", "二"] · enter 保存，esc 离开`,

	"What this workspace looks for; shown in the tab bar.": "此工作区要找什么；显示在标签栏。", "Where a discovery starts.": "发现的起点。", "Sitemaps to read besides those that robots.txt names.": "robots.txt 所列之外要读的站点地图。",
	"site: from http://www.X/ everything under X and *.X; host; prefix; pattern (include alone decides)": "site：由 http://www.X/ 得 X 与 *.X 之下的一切；host；prefix；pattern（只由 include 决定）",
	"regular expressions of URLs that belong to the scope besides":                                       "另外属于范围的网址（正则表达式）", "regular expressions of URLs that never do": "永不属于范围的网址（正则表达式）",
	"links from a seed; pagination and redirects add none": "距种子的链接数；翻页与重定向不计", "fetches at once over all hosts": "所有站点同时抓取数", "between two fetches of one host, e.g. \"1s\"": "同一站点两次抓取的间隔，如 \"1s\"", "of one fetch": "单次抓取的时限", "constants of the link order that differ from their defaults, e.g. \"shark.delta = 0.6\"": "与默认值不同的链接排序常数，如 \"shark.delta = 0.6\"", "queues of a host: host (one), or hflp or elf for queue_count of them": "每站点的队列：host（一个），或 hflp、elf（queue_count 个）", "an odd number is best with elf": "用 elf 时宜取奇数", "waiting URLs kept in memory; the rest waits on disk": "保存在内存中的待抓网址数；其余在磁盘上等待", "waiting URLs of one host above which its further links are not followed; 0 for no bound": "单个站点待抓网址超过此数时不再跟进其新链接；0 为不限", "between two fetches from one IP address that several hosts share; empty: a quarter of the host's delay, \"0\": none": "多个站点共用同一 IP 地址时两次抓取的间隔；空为站点间隔的四分之一，\"0\" 为不限",
	"true keeps discoveries from visiting known pages again": "true 时发现不再访问已知网页", "shortest and longest time between two visits of an aggregation page": "聚合页两次访问的最短与最长间隔", "the same for other pages": "其他网页同此", "wanted chance that a visit finds a change, between 0 and 1: higher means rarer visits": "期望一次访问发现变化的概率，0 到 1；越高访问越少", "an interval is at most so many times as long as the one before": "间隔最多是前一次的多少倍", "read only": "只读",
	"a longer body is cut there": "更长的正文在此截断", "failed fetches before a URL is given up": "放弃一个网址前的失败次数",
	"link order: bfs, dfs, best-first, fish, shark, block-shark, hits, pagerank, opic, linear, learned": "链接排序：bfs、dfs、best-first、fish、shark、block-shark、hits、pagerank、opic、linear、learned", "http:// or socks5:// address; empty for none": "http:// 或 socks5:// 地址；空为不用", "true only for sites of your own": "仅对自己的站点设为 true", "read the sitemaps that robots.txt names": "读取 robots.txt 所列的站点地图",
	"hosts that were named over SSH: never fetched at private addresses, though they are seeds":              "经 SSH 添加的站点：虽是种子，也绝不抓取其内网地址",
	"true allows fetching from private and loopback addresses":                                               "true 允许抓取内网与回环地址",
	"regular expressions of notice titles; on mixed lists only matching records are taken. Empty takes all.": "公告标题的正则表达式；在混合列表上只取匹配的记录。空则全取。",
	"main text: auto, mass, density, pathratio":                                                              "正文提取：auto、mass、density、pathratio", "pages of one list that a harvest follows by its pagination links": "采集时沿翻页链接跟进的列表页数", "t of a notice's quality, t·similarity + (1−t)·PageRank, between 0 and 1": "公告质量中的 t：t·相似度 + (1−t)·PageRank，0 到 1",
	"flat: gse's dictionary on our own trie, loaded in a tenth of a second; gse: gse itself, 2 to 4 s and 130 MB": "flat：自有字典树上的 gse 词典，十分之一秒载入；gse：gse 本身，2 至 4 秒、130 MB",
	"sizes the Bloom filter in front of the exact keys":                                                           "精确键之前布隆过滤器的规模", "share of new URLs that may cost a question to the database": "新网址需查询数据库的比例",
}

// zhLines are the shapes of what the engine says, in the order in which they
// are tried.
var zhLines = [][2]string{
	{"reading what waits, %s addresses so far", "正在读取待抓网址，已读 %s 个"}, {"disk full: free some space, the crawl goes on by itself", "磁盘已满：请腾出空间，爬行会自动继续"}, {"disk full: the crawl waits; %s", "磁盘已满，爬行等待；%s"}, {"there is room on the disk again: the crawl goes on", "磁盘又有空间，爬行继续"},
	{"%s ended, budget of %s pages spent: %s fetched, %s failed, %s aggregation pages, %s new notices", "%s结束，%s 页的预算已用完：抓取 %s，失败 %s，聚合页 %s，新公告 %s"}, {"%s ended, stopped: %s fetched, %s failed, %s aggregation pages, %s new notices", "%s被停止：抓取 %s，失败 %s，聚合页 %s，新公告 %s"}, {"%s ended, its time was up: %s fetched, %s failed, %s aggregation pages, %s new notices", "%s到时结束：抓取 %s，失败 %s，聚合页 %s，新公告 %s"}, {"%s ended, nothing left%s: %s fetched, %s failed, %s aggregation pages, %s new notices", "%[1]s结束，没有剩余：抓取 %[3]s，失败 %[4]s，聚合页 %[5]s，新公告 %[6]s"},
	{"%s ended: budget of %s pages spent", "%s结束：%s 页的预算已用完"}, {"%s ended: stopped", "%s已停止"}, {"%s ended: its time was up", "%s到时结束"}, {"%s ended: failed", "%s失败"}, {"%s ended: nothing left%s", "%[1]s结束：没有剩余"},
	{"%s: link order %s", "%s：链接排序 %s"}, {"%s: budget %s pages", "%s：预算 %s 页"}, {"%s: delay %s", "%s：间隔 %s"}, {"%s: depth %s", "%s：深度 %s"}, {"%s: %s workers", "%s：%s 个线程"}, {"waiting for host %s until %s, as its robots.txt asks", "等待站点 %s 至 %s，依其 robots.txt"}, {"reading the frontier from disk", "正在从磁盘读取队列"},
	{"no run", "没有运行"}, {"no run: S starts discovery", "没有运行：S 开始发现"}, {"no samples yet", "还没有样本"}, {"nothing crawled yet", "尚未爬行"}, {"loading the dictionary", "正在加载词典"}, {"storing the last pages", "正在保存最后的网页"}, {"paused", "已暂停"},
	{"nothing left", "没有剩余网址"}, {"nothing left within depth %s, %s beyond it", "深度 %s 内没有剩余，之外还有 %s"}, {"opening %s", "正在打开 %s"}, {"reading %s pages", "正在读取 %s 个网页"}, {"serving the demo web", "正在启动演示网络"},
	{"nothing to undo", "没有可撤销的"}, {"nothing to redo", "没有可重做的"}, {"undo: %s", "撤销：%s"},
	// Older logs of workspaces say anti-sample.
	{"anti-sample removed %s", "移出反例 %s"}, {"anti-sample %s", "反例 %s"},
	{"the negative samples hold every feature word of the samples and leave none its weight, so no page can score; take a negative sample back, lower γ or add samples", "反例含有样本的全部特征词，扣尽了权重，没有网页能得分；请撤回反例、调低 γ 或添加样本"}, {"%s has no words, so as a negative sample it would change nothing; choose a page with text", "%s 没有词，作反例不起作用；请选择有文字的网页"},
	{"%s reads word for word like %s, which is %s; take that mark away first: %s", "%s 与 %s 逐字相同，后者已有相反的标记；请先取消"}, {"negative sample removed %s", "移出反例 %s"}, {"negative sample %s", "反例 %s"}, {"γ %s", "γ %s"},
	{"sample removed %s", "移出样本 %s"}, {"sample %s", "样本 %s"}, {"label none of %s pages like %s", "移除 %s 个网页的标注（%s）"}, {"label %s of %s pages like %s", "将 %[2]s 个网页标为%[1]s（%[3]s）"}, {"%s labels imported", "导入 %s 个标注"}, {"label none %s", "移除标注 %s"}, {"label %s %s", "标注%s %s"}, {"judge: %s", "判定：%s"},
	{"words accepted: %s", "收入词典：%s"}, {"stop word %s", "停用词 %s"}, {"expert word %s", "专家词 %s"}, {"weight of %s ×%s", "%s 的权重 ×%s"}, {"word %s on", "启用词 %s"}, {"word %s off", "停用词 %s"}, {"scheme %s", "方案 %s"}, {"norm %s", "归一化 %s"}, {"θ automatic", "θ 自动"},
	{"%s paused by %s", "%s由 %s 暂停"}, {"%s resumed by %s", "%s由 %s 恢复"}, {"link order %s by %s", "链接排序 %s，由 %s 设定"}, {"%s: %s seeds added", "%s：添加 %s 个种子"}, {"counting words again: %s", "重新统计词：%s"}, {"the dictionary changed: counting the words of %s pages again", "词典已变：重新统计 %s 个网页的词"},
	{"%s ended: %s fetched, %s failed, %s aggregation pages, %s new notices", "%s结束：抓取 %s，失败 %s，聚合页 %s，新公告 %s"}, {"%s stopped: %s", "%s中止：%s"}, {"%s started", "%s开始"}, {"%s · %s · asked again in %s", "%s · %s · %s 后重试"}, {"sitemap %s: %s addresses, %s sitemaps", "站点地图 %s：%s 个网址，%s 个子图"},
	{"charset %s", "字符集 %s"}, {"type %s: %s of %s records are dated, β = %s over %s links", "类型%s：%[3]s 条记录中 %[2]s 条带日期，β = %[4]s，链接 %[5]s"}, {"title by %s", "标题依据 %s"}, {"date by %s", "日期依据 %s"}, {"no records: no element with a link repeats", "没有记录：没有重复的含链接元素"}, {"records: the only group, %s, with a score of %s", "记录：唯一的组 %s，得分 %s"}, {"records: %s with a score of %s before %s with %s", "记录：%s（得分 %s）优于 %s（%s）"}, {"text by %s", "正文依据 %s"}, {"limit hit: %s", "达到上限：%s"},
	{"no aggregation pages above the threshold; add samples or lower θ, then crawl again", "没有高于阈值的聚合页；添加样本或调低 θ 后再爬行"}, {"no samples yet; %s", "还没有样本；请在样本屏按空格添加列表页"},
	{"another run is under way%s", "另有运行正在进行"}, {"%s answered with HTTP status %s; nothing was added", "%s 返回 HTTP 状态 %s；未添加"}, {"cannot read %s; give an address with http:// or a file", "无法读取 %s；请给出 http:// 网址或文件"},
	{"%s is a workspace already; open it instead", "%s 已是工作区；请直接打开"}, {"%s is a file; choose another name", "%s 是文件；请换一个名字"}, {"type a folder", "请输入文件夹"}, {"%s cannot be used; choose another folder", "%s 不可用；请换一个文件夹"},
	{"write a number", "请输入数字"}, {"write true or false", "请写 true 或 false"}, {"write a list: %s", "请写成列表：[\"一\", \"二\"]"}, {"%s is outside %s … %s", "%s 不在 %s … %s 之内"},
	{"%s was not written: no space left on device; free some space, or choose another folder", "%s 未写入：磁盘已满；请腾出空间，或换一个文件夹"}, {"%s was not written: %s", "%s 未写入：%s"}, {"cannot write to %s (%s); choose a folder you may write to", "无法写入 %s（%s）；请选择可写的文件夹"}, {"%s is no file; choose another name", "%s 不是文件；请换一个名字"}, {"it was cancelled, nothing was written", "已取消，未写入"},
	{"the page has no stored body", "该网页没有保存正文"}, {"no labels yet; %s", "还没有标注；对网页按 y 或 n"}, {"the learner needs 10 labels, %s", "学习器需要 10 个标注，兼有是与否"},
}
