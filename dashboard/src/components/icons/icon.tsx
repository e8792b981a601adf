import type { ComponentType, SVGProps } from 'react';

/** With `aria-label`, screen readers read the icon; without it, they do not. */
interface IconProps extends Omit<SVGProps<SVGSVGElement>, 'stroke' | 'ref'> {
  /** The width and the height, in pixels. */
  size?: number;
  /** The width of the lines, of 24 for the whole icon. */
  stroke?: number;
}

export type Icon = ComponentType<IconProps>;

const lines = {
  fill: 'none',
  stroke: 'currentColor',
  strokeLinecap: 'round',
  strokeLinejoin: 'round',
} as const;
const areas = { fill: 'currentColor' } as const;

/** An icon of lines. Its paths are in a square of 24 by 24. */
export function icon(paths: string): Icon {
  return iconOf(paths, lines);
}

/** An icon of areas. */
export function filledIcon(paths: string): Icon {
  return iconOf(paths, areas);
}

function iconOf(paths: string, style: SVGProps<SVGSVGElement>): Icon {
  return ({ size = 24, stroke = 2, 'aria-label': label, ...props }) => {
    const shape = {
      viewBox: '0 0 24 24',
      width: size,
      height: size,
      strokeWidth: stroke,
      ...style,
      ...props,
    };
    const path = <path d={paths} />;
    return label === undefined ? (
      <svg {...shape} aria-hidden="true">
        {path}
      </svg>
    ) : (
      <svg {...shape} role="img" aria-label={label}>
        {path}
      </svg>
    );
  };
}
