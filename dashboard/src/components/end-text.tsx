import { endText, momentText } from '../format/ends.ts';
import { useSite } from '../session/site.ts';

/** The end of something, such as a membership: the last day, in the time zone of the site. The time is shown on hover. */
export function EndText({ at }: { at: string }) {
  const { timeZone } = useSite();
  return (
    <time dateTime={at} title={momentText(at, timeZone)}>
      {endText(at, timeZone)}
    </time>
  );
}
