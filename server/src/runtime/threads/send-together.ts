/**
 * Sends some things in one message to another thread; if that fails because one of them cannot be copied, each alone.
 * @param onFailure called with what cannot be sent
 */
export function sendTogether<Each>(
  all: readonly Each[],
  send: (some: readonly Each[]) => void,
  onFailure: (each: Each, error: unknown) => void,
): void {
  try {
    send(all);
  } catch (error) {
    if (all.length === 1) onFailure(all[0]!, error);
    else for (const each of all) sendTogether([each], send, onFailure);
  }
}
