import { useRef } from 'react';

/** An action that ignores being asked again while it is under way; the page itself shows that only a little later. */
export function useOneAtATime<Args extends unknown[]>(
  act: (...args: Args) => Promise<void>,
): (...args: Args) => Promise<void> {
  const underWay = useRef(false);
  return async (...args) => {
    if (underWay.current) return;
    underWay.current = true;
    await act(...args).finally(() => {
      underWay.current = false;
    });
  };
}
