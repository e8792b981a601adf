import { VisuallyHidden } from '@mantine/core';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useTexts } from '../../languages/texts.tsx';
import classes from './group-chips.module.css';

interface MoreGroupsProps {
  groups: readonly { readonly id: string; readonly name: string }[];
}

/** The number of groups that are not shown. Their names open with the pointer or the focus, until Escape. */
export function MoreGroups({ groups }: MoreGroupsProps) {
  const t = useTexts('common');
  const names = useRef<HTMLSpanElement>(null);
  const [isOpen, setOpen] = useState(false);
  useLayoutEffect(() => {
    if (isOpen) keepInWindow(names.current!);
  }, [isOpen]);
  useEffect(() => {
    if (!isOpen) return;
    const close = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      event.stopPropagation();
      setOpen(false);
    };
    document.addEventListener('keydown', close, true);
    return () => document.removeEventListener('keydown', close, true);
  }, [isOpen]);

  return (
    <button
      type="button"
      className={classes.rest}
      onMouseEnter={() => setOpen(true)}
      onMouseLeave={() => setOpen(false)}
      onFocus={() => setOpen(true)}
      onBlur={() => setOpen(false)}
    >
      <span aria-hidden>+{groups.length}</span>
      <VisuallyHidden>{t('moreGroups', { count: groups.length })}</VisuallyHidden>
      <span className={classes.names} data-opened={isOpen || undefined} ref={names}>
        {groups.map(({ id, name }) => (
          <span key={id}>{name}</span>
        ))}
      </span>
    </button>
  );
}

/** Moves what would end beyond the edge of the window, or below it. */
function keepInWindow(element: HTMLElement): void {
  element.style.margin = '';
  const { right, bottom, height } = element.getBoundingClientRect();
  const beyond = right - document.documentElement.clientWidth + 8;
  if (beyond > 0) element.style.marginLeft = `${-beyond}px`;
  if (bottom > window.innerHeight) element.style.marginTop = `${-height}px`;
}
