/** Output of a command: its beginning and its end are kept, a long middle is cut out. */
const headBytes = 16_384;
const tailBytes = 49_152;

export function boundedOutput() {
  const head: Buffer[] = [];
  const tail: Buffer[] = [];
  let headSize = 0;
  let tailSize = 0;
  let dropped = 0;
  return {
    add(chunk: Buffer): void {
      const first = chunk.subarray(0, Math.max(0, headBytes - headSize));
      if (first.length > 0) head.push(first);
      headSize += first.length;
      const rest = chunk.subarray(first.length);
      if (rest.length === 0) return;
      tail.push(rest);
      tailSize += rest.length;
      while (tail.length > 1 && tailSize - tail[0]!.length >= tailBytes) {
        const gone = tail.shift()!;
        tailSize -= gone.length;
        dropped += gone.length;
      }
    },
    truncated: (): boolean => dropped > 0,
    text: (): string =>
      Buffer.concat(head).toString("utf8") +
      (dropped > 0 ? `\n… ${dropped} bytes cut …\n` : "") +
      Buffer.concat(tail).toString("utf8"),
  };
}
