import { UnstyledButton } from '@mantine/core';
import classes from './cell-button.module.css';

/** The name of what a row is about, as the button that opens it. */
export function CellButton({ children, onClick }: { children: string; onClick: () => void }) {
  return (
    <UnstyledButton className={classes.button!} onClick={onClick}>
      {children}
    </UnstyledButton>
  );
}
