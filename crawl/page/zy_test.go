package page
import ("testing";"os";"path/filepath";"golang.org/x/net/html";"sort";"fmt")
func tagPath(t *tree, i int32, n int) string { s:=""; for ;i>=0&&n>0;n-- { x:=&t.nodes[i]; s=fmt.Sprintf("%s.%s ",x.html.Data,attr(x.html,"class"))+s; i=x.parent}; return s }
func TestZY(t *testing.T){
 for _, f := range []string{"zhihu_search_result","netease_international_news","netease_leaderboard_news"} {
  b,_ := os.ReadFile(filepath.Join(dataDir(t),"lists/list",f+".html"))
  text,_ := Decode(b,"")
  tr := trees.Get().(*tree); tr.url="http://example.test/list/"
  var root *html.Node = tr.parseHTML(text)
  tr.build(root); tr.finishLinks("http://example.test/list/", sharedResolver); tr.finishBlocks()
  recs, dated := tr.records(crawled,nil)
  t.Log("=====",f,len(recs),dated, len(tr.groupList))
  idx := make([]int,len(tr.groupList)); for i := range idx {idx[i]=i}
  sort.Slice(idx, func(a,b int)bool{return tr.groupList[idx[a]].score>tr.groupList[idx[b]].score})
  for _, g := range idx[:min(14,len(idx))] { gr:=&tr.groupList[g]; c:=tr.cands[gr.first]; t.Logf("%.1f n=%d dated=%d targets=%d runes=%.0f  %s | %s", gr.score,gr.n,gr.dated,gr.targets,gr.runes,tagPath(tr,c.node,5), clip(tr.links[c.link].Anchor,30)) }
 }
}
