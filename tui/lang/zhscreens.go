package lang

// zhScreens are the texts of the screens: titles, columns, hints of empty
// panes, prompts.
var zhScreens = map[string]string{
	// counted nouns
	"#host": "%s 个站点", "#label": "%s 个标注", "#list": "%s 个列表页", "#longer term": "%s 个更长的术语", "#notice": "%s 条公告", "#page": "%s 个网页",
	"#record": "%s 条记录", "#row": "%s 行", "#sample": "%s 个样本", "#negative sample": "%s 个反例", "#seed": "%s 个种子", "#word": "%s 个词", "#worker": "%s 个抓取线程",

	// frame
	"Samples": "样本", "Features": "特征词", "Threshold": "阈值", "Crawl": "爬行", "Harvest": "采集", "Label": "标注", "Lab": "实验",
	"? help  : palette": "? 帮助  : 命令", "f1 help  : palette": "f1 帮助  : 命令", "help": "帮助", "help · j k scroll · esc closes": "帮助 · j k 滚动 · esc 关闭", "Everywhere": "各处通用", "Lists and texts": "列表与文本",
	" FROZEN f ": " 已冻结 f ", "mouse off M": "鼠标关 M", " ‖ PAUSED ": " ‖ 已暂停 ", "■ idle": "■ 空闲", "▶ %s stops": "▶ %s正在停止", "discovery": "发现", "harvest": "采集", "crawl": "爬行",
	"A crawl is running. Quit and stop it? y quits, any other key stays.": "爬行正在进行。停止并退出吗？y 退出，其他键留下。",
	"the crawl goes on": "爬行继续进行", "opening the workspace": "正在打开工作区", "%s p/s": "%s 页/秒", "harvest %s": "采集率 %s", "queue %s": "队列 %s", "errors %s": "错误 %s", "snapshot %s": "快照 %s",
	"dictionary loads": "正在加载词典", "dictionary: %s": "词典：%s", "learner decides": "由学习器判定", "rule decides": "由规则判定", " auto": " 自动", "esc cancels": "esc 取消", "%s and %s more": "%s，另有 %s 项",
	"%s failed: %s": "%s失败：%s", "copied %s": "已复制 %s", "opened %s": "已打开 %s", "the run stopped: %s": "运行中止：%s", "cancelled": "已取消", "cancelling": "正在取消", "%s is being cancelled": "正在取消：%s", "%s: %s": "%s：%s",
	"display frozen; the crawl goes on; f lets it move again": "显示已冻结，爬行照常；按 f 恢复", "mouse on": "鼠标已开", "mouse off: select text with the terminal; M turns it on": "鼠标已关：可用终端选取文字；按 M 打开",
	"(now: %s)": "（现在：%s）", "%s of %s": "%s / %s", "every action": "全部命令", "nothing matches; esc closes": "没有匹配；esc 关闭", "%s %s: %s": "%s %s：%s",
	"Nothing matches %s in %s. Press esc to clear the filter.": "%[2]s中没有匹配%[1]s的。按 esc 清除筛选。", "pane %d of %d, tab": "第 %d/%d 窗格，tab", "%s new ↑ %s new ↓": "新增 %s ↑ %s ↓", "%s new ↑": "新增 %s ↑", "%s new ↓": "新增 %s ↓", "by %s": "按%s排序",
	"words · ! hides · ↑ earlier · esc clears": "多个词 · ! 反选 · ↑ 历史 · esc 清除", "no change": "没有变化", "now": "现在", "here": "此处", "best": "最佳", "yes": "是", "no": "否", "unsure": "不定", "running": "运行中", "paused": "已暂停", "draining": "收尾中", "idle": "空闲",
	"it was cancelled": "已取消", "%s: %s. It is tried again with the next change.": "%s：%s。下次变化时重试。",

	// columns
	"rec": "条", "dated": "日期", "score": "得分", "title": "标题", "host": "站点", "on": "用", "word": "词", "in samples": "样本中", "background df": "背景文档率", "weight": "权重", "records": "记录", "home": "带回", "new": "新增", "visited": "上次访问",
	"date": "日期", "source": "来源", "files": "附件", "prio": "优先", "next": "下次", "anchor": "锚文本", "why": "原因", "waiting": "等待", "busy": "在抓", "done": "完成", "failed": "失败", "time": "时间", "event": "事件", "asked as": "询问理由", "judged by": "判定方法", "at θ": "θ",
	"accepts": "接受", "C-value": "C 值", "count": "次数", "pages": "网页", "cut today as": "现切分为", "parts": "词性", "example": "例句", "prob": "概率", "df": "df", "TF": "TF", "IDF": "IDF", "TF/IDF": "TF/IDF", "TF·IDF": "TF·IDF", "P": "P", "R": "R", "F1": "F1", "AUC": "AUC", "F1 95 %": "F1 95 %",

	// 1 Samples
	"candidates %s": "候选页 %s", "candidates %s of %s · only %s": "候选页 %s / %s · 仅 %s", "probing %s %s of %s": "试抓 %s %s / %s", "listing candidates": "正在列出候选页",
	"No pages yet. Press s to probe a few pages of every seed, S to crawl them whole, + on screen 4 to add seeds.": "还没有网页。按 s 从每个种子试抓少量网页，按 S 完整爬行；在第 4 屏按 + 添加种子。",
	"The page under the cursor is shown here.": "光标所在的网页显示在这里。", "sample added": "已加为样本", "sample removed": "已移出样本", "negative sample added": "已加为反例", "negative sample removed": "已移出反例", "negative sample %s": "反例 %s", "negative sample:": "反例：", "no word keeps a weight: too much is taken by the negative samples": "没有词保有权重：被反例扣尽", "sample %s": "样本 %s", "sample:": "样本：", "http://… or FILE or FILE http://… where it came from": "http://… 或 文件，或 文件 http://… 来源地址",
	"type a URL or a file": "请输入网址或文件", "after a file comes the address it came from": "文件之后写它的来源地址", "probe started": "试抓已开始", "%s, %s with dates": "%s，其中带日期的 %s", "host or section": "站点或栏目", "all hosts": "所有站点",
	"preview": "预览", "text": "正文", "HTML": "HTML", "blocks": "分块", "reading the source": "正在读取源码", "reading the source …": "正在读取源码 …", "opening the page": "正在打开网页", "opening …": "正在打开 …", "The page cannot be shown: %s": "无法显示网页：%s", "limit hit: %s": "达到上限：%s",
	"no records on this page; v shows its text": "此页没有记录；按 v 看正文", "No topic yet: mark sample pages with space on screen 1.": "还没有主题：在第 1 屏用空格标记样本页。", "%s below θ %s": "%s 低于 θ %s", "%s above θ %s": "%s 高于 θ %s",
	"gate passed: at least 3 dated records, at least half dated": "通过门槛：至少 3 条带日期的记录，且过半带日期", "gate closed: fewer than 3 dated records, less than half dated, or a front page; raw %s": "未过门槛：带日期的记录不足 3 条或不足一半，或为首页；原始分 %s",
	"scheme %s · %s · model %d": "方案 %s · %s · 模型 %d", "share        times word": "贡献         次数 词", "learner %s": "学习器 %s", "decides": "参与判定", "does not decide": "不参与判定", "items dated  score group": "条目  带日期 得分 组", "chars links mass block": " 字数  链接 质量 分块",
	"list": "列表页", "hub": "导航页", "detail": "内容页", "other": "其他", "unknown": "未知",

	// 2 Features
	"feature words %s of %s": "特征词 %s / %s", "weighing words": "正在计算词权", "The dictionary is being loaded; words come after it.": "正在加载词典，随后出现特征词。", "No words yet. Mark two or three sample pages: 1, then space.": "还没有词。先标记两三个样本页：按 1，再按空格。",
	"neg. TF": "反例 TF", "taken": "扣除", "0 to 4: what the negative samples weigh against the samples' 1; .2 is the default": "0 到 4：反例相对样本（1）的权重；默认 .2", "a number from 0 to 4": "请输入 0 到 4 的数",
	"off": "停用", "below m": "未入选", "too light": "过轻", "expert": "专家", "%s in samples %s": "%s 在样本中 %s", "The samples cannot be read: %s": "无法读取样本：%s", "reading the samples": "正在读取样本", "reading the samples …": "正在读取样本 …",
	"What the scheme counts of the samples does not hold this word as one piece.": "样本正文中没有连续出现这个词。", "The word under the cursor is shown here as the samples use it.": "光标所在的词在样本中的用法显示在这里。",
	"expert word:": "专家词：", "enter adds, esc leaves": "enter 添加，esc 离开", "type a word": "请输入一个词", "that is longer than a word": "太长了，不是一个词", "expert word %s": "专家词 %s", "word %s": "词 %s", "weight of %s": "%s 的权重", "weight of %s ×": "%s 的权重 ×",
	"0 to 10; 1 is its own weight": "0 到 10；1 为原权重", "a number from 0 to 10": "请输入 0 到 10 的数", "word for the dictionary:": "加入词典的词：", "2 to 32 characters · pages are counted again": "2 到 32 个字 · 将重新统计网页", "a word of 2 to 32 characters": "请输入 2 到 32 个字的词",
	"accepted %s": "已收入 %s", "feature words m:": "特征词数 m：", "the m heaviest words score": "权重最高的 m 个词参与计分", "a number from %d to %d": "请输入 %d 到 %d 的数", "scheme %s": "方案 %s", "norm %s": "归一化 %s", "stop word %s": "停用词 %s",
	"titles of records × rarity in the crawl (default)": "记录标题 × 在爬行中的稀有度（默认）", "TF ÷ ln(1 + n/df) over the samples (P0)": "样本上的 TF ÷ ln(1 + n/df)（P0）", "centroid of TF·IDF (P1)": "TF·IDF 的质心（P1）", "frequency × the analyst's weight (P3)": "词频 × 分析员的权重（P3）",
	"cosine over all words of the page (default)": "对全页所有词的余弦（默认）", "cosine over the feature words only": "只对特征词的余弦", "inner product, no normalisation (P3)": "内积，不归一化（P3）", "scheme": "方案", "similarity": "相似度",
	"schemes on the labels": "各方案在标注上的表现", "schemes on %s": "各方案在%s上的表现", "measuring every scheme …": "正在评测各方案 …", "measuring the schemes": "正在评测各方案", "measuring …": "评测中 …", "Nothing was measured: %s. E tries again.": "未能评测：%s。按 E 重试。", "not measured again: %s": "未能重新评测：%s",
	"older than the labels or the words · E measures again": "早于现有标注或词 · 按 E 重新评测", "Press E to measure every scheme on %s.": "按 E 在%s上评测各方案。", "learner": "学习器",
	"domain terms %s": "领域术语 %s", "domain terms · strongest %s": "领域术语 · 最强 %s 个", "by C-value (P2)": "按 C 值（P2）", "%s marked": "已选 %s", "%s accepted": "已收入 %s", "%s: %s of %s · esc cancels": "%s：%s / %s · esc 取消", "looking for terms": "正在查找术语", "looking for terms … esc cancels": "正在查找术语 … esc 取消", "counting words again": "正在重新统计词",
	"No terms: %s. Press r to look again, esc to go back.": "没有术语：%s。按 r 重新查找，esc 返回。", "Press r to look for terms in all stored pages.": "按 r 在全部网页中查找术语。", "All terms are accepted. Press r to look again, esc to go back.": "术语已全部收入。按 r 重新查找，esc 返回。",
	"No term stands out: a run of nouns must occur twice and is no word yet. Press S to bring more pages, r to look again.": "没有突出的术语：名词串须出现两次且尚未成词。按 S 抓取更多网页，按 r 重新查找。",
	"Where the term under the cursor stands in the pages is shown here.":                                                    "光标所在的术语在网页中的位置显示在这里。", "inside %s": "包含于%s", "where it stands": "出现之处", "undone or done again since · r looks again": "其后有撤销或重做 · 按 r 重新查找", "accepting words": "正在收入词", "marked": "已选",

	// 3 Threshold
	"similarity of %s · scheme %s · %s": "%s的相似度 · 方案 %s · %s", "reading scores": "正在读取得分", "enter applies · esc goes back": "enter 应用 · esc 还原", "log": "对数", "samples": "样本", "negative samples": "反例", "There are no scores: %s.": "没有得分：%s。", "one out": "留一", "labels": "标注",
	"No page has a score yet. Mark sample pages on screen 1 (press 1, then space).": "还没有网页得分。在第 1 屏标记样本页（按 1，再按空格）。", "No page has a score yet. Press S to start a discovery.": "还没有网页得分。按 S 开始发现。", "Scores come after the dictionary, which is being loaded.": "正在加载词典，随后出现得分。",
	"set by hand": "人工设定", "automatic: .35, for one sample": "自动：.35，只有一个样本", "automatic: .40, for two samples or more": "自动：.40，样本有两个以上", "automatic: .35, beside negative samples": "自动：.35，另有反例", "automatic: the widest gap of the scores, since nearly every list is near the topic": "自动：取得分最宽的空档，因为几乎每个列表都接近主题", "automatic: halfway between .60 and Otsu's threshold of the upper half of the scores": "自动：取 .60 与得分上半部大津法阈值的中点", "automatic: .25, for this scheme and two samples or more": "自动：.25，按此方案且样本有两个以上", "automatic: .20, for this scheme and one sample": "自动：.20，按此方案且只有一个样本", "automatic: Otsu's threshold of the scores, for fewer than three samples": "自动：得分的大津法阈值，样本不足三个", "automatic: .30": "自动：.30", "automatic: just above the highest negative sample": "自动：略高于得分最高的反例", "   no valley in the scores: labels would help (6)": "   得分没有低谷：标注会有帮助 (6)",
	"stands on about %s of a site's pages,": "约见于一个网站 %s 的网页，", "%s of %d sites use it": "%s 个网站使用，共 %d 个", "one sample: add lists of other sites": "只有一个样本：请添加其他网站的列表", "the samples are of two unlike kinds": "样本分属两类，彼此不像",
	"now θ ": "现用 θ ", "   here θ ": "   此处 θ ", "suggest: otsu ": "建议：大津法 ", "   leave-one-out ": "   留一法 ", "   best F1 ": "   最佳 F1 ", "first %s": "前 %s 个", "around θ ±.05 · %s": "θ ±.05 附近 · %s", "would gain +%s": "将增加 +%s", "would lose −%s": "将减少 −%s", "pages between": "正在读取其间的网页",
	"The pages cannot be listed: %s": "无法列出网页：%s", "Pages that a move of θ lets in or out stand here.": "移动 θ 而进出的网页列在这里。", "looking …": "正在查找 …", "No page lies between the two thresholds.": "两个阈值之间没有网页。", "No page lies near θ: moving it a little changes nothing. [ and ] move it.": "θ 附近没有网页：小幅移动不会改变结果。用 [ 和 ] 移动。",
	"the learner decides, θ does not: screen 6, L gives the rule back": "由学习器判定，θ 不起作用：在第 6 屏按 L 恢复规则", "on %s · %d yes %d no": "%s · 是 %d 否 %d", "%d unsure": "不定 %d", "F1 and the best θ need a page labelled yes": "F1 与最佳 θ 需要标为“是”的网页", "b: the best, chosen on these very labels": "b：最佳值，正是在这些标注上选出",
	"No labels yet: y and n label the page under the cursor, screen 6 asks for the pages worth it.": "还没有标注：y 和 n 标注光标所在的网页；第 6 屏会挑出值得标注的网页。", "precision, recall, F1 over θ": "查准率、查全率、F1 随 θ 变化", "The curves need a page labelled yes and one labelled no.": "曲线需要至少一个“是”和一个“否”的标注。", "at θ %s": "θ %s 处", "best %s at %s": "最佳 %s，在 %s",
	"θ:": "θ：", ".34 or 34% · enter, then enter again to apply": ".34 或 34% · enter 后再按 enter 应用", "a number above 0, at most 1": "请输入大于 0、不超过 1 的数", "θ automatic": "θ 自动",

	// 4 Crawl
	"frontier %s": "待抓队列 %s", "aggregation pages %s": "聚合页 %s", "hosts %s": "站点 %s", "events %s": "事件 %s", "harvest rate %s": "采集率 %s", "%s fetched": "已抓 %s", " %s fetched · %s found ": " 已抓 %s · 找到 %s ", "run": "运行", "no: %d of %d workers busy": "否：%d / %d 个线程在抓取", "yes: %s": "是：%s", "idle?": "空闲？",
	"yes: no run; S starts a discovery, H a harvest": "是：没有运行；S 发现，H 采集", "yes: paused; space lets it go on": "是：已暂停；按空格继续", "filtered: %s": "过滤：%s", "Bloom m %s · k %d · fill %s · error %s · maybe %s, false %s": "布隆 m %s · k %d · 填充 %s · 误判率 %s · 疑似 %s，误判 %s",
	"Bloom k %d · fill %s · maybe %s, false %s": "布隆 k %d · 填充 %s · 疑似 %s，误判 %s", "Bloom maybe %s, false %s": "布隆疑似 %s，误判 %s", "stopped by": "中止于", "processing": "处理中", "complete": "完成", "exception": "异常", "strategy": "策略", "strategy %s": "策略 %s",
	"The frontier is empty. Press + to add seeds, then S to start a discovery.": "队列为空。按 + 添加种子，再按 S 开始发现。", "Nothing waits. Press S to start a discovery, H to visit the aggregation pages.": "没有等待的网址。按 S 开始发现，按 H 访问聚合页。", "No page lies above θ yet. Mark samples on screen 1, tune θ on screen 3.": "还没有高于 θ 的网页。在第 1 屏标记样本，在第 3 屏调整 θ。",
	"No host yet. Press + to add seeds.": "还没有站点。按 + 添加种子。", "The hosts of a run are listed while it goes on. Press S to start a discovery.": "运行时列出各站点。按 S 开始发现。", "Nothing is being fetched: no run.": "没有在抓取：没有运行。", "Nothing has happened yet. Press S to start a discovery.": "还没有事件。按 S 开始发现。", "The curve begins with the first pages. Press S to start a discovery.": "抓到第一批网页后出现曲线。按 S 开始发现。", "crawl resumed": "爬行已恢复", "crawl PAUSED for everyone": "已为所有人暂停爬行", "one step": "一步", "run stopped": "运行已停止",
	"workers": "线程", "workers:": "线程数：", "pages fetched at the same time": "同时抓取的网页数", "seed URLs:": "种子网址：", "http://… separated by spaces": "http://… 以空格分隔", "%s is no http:// or https:// URL": "%s 不是 http:// 或 https:// 网址", "type a URL": "请输入网址", "add %s": "添加%s", "discovery started": "发现已开始", "harvest started": "采集已开始",
	"out of scope": "范围外", "not http": "非 http", "empty": "空", "malformed": "格式错误", "image": "图片", "animation": "动画", "style": "样式", "document": "文档", "archive": "压缩包", "media": "媒体", "software": "软件", "too long": "过长", "too deep": "过深", "trap": "陷阱", "too many on one host": "单站点过多", "too many sitemaps": "站点地图过多", "below relevance": "低于相关度阈值", "duplicate": "重复",

	// 5 Harvest
	"No page lies above θ yet. Mark samples on screen 1, press S to start a discovery, tune θ on screen 3.": "还没有高于 θ 的网页。在第 1 屏标记样本，按 S 开始发现，在第 3 屏调整 θ。", "reading notices": "正在读取公告", "ranking notices": "正在计算公告质量", "quality": "质量", "quality %s = similarity %s · %s + PageRank %s · %s": "质量 %s = 相似度 %s · %s + PageRank %s · %s", "notices with %s: %s of %s": "含%s的公告：%s / %s", "notices %s · newest %s": "公告 %s · 最新 %s", "notices %s": "公告 %s",
	"No notice holds %s. Press Q to search for something else, esc to see all.": "没有公告含%s。按 Q 换个词查找，esc 显示全部。", "No notices yet. Press H to visit the aggregation pages and bring their notices home.": "还没有公告。按 H 访问聚合页，把公告带回来。", "dated %s · first seen %s": "日期 %s · 首见 %s", "from ": "来自 ", "opening the notice": "正在打开公告", "notice": "公告", "The notice cannot be shown: %s": "无法显示公告：%s", "No text was found on the page.": "页面上没有找到正文。",
	"taken: its list was confirmed by an analyst (score %s)": "收录原因：列表页已由分析员确认（得分 %s）", "taken: its list scored %s (θ %s now), the title holds %s": "收录原因：列表页得分 %s（现 θ %s），标题含%s", "taken: its list scored %s (θ %s now)": "收录原因：列表页得分 %s（现 θ %s）",
	"search notices:": "查找公告：", "words of title, text or URL": "标题、正文或网址中的词", "export %s as": "%s导出为", "JSON lines": "JSON 行", "every field, for programs": "全部字段，供程序读取", "CSV": "CSV", "a table, for programs": "表格，供程序读取", "CSV for spreadsheets": "CSV（电子表格用）", "with a byte order mark, which Excel needs to read Chinese": "带字节序标记，Excel 据此识别中文", "Atom feed": "Atom 订阅源", "the newest %s, for feed readers": "最新 %s 条，供订阅器读取", "every stored page with its score and label": "全部网页及其得分与标注", "the list pages above θ": "高于 θ 的列表页", "every notice with its text and attachments": "全部公告及其正文与附件", "what is not fetched yet, and why": "尚未抓取的网址及原因", "who links to whom": "链接关系",
	"backup": "备份", "the whole workspace in one file, keys among it": "整个工作区存为一个文件，含密钥", "aggregations": "聚合页", "notices": "公告", "frontier": "待抓队列", "links": "链接", "write %s to:": "把%s写入：", "a file · enter writes, esc leaves": "文件名 · enter 写入，esc 离开", "type a file name": "请输入文件名", "exporting": "正在导出", "the export of %s": "%s的导出", "%s written to %s": "%s已写入 %s", "%s is there already": "%s 已存在", "choose another name": "换一个名字", "replace it": "替换它",

	// 6 Label
	"worth a label %s · %s given": "值得标注 %s · 已有 %s", "choosing pages": "正在挑选网页", "Every page has its label. S finds more.": "每个网页都已标注。按 S 开始发现更多。", "No pages yet. Press S to start a discovery from the seeds, + on screen 4 to add seeds.": "还没有网页。按 S 从种子开始发现；在第 4 屏按 + 添加种子。",
	"Mark two or three sample pages first (1, then space): the pages worth a label follow from them.": "先标记两三个样本页（按 1，再按空格），由此得出值得标注的网页。", "The dictionary is being loaded; the pages worth a label come after it.": "正在加载词典，随后出现值得标注的网页。", "The choice of pages was cancelled; it is made again with the next change.": "挑选已取消；下次变化时重新挑选。",
	"decides: ": "判定：", "rule": "规则", "%d yes %d no · not ready: 10 of both kinds": "是 %d 否 %d · 未就绪：需两类共 10 个", " on %d yes %d no": " 基于 是 %d 否 %d", "the learner needs 10 labels of both kinds; it has %d yes (samples count) and %d no": "学习器需要两类共 10 个标注；现有 是 %d（含样本）、否 %d",
	"the learner decides": "由学习器判定", "the rule decides": "由规则判定", "rule %s below θ %s": "规则 %s 低于 θ %s", "rule %s above θ %s": "规则 %s 高于 θ %s", "learner %s says no": "学习器 %s 判为否", "learner %s says yes": "学习器 %s 判为是", "uncertain": "最不确定", "probable": "最可能", "label %s": "标注：%s", "label removed": "标注已移除",
	"label all of:": "批量标注：", "a host, or the beginning of a URL with * and **": "站点，或网址开头，可用 * 和 **", "counting …": "正在计数 …", "counting pages": "正在计数", "no page matches": "没有匹配的网页", "%s, %d labelled yes, %d no · enter goes on": "%s，已标 是 %d 否 %d · enter 继续", "the %s without a label": "尚未标注的 %s", "all %s, labels that are there are replaced": "全部 %s，替换已有标注",
	"there is no such page": "没有这样的网页", "no to all": "全部标“否”", "yes to all": "全部标“是”", "remove the labels": "移除标注", "%s · %s": "%s · %s", "type a host or the beginning of an address": "请输入站点或网址开头", "the pattern is too long": "模式太长",
}
