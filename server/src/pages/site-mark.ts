import { html } from '../base/text/html.ts';
import { siteColors } from './style/style-sheet.ts';

const segmenter = new Intl.Segmenter();

/** The first letter or digit of a title, or its first character if it has neither. */
export function initialOf(title: string): string {
  const characters = [...segmenter.segment(title.trim())].map(({ segment }) => segment);
  const initial = characters.find((character) => /[\p{L}\p{N}]/u.test(character)) ?? characters[0] ?? '';
  return initial.toUpperCase();
}

/** The icon of a site without a logo: its initial on its color, as on its pages. An SVG image. */
export function siteMark({
  title,
  color,
}: {
  readonly title: string;
  readonly color: string | null;
}): string {
  const { button, onButton } = siteColors(color);
  const initial = initialOf(title);
  // Some letters become two, as the German sharp s does.
  const size = [...segmenter.segment(initial)].length > 1 ? 15 : 19;
  return html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
<rect width="32" height="32" rx="9" fill="${button}"/>
<text x="16" y="16" dy="0.35em" text-anchor="middle" font-family="system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif" font-size="${size}" font-weight="650" fill="${onButton}">${initial}</text>
</svg>
`.toString();
}

/** Gatehouse's own icon, for the pages of operators. */
export const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" fill="none">
  <rect width="32" height="32" rx="8" fill="#0f766e"/>
  <path d="M8 25V14a8 8 0 0 1 16 0v11M14 25v-9m4 9v-9" stroke="#fff" stroke-width="2.5" stroke-linecap="round"/>
</svg>
`;
