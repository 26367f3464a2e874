package fields

import (
	"net/url"
	"strings"
	"sync"

	"angler/crawl/htmldoc"
)

// provinces are the regions, each with its cities after it.
const provinces = `北京
上海
天津
重庆
河北 石家庄 唐山 秦皇岛 邯郸 邢台 保定 张家口 承德 沧州 廊坊 衡水 雄安
山西 太原 大同 阳泉 长治 晋城 朔州 晋中 运城 忻州 临汾 吕梁
内蒙古 呼和浩特 包头 乌海 赤峰 通辽 鄂尔多斯 呼伦贝尔 巴彦淖尔 乌兰察布 兴安盟 锡林郭勒 阿拉善 巴林
辽宁 沈阳 大连 鞍山 抚顺 本溪 丹东 锦州 营口 阜新 辽阳 盘锦 铁岭 朝阳市 葫芦岛
吉林 长春 四平 辽源 通化 白山市 松原 白城 延边
黑龙江 哈尔滨 齐齐哈尔 鸡西 鹤岗 双鸭山 大庆 伊春 佳木斯 七台河 牡丹江 黑河 绥化 大兴安岭
江苏 南京 无锡 徐州 常州 苏州 南通 连云港 淮安 盐城 扬州 镇江 泰州 宿迁
浙江 杭州 宁波 温州 嘉兴 湖州 绍兴 金华 衢州 舟山 台州 丽水
安徽 合肥 芜湖 蚌埠 淮南 马鞍山 淮北 铜陵 安庆 黄山市 滁州 阜阳 宿州 六安 亳州 池州 宣城
福建 福州 厦门 莆田 三明 泉州 漳州 南平 龙岩 宁德
江西 南昌 景德镇 萍乡 九江 新余 鹰潭 赣州 吉安 宜春 抚州 上饶
山东 济南 青岛 淄博 枣庄 东营 烟台 潍坊 济宁 泰安 威海 日照 临沂 德州 聊城 滨州 菏泽
河南 郑州 开封 洛阳 平顶山 安阳 鹤壁 新乡 焦作 濮阳 许昌 漯河 三门峡 南阳 商丘 信阳 周口 驻马店 济源
湖北 武汉 黄石 十堰 宜昌 襄阳 鄂州 荆门 孝感 荆州 黄冈 咸宁 随州 恩施 仙桃 潜江 天门 神农架 枝江
湖南 长沙 株洲 湘潭 衡阳 邵阳 岳阳 常德 张家界 益阳 郴州 永州 怀化 娄底 湘西
广东 广州 韶关 深圳 珠海 汕头 佛山 江门 湛江 茂名 肇庆 惠州 梅州 汕尾 河源 阳江 清远 东莞 中山市 潮州 揭阳 云浮
广西 南宁 柳州 桂林 梧州 北海市 防城港 钦州 贵港 玉林 百色 贺州 河池 来宾 崇左
海南 海口 三亚 三沙 儋州
四川 成都 自贡 攀枝花 泸州 德阳 绵阳 广元 遂宁 内江 乐山 南充 眉山 宜宾 广安 达州 雅安 巴中 资阳 阿坝 甘孜 凉山
贵州 贵阳 六盘水 遵义 安顺 毕节 铜仁 黔西南 黔东南 黔南
云南 昆明 曲靖 玉溪 保山 昭通 丽江 普洱 临沧 楚雄 红河 文山 西双版纳 大理 德宏 怒江 迪庆
西藏 拉萨 日喀则 昌都 林芝 山南市 那曲 阿里地区
陕西 西安 铜川 宝鸡 咸阳 渭南 延安 汉中 榆林 安康 商洛 杨凌
甘肃 兰州 嘉峪关 金昌 白银市 天水 武威 张掖 平凉 酒泉 庆阳 定西 陇南 临夏 甘南
青海 西宁 海东 海北 黄南 海西 果洛 玉树
宁夏 银川 石嘴山 吴忠 固原 中卫
新疆 乌鲁木齐 克拉玛依 吐鲁番 哈密 昌吉 博尔塔拉 巴音郭楞 阿克苏 喀什 和田 伊犁 塔城 阿勒泰 石河子
香港
澳门
台湾`

// places maps the first two characters of a name to the names that begin with them.
var places = sync.OnceValue(func() map[string][][2]string {
	out := map[string][][2]string{}
	for _, line := range strings.Split(provinces, "\n") {
		for _, name := range strings.Fields(line) {
			region, _, _ := strings.Cut(line, " ")
			out[name[:6]] = append(out[name[:6]], [2]string{name, region})
		}
	}
	return out
})

// voteForRegion adds weight to the region of each place in a text.
func voteForRegion(votes map[string]float64, s string, weight float64) {
	known := places()
	for i := 0; i+6 <= len(s); {
		c := s[i]
		if c < 0xe4 || c > 0xe9 {
			i++
			continue
		}
		step := 3
		for _, p := range known[s[i:i+6]] {
			if strings.HasPrefix(s[i:], p[0]) && !isStreetNext(s[i+len(p[0]):]) {
				votes[p[1]] += weight
				step = len(p[0])
				break
			}
		}
		i += step
	}
}

// isStreetNext reports whether the text after a place makes it the name of a street: 南京路, 北京东路.
func isStreetNext(rest string) bool {
	return htmldoc.AnyWord(rest, strings.HasPrefix, "路", "东路", "西路", "南路", "北路", "中路", "街", "大街", "大道", "时间")
}

// regionHosts are triples: a region's name in host names, its Chinese name, and its short form in
// host names.
var regionHosts = strings.Fields(`beijing 北京 bj tianjin 天津 tj shanghai 上海 sh chongqing 重庆 cq hebei 河北 heb shanxi 山西 sx
neimenggu 内蒙古 nmg liaoning 辽宁 ln jilin 吉林 jl heilongjiang 黑龙江 hlj jiangsu 江苏 js zhejiang 浙江 zj anhui 安徽 ah fujian 福建 fj
jiangxi 江西 jx shandong 山东 sd henan 河南 hn hubei 湖北 hb hunan 湖南 hun guangdong 广东 gd guangxi 广西 gx hainan 海南 hain
sichuan 四川 sc guizhou 贵州 gz yunnan 云南 yn xizang 西藏 xz shaanxi 陕西 sn gansu 甘肃 gs qinghai 青海 qh ningxia 宁夏 nx xinjiang 新疆 xj`)

var portalHost = htmldoc.NewPattern(`^(?:www\.)?([a-z]{2,4}?)(?:ggzy|ggzyjy|gp|zfcg|zb|zbtb)\b`)

// regionOfHost returns the region in the host of an address: ggzy.jiangxi.gov.cn, www.cqgp.gov.cn.
func regionOfHost(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	host := strings.ToLower(u.Hostname())
	short := ""
	if m := portalHost.FindStringSubmatch(host); m != nil {
		short = m[1]
	}
	for i := 0; i+2 < len(regionHosts); i += 3 {
		if strings.Contains(host, regionHosts[i]) || short == regionHosts[i+2] {
			return regionHosts[i+1]
		}
	}
	return ""
}

// mostVotedRegion returns the region with most votes and its share, 0 … 1.
func mostVotedRegion(votes map[string]float64) (string, float64) {
	best, sum := "", 0.
	for name, n := range votes {
		sum += n
		if n > votes[best] || n == votes[best] && (best == "" || name < best) {
			best = name
		}
	}
	if sum == 0 {
		return "", 0
	}
	return best, votes[best] / sum
}

// addRegion derives the region from place names, those of the buyer first.
func (r *reading) addRegion() {
	field, ok := r.preset("region")
	if !ok {
		return
	}
	for i := range r.found[field] { // a label named a place: 江西省景德镇市 is in 江西
		votes := map[string]float64{}
		voteForRegion(votes, r.found[field][i].Norm, 1)
		if best, _ := mostVotedRegion(votes); best != "" {
			r.found[field][i].Norm = best
		} else {
			r.found[field][i].Sure = 0
		}
	}
	votes := map[string]float64{}
	for _, n := range []struct {
		name   string
		weight float64
	}{{"buyer", 5}, {"agent", 1}} {
		if f, ok := r.set.fieldIndex[n.name]; ok {
			for _, v := range r.found[f] {
				if v.Sure > MinConfidence {
					voteForRegion(votes, v.Norm, n.weight)
					break
				}
			}
		}
	}
	voteForRegion(votes, r.title.s, 3)
	voteForRegion(votes, r.text.s, .5)
	if host := regionOfHost(r.notice.URL); host != "" {
		votes[host] += 15
	}
	best, share := mostVotedRegion(votes)
	if best == "" {
		return
	}
	r.addCandidate(field, Value{Norm: best, Text: best, Source: FromNames, Sure: min(.9, share)})
}
