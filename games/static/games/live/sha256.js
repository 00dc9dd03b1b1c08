/**
 * SHA-256 (FIPS 180-4), at once and everywhere: the browser's own is asynchronous, and missing on
 * pages without https. No DOM.
 */

/** @param {(n: number) => number} root  the first 32 bits of the roots' fractions, for the first primes */
function fractions(root, count = 64) {
  /** @type {number[]} */
  const primes = [];
  for (let n = 2; primes.length < count; n += 1) if (primes.every((p) => n % p)) primes.push(n);
  return primes.map((p) => ((root(p) % 1) * 2 ** 32) | 0);
}

const ROUNDS = Int32Array.from(fractions(Math.cbrt));
const START = Int32Array.from(fractions(Math.sqrt, 8));
const words = new Int32Array(64);

/** @param {number} x @param {number} n */
const turn = (x, n) => (x >>> n) | (x << (32 - n));

/** The message with its end mark and its length in bits. @param {Uint8Array} bytes */
function padded(bytes) {
  const block = new Uint8Array(Math.ceil((bytes.length + 9) / 64) * 64);
  block.set(bytes);
  block[bytes.length] = 0x80;
  const view = new DataView(block.buffer);
  view.setUint32(block.length - 8, Math.floor(bytes.length / 2 ** 29));
  view.setUint32(block.length - 4, bytes.length * 8);
  return view;
}

/** @param {DataView} view @param {number} at where the block begins */
function schedule(view, at) {
  for (let i = 0; i < 16; i += 1) words[i] = view.getInt32(at + 4 * i);
  for (let i = 16; i < 64; i += 1) {
    const [x, y] = [words[i - 15], words[i - 2]];
    const low = turn(x, 7) ^ turn(x, 18) ^ (x >>> 3);
    const high = turn(y, 17) ^ turn(y, 19) ^ (y >>> 10);
    words[i] = words[i - 16] + low + words[i - 7] + high;
  }
}

/** Takes the block in `words` in. @param {Int32Array} state */
function compress(state) {
  let [a, b, c, d, e, f, g, h] = state;
  for (let i = 0; i < 64; i += 1) {
    const sigma = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25);
    const first = (h + sigma + ((e & f) ^ (~e & g)) + ROUNDS[i] + words[i]) | 0;
    const second = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((word, place) => {
    state[place] += word;
  });
}

/** @param {Uint8Array} bytes @returns {Uint8Array} 32 bytes */
export function sha256(bytes) {
  const [view, state] = [padded(bytes), START.slice()];
  for (let at = 0; at < view.byteLength; at += 64) {
    schedule(view, at);
    compress(state);
  }
  const digest = new DataView(new ArrayBuffer(32));
  state.forEach((word, place) => {
    digest.setInt32(4 * place, word);
  });
  return new Uint8Array(digest.buffer);
}
