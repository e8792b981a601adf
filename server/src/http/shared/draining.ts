/**
 * Whether the service is about to stop. While it drains it serves every request, but it is not ready, so that balancers
 * send their requests to other processes, and it keeps no connection open after a response.
 */
export class Draining {
  #isOn = false;

  get isOn(): boolean {
    return this.#isOn;
  }

  begin(): void {
    this.#isOn = true;
  }
}
