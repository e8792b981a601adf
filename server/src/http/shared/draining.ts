/**
 * Whether the service is about to stop. While it drains it serves every request, but it is not ready, so that balancers
 * send their requests to other processes, and it keeps no connection open after a response.
 */
export class Draining {
  readonly #listeners: (() => void)[] = [];
  #isOn = false;

  get isOn(): boolean {
    return this.#isOn;
  }

  /** Calls the listener when the service begins to drain. */
  onBegin(listener: () => void): void {
    this.#listeners.push(listener);
  }

  begin(): void {
    this.#isOn = true;
    for (const listener of this.#listeners) listener();
  }
}
