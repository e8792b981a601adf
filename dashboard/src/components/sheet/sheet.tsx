import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { IconPrinter } from '../icons/icons.ts';
import classes from './sheet.module.css';

interface SheetProps {
  title: string;
  /** The label of the button that prints it. */
  print: string;
  children: ReactNode;
}

/** A sheet for a projector or a wall, in a dialog that fills the window. Printed, it is all that is on the paper. */
export function Sheet({ title, print, children }: SheetProps) {
  return (
    <div className={classes.sheet}>
      <p className={classes.title}>{title}</p>
      {children}
      <Button
        className={classes.print!}
        leftSection={<IconPrinter size={16} aria-hidden />}
        onClick={() => window.print()}
      >
        {print}
      </Button>
    </div>
  );
}

/** What readers do, quietly, above what they need for it. */
export function SheetStep({ children }: { children: ReactNode }) {
  return <p className={classes.step}>{children}</p>;
}

/** An address that readers type. */
export function SheetAddress({ children }: { children: ReactNode }) {
  return <p className={classes.address}>{children}</p>;
}

/** A picture beside the text, such as a QR code. */
export function SheetPicture({ children }: { children: ReactNode }) {
  return <div className={classes.picture}>{children}</div>;
}

/** A text that readers type character by character, in the largest letters. */
export function SheetCode({ children }: { children: ReactNode }) {
  return <p className={classes.code}>{children}</p>;
}
