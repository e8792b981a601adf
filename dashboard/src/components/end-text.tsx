import { endDay, endsSoon, endText, momentText } from '../format/ends.ts';
import { useSite } from '../session/site.ts';
import classes from './end-text.module.css';

interface EndTextProps {
  at: string;
  /** Only the day, also of an end within a day: for narrow columns. */
  as?: 'end' | 'day';
  isInLog?: boolean;
}

/**
 * The end of something, such as a membership: the last day, in the time zone of the site, in amber if that is soon. The time is
 * shown on hover. In a log it is never amber: what it says may no longer be true.
 */
export function EndText({ at, as = 'end', isInLog = false }: EndTextProps) {
  const { timeZone } = useSite();
  return (
    <time
      dateTime={at}
      title={momentText(at, timeZone)}
      className={!isInLog && endsSoon(at, new Date()) ? classes.soon : undefined}
    >
      {as === 'day' ? endDay(at, timeZone) : endText(at, timeZone)}
    </time>
  );
}
