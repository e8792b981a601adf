import { useRef } from 'react';

/** An action that ignores further calls while it is running. The page disables its button only a moment later. */
export function useSingleFlight<Args extends unknown[]>(
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
