/** For this long after the last input, requests count as use of the session. */
const attendedMilliseconds = 5 * 60_000;

/** Loading the page is an input too. */
let lastInput = Date.now();

/** Begins to notice the input of the operator. */
export function watchInput(): void {
  for (const type of ['pointerdown', 'keydown', 'wheel', 'touchmove']) {
    addEventListener(type, () => (lastInput = Date.now()), { capture: true, passive: true });
  }
}

/** The header of a request that the page sends by itself while no one uses it. It does not prolong the session. */
export function attendance(): Record<string, string> {
  const isAttended = Date.now() - lastInput < attendedMilliseconds;
  return isAttended ? {} : { 'x-gatehouse-unattended': 'true' };
}
