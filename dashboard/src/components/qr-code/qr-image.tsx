import { useMemo } from 'react';
import classes from './qr-image.module.css';
import { qrCode } from './qr-path.ts';

interface QrImageProps {
  /** What it encodes. */
  text: string;
  /** What it is, for assistive technology. */
  label: string;
}

/** A QR code, as wide as its place but not wider than 15 rem. */
export function QrImage({ text, label }: QrImageProps) {
  const { size, path } = useMemo(() => qrCode(text), [text]);
  return (
    <svg
      className={classes.image}
      viewBox={`0 0 ${size} ${size}`}
      width={240}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <path className={classes.dark} d={path} />
    </svg>
  );
}
