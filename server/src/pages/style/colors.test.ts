import fc from 'fast-check';
import { expect, test } from 'vitest';
import { contrast, mix, readableOn, textOn } from './colors.ts';

const anyColor = fc
  .integer({ min: 0, max: 0xffffff })
  .map((value) => `#${value.toString(16).padStart(6, '0')}`);

test('contrast follows the WCAG', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21);
  expect(contrast('#ffffff', '#777777')).toBeCloseTo(4.48, 2);
  expect(contrast('#3f5bd8', '#3f5bd8')).toBe(1);
});

test('black or white is readable on every color', () => {
  fc.assert(
    fc.property(anyColor, (color) => contrast(textOn(color), color) >= 4.5),
    { numRuns: 2_000 },
  );
});

test('every color can be made readable, on light and on dark', () => {
  fc.assert(
    fc.property(
      anyColor,
      fc.constantFrom('#ffffff', '#f4f4f6', '#111214', '#1b1c1f'),
      (color, background) => {
        expect(contrast(readableOn([background], color), background)).toBeGreaterThanOrEqual(4.5);
      },
    ),
    { numRuns: 2_000 },
  );
});

test('a readable color stays unchanged', () => {
  expect(readableOn(['#ffffff'], '#0f766e')).toBe('#0f766e');
});

test('mixing goes from one color to the other', () => {
  expect(mix('#102030', '#ffffff', 0)).toBe('#102030');
  expect(mix('#000000', '#ffffff', 0.5)).toBe('#808080');
  expect(mix('#102030', '#ffffff', 1)).toBe('#ffffff');
});
