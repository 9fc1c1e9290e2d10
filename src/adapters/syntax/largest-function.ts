/** The largest function of a WebAssembly module, in bytes: what an optimizing compiler needs memory for. */
const codeSection = 10;
const headerBytes = 8;

/** 0 for bytes without code; the compiler of modules judges whether they are one. */
export function largestFunction(module: Uint8Array): number {
  let at = headerBytes;
  let largest = 0;

  function number(): number {
    let value = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = module[at++] ?? 0;
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) break;
    }
    return value;
  }

  while (at < module.length) {
    const section = module[at++];
    const end = number() + at;
    if (section === codeSection)
      for (let left = number(); left > 0 && at < end; left--) {
        const bytes = number();
        largest = Math.max(largest, bytes);
        at += bytes;
      }
    at = end;
  }
  return largest;
}
