import { expect } from 'vitest';

/** Whether the square in a row and a column is dark. */
type Squares = readonly (readonly boolean[])[];

/** Data bytes of the blocks of versions 1 to 10 with the error correction level M (ISO/IEC 18004, table 9). */
const blocks = [
  [16],
  [28],
  [44],
  [32, 32],
  [43, 43],
  [27, 27, 27, 27],
  [31, 31, 31, 31],
  [38, 38, 39, 39],
  [36, 36, 36, 37, 37],
  [43, 43, 43, 43, 44],
];

/** Centers of the alignment patterns of these versions (annex E). */
const centers = [
  [],
  [6, 18],
  [6, 22],
  [6, 26],
  [6, 30],
  [6, 34],
  [6, 22, 38],
  [6, 24, 42],
  [6, 26, 46],
  [6, 28, 50],
];

const masks: readonly ((row: number, column: number) => boolean)[] = [
  (row, column) => (row + column) % 2 === 0,
  (row) => row % 2 === 0,
  (_, column) => column % 3 === 0,
  (row, column) => (row + column) % 3 === 0,
  (row, column) => (Math.floor(row / 2) + Math.floor(column / 3)) % 2 === 0,
  (row, column) => ((row * column) % 2) + ((row * column) % 3) === 0,
  (row, column) => (((row * column) % 2) + ((row * column) % 3)) % 2 === 0,
  (row, column) => (((row + column) % 2) + ((row * column) % 3)) % 2 === 0,
];

/** The text of a QR code, read as a phone does, whose squares are all right: errors are not corrected. */
export function readQrCode(squares: Squares): string {
  const version = (squares.length - 17) / 4;
  const format = formatOf(squares);
  expect(format >> 13, 'the error correction level is M').toBe(0);
  const bits = [...dataSquares(squares.length, version)].map(
    ([row, column]) => squares[row]![column]! !== masks[(format >> 10) & 7]!(row, column),
  );
  const bytes = deinterleaved(bytesOf(bits), blocks[version - 1]!);
  expect(bytes[0]! >> 4, 'the text is in bytes').toBe(4);
  const ownBits = bytes.flatMap((byte) => [...byte.toString(2).padStart(8, '0')].map((bit) => bit === '1'));
  const [start, lengthBits] = [4, version < 10 ? 8 : 16];
  const length = Number.parseInt(
    ownBits
      .slice(start, start + lengthBits)
      .map(Number)
      .join(''),
    2,
  );
  return Buffer.from(bytesOf(ownBits.slice(start + lengthBits)).slice(0, length)).toString();
}

/** The level and the mask, beside the upper left pattern. */
function formatOf(squares: Squares): number {
  const before = [0, 1, 2, 3, 4, 5, 7].map((column) => squares[8]![column]!);
  const after = [8, 7, 5, 4, 3, 2, 1, 0].map((row) => squares[row]![8]!);
  return Number.parseInt([...before, ...after].map(Number).join(''), 2) ^ 0x5412;
}

/** The squares with data, in their order: two columns at a time, from the right, up and down. */
function* dataSquares(size: number, version: number): Generator<[row: number, column: number]> {
  let isUp = true;
  for (let right = size - 1; right > 0; right -= 2) {
    if (right === 6) right -= 1;
    for (let step = 0; step < size; step += 1) {
      const row = isUp ? size - 1 - step : step;
      for (const column of [right, right - 1])
        if (!isPattern(row, column, size, version)) yield [row, column];
    }
    isUp = !isUp;
  }
}

function isPattern(row: number, column: number, size: number, version: number): boolean {
  const far = size - 8;
  if (row === 6 || column === 6) return true;
  if ((row < 9 && (column < 9 || column >= far)) || (row >= far && column < 9)) return true;
  const isNextToCorner = (a: number, b: number) => a < 6 && b >= size - 11;
  if (version >= 7 && (isNextToCorner(row, column) || isNextToCorner(column, row))) return true;
  const near = centers[version - 1]!;
  const [first, last] = [6, size - 7];
  return near.some((y) =>
    near.some((x) => {
      const isInCorner =
        [first, last].includes(y) && [first, last].includes(x) && !(y === last && x === last);
      return !isInCorner && Math.abs(row - y) <= 2 && Math.abs(column - x) <= 2;
    }),
  );
}

function bytesOf(bits: readonly boolean[]): number[] {
  return Array.from({ length: Math.floor(bits.length / 8) }, (_, index) =>
    Number.parseInt(
      bits
        .slice(index * 8, index * 8 + 8)
        .map(Number)
        .join(''),
      2,
    ),
  );
}

/** The data of all blocks, which alternate byte by byte. */
function deinterleaved(bytes: readonly number[], lengths: readonly number[]): number[] {
  const found: number[][] = lengths.map(() => []);
  let next = 0;
  for (let index = 0; index < Math.max(...lengths); index += 1)
    for (const [block, length] of lengths.entries()) if (index < length) found[block]!.push(bytes[next++]!);
  return found.flat();
}
