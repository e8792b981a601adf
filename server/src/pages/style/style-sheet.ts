import { defaultColor, mix, readableOn, textOn } from './colors.ts';
import { rules } from './rules.ts';

/** The surfaces on which the site's color must be readable: the page, and the card on it. */
export const surfaces = {
  light: { page: '#f4f4f6', card: '#ffffff' },
  dark: { page: '#111214', card: '#1b1c1f' },
} as const;

/** The colors derived from the site's color. */
export interface SiteColors {
  readonly button: string;
  readonly onButton: string;
  /** Links and borders, on the page and on the card. */
  readonly accent: { readonly light: string; readonly dark: string };
}

/** The colors of a site's pages. Text is readable in every site color. */
export function siteColors(color: string | null): SiteColors {
  const button = /^#[0-9a-f]{6}$/i.test(color ?? '') ? color!.toLowerCase() : defaultColor;
  return {
    button,
    onButton: textOn(button),
    accent: {
      light: readableOn([surfaces.light.page, surfaces.light.card], button),
      dark: readableOn([surfaces.dark.card, surfaces.dark.page], button),
    },
  };
}

/** The style of all pages of a site, in its color (`#rrggbb`; null for the default color). */
export function styleSheet(color: string | null): string {
  const { button, onButton, accent } = siteColors(color);
  const { light, dark } = surfaces;
  return `:root {
  color-scheme: light dark;
  --button: ${button};
  --on-button: ${onButton};
  --accent: ${accent.light};
  --page: ${light.page};
  --glow: ${mix(light.page, button, 0.1)};
  --card: ${light.card};
  --text: #1c1d21;
  --soft: #5b5e68;
  --line: #e3e4e8;
  --field-line: #858994;
  --problem: #b3261e;
  --problem-back: #fdf0ef;
  --warning: #8a5a00;
  --success: #1b6e3c;
  --success-back: #edf7f0;
  --shadow: 0 1px 2px rgb(20 22 30 / 6%), 0 12px 40px rgb(20 22 30 / 8%);
}

@media (prefers-color-scheme: dark) {
  :root {
    --accent: ${accent.dark};
    --page: ${dark.page};
    --glow: ${mix(dark.page, button, 0.14)};
    --card: ${dark.card};
    --text: #ececef;
    --soft: #a9acb5;
    --line: #313339;
    --field-line: #7d818c;
    --problem: #ff9d94;
    --problem-back: #34201f;
    --warning: #f0c069;
    --success: #7fd6a0;
    --success-back: #1b2b21;
    --shadow: 0 1px 2px rgb(0 0 0 / 30%), 0 12px 40px rgb(0 0 0 / 30%);
  }
}

${rules}`;
}
