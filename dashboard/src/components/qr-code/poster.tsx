import { useEffect, useMemo } from 'react';
import { createPortal } from 'react-dom';
import classes from './poster.module.css';
import { qrCode } from './qr-path.ts';

interface PosterProps {
  title: string;
  /** What to do with the QR code. */
  help: string;
  url: string;
  /** Called once it is printed, or not. */
  done: () => void;
}

/** Prints a QR code as large as the paper, with its URL, instead of the dashboard. */
export function Poster({ title, help, url, done }: PosterProps) {
  const { size, path } = useMemo(() => qrCode(url), [url]);
  useEffect(() => {
    window.addEventListener('afterprint', done);
    window.print();
    return () => window.removeEventListener('afterprint', done);
  }, []);
  return createPortal(
    <div className={classes.poster} aria-hidden>
      <h1>{title}</h1>
      <p>{help}</p>
      <svg viewBox={`0 0 ${size} ${size}`} shapeRendering="crispEdges" aria-hidden>
        <path d={path} />
      </svg>
      <p>{url}</p>
    </div>,
    document.body,
  );
}
