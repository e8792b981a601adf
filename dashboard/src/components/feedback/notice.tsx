import { Alert, type AlertProps } from '@mantine/core';
import type { ComponentPropsWithRef } from 'react';
import type { Icon } from '../icons/icon.tsx';
import { IconAlertTriangle, IconCheck, IconInfoCircle } from '../icons/icons.ts';
import type { State } from '../state/state-text.tsx';
import classes from './notice.module.css';

type NoticeProps = Pick<AlertProps, 'title' | 'mb'> &
  Pick<ComponentPropsWithRef<'div'>, 'children' | 'lang' | 'ref' | 'role'> & {
    /** What it means for the reader. */
    state: State;
    /** Another icon than that of the state. */
    icon?: Icon;
  };

const icons: Readonly<Record<State, Icon>> = {
  good: IconCheck,
  attention: IconAlertTriangle,
  bad: IconAlertTriangle,
  neutral: IconInfoCircle,
};

/** What a reader has to know or to do about the page, or about a part of it. */
export function Notice({ state, icon, ...props }: NoticeProps) {
  const Shown = icon ?? icons[state];
  return (
    <Alert
      className={classes[state]!}
      classNames={{ icon: classes.icon!, title: classes.title!, message: classes.message! }}
      icon={<Shown size={18} aria-hidden />}
      {...props}
    />
  );
}
