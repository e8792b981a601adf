import { useEffect } from 'react';
import { createPortal } from 'react-dom';
import { useTexts } from '../../../languages/texts.tsx';
import { useSite } from '../../../session/site.ts';
import classes from '../invitations.module.css';

interface PosterProps {
  size: number;
  path: string;
  url: string;
  done: () => void;
}

/** Prints a QR code as large as the paper. Notes are for operators only, so it has only the title of the site. */
export function Poster({ size, path, url, done }: PosterProps) {
  const t = useTexts('invitations');
  const { title } = useSite();
  useEffect(() => {
    window.addEventListener('afterprint', done);
    window.print();
    return () => window.removeEventListener('afterprint', done);
  }, []);
  return createPortal(
    <div className={classes.poster} aria-hidden>
      <h1>{title}</h1>
      <p>{t('scan')}</p>
      <svg viewBox={`0 0 ${size} ${size}`} shapeRendering="crispEdges" aria-hidden>
        <path fill="#000" d={path} />
      </svg>
      <p>{url}</p>
    </div>,
    document.body,
  );
}
