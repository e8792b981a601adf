import { UnstyledButton } from '@mantine/core';
import classes from './cell-button.module.css';

interface CellButtonProps {
  /** For a text that is not the name of the row, which is in another cell. */
  quiet?: boolean;
  children: string;
  onClick: () => void;
}

/** What a row is about, as the button that opens it. */
export function CellButton({ quiet = false, children, onClick }: CellButtonProps) {
  return (
    <UnstyledButton className={classes.button!} mod={{ quiet }} onClick={onClick}>
      {children}
    </UnstyledButton>
  );
}
