import { ColorInput, type ColorInputProps } from '@mantine/core';

/** Colors with enough contrast for white text. */
const swatches = [
  '#0f766e',
  '#15803d',
  '#1d4ed8',
  '#4338ca',
  '#7e22ce',
  '#be185d',
  '#b91c1c',
  '#c2410c',
  '#a16207',
  '#334155',
];

/** A field for the color of a site, with some to choose from. */
export function ColorField(props: ColorInputProps) {
  return (
    <ColorInput
      {...props}
      swatches={swatches}
      withEyeDropper={false}
      // An invalid color is reported at the field and not removed from it.
      fixOnBlur={false}
      placeholder="#3f5bd8"
    />
  );
}
