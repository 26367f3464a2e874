package page
import ("testing";"os";"path/filepath")
func TestZZ(t *testing.T){
  b,_ := os.ReadFile(filepath.Join(dataDir(t),"sites/rs.henu.edu.cn/xzzq/bsh/bshkt.htm"))
  p, e, err := Explain(Source{URL:"http://rs.henu.edu.cn/xzzq/bsh/bshkt.htm",Body:b},Options{Now:crawled}); if err != nil { t.Fatal(err) }
  e.Write(os.Stdout); t.Log(p.Type)
}
