(max) => {
  // By the getters themselves: a page may give its elements their names.
  const get = (of, name, on) => Object.getOwnPropertyDescriptor(of.prototype, name).get.call(on);
  const root = get(Document, 'documentElement', document);
  if (!root) return {html: '', cut: false};
  const html = (get(Document, 'doctype', document) ? '<!DOCTYPE html>' : '') + get(Element, 'outerHTML', root);
  return {html: html.slice(0, max), cut: html.length > max};
}
