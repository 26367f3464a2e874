(function(){"use strict";
var q=document.getElementById("q"),c=document.getElementById("c"),t=document.getElementById("table");
if(!q||!t||!t.tBodies)return;
var body=t.tBodies[0],rows=Array.prototype.slice.call(body.rows),texts=rows.map(function(r){return r.textContent.toLowerCase()}),timer;
function told(n){c.textContent=c.dataset.form.replace("#",n).replace("@",c.dataset.all)}
function filter(){var words=q.value.toLowerCase().split(/\s+/).filter(Boolean),n=0;
rows.forEach(function(r,i){var ok=words.every(function(w){return w[0]==="-"&&w.length>1?texts[i].indexOf(w.slice(1))<0:texts[i].indexOf(w)>=0});r.hidden=!ok;if(ok)n++});told(n)}
q.addEventListener("input",function(){clearTimeout(timer);timer=setTimeout(filter,80)});
function key(r,i){var d=r.cells[i];return d.dataset.v||d.textContent}
Array.prototype.forEach.call(t.tHead.rows[0].cells,function(h,i){h.firstChild.addEventListener("click",function(){
var up=h.getAttribute("aria-sort")!=="ascending",order=rows.map(function(r,n){return[key(r,i),n]}),number=order.every(function(o){return o[0]===""||!isNaN(o[0])});
order.sort(function(a,b){var x=a[0],y=b[0];if(x===y)return a[1]-b[1];if(x==="")return 1;if(y==="")return-1;
var d=number?x-y:x.localeCompare(y,document.documentElement.lang);return up?d:-d});
Array.prototype.forEach.call(t.tHead.rows[0].cells,function(o){o.setAttribute("aria-sort","none")});h.setAttribute("aria-sort",up?"ascending":"descending");
order.forEach(function(o){body.appendChild(rows[o[1]])})})});
told(rows.length)})();
