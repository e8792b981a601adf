// The parameters of RFC 3492, section 5.
const base = 36;
const smallestThreshold = 1;
const largestThreshold = 26;
const skew = 38;
const damp = 700;
const firstBias = 72;
const firstCode = 0x80;

/** Decodes a label of a domain without its `xn--` (RFC 3492, section 6.2). @throws RangeError for what is none */
export function fromPunycode(label: string): string {
  const delimiter = label.lastIndexOf('-');
  const letters = [...label.slice(0, Math.max(delimiter, 0))];
  const digits = [...label.slice(delimiter + 1)].map((digit) => Number.parseInt(digit, base));
  let [code, place, bias] = [firstCode, 0, firstBias];
  while (digits.length > 0) {
    const before = place;
    let weight = 1;
    for (let step = base; ; step += base) {
      const digit = digitOf(digits.shift());
      place += digit * weight;
      const threshold = Math.min(Math.max(step - bias, smallestThreshold), largestThreshold);
      if (digit < threshold) break;
      weight *= base - threshold;
    }
    const count = letters.length + 1;
    bias = adapted(place - before, count, before === 0);
    code += Math.floor(place / count);
    place %= count;
    letters.splice(place, 0, String.fromCodePoint(code));
    place += 1;
  }
  return letters.join('');
}

/** Punycode counts a to z first, then 0 to 9; numbers in base 36 the other way round. */
function digitOf(digit: number | undefined): number {
  if (digit === undefined || Number.isNaN(digit)) throw new RangeError('This is no Punycode.');
  return digit < 10 ? digit + 26 : digit - 10;
}

function adapted(delta: number, count: number, isFirst: boolean): number {
  let rest = Math.floor(delta / (isFirst ? damp : 2));
  rest += Math.floor(rest / count);
  let bias = 0;
  const range = base - smallestThreshold;
  for (; rest > (range * largestThreshold) / 2; bias += base) rest = Math.floor(rest / range);
  return bias + Math.floor(((range + 1) * rest) / (rest + skew));
}
