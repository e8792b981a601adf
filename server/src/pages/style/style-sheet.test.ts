import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { contrast } from './colors.ts';
import { siteColors, styleSheet, surfaces } from './style-sheet.ts';

const anyColor = fc
  .integer({ min: 0, max: 0xffffff })
  .map((value) => `#${value.toString(16).padStart(6, '0')}`);

test('buttons and links are readable in every site color, in light and dark mode', () => {
  fc.assert(
    fc.property(anyColor, (color) => {
      const { button, onButton, accent } = siteColors(color);
      expect(button).toBe(color);
      expect(contrast(onButton, button)).toBeGreaterThanOrEqual(4.5);
      for (const scheme of ['light', 'dark'] as const) {
        for (const surface of Object.values(surfaces[scheme])) {
          expect(contrast(accent[scheme], surface)).toBeGreaterThanOrEqual(4.5);
        }
      }
    }),
    { numRuns: 5_000 },
  );
});

describe.each(['light', 'dark'] as const)('in %s mode, for every site', (scheme) => {
  const variables = variablesOf(styleSheet('#0f766e'), scheme);

  test.each([
    ['text', 'card'],
    ['soft', 'card'],
    ['warning', 'card'],
    ['problem', 'problem-back'],
    ['success', 'success-back'],
  ])('%s is readable on %s', (text, back) => {
    expect(contrast(variables.get(text)!, variables.get(back)!)).toBeGreaterThanOrEqual(4.5);
  });

  test('the border of a field is visible', () => {
    expect(contrast(variables.get('field-line')!, variables.get('card')!)).toBeGreaterThanOrEqual(3);
  });
});

function variablesOf(style: string, scheme: 'light' | 'dark'): Map<string, string> {
  const [light, dark] = style.split('@media (prefers-color-scheme: dark)') as [string, string];
  const declarations = (scheme === 'light' ? light : dark).matchAll(/--([\w-]+): (#[0-9a-f]{6});/g);
  return new Map([...declarations].map(([, name, value]) => [name!, value!]));
}

test('an invalid color cannot get into the style', () => {
  const hostile = 'red;} body { background: url(//evil.example)';
  expect(styleSheet(hostile)).toBe(styleSheet(null));
});

test('the style loads nothing and does not use left and right', () => {
  expect(styleSheet('#ABCDEF')).not.toMatch(/url\(|@import|\b(?:left|right)\b/);
});
