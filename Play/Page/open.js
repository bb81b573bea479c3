
// Opens the engine in the page, base64 of gzip, before the browser lays out the rest of the page. The browser unpacks and compiles it at
// the same time.

function unpacked() {
  const letters = atob(document.getElementById('engine').textContent);
  const packed = new Uint8Array(letters.length);
  for (let place = 0; place < letters.length; place++) packed[place] = letters.charCodeAt(place);
  const { readable: stream, writable } = new DecompressionStream('gzip');
  const writer = writable.getWriter();
  // Neither promise can fail before the reader does, which says why.
  writer.write(packed).catch(() => {});
  writer.close().catch(() => {});
  return new Response(stream, { headers: { 'Content-Type': 'application/wasm' } });
}

const compiling = WebAssembly.compileStreaming(unpacked());
const opening = compiling.then((module) => new Engine(module));
// The page says so further down.
opening.catch(() => {});
