import { encode } from 'uqr';

/** Squares around the code that stay free (ISO/IEC 18004, 9.1). */
const border = 4;
/** The side of a square in a file, in pixels. */
const pixels = 16;

/** A QR code as the path of its dark squares, in a square of `size` units. */
export function qrCode(text: string): { size: number; path: string } {
  const { size, data } = encode(text, { ecc: 'M', border });
  const runs = data.flatMap((row, y) =>
    runsOf(row).map(({ x, length }) => `M${x} ${y}h${length}v1h-${length}z`),
  );
  return { size, path: runs.join('') };
}

/** A QR code as an SVG file with a title. */
export function svgFile(text: string, title: string): string {
  const { size, path } = qrCode(text);
  const side = size * pixels;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" width="${side}" height="${side}" shape-rendering="crispEdges"><title>${escaped(title)}</title><path fill="#fff" d="M0 0h${size}v${size}H0z"/><path d="${path}"/></svg>`;
}

/** The dark squares of a row that follow each other. */
function runsOf(row: readonly boolean[]): { x: number; length: number }[] {
  const runs: { x: number; length: number }[] = [];
  row.forEach((isDark, x) => {
    const last = runs.at(-1);
    if (!isDark) return;
    if (last && last.x + last.length === x) last.length += 1;
    else runs.push({ x, length: 1 });
  });
  return runs;
}

/** A text in XML 1.0, without characters that must not be in it. */
function escaped(text: string): string {
  const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
  return text.replace(/[&<>]/g, (found) => entities[found]!).replace(/\p{Cc}/gu, ' ');
}
