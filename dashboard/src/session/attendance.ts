/** For this long after the last input, requests count as use of the session. */
const attendedMilliseconds = 5 * 60_000;

/** Loading the page is an input too. */
let lastInput = Date.now();
let leaving = false;

/** Begins to notice the input of the operator, and the end of the page. */
export function watchInput(): void {
  for (const type of ['pointerdown', 'keydown', 'wheel', 'touchmove']) {
    addEventListener(type, () => (lastInput = Date.now()), { capture: true, passive: true });
  }
  addEventListener('pagehide', () => (leaving = true), { capture: true });
  // A page that the browser has kept is shown again.
  addEventListener('pageshow', () => (leaving = false), { capture: true });
}

/** The header of a request that the page sends by itself while no one uses it. It does not prolong the session. */
export function attendance(): Record<string, string> {
  const isAttended = Date.now() - lastInput < attendedMilliseconds;
  return isAttended ? {} : { 'x-gatehouse-unattended': 'true' };
}

/** Whether the page is about to end. Of its requests, only those that outlive it are then still sent. */
export function isLeaving(): boolean {
  return leaving;
}
