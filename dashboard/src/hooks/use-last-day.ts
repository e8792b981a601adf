import { type FormEvent, useState } from 'react';
import { chosenEnd } from '../format/days.ts';
import { useSite } from '../session/site.ts';
import { useSingleFlight } from './use-single-flight.ts';

/**
 * A form with the last day of a membership. `send` gets the end of that day, null if there is none, and resolves to
 * whether the form is no longer needed.
 */
export function useLastDay(initialDay: string, send: (expiresAt: string | null) => Promise<boolean>) {
  const { timeZone } = useSite();
  const [day, change] = useState(initialDay);
  const [pending, setPending] = useState(false);
  const sendOnce = useSingleFlight(async () => {
    const expiresAt = chosenEnd(day, timeZone, new Date());
    if (expiresAt === undefined) return;
    setPending(true);
    setPending(await send(expiresAt));
  });
  function submit(event: FormEvent): void {
    event.preventDefault();
    void sendOnce();
  }
  return { field: { day, change }, pending, submit };
}
