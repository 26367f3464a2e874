package lang

import (
	"strconv"
	"strings"
)

// zhTerms are what link orders call the terms of a priority, and how a URL came to its
// place.
var zhTerms = map[string]string{
	"P(target)": "P(目标)", "hub": "枢纽", "anchor": "锚文本", "pager": "翻页", "parent": "父页", "url": "网址", "kept": "保留", "w": "权重", "inlink": "入链", "siblings": "同级", "block": "区块",
	"text block": "正文区块", "inherited": "继承", "noise": "噪声", "seed": "种子", "depth": "深度",
	"context": "上下文", "important domain": "重要域", "below relevance": "低于相关度", "authority": "权威度", "rank": "PageRank", "δ": "δ",
	"boosted": "提前", "dropped": "已丢弃", "buried": "推后", "revisit": "重访",
}

// Terms translates why a URL stands where it stands in the frontier: how it came there,
// what failed, and the terms of its order with their values, "boosted, anchor .80 parent
// .61". The values stay.
func (l *Lang) Terms(why string) string {
	if l == nil || l.Code != "zh" {
		return why
	}
	var out, name []string
	for part := range strings.SplitSeq(why, ", ") {
		var terms []string
		for _, word := range strings.Fields(part) {
			_, err := strconv.ParseFloat(word, 64)
			t, known := zhTerms[strings.Join(name, " ")]
			if err != nil || !known {
				name = append(name, word)
				continue
			}
			terms, name = append(terms, t+" "+word), nil
		}
		switch rest := strings.Join(name, " "); {
		case rest == "": // terms alone
		case rest == "relevant parent": // its name goes on behind the comma
			name[1] += ","
			continue
		case zhTerms[rest] != "":
			terms = append(terms, zhTerms[rest])
		default:
			terms = append(terms, l.Line(rest))
		}
		out, name = append(out, strings.Join(terms, " ")), nil
	}
	return strings.Join(out, "，")
}
