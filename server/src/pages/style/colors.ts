/** A color as its components red, green and blue, 0 to 255. */
type Parts = readonly [number, number, number];

/** The color of sites without a color of their own. */
export const defaultColor = '#3f5bd8';

/** The minimum contrast of text on its background (WCAG 2.2, success criterion 1.4.3). */
const enoughContrast = 4.5;

/** The contrast ratio of two colors, 1 to 21 (WCAG 2.2, "contrast ratio"). Colors are `#rrggbb`. */
export function contrast(one: string, other: string): number {
  const [darker, lighter] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number];
  return (lighter + 0.05) / (darker + 0.05);
}

/** Black or white, whichever is more readable on the color. The better one always has a contrast of 4.58 or more. */
export function textOn(color: string): string {
  return contrast(color, '#000000') > contrast(color, '#ffffff') ? '#000000' : '#ffffff';
}

/** The color, darkened or lightened as much as needed to be readable on all of the backgrounds. */
export function readableOn(backgrounds: readonly string[], color: string): string {
  const towards = textOn(backgrounds[0]!);
  for (let percent = 0; percent < 100; percent += 2) {
    const mixed = mix(color, towards, percent / 100);
    if (backgrounds.every((background) => contrast(mixed, background) >= enoughContrast)) return mixed;
  }
  return towards;
}

/** The color mixed with a share (0 to 1) of another. */
export function mix(color: string, other: string, share: number): string {
  const others = parts(other);
  const mixed = parts(color).map((part, index) => Math.round(part + (others[index]! - part) * share));
  return `#${mixed.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}

function luminance(color: string): number {
  const [red, green, blue] = parts(color).map(linear) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function linear(part: number): number {
  const share = part / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
}

function parts(color: string): Parts {
  const value = Number.parseInt(color.slice(1), 16);
  return [value >> 16, (value >> 8) & 0xff, value & 0xff];
}
