import { Alert, type AlertProps } from '@mantine/core';
import type { ComponentPropsWithRef } from 'react';
import type { Icon } from '../icons/icon.tsx';
import { IconAlertTriangle, IconCheck, IconInfoCircle } from '../icons/icons.ts';
import classes from './notice.module.css';

type NoticeProps = Pick<AlertProps, 'title' | 'mb'> &
  Pick<ComponentPropsWithRef<'div'>, 'children' | 'lang' | 'ref' | 'role'> & {
    /** What it means for the reader. */
    state: keyof typeof looks;
    /** Another icon than that of the state. */
    icon?: Icon;
  };

const looks = {
  good: { color: 'green', icon: IconCheck },
  attention: { color: 'yellow', icon: IconAlertTriangle },
  bad: { color: 'red', icon: IconAlertTriangle },
  neutral: { color: 'gray', icon: IconInfoCircle },
} as const satisfies Record<string, { color: string; icon: Icon }>;

/** What a reader has to know or to do about the page, or about a part of it. */
export function Notice({ state, icon, ...props }: NoticeProps) {
  const look = looks[state];
  const Shown = icon ?? look.icon;
  return (
    <Alert
      variant="light"
      color={look.color}
      icon={<Shown aria-hidden />}
      classNames={{ title: classes.title! }}
      {...props}
    />
  );
}
