import { UnstyledButton } from '@mantine/core';
import { useDisclosure, useId } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { IconChevronDown } from '../icons/icons.ts';
import classes from './disclosure.module.css';

interface DisclosureProps {
  /** What it contains, in a few words, such as how many. */
  title: ReactNode;
  /** What else is known of it at a glance. */
  note?: ReactNode;
  children: ReactNode;
}

/** A row that shows its content when it is pressed. */
export function Disclosure({ title, note, children }: DisclosureProps) {
  const [opened, { toggle }] = useDisclosure();
  const content = useId();
  return (
    <div>
      <UnstyledButton
        className={classes.row!}
        aria-expanded={opened}
        aria-controls={opened ? content : undefined}
        onClick={toggle}
      >
        <IconChevronDown size={16} aria-hidden className={classes.chevron!} />
        <span>{title}</span>
        {note && <span className={classes.note}>{note}</span>}
      </UnstyledButton>
      {opened && <div id={content}>{children}</div>}
    </div>
  );
}
