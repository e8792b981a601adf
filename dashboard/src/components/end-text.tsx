import { endsSoon, endText, momentText } from '../format/ends.ts';
import { useSite } from '../session/site.ts';
import classes from './end-text.module.css';

/**
 * The end of something, such as a membership: the last day, in the time zone of the site, in amber if that is soon. The time is
 * shown on hover.
 */
export function EndText({ at }: { at: string }) {
  const { timeZone } = useSite();
  return (
    <time
      dateTime={at}
      title={momentText(at, timeZone)}
      className={endsSoon(at, new Date()) ? classes.soon : undefined}
    >
      {endText(at, timeZone)}
    </time>
  );
}
