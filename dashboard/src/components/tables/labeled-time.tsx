import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { TimeText } from '../time-text.tsx';

interface LabeledTimeProps {
  at: string;
  /** Shown instead of the time, if the time is not that exact. */
  words?: string | undefined;
  /** What it is the time of, in a few words. */
  text: (time: ReactNode) => ReactNode;
}

/** A time in a cell. On a phone, where columns have no headings, it says itself what it is the time of. */
export function LabeledTime({ at, words, text }: LabeledTimeProps) {
  const time = words ?? <TimeText at={at} />;
  return (
    <>
      <Text component="span" inherit visibleFrom="sm">
        {time}
      </Text>
      <Text component="span" inherit hiddenFrom="sm">
        {text(time)}
      </Text>
    </>
  );
}
