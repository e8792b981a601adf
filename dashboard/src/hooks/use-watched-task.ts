import { useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { showFailure } from '../components/feedback/error-notification.tsx';

/** Runs a long task, with its progress, which is null while it does not run. Leaving the page stops it. */
export function useWatchedTask<Progress>() {
  const [progress, setProgress] = useState<Progress | null>(null);
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);

  /** Undefined if it failed, which is reported, or if it was stopped before anything was done. */
  async function watch<Result>(run: (signal: AbortSignal) => Promise<Result>): Promise<Result | undefined> {
    const controller = new AbortController();
    running.current = controller;
    try {
      return await run(controller.signal);
    } catch (error) {
      if (!controller.signal.aborted) showFailure(error);
      return undefined;
    } finally {
      // Closed before the next dialog opens, because that dialog returns the focus to the element that has it now.
      flushSync(() => setProgress(null));
    }
  }

  return { watch, progress, setProgress, cancel: () => running.current?.abort() };
}
